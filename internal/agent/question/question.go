// Package question makes questions to a model and its answers out of values, and
// values out of them: a question is a call of a task of kind model.
package question

import (
	"encoding/json"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// AsValue makes a value of a declared type out of what JSON makes of v.
func AsValue(t value.Type, v any) (any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return value.DecodeJSON(t, text)
}

// FromValue is the way back.
func FromValue(t value.Type, v, into any) error {
	text, err := value.EncodeJSON(t, v)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// Inputs is a question as the inputs of a task of kind model.
func Inputs(r api.ModelRequest) (map[string]any, error) {
	p := api.ModelSignature().Inputs[0]
	v, err := AsValue(p.Type, r)
	return map[string]any{p.Name: v}, err
}

// Answer reads what a task of kind model gave.
func Answer(v any) (a api.ModelAnswer, err error) {
	if err := FromValue(api.ModelSignature().Outputs[0].Type, v, &a); err != nil {
		return a, api.Errorf(api.BadOutput, "the model's answer is none: %w", err)
	}
	return a, nil
}
