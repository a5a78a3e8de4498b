// Package tool describes the tools of a program: names that the host declares,
// with typed signatures, and that pause the program when it calls them.
//
// The checker, the prompt for a model and the machine all read these
// descriptions, so that the prompt promises exactly what the machine enforces.
package tool

import (
	"fmt"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Tool is something outside that a program may call by its name.
type Tool struct {
	Name   string
	Doc    string // what it does, for the author of the program; may be empty
	Params []Param
	Result value.Type
	Async  bool // a call is awaited, and several can run concurrently; strict programs may leave out the await
}

// Param is a parameter of a tool. It can be passed by name, and by position
// too unless it is KeywordOnly.
type Param struct {
	Name        string
	Type        value.Type
	Default     any // a value as package api describes it; counts if HasDefault
	HasDefault  bool
	KeywordOnly bool
}

// Bounds of a description.
const (
	maxParams = 200
	maxDoc    = 16 << 10 // bytes
)

// Validate reports what is wrong with the description as an invalid_task or
// invalid_type that names the tool and the parameter.
func (t Tool) Validate() error {
	if err := api.CheckName(t.Name, true); err != nil {
		return within("tool", err)
	}
	if len(t.Doc) > maxDoc {
		return within("tool "+t.Name, api.Errorf(api.InvalidTask, "its description is longer than %d bytes", maxDoc))
	}
	if err := checkType(t.Result); err != nil {
		return within("result of tool "+t.Name, err)
	}
	return within("tool "+t.Name, t.checkParams())
}

func (t Tool) checkParams() error {
	if len(t.Params) > maxParams {
		return api.Errorf(api.InvalidTask, "more than %d parameters", maxParams)
	}
	seen := make(map[string]bool, len(t.Params))
	for i, p := range t.Params {
		if err := p.validate(); err != nil {
			return err
		}
		if seen[p.Name] {
			return api.Errorf(api.InvalidTask, "parameter %s is declared twice", p.Name)
		}
		seen[p.Name] = true
		if i > 0 {
			if err := p.checkOrder(t.Params[i-1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkOrder holds parameters to the order that a def demands.
func (p Param) checkOrder(before Param) error {
	switch {
	case p.KeywordOnly:
		return nil
	case before.KeywordOnly:
		return api.Errorf(api.InvalidTask, "parameter %s can be passed by position, but stands after the keyword-only %s", p.Name, before.Name)
	case before.HasDefault && !p.HasDefault:
		return api.Errorf(api.InvalidTask, "parameter %s has no default, but stands after %s, which has one", p.Name, before.Name)
	}
	return nil
}

func (p Param) validate() error {
	if err := api.CheckName(p.Name, true); err != nil {
		return within("parameter", err)
	}
	if err := checkType(p.Type); err != nil {
		return within("parameter "+p.Name, err)
	}
	if !p.HasDefault {
		return nil
	}
	if _, err := value.Normalize(p.Type, p.Default); err != nil {
		return within("parameter "+p.Name, api.BadValue(api.InvalidTask, "default of", p.Name, err))
	}
	return nil
}

// checkType makes sure that the type is one that can be written and read back.
func checkType(t value.Type) error {
	if _, err := value.ParseType(t.String()); err != nil {
		return api.AsError(err)
	}
	return nil
}

// within says where an error was found, in front of its message.
func within(place string, err error) error {
	if err == nil {
		return nil
	}
	e := *api.AsError(err)
	e.Message = fmt.Sprintf("%s: %s", place, e.Message)
	return &e
}
