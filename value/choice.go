package value

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// MaxChoices is how many choices a parameter has at most.
const MaxChoices = 100

// choosable are the types whose values can be choices.
var choosable = []Kind{
	KindInt, KindFloat, KindStr, KindBool, KindBytes, KindDateTime, KindTimedelta, KindDate, KindTime, KindDecimal, KindUUID,
}

// WithChoices returns p with choices, which must fit its type, each once. A default is
// one of them.
func (p Param) WithChoices(choices []json.RawMessage) (Param, error) {
	typ := p.Type
	if inner, ok := typ.Optional(); ok {
		typ = inner
	}
	switch {
	case len(choices) > MaxChoices:
		return p, fmt.Errorf("there are %d choices, expected at most %d", len(choices), MaxChoices)
	case len(choices) > 0 && !slices.Contains(choosable, typ.Kind):
		return p, fmt.Errorf("a value of type %s cannot be chosen", p.Type)
	}
	p.Choices = nil
	for _, raw := range choices {
		v, err := DecodeJSON(typ, raw)
		if err != nil {
			return p, err
		}
		text, err := EncodeJSON(typ, v)
		if err != nil {
			return p, err
		}
		if p.offers(text) {
			return p, fmt.Errorf("the choice %s is there twice", Shorten(string(text), 100))
		}
		p.Choices = append(p.Choices, text)
	}
	if p.Default == nil || len(p.Choices) == 0 {
		return p, nil
	}
	v, err := DecodeJSON(p.Type, p.Default)
	if err != nil {
		return p, err
	}
	text, err := EncodeJSON(p.Type, v)
	if err != nil {
		return p, err
	}
	return p, p.choose(text)
}

func (p Param) offers(text []byte) bool {
	return slices.ContainsFunc(p.Choices, func(choice json.RawMessage) bool { return bytes.Equal(choice, text) })
}

// choose returns an *Error for a value that is none of the choices. The text is what
// EncodeJSON writes.
func (p Param) choose(text []byte) error {
	_, optional := p.Type.Optional()
	if len(p.Choices) == 0 || optional && string(text) == "null" || p.offers(text) {
		return nil
	}
	all := make([]string, len(p.Choices))
	for i, choice := range p.Choices {
		all[i] = string(choice)
	}
	return &Error{Expected: "one of " + Shorten(strings.Join(all, ", "), 400), Got: Shorten(string(text), 100)}
}

// CheckChoices returns a *FieldError for a value that is none of the choices of its
// parameter.
func (f Fields) CheckChoices(params []Param) error {
	for _, p := range params {
		if len(p.Choices) == 0 {
			continue
		}
		text, ok := f.ValueJSON(p.Name, p.Type)
		if !ok {
			continue
		}
		canonical, err := p.WithChoices(p.Choices) // they may be as somebody wrote them
		if err == nil {
			err = canonical.choose(text)
		}
		if err != nil {
			return &FieldError{Role: "input", Name: p.Name, Err: err}
		}
	}
	return nil
}
