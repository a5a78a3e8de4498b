package sandbox

import "github.com/glovebox-dev/glovebox/api"

// decodeReported reads the value of a variable. Where its type has files, they
// are paths of the cell, which nobody may take for paths of the host.
func decodeReported(p api.Param, text []byte) (any, error) {
	if !p.Type.Files() {
		return decodeOutput(p, text, api.DecodeJSON)
	}
	return decodeBounded(p, text, api.DecodeJSON)
}

// decodeOutput reads the value of an output that is no file.
func decodeOutput(p api.Param, text []byte, decode func(api.Type, []byte) (any, error)) (any, error) {
	value, err := decodeBounded(p, text, decode)
	if err == nil && holdsFile(value) {
		return nil, badOutput(p, "a value that names a file of the host", p.Type.String()+" without files").
			WithHint("declare the output as File, Dir or DataFrame")
	}
	return value, err
}

func decodeBounded(p api.Param, text []byte, decode func(api.Type, []byte) (any, error)) (any, error) {
	if isCollection(p.Type) && len(text) > maxCollection {
		return nil, valueTooLarge(p, maxCollection, int64(len(text)))
	}
	value, err := decode(p.Type, text)
	if err != nil {
		return nil, api.BadValue(api.BadOutput, "output", p.Name, err)
	}
	return value, nil
}

// isCollection reports whether a value of t may hold others.
func isCollection(t api.Type) bool {
	switch t.Kind {
	case api.KindList, api.KindSet, api.KindDict, api.KindTuple, api.KindUnion, api.KindAny:
		return true
	}
	return false
}

func valueTooLarge(p api.Param, limit, got int64) error {
	return tooLarge(p, "bytes", limit, got).WithHint("write large data to a File or a DataFrame")
}

// holdsFile finds a File, Dir or DataFrame in a value whose type does not say
// so. Type Any can describe one, and code in a cell must not choose which file
// of the host the caller reads next.
func holdsFile(value any) bool {
	for range api.Files(value) {
		return true
	}
	return false
}
