package wire

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Function is what a worker offers: the code behind ID, which is called with
// this signature.
type Function struct {
	ID   string `json:"id"`
	Task Task   `json:"task"`
}

// Task is what the protocol needs of an api.Task. Other fields are ignored.
type Task struct {
	Name      string        `json:"name"`
	Kind      api.TaskKind  `json:"kind,omitempty"`
	Doc       string        `json:"doc,omitempty"`
	Signature api.Signature `json:"signature"`
}

// CheckFunctionID validates the id of a function. It returns invalid_task.
func CheckFunctionID(id string) error {
	err := checkID("function.id", id)
	if err == nil && id != "" {
		return nil
	}
	return api.Errorf(api.InvalidTask, "function.id is %s, expected 1 to %d bytes without control characters", value.Quote(id), maxID).
		WithDetails(api.Details{Field: "function.id", Expected: "the id of the code", Got: value.Quote(id)})
}

// Offered reads the functions of a hello or an offer.
func (m *Message) Offered() ([]Function, error) {
	items, err := list("functions", m.Functions, MaxFunctions)
	if err != nil {
		return nil, err
	}
	functions := make([]Function, len(items))
	seen := make(map[string]bool, len(items))
	for i, item := range items {
		if functions[i], err = readFunction(i, item); err != nil {
			return nil, err
		}
		if id := functions[i].ID; seen[id] {
			return nil, invalid(fmt.Sprintf("functions[%d].id", i), "ids that are all different", value.Quote(id))
		}
		seen[functions[i].ID] = true
	}
	return functions, nil
}

func readFunction(i int, text json.RawMessage) (f Function, err error) {
	field := fmt.Sprintf("functions[%d]", i)
	if len(text) > maxFunction {
		return f, invalid(field, fmt.Sprintf("at most %d bytes", maxFunction), fmt.Sprintf("%d bytes", len(text)))
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return f, api.Errorf(api.RequestInvalid, "%s: %w", field, err).WithDetails(api.Details{Field: field})
	}
	if err := CheckFunctionID(f.ID); err != nil {
		return f, invalid(field+".id", "1 to 256 bytes without control characters", value.Quote(f.ID))
	}
	if err := f.Task.Signature.Check(false); err != nil {
		return f, api.Errorf(api.RequestInvalid, "%s: %w", field, err).WithDetails(api.Details{Field: field})
	}
	return f, nil
}

// UnderWay is a call that a worker knows when it connects again.
type UnderWay struct {
	Call    string `json:"call"`
	Started bool   `json:"started"`
}

// Known reads the calls of a hello.
func (m *Message) Known() (map[string]bool, error) {
	items, err := list("calls", m.Calls, 2*MaxCapacity)
	if err != nil {
		return nil, err
	}
	known := make(map[string]bool, len(items))
	for i, item := range items {
		var u UnderWay
		field := fmt.Sprintf("calls[%d]", i)
		if err := json.Unmarshal(item, &u); err != nil {
			return nil, api.Errorf(api.RequestInvalid, "%s: %w", field, err).WithDetails(api.Details{Field: field})
		}
		if err := checkID(field+".call", u.Call); err != nil {
			return nil, err
		}
		known[u.Call] = known[u.Call] || u.Started
	}
	return known, nil
}

// Failed reads the error of a failure or a bye: nil if it has none.
func (m *Message) Failed() (*api.Error, error) {
	if len(m.Error) > maxFailure || len(m.Exception) > maxFailure {
		return nil, invalid("error", fmt.Sprintf("at most %d bytes", maxFailure), fmt.Sprintf("%d bytes", max(len(m.Error), len(m.Exception))))
	}
	switch {
	case present(m.Exception):
		var x api.Exception
		if err := json.Unmarshal(m.Exception, &x); err != nil {
			return nil, api.Errorf(api.RequestInvalid, "field exception of a message: %w", err)
		}
		return exceptionError(&x), nil
	case present(m.Error):
		var e api.Error
		if err := json.Unmarshal(m.Error, &e); err != nil {
			return nil, api.Errorf(api.RequestInvalid, "field error of a message: %w", err)
		}
		return &e, nil
	}
	return nil, nil
}

func present(text json.RawMessage) bool { return len(text) > 0 && !bytes.Equal(text, []byte("null")) }

func exceptionError(x *api.Exception) *api.Error {
	message := x.Type
	if x.Message != "" {
		message += ": " + x.Message
	}
	return api.Errorf(api.PythonException, "%s", message).WithDetails(api.Details{Exception: x})
}

// list splits a JSON array into its items, at most limit, before any of them
// takes more memory than its text.
func list(field string, text json.RawMessage, limit int) ([]json.RawMessage, error) {
	if !present(text) {
		return nil, nil
	}
	if len(text) > maxList {
		return nil, invalid(field, fmt.Sprintf("at most %d bytes", maxList), fmt.Sprintf("%d bytes", len(text)))
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if token, err := d.Token(); err != nil || token != json.Delim('[') {
		return nil, invalid(field, "an array", value.Quote(string(text)))
	}
	var items []json.RawMessage
	for d.More() {
		if len(items) == limit {
			return nil, invalid(field, fmt.Sprintf("at most %d items", limit), "more")
		}
		var item json.RawMessage
		if err := d.Decode(&item); err != nil {
			return nil, api.Errorf(api.RequestInvalid, "field %s of a message: %w", field, err)
		}
		items = append(items, item)
	}
	return items, nil
}

// Values reads typed values by name, as api.EncodeFields writes them. More
// members than params are refused before they are kept. Errors are of this
// code; role is "input" or "output".
func Values(code api.Code, role string, params []value.Param, text json.RawMessage) (map[string]any, error) {
	values := make(map[string]any, len(params))
	if !present(text) {
		return values, nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if token, err := d.Token(); err != nil || token != json.Delim('{') {
		return nil, api.Errorf(code, "the %ss are no JSON object", role).
			WithDetails(api.Details{Field: role + "s", Expected: "an object with one member for each " + role, Got: value.Quote(string(text))})
	}
	for d.More() {
		if err := readValue(d, code, role, params, values); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func readValue(d *json.Decoder, code api.Code, role string, params []value.Param, values map[string]any) error {
	token, err := d.Token()
	name, ok := token.(string)
	if err != nil || !ok {
		return api.Errorf(code, "the %ss are no JSON object", role)
	}
	i := indexOf(params, name)
	if _, twice := values[name]; i < 0 || twice {
		return api.Errorf(code, "%s %s is not declared, or is there twice; the %ss are (%s)", role, value.Quote(name), role, value.DescribeParams(params)).
			WithDetails(api.Details{Field: name, Expected: "only declared " + role + "s", Got: "a value"})
	}
	var text json.RawMessage
	if err := d.Decode(&text); err != nil {
		return api.BadValue(code, role, name, err)
	}
	v, err := value.DecodeJSON(params[i].Type, text)
	if err != nil {
		return api.BadValue(code, role, name, err)
	}
	values[name] = v
	return nil
}

func indexOf(params []value.Param, name string) int {
	for i, p := range params {
		if p.Name == name {
			return i
		}
	}
	return -1
}
