package webhook

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// inputsOf makes the inputs of a task of the body of a message, as JSON by name.
// What the body lacks is left out, so that the task may have a default for it.
func inputsOf(h *api.HookSpec, body []byte) (json.RawMessage, error) {
	if !json.Valid(body) {
		return nil, api.Errorf(api.RequestInvalid, "the body is no JSON").WithHint("have the sender send application/json").
			WithDetails(api.Details{Field: "body", Expected: "JSON"})
	}
	inputs := map[string]json.RawMessage{}
	if len(h.Inputs) > 0 {
		if err := json.Unmarshal(h.Inputs, &inputs); err != nil {
			return nil, wrong("inputs", "no object", "an object by name")
		}
	}
	if h.Body != "" {
		inputs[h.Body] = body
	}
	for _, name := range slices.Sorted(maps.Keys(h.Fields)) {
		if part, found := at(body, h.Fields[name]); found {
			inputs[name] = part
		}
	}
	return json.Marshal(inputs)
}

// pointerSteps are the steps of a JSON Pointer (RFC 6901).
func pointerSteps(pointer string) (steps []string, err error) {
	if pointer != "" && pointer[0] != '/' || len(pointer) > maxPointer {
		return nil, wrong("fields", value.Quote(value.Shorten(pointer, maxPointer)), "a JSON Pointer such as /repository/name")
	}
	for _, step := range strings.Split(pointer, "/")[1:] {
		steps = append(steps, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
	}
	return steps, nil
}

// maxPointer bounds a pointer, in bytes.
const maxPointer = 256

// at returns the part of a JSON text that a pointer leads to.
func at(text json.RawMessage, pointer string) (part json.RawMessage, found bool) {
	if pointer == "" {
		return text, true
	}
	steps, err := pointerSteps(pointer)
	if err != nil {
		return nil, false
	}
	for _, step := range steps {
		if text, found = member(text, step); !found {
			return nil, false
		}
	}
	return text, true
}

// member returns what an object has by a name, or a list by a number.
func member(text json.RawMessage, name string) (json.RawMessage, bool) {
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) == nil {
		part, found := object[name]
		return part, found
	}
	var list []json.RawMessage
	i, err := strconv.Atoi(name)
	if err != nil || strconv.Itoa(i) != name || json.Unmarshal(text, &list) != nil || i < 0 || i >= len(list) {
		return nil, false
	}
	return list[i], true
}
