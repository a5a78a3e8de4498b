package glovebox

import (
	"context"
	"fmt"
	"reflect"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// shapeOf reads the type of a Go function. names are those of its parameters,
// nil if they are the fields of a struct.
func shapeOf(name string, fn any, names []string) (*shape, error) {
	v := reflect.ValueOf(fn)
	if !v.IsValid() || v.Kind() != reflect.Func || v.IsNil() {
		return nil, badFunction(name, "is no function", "a func", fmt.Sprintf("%T", fn))
	}
	s := &shape{fn: v}
	if err := s.readParameters(name, names); err != nil {
		return nil, err
	}
	if err := s.readResults(name); err != nil {
		return nil, err
	}
	return s, s.signature.Check(false)
}

func badFunction(name, problem, expected, got string) *api.Error {
	return api.Errorf(api.InvalidType, "the function %s %s: expected %s, got %s", name, problem, expected, got).
		WithDetails(api.Details{Field: name, Expected: expected, Got: got})
}

func (s *shape) readParameters(name string, names []string) error {
	t := s.fn.Type()
	if t.IsVariadic() {
		return badFunction(name, "takes any number of arguments", "a slice as parameter", t.String())
	}
	for p := range t.Ins() {
		if len(s.in) == 0 && !s.context && p == reflect.TypeFor[context.Context]() {
			s.context = true
			continue
		}
		s.in = append(s.in, p)
	}
	if names == nil && len(s.in) == 1 && isStruct(s.in[0]) {
		s.fields = true
		var err error
		s.signature.Inputs, err = structParams("input", s.in[0])
		return err
	}
	if len(names) != len(s.in) {
		return badFunction(name, "needs names for its parameters", fmt.Sprintf("WithParams with %d names", len(s.in)), fmt.Sprintf("%d", len(names)))
	}
	return s.nameParameters(names)
}

func (s *shape) nameParameters(names []string) error {
	for i, name := range names {
		typ, err := typeOf(s.in[i])
		if err != nil {
			return declarationError("input", name, err)
		}
		s.signature.Inputs = append(s.signature.Inputs, value.Param{Name: name, Type: typ})
	}
	return nil
}

func (s *shape) readResults(name string) error {
	t := s.fn.Type()
	n := t.NumOut()
	if n > 0 && t.Out(n-1) == reflect.TypeFor[error]() {
		s.failing = true
		n--
	}
	switch {
	case n > 1:
		return badFunction(name, "returns several values", "one value or a struct, and an error", t.String())
	case n == 0:
		return nil
	}
	s.out = t.Out(0)
	var err error
	s.signature.Outputs, err = outputParams(s.out)
	return err
}

// outputParams declares the outputs that a Go type stands for: the fields of a
// struct, or one named result.
func outputParams(t reflect.Type) ([]value.Param, error) {
	if isStruct(t) {
		return structParams("output", t)
	}
	typ, err := typeOf(t)
	if err != nil {
		return nil, declarationError("output", theOutput, err)
	}
	return []value.Param{{Name: theOutput, Type: typ}}, nil
}

// isStruct reports whether t stands for its fields, and not for a value.
func isStruct(t reflect.Type) bool {
	_, exact := exactKind(t)
	return t.Kind() == reflect.Struct && !exact
}
