package cli

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// input is one -i flag.
type input struct {
	value.Param
	value value.Fields
}

// parseInput reads name=value or name:type=value. Without a type it is
// the one passed on. A File, Dir or DataFrame is given by its path on this host.
func (r *inputs) parseInput(flag string, without value.Type) (input, error) {
	declaration, text, ok := strings.Cut(flag, "=")
	if !ok {
		return input{}, usage("-i %s has no value", flag).hint("write: -i name=value, or -i name:type=value")
	}
	param, err := parseDeclaration("input", declaration, without)
	if err != nil {
		return input{}, err
	}
	value, err := r.value(param, text)
	var misused *usageError
	if known := new(api.Error); errors.As(err, &misused) || errors.As(err, &known) {
		return input{}, err
	}
	if err != nil {
		e := api.BadValue(api.InvalidInput, "input", param.Name, err)
		if text != "" && writtenAsJSON(param.Type) {
			return input{}, e.WithHint("a value of type %s is written as JSON, in which a text has quotes: -i '%s=\"abc\"'", param.Type, param.Name)
		}
		return input{}, e
	}
	return input{param, value}, nil
}

// writtenAsJSON says whether values of a type are JSON on the command line, and
// may be texts.
func writtenAsJSON(t value.Type) bool {
	return t.Kind == value.KindUnion || t.Kind == value.KindAny
}

// absolutePath makes the path of a file of this host absolute. One with a
// digest is a name.
func absolutePath(_ string, file any) (any, error) {
	ref, _ := value.RefOf(file)
	if ref.SHA256 != "" {
		return file, nil
	}
	var err error
	ref.Path, err = filepath.Abs(ref.Path)
	return ref.In(file), err
}

// pathValue is the File, Dir or DataFrame at a path.
func pathValue(p value.Param, path string) (f value.Fields, err error) {
	if path == "" {
		return f, &value.Error{Expected: "the path of a " + string(p.Type.Kind), Got: "nothing"}
	}
	if path, err = filepath.Abs(path); err != nil {
		return f, err
	}
	f, err = value.CheckSome([]value.Param{p}, map[string]any{p.Name: value.FileRef{Path: path}.In(fileOf(p.Type.Kind))})
	if err != nil {
		return f, api.AsError(err)
	}
	return f, nil
}

// fileOf is a value of a kind of files.
func fileOf(kind value.Kind) any {
	switch kind {
	case value.KindFile:
		return value.File{}
	case value.KindDir:
		return value.Dir{}
	}
	return value.DataFrame{}
}

// parseDeclaration reads name:type, or name alone if there is a type without.
func parseDeclaration(role, text string, without value.Type) (value.Param, error) {
	name, spelling, ok := strings.Cut(text, ":")
	name = strings.TrimSpace(name)
	if !ok {
		return value.Param{Name: name, Type: without}, nil
	}
	typ, err := value.ParseType(strings.TrimSpace(spelling))
	if err != nil {
		e := *api.AsError(err)
		e.Message = role + " " + name + ": " + e.Message
		e.Details.Field = name
		return value.Param{}, &e
	}
	return value.Param{Name: name, Type: typ}, nil
}

func parseOutput(flag string) (value.Param, error) {
	if !strings.Contains(flag, ":") {
		return value.Param{}, usage("-o %s has no type", flag).hint("write: -o %s:str, or another type", flag)
	}
	return parseDeclaration("output", flag, value.Type{})
}

// signature reads all flags for inputs, and -o flags.
func (r *inputs) signature(f inputFlags, outputs []string) (sig api.Signature, given value.Fields, err error) {
	var read values
	var elsewhere []value.Param // what -i flags without values declare
	for _, flag := range f.values {
		if f.file != "" && !strings.Contains(flag, "=") {
			param, err := parseDeclaration("input", flag, value.Type{Kind: value.KindStr})
			if err != nil {
				return sig, given, err
			}
			elsewhere = append(elsewhere, param)
			continue
		}
		in, err := r.parseInput(flag, value.Type{Kind: value.KindStr})
		if err != nil {
			return sig, given, err
		}
		sig.Inputs = append(sig.Inputs, in.Param)
		read.set(in)
	}
	more, err := r.fromFile(f.file, elsewhere)
	if err != nil {
		return sig, given, err
	}
	sig.Inputs = append(sig.Inputs, more.Params()...)
	if given, err = read.with(more); err != nil {
		return sig, given, err
	}
	for _, p := range elsewhere {
		if !more.Has(p.Name) && !read.has(p.Name) {
			return sig, given, usage("-i %s has no value, and --inputs has none", p.Name).hint("write: -i name=value, or add it to the file")
		}
	}
	for _, flag := range outputs {
		out, err := parseOutput(flag)
		if err != nil {
			return sig, given, err
		}
		sig.Outputs = append(sig.Outputs, out)
	}
	return sig, given, nil
}

// values are the inputs of -i flags, in their order.
type values []input

func (v values) has(name string) bool {
	return slices.ContainsFunc(v, func(in input) bool { return in.Name == name })
}

// set adds an input. One that was given before is replaced.
func (v *values) set(in input) {
	*v = append(slices.DeleteFunc(*v, func(before input) bool { return before.Name == in.Name }), in)
}

// with returns these and the values of --inputs.
func (v values) with(more value.Fields) (all value.Fields, err error) {
	parts := make([]value.Fields, 0, len(v)+1)
	for _, in := range v {
		if more.Has(in.Name) {
			return all, usage("the input %s is given by -i and by --inputs", in.Name).hint("leave one of them out")
		}
		parts = append(parts, in.value)
	}
	return value.Merge(append(parts, more)...), nil
}

// inputsFor reads flags for a task that has declared its inputs. With -i a type
// may be written too, and then counts for reading the value.
func (r *inputs) inputsFor(params []value.Param, f inputFlags) (given value.Fields, err error) {
	declared := make(map[string]value.Type, len(params))
	for _, p := range params {
		declared[p.Name] = p.Type
	}
	var read values
	for _, flag := range f.values {
		declaration, _, _ := strings.Cut(flag, "=")
		name, _, _ := strings.Cut(declaration, ":")
		without, ok := declared[strings.TrimSpace(name)]
		if !ok {
			return given, undeclared(params, strings.TrimSpace(name))
		}
		in, err := r.parseInput(flag, without)
		if err != nil {
			return given, err
		}
		if read.has(in.Name) {
			return given, usage("-i %s is given twice", in.Name)
		}
		read.set(in)
	}
	more, err := r.fromFile(f.file, params)
	if err != nil {
		return given, err
	}
	for _, p := range more.Params() {
		if _, ok := declared[p.Name]; !ok {
			return given, undeclared(params, p.Name)
		}
	}
	return read.with(more)
}

func undeclared(params []value.Param, name string) error {
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.Name
	}
	e := api.Errorf(api.InvalidInput, "the task has no input %q; its inputs are (%s)", name, value.DescribeParams(params)).
		WithDetails(api.Details{Field: name, Expected: "an input of the task", Got: name})
	if near := value.Nearest(name, names); near != "" {
		e.Details.Suggestion = near
		return e.WithHint("did you mean %s?", near)
	}
	return e
}
