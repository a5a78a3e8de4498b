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

// parseInput reads name=value or name:type=value. Without a type the value is
// a str. A File, Dir or DataFrame is given by its path on this host.
func parseInput(flag string) (input, error) {
	declaration, text, ok := strings.Cut(flag, "=")
	if !ok {
		return input{}, usage("-i %s has no value", flag).hint("write: -i name=value, or -i name:type=value")
	}
	param, err := parseDeclaration("input", declaration, api.Type{Kind: api.KindStr})
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
	return api.DecodeText(t, []byte(text))
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
		in, err := parseInput(flag)
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
