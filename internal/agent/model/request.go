package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Bounds of a question.
const (
	maxRequest  = 64 << 20 // bytes, as JSON
	maxMessages = 100_000
	maxTools    = 1000
	maxTokens   = 100_000_000
)

// readRequest reads the input of a task.
func readRequest(req *api.Request) (q api.ModelRequest, err error) {
	inputs, err := req.Inputs.Complete(req.Task.Signature.Inputs)
	if err != nil {
		return q, api.AsError(err)
	}
	given, _ := inputs.Value("request")
	text, err := appendPlain(nil, given)
	if err != nil {
		return q, wrong("request", "values that JSON has", err.Error())
	}
	if len(text) > maxRequest {
		return q, wrong("request", fmt.Sprintf("at most %d bytes", maxRequest), fmt.Sprintf("%d bytes", len(text)))
	}
	reader := json.NewDecoder(bytes.NewReader(text))
	reader.DisallowUnknownFields()
	if err := reader.Decode(&q); err != nil {
		return q, wrong("request", "a ModelRequest", value.Shorten(err.Error(), 200))
	}
	return q, checkRequest(req.Task.Model.Protocol, q)
}

func checkRequest(protocol string, q api.ModelRequest) error {
	switch {
	case q.Raw != nil:
		return checkRaw(protocol, q)
	case q.Rest != nil && (len(q.Messages) > 0 || q.Rest.After < 0 || q.Rest.Pieces == ""):
		return wrong("request.rest", "the name of an answer and what was given of it, and nothing beside", "something else")
	case q.Rest != nil:
		return nil
	case len(q.Messages) == 0 || len(q.Messages) > maxMessages:
		return wrong("request.messages", fmt.Sprintf("1 to %d messages", maxMessages), fmt.Sprint(len(q.Messages)))
	case len(q.Tools) > maxTools:
		return wrong("request.tools", fmt.Sprintf("at most %d tools", maxTools), fmt.Sprint(len(q.Tools)))
	case q.MaxTokens < 0 || q.MaxTokens > maxTokens:
		return wrong("request.max_tokens", fmt.Sprintf("0 (the default) to %d", maxTokens), fmt.Sprint(q.MaxTokens))
	case len(q.Schema) > 0 && !isObject(q.Schema):
		return wrong("request.schema", "a JSON Schema", "no object")
	}
	for i, m := range q.Messages {
		if err := checkMessage(fmt.Sprintf("request.messages[%d]", i), m); err != nil {
			return err
		}
	}
	for i, t := range q.Tools {
		if field := fmt.Sprintf("request.tools[%d]", i); t.Name == "" {
			return wrong(field+".name", "a name", "nothing")
		} else if !isObject(t.Parameters) {
			return wrong(field+".parameters", "a JSON Schema of an object", "no object")
		}
	}
	return nil
}

func checkMessage(field string, m api.ModelMessage) error {
	switch roles := []api.ModelRole{api.RoleUser, api.RoleAssistant, api.RoleTool}; {
	case !slices.Contains(roles, m.Role):
		return wrong(field+".role", "user, assistant or tool", value.Quote(string(m.Role)))
	case m.Role != api.RoleAssistant && len(m.Calls) > 0:
		return wrong(field+".calls", "calls in messages of the assistant only", "role "+string(m.Role))
	case (m.Role == api.RoleTool) != (m.Call != ""):
		return wrong(field+".call", "the id of a call in a message of a tool, and in no other", "role "+string(m.Role))
	}
	return nil
}

func isObject(text json.RawMessage) bool { return len(text) > 0 && text[0] == '{' }

func wrong(field, expected, got string) *api.Error {
	return api.Errorf(api.InvalidInput, "%s: expected %s, got %s", field, expected, got).
		WithDetails(api.Details{Field: field, Expected: expected, Got: got})
}

// appendPlain appends v as JSON has it, in the order of its keys: that of the
// properties of a schema is the one in which a model writes them.
func appendPlain(text []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case *value.Dict:
		return appendObject(text, v)
	case []any:
		return appendList(text, v)
	case value.Tuple:
		return appendList(text, v)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, errors.New("a number that is not finite")
		}
	case nil, bool, string, int64, *big.Int:
	default:
		return nil, fmt.Errorf("a %T", v)
	}
	scalar, err := json.Marshal(v)
	return append(text, scalar...), err
}

func appendObject(text []byte, d *value.Dict) (_ []byte, err error) {
	text = append(text, '{')
	for key, item := range d.All() {
		if text[len(text)-1] != '{' {
			text = append(text, ',')
		}
		if text, err = appendPlain(text, key); err != nil {
			return nil, err
		}
		if text, err = appendPlain(append(text, ':'), item); err != nil {
			return nil, err
		}
	}
	return append(text, '}'), nil
}

func appendList(text []byte, items []any) (_ []byte, err error) {
	text = append(text, '[')
	for i, item := range items {
		if i > 0 {
			text = append(text, ',')
		}
		if text, err = appendPlain(text, item); err != nil {
			return nil, err
		}
	}
	return append(text, ']'), nil
}

// outputs are those of a task that got an answer.
func outputs(task *api.Task, answer api.ModelAnswer) ([]api.Output, error) {
	text, err := json.Marshal(answer)
	if err != nil {
		return nil, api.Errorf(api.BadOutput, "the answer of the model: %w", err)
	}
	if limit := task.Limits.WithDefaults().Outputs; int64(len(text)) > limit {
		return nil, tooLarge(limit)
	}
	p := task.Signature.Outputs[0]
	v, err := value.DecodeJSON(p.Type, text)
	if err != nil {
		return nil, api.BadValue(api.BadOutput, "output", p.Name, err)
	}
	return []api.Output{{Name: p.Name, Type: p.Type, Value: v}}, nil
}

func tooLarge(limit int64) *api.Error {
	return api.Errorf(api.OutputTooLarge, "the answer of the model is larger than its limit of %d bytes", limit).WithDetails(api.Details{Limit: limit})
}
