package outputs

import (
	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/files"
	"github.com/glovebox-dev/glovebox/value"
)

// Bounds on outputs that are not files. Parsed values need many times the
// memory of their text, so that collections are bounded far more tightly.
const (
	MaxValues     = 64 << 20 // bytes of all values that are not files, as text; a File has no such bound
	maxCollection = 32 << 20 // bytes of one value with values in it
)

// DecodeReported reads the value of a variable. Where its type has files, they
// are paths of the cell, which must not be taken for paths of the host.
func DecodeReported(p value.Param, text []byte) (any, error) {
	if !p.Type.Files() {
		return Decode(p, text, value.DecodeJSON)
	}
	return decodeBounded(p, text, value.DecodeJSON)
}

// Decode reads the value of an output that is no file.
func Decode(p value.Param, text []byte, decode func(value.Type, []byte) (any, error)) (any, error) {
	value, err := decodeBounded(p, text, decode)
	if err == nil && files.Holds(value) {
		return nil, badOutput(p, "a value that names a file of the host", p.Type.String()+" without files").
			WithHint("declare the output as File, Dir or DataFrame")
	}
	return value, err
}

func decodeBounded(p value.Param, text []byte, decode func(value.Type, []byte) (any, error)) (any, error) {
	if isCollection(p.Type) && len(text) > maxCollection {
		return nil, collectionTooLarge(p, int64(len(text)))
	}
	value, err := decode(p.Type, text)
	if err != nil {
		return nil, api.BadValue(api.BadOutput, "output", p.Name, err)
	}
	return value, nil
}

// isCollection reports whether a value of t may hold others.
func isCollection(t value.Type) bool {
	switch t.Kind {
	case value.KindList, value.KindSet, value.KindDict, value.KindTuple, value.KindUnion, value.KindAny:
		return true
	}
	return false
}

// collectionTooLarge says what bounds one value, which is less than what bounds
// all outputs.
func collectionTooLarge(p value.Param, got int64) error {
	return api.Errorf(api.OutputTooLarge, "output %s is %d bytes of JSON, more than the %d that a value of type %s may have", p.Name, got, maxCollection, p.Type).
		WithHint("write large data to a File or a DataFrame").
		WithDetails(api.Details{Field: p.Name, Limit: maxCollection, Peak: got})
}

// TooLarge is the error of values that pass a limit together.
func TooLarge(p value.Param, limit, got int64) error {
	return tooLarge(p, "bytes", limit, got).WithHint("write large data to a File or a DataFrame")
}

func badOutput(p value.Param, got, expected string) *api.Error {
	return api.Errorf(api.BadOutput, "output %s is %s, expected %s", value.Quote(p.Name), got, expected).
		WithDetails(api.Details{Field: p.Name, Got: got, Expected: expected})
}
