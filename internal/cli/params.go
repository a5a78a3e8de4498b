package cli

import (
	"path/filepath"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// input is one -i flag.
type input struct {
	api.Param
	value any
}

// parseInput reads name=value or name:type=value. Without a type it is
// the one passed on. A File, Dir or DataFrame is given by its path on this host.
func parseInput(flag string, without api.Type) (input, error) {
	declaration, text, ok := strings.Cut(flag, "=")
	if !ok {
		return input{}, usage("-i %s has no value", flag).hint("write: -i name=value, or -i name:type=value")
	}
	param, err := parseDeclaration("input", declaration, without)
	if err != nil {
		return input{}, err
	}
	value, err := inputValue(param.Type, text)
	if err != nil {
		return input{}, api.BadValue(api.InvalidInput, "input", param.Name, err)
	}
	return input{param, value}, nil
}

// inputValue takes str and bytes as they stand: the text form of files would
// drop a newline at their end.
func inputValue(t api.Type, text string) (any, error) {
	switch t.Kind {
	case api.KindStr:
		return text, nil
	case api.KindBytes:
		return []byte(text), nil
	case api.KindFile, api.KindDir, api.KindDataFrame:
		return pathValue(t.Kind, text)
	}
	v, err := api.DecodeText(t, []byte(text))
	if err != nil {
		return nil, err
	}
	return api.MapFiles(v, absolutePath)
}

// absolutePath makes the path of a file of this host absolute. One with a
// digest is a name.
func absolutePath(file any) (any, error) {
	ref, _ := api.RefOf(file)
	if ref.SHA256 != "" {
		return file, nil
	}
	var err error
	ref.Path, err = filepath.Abs(ref.Path)
	return ref.In(file), err
}

func pathValue(kind api.Kind, path string) (any, error) {
	if path == "" {
		return nil, &api.ValueError{Expected: "the path of a " + string(kind), Got: "nothing"}
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	switch kind {
	case api.KindFile:
		return api.File{Path: absolute}, nil
	case api.KindDir:
		return api.Dir{Path: absolute}, nil
	}
	return api.DataFrame{Path: absolute}, nil
}

// parseDeclaration reads name:type, or name alone if there is a type without.
func parseDeclaration(role, text string, without api.Type) (api.Param, error) {
	name, spelling, ok := strings.Cut(text, ":")
	name = strings.TrimSpace(name)
	if !ok {
		return api.Param{Name: name, Type: without}, nil
	}
	typ, err := api.ParseType(strings.TrimSpace(spelling))
	if err != nil {
		e := *api.AsError(err)
		e.Message = role + " " + name + ": " + e.Message
		e.Details.Field = name
		return api.Param{}, &e
	}
	return api.Param{Name: name, Type: typ}, nil
}

func parseOutput(flag string) (api.Param, error) {
	if !strings.Contains(flag, ":") {
		return api.Param{}, usage("-o %s has no type", flag).hint("write: -o %s:str, or another type", flag)
	}
	return parseDeclaration("output", flag, api.Type{})
}

// signature reads all -i and -o flags.
func signature(inputs, outputs []string) (api.Signature, map[string]any, error) {
	var sig api.Signature
	values := map[string]any{}
	for _, flag := range inputs {
		in, err := parseInput(flag, api.Type{Kind: api.KindStr})
		if err != nil {
			return sig, nil, err
		}
		sig.Inputs = append(sig.Inputs, in.Param)
		values[in.Name] = in.value
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

// inputsFor reads -i flags for a task that has declared its inputs. A type may
// be written too, and then counts for reading the value.
func inputsFor(params []api.Param, flags []string) (map[string]any, error) {
	declared := make(map[string]api.Type, len(params))
	for _, p := range params {
		declared[p.Name] = p.Type
	}
	values := make(map[string]any, len(flags))
	for _, flag := range flags {
		declaration, _, _ := strings.Cut(flag, "=")
		name, _, _ := strings.Cut(declaration, ":")
		without, ok := declared[strings.TrimSpace(name)]
		if !ok {
			return nil, undeclared(params, strings.TrimSpace(name))
		}
		in, err := parseInput(flag, without)
		if err != nil {
			return nil, err
		}
		if _, twice := values[in.Name]; twice {
			return nil, usage("-i %s is given twice", in.Name)
		}
		values[in.Name] = in.value
	}
	return values, nil
}

func undeclared(params []api.Param, name string) error {
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.Name
	}
	e := api.Errorf(api.InvalidInput, "the task has no input %q; its inputs are (%s)", name, api.DescribeParams(params)).
		WithDetails(api.Details{Field: name, Expected: "an input of the task", Got: name})
	if near := api.Nearest(name, names); near != "" {
		e.Details.Suggestion = near
		return e.WithHint("did you mean %s?", near)
	}
	return e
}
