package agent

import (
	"encoding/json"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// conversationType is that of history and messages: api.ModelMessages as JSON has
// them.
var conversationType = value.ListOf(value.DictOf(value.Type{Kind: value.KindAny}))

// asValue makes a value of a declared type out of what JSON makes of v.
func asValue(t value.Type, v any) (any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return value.DecodeJSON(t, text)
}

// fromValue is the way back.
func fromValue(t value.Type, v, into any) error {
	text, err := value.EncodeJSON(t, v)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// requested is a question as the inputs of a task of kind model.
func requested(r api.ModelRequest) (map[string]any, error) {
	p := api.ModelSignature().Inputs[0]
	v, err := asValue(p.Type, r)
	return map[string]any{p.Name: v}, err
}

// answered reads what a task of kind model gave.
func answered(v any) (a api.ModelAnswer, err error) {
	if err := fromValue(api.ModelSignature().Outputs[0].Type, v, &a); err != nil {
		return a, api.Errorf(api.BadOutput, "the model's answer is none: %w", err)
	}
	return a, nil
}
