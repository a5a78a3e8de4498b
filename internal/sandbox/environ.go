package sandbox

import (
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
)

// environment holds variables by name.
type environment map[string]string

func (e environment) set(name, value string) { e[name] = value }

func (e environment) setAll(variables []string) {
	for _, v := range variables {
		if name, value, found := strings.Cut(v, "="); found && name != "" {
			e[name] = value
		}
	}
}

func (e environment) list() []string {
	out := make([]string, 0, len(e))
	for name, value := range e {
		out = append(out, name+"="+value)
	}
	slices.Sort(out)
	return out
}

// environ is the whole environment of the program: what every run of the task
// has, the way to the engine, and the secrets.
func (a *attempt) environ() environment {
	e := taskEnvironment(a.image, a.task, a.bundle != nil)
	if a.task.StartsRuns {
		e.set(api.EngineVariable, "http://"+api.EngineHost)
		e.set(api.ProxyVariable, "http://"+cell.ProxyAddress)
		e.set(api.RunVariable, a.id)
	}
	e.setAll(a.secrets.env)
	return e
}

// taskEnvironment is what every run of a task has. What comes later wins: the
// image, the defaults of a cell, the proxy, the certificates of the host, the
// task.
func taskEnvironment(image *Image, task *api.Task, certificates bool) environment {
	e := plainEnvironment(image, task.Mode())
	if !task.Network.None() {
		e.setAll(cell.ProxyEnv())
	}
	if certificates {
		e.setAll(cell.CertificatesEnv())
	}
	for name, value := range task.Env {
		e.set(name, value)
	}
	return e
}

// plainEnvironment is what every run has in the image.
//
// PATH and LANG are set only where the image does not. Output of code is
// unbuffered, so that it can be watched, its two streams keep their order, and
// nothing is lost when the program is killed.
func plainEnvironment(image *Image, mode api.Mode) environment {
	e := environment{}
	e.setAll([]string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8"})
	e.setAll(image.Env)
	e.set("HOME", layout.Work)
	if isPython(mode) {
		e.set("PYTHONUNBUFFERED", "1")
	}
	return e
}

// startEnvironment is what an interpreter is started with before it is known
// which run will have it: the variables of the image and those that are read at
// the start. Modules that it imports may read any, so then all of the task are
// there. A run replaces them by its own, with all others.
func startEnvironment(image *Image, task *api.Task, certificates bool) environment {
	if len(task.Preload) > 0 {
		return taskEnvironment(image, task, certificates)
	}
	e := plainEnvironment(image, task.Mode())
	for name, value := range task.Env {
		if readAtStart(name) {
			e.set(name, value)
		}
	}
	return e
}

// template returns how the cell is started that the run needs. A secret in a
// variable that is read at the start makes the run special: then no other may
// have such a cell, and the interpreter is started with everything that the run
// has.
func (a *attempt) template() (t *template, special bool) {
	env := startEnvironment(a.image, a.task, a.bundle != nil)
	if secretAtStart(a.task) >= 0 {
		env, special = a.environ(), true
	}
	return newTemplate(a.image, a.task, env), special
}

// secretAtStart returns which secret is a variable that is read when an
// interpreter starts, or -1.
func secretAtStart(task *api.Task) int {
	if !isPython(task.Mode()) {
		return -1
	}
	return slices.IndexFunc(task.Secrets, func(ref api.SecretRef) bool { return ref.Env != "" && readAtStart(ref.Env) })
}
