package dockerfile

import (
	"slices"
	"strings"
)

// environment is a list of NAME=value, in the order in which the names came.
type environment struct{ list []string }

func newEnvironment(list []string) *environment {
	e := &environment{}
	for _, variable := range list {
		name, value, _ := strings.Cut(variable, "=")
		e.set(name, value)
	}
	return e
}

func (e *environment) find(name string) int {
	return slices.IndexFunc(e.list, func(v string) bool { return strings.HasPrefix(v, name+"=") })
}

func (e *environment) set(name, value string) {
	if i := e.find(name); i >= 0 {
		e.list[i] = name + "=" + value
		return
	}
	e.list = append(e.list, name+"="+value)
}

// Get implements shell.EnvGetter.
func (e *environment) Get(name string) (string, bool) {
	i := e.find(name)
	if i < 0 {
		return "", false
	}
	return e.list[i][len(name)+1:], true
}

// Keys implements shell.EnvGetter.
func (e *environment) Keys() []string {
	var names []string
	for _, v := range e.list {
		name, _, _ := strings.Cut(v, "=")
		names = append(names, name)
	}
	return names
}

func (e *environment) clone() *environment { return &environment{slices.Clone(e.list)} }
