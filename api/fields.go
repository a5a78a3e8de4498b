package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Digest identifies the task by everything that it says: "sha256:" and the
// digest of its JSON.
func (t *Task) Digest() string {
	text, err := json.Marshal(t)
	if err != nil { // only strings, numbers and types: nothing that can fail
		panic(fmt.Sprintf("encoding a task: %v", err))
	}
	return DigestOf(text)
}

// DigestOf returns "sha256:" and the digest of text in hexadecimal.
func DigestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// CompleteInputs holds given inputs to the declared parameters: it fills in
// defaults, normalizes every value, and returns invalid_input for one that is
// missing, unknown or of another type. The map given is not changed.
func CompleteInputs(params []Param, given map[string]any) (map[string]any, error) {
	complete := make(map[string]any, len(params))
	for _, p := range params {
		v, ok := given[p.Name]
		if !ok {
			var err error
			if v, ok, err = p.DefaultValue(); err != nil {
				return nil, BadValue(InvalidTask, "default of input", p.Name, err)
			}
		}
		if !ok {
			return nil, wrongInput(params, p.Name, "input %s is missing", p.Type.String(), "nothing")
		}
		n, err := Normalize(p.Type, v)
		if err != nil {
			return nil, BadValue(InvalidInput, "input", p.Name, err)
		}
		complete[p.Name] = n
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, ok := complete[name]; !ok {
			return nil, wrongInput(params, name, "input %s is not declared", "only declared inputs", "a value")
		}
	}
	return complete, nil
}

func wrongInput(params []Param, name, format, expected, got string) error {
	return Errorf(InvalidInput, format+"; the inputs are (%s)", Quote(name), DescribeParams(params)).
		WithDetails(Details{Field: name, Expected: expected, Got: got})
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

// EncodeFields writes values by name as one JSON object, in the order of the
// parameters. A parameter without a value is left out, and a name that is
// declared twice, which Signature.Check refuses, comes once.
func EncodeFields(params []Param, values map[string]any) (json.RawMessage, error) {
	b := []byte{'{'}
	for i, p := range params {
		v, ok := values[p.Name]
		if !ok || slices.ContainsFunc(params[:i], func(before Param) bool { return before.Name == p.Name }) {
			continue
		}
		n, err := Normalize(p.Type, v)
		if err != nil {
			return nil, err
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(appendQuoted(b, p.Name), ':')
		b = appendTyped(b, p.Type, n)
	}
	return append(b, '}'), nil
}

// DecodeFields reads what EncodeFields wrote, or a person. It returns the
// values that are there; role says in errors what they are, such as "input".
func DecodeFields(role string, params []Param, text json.RawMessage) (map[string]any, error) {
	raw, err := members(text)
	if err != nil {
		return nil, Errorf(InvalidInput, "the %ss are no JSON object: %w", role, err).
			WithDetails(Details{Field: role + "s", Expected: "an object with one member for each " + role})
	}
	values := make(map[string]any, len(raw))
	for _, p := range params {
		field, ok := raw[p.Name]
		if !ok {
			continue
		}
		v, err := DecodeJSON(p.Type, field)
		if err != nil {
			return nil, BadValue(InvalidInput, role, p.Name, err)
		}
		values[p.Name] = v
		delete(raw, p.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		return nil, wrongInput(params, name, role+" %s is not declared", "only declared "+role+"s", "a value")
	}
	return values, nil
}

// members returns the members of a JSON object; no text is one without any.
func members(text []byte) (map[string]json.RawMessage, error) {
	raw := map[string]json.RawMessage{}
	if text = bytes.TrimSpace(text); len(text) == 0 || string(text) == "null" {
		return raw, nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return nil, fmt.Errorf("it begins with %s", Quote(string(text[:1])))
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		if _, twice := raw[name.(string)]; twice {
			return nil, fmt.Errorf("%s comes twice", Quote(name.(string)))
		}
		raw[name.(string)] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something follows it")
	}
	return raw, nil
}
