package server

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// refuseNulls returns an error for a null where the document has none, and for a
// 0 in the resources of a task: Go would read both as if nothing was there. In
// values of the user's null is None.
func refuseNulls(text []byte, t reflect.Type) error {
	if !bytes.Contains(text, []byte("null")) && !bytes.Contains(text, []byte(`"resources"`)) {
		return nil
	}
	w := nullWalk{json.NewDecoder(bytes.NewReader(text))}
	return w.value(t, nil, "")
}

// nullWalk is a walk through a document that was found to be valid.
type nullWalk struct{ *json.Decoder }

// value reads one value of type t, which is nil for a value of the user's, in an
// object of type in.
func (w nullWalk) value(t, in reflect.Type, place string) error {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t == reflect.TypeFor[json.RawMessage]() {
		return w.Decode(&unread{}) // numbers of any size may be in there
	}
	token, err := w.Token()
	switch {
	case err != nil:
		return malformed("the body is not valid JSON: %v", err)
	case token == nil:
		return refusedNull(orBody(place), typeWord(t))
	case token == 0.0 && in == reflect.TypeFor[api.Resources]():
		return api.Errorf(api.RequestInvalid, "%s: expected more than 0, got 0", place).
			WithDetails(api.Details{Field: place, Expected: "more than 0", Got: "0"}).WithHint("leave it out for the default")
	case token == json.Delim('{'):
		return w.members(t, place)
	case token == json.Delim('['):
		return w.items(t, place)
	}
	return nil
}

func (w nullWalk) members(t reflect.Type, place string) error {
	for w.More() {
		key, err := w.Token()
		if err != nil {
			return malformed("the body is not valid JSON: %v", err)
		}
		name, _ := key.(string)
		at := strings.TrimPrefix(place+"."+name, ".")
		if err := w.member(t, name, at); err != nil {
			return err
		}
	}
	_, _ = w.Token() // the end, which is there
	return nil
}

// member reads the value of a member of an object of type t.
func (w nullWalk) member(t reflect.Type, name, place string) error {
	f, ok := memberOf(t, name)
	if !ok || f.Type != reflect.TypeFor[json.RawMessage]() || f.Tag.Get("shape") != "object" {
		return w.value(memberType(t, name), t, place)
	}
	var first opening
	if err := w.Decode(&first); err != nil {
		return malformed("the body is not valid JSON: %v", err)
	}
	if first == 'n' {
		return refusedNull(place, "an object")
	}
	return nil
}

func (w nullWalk) items(t reflect.Type, place string) error {
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	for w.More() {
		if err := w.value(t, nil, place); err != nil {
			return err
		}
	}
	_, _ = w.Token() // the end, which is there
	return nil
}

func refusedNull(place, expected string) error {
	return api.Errorf(api.RequestInvalid, "%s: expected %s, got null", place, expected).
		WithDetails(api.Details{Field: place, Expected: expected, Got: "null"}).WithHint("leave it out instead")
}

// opening is the first character of any value.
type opening byte

func (o *opening) UnmarshalJSON(text []byte) error {
	*o = opening(text[0])
	return nil
}

// unread takes any value, and looks at nothing of it.
type unread struct{}

func (*unread) UnmarshalJSON([]byte) error { return nil }

// memberType returns the type of a member, nil if any value may be there.
func memberType(t reflect.Type, name string) reflect.Type {
	if t.Kind() == reflect.Map {
		return t.Elem()
	}
	f, _ := memberOf(t, name)
	return f.Type
}

// memberOf returns the field of a struct that JSON calls name.
func memberOf(t reflect.Type, name string) (reflect.StructField, bool) {
	if t.Kind() != reflect.Struct {
		return reflect.StructField{}, false
	}
	for _, f := range reflect.VisibleFields(t) {
		if key, _, _ := strings.Cut(f.Tag.Get("json"), ","); strings.EqualFold(key, name) {
			return f, true
		}
	}
	return reflect.StructField{}, false
}
