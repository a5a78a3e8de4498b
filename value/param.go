package value

import (
	"encoding/json"
	"strings"
)

// Param is one named, typed input or output.
type Param struct {
	Name string `json:"name" required:"true"` // a Python identifier where code has it as a variable, otherwise a file name
	Type Type   `json:"type" required:"true"` // such as int, list[str], Optional[File]
	// Default is the value of an input that is not given, as JSON of its type.
	// Nil means that it must be given.
	Default json.RawMessage `json:"default,omitempty"`
	// Choices are all values that an input may have, as JSON of its type; none are any.
	// None, of an Optional, is not among them and can be given all the same.
	Choices []json.RawMessage `json:"choices,omitempty" maxItems:"100"`
}

// DefaultValue returns the value that an input has when none is given; ok is
// false if it must be given.
func (p Param) DefaultValue() (v any, ok bool, err error) {
	if p.Default == nil {
		return nil, false, nil
	}
	v, err = DecodeJSON(p.Type, p.Default)
	return v, true, err
}

// WithDefault returns p with a default, which must fit its type.
func (p Param) WithDefault(v any) (Param, error) {
	text, err := EncodeJSON(p.Type, v)
	if err != nil {
		return p, &FieldError{Role: "default of", Name: p.Name, Fault: BadDefault, Err: err}
	}
	p.Default = json.RawMessage(text)
	return p, nil
}

// DescribeParams writes parameters as Python does: "x: int, y: str = 'a'",
// defaults as JSON.
func DescribeParams(params []Param) string {
	words := make([]string, len(params))
	for i, p := range params {
		words[i] = p.Name + ": " + p.Type.String()
		if p.Default != nil {
			words[i] += " = " + string(p.Default)
		}
	}
	return strings.Join(words, ", ")
}
