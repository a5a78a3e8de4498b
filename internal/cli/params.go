package cli

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// input is one -i flag.
type input struct {
	value.Param
	value any
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

// inputValue takes str and bytes as they stand: the text form of files would
// drop a newline at their end.
func inputValue(t value.Type, text string) (any, error) {
	switch t.Kind {
	case value.KindStr:
		return text, nil
	case value.KindBytes:
		return []byte(text), nil
	case value.KindFile, value.KindDir, value.KindDataFrame:
		return pathValue(t.Kind, text)
	}
	v, err := value.DecodeText(t, []byte(text))
	if err != nil {
		return nil, err
	}
	return value.MapFiles(v, absolutePath)
}

// absolutePath makes the path of a file of this host absolute. One with a
// digest is a name.
func absolutePath(file any) (any, error) {
	ref, _ := value.RefOf(file)
	if ref.SHA256 != "" {
		return file, nil
	}
	var err error
	ref.Path, err = filepath.Abs(ref.Path)
	return ref.In(file), err
}

func pathValue(kind value.Kind, path string) (any, error) {
	if path == "" {
		return nil, &value.Error{Expected: "the path of a " + string(kind), Got: "nothing"}
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	switch kind {
	case value.KindFile:
		return value.File{Path: absolute}, nil
	case value.KindDir:
		return value.Dir{Path: absolute}, nil
	}
	return value.DataFrame{Path: absolute}, nil
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
func (r *inputs) signature(f inputFlags, outputs []string) (api.Signature, map[string]any, error) {
	var sig api.Signature
	values := map[string]any{}
	var elsewhere []value.Param // what -i flags without values declare
	for _, flag := range f.values {
		if f.file != "" && !strings.Contains(flag, "=") {
			param, err := parseDeclaration("input", flag, value.Type{Kind: value.KindStr})
			if err != nil {
				return sig, nil, err
			}
			elsewhere = append(elsewhere, param)
			continue
		}
		in, err := r.parseInput(flag, value.Type{Kind: value.KindStr})
		if err != nil {
			return sig, nil, err
		}
		sig.Inputs = append(sig.Inputs, in.Param)
		values[in.Name] = in.value
	}
	params, more, err := r.fromFile(f.file, elsewhere)
	if err != nil {
		return sig, nil, err
	}
	sig.Inputs = append(sig.Inputs, params...)
	if err := add(values, more); err != nil {
		return sig, nil, err
	}
	for _, p := range elsewhere {
		if _, ok := values[p.Name]; !ok {
			return sig, nil, usage("-i %s has no value, and --inputs has none", p.Name).hint("write: -i name=value, or add it to the file")
		}
	}
	for _, flag := range outputs {
		out, err := parseOutput(flag)
		if err != nil {
			return sig, nil, err
		}
		sig.Outputs = append(sig.Outputs, out)
	}
	return sig, values, nil
}

// add adds the values of --inputs to those of -i.
func add(values, more map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(more)) {
		if _, twice := values[name]; twice {
			return usage("the input %s is given by -i and by --inputs", name).hint("leave one of them out")
		}
		values[name] = more[name]
	}
	return nil
}

// inputsFor reads flags for a task that has declared its inputs. With -i a type
// may be written too, and then counts for reading the value.
func (r *inputs) inputsFor(params []value.Param, f inputFlags) (map[string]any, error) {
	declared := make(map[string]value.Type, len(params))
	for _, p := range params {
		declared[p.Name] = p.Type
	}
	values := make(map[string]any, len(f.values))
	for _, flag := range f.values {
		declaration, _, _ := strings.Cut(flag, "=")
		name, _, _ := strings.Cut(declaration, ":")
		without, ok := declared[strings.TrimSpace(name)]
		if !ok {
			return nil, undeclared(params, strings.TrimSpace(name))
		}
		in, err := r.parseInput(flag, without)
		if err != nil {
			return nil, err
		}
		if _, twice := values[in.Name]; twice {
			return nil, usage("-i %s is given twice", in.Name)
		}
		values[in.Name] = in.value
	}
	given, more, err := r.fromFile(f.file, params)
	if err != nil {
		return nil, err
	}
	for _, p := range given {
		if _, ok := declared[p.Name]; !ok {
			return nil, undeclared(params, p.Name)
		}
	}
	return values, add(values, more)
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
