package api

import (
	"errors"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/value"
	"github.com/glovebox-dev/glovebox/value/valuetest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func withDefault(t *testing.T, p value.Param, v any) value.Param {
	t.Helper()
	p, err := p.WithDefault(v)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCompleteInputs(t *testing.T) {
	integer := value.Type{Kind: value.KindInt}
	params := []value.Param{{Name: "x", Type: integer}, withDefault(t, value.Param{Name: "y", Type: integer}, 5)}
	for name, c := range map[string]struct {
		given map[string]any
		want  map[string]any
		field string
		text  string
	}{
		"all":      {map[string]any{"x": 1, "y": 2}, map[string]any{"x": int64(1), "y": int64(2)}, "", ""},
		"default":  {map[string]any{"x": 1}, map[string]any{"x": int64(1), "y": int64(5)}, "", ""},
		"missing":  {map[string]any{"y": 1}, nil, "x", "the inputs are (x: int, y: int = 5)"},
		"unknown":  {map[string]any{"x": 1, "z": 1}, nil, "z", "not declared"},
		"mismatch": {map[string]any{"x": "one"}, nil, "x", `expected int, got str "one"`},
	} {
		got, err := CompleteInputs(params, c.given)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if c.field == "" && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.field != "" && (!errors.Is(err, &Error{Code: InvalidInput}) || AsError(err).Details.Field != c.field || !strings.Contains(err.Error(), c.text)) {
			t.Errorf("%s: got %v; want invalid_input of %s with %q", name, err, c.field, c.text)
		}
	}
}

func TestDecodeFieldsRefuses(t *testing.T) {
	params := []value.Param{{Name: "x", Type: value.Type{Kind: value.KindInt}}}
	for text, want := range map[string]string{
		`[1]`:             `it begins with "["`,
		`{"x":1,"x":2}`:   `"x" comes twice`,
		`{"x":1} {}`:      "something follows it",
		`{"x":1`:          "EOF",
		`{"x":"a"}`:       "expected int",
		`{"x":1,"y":"a"}`: "y",
		`{x:1}`:           "invalid character",
	} {
		if v, err := DecodeFields("input", params, []byte(text)); !errors.Is(err, &Error{Code: InvalidInput}) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gave %v, %v; want %q", text, v, err, want)
		}
	}
	for _, none := range []string{"", " ", "null", "{}"} {
		if v, err := DecodeFields("input", params, []byte(none)); err != nil || len(v) != 0 {
			t.Errorf("%q gave %v, %v", none, v, err)
		}
	}
}

func TestEncodeFieldsWritesANameOnce(t *testing.T) {
	integer := value.Type{Kind: value.KindInt}
	text, err := EncodeFields([]value.Param{{Name: "x", Type: integer}, {Name: "x", Type: integer}}, map[string]any{"x": 1})
	if err != nil || string(text) != `{"x":1}` {
		t.Errorf("got %s, %v", text, err)
	}
}

// TestFieldsRoundTrip: DecodeFields reads what EncodeFields writes, for all
// types.
func TestFieldsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var params []value.Param
		values := map[string]any{}
		for _, name := range []string{"a", "b c", "ünïcode"} {
			typ := valuetest.Type(2).Draw(t, "type")
			params = append(params, value.Param{Name: name, Type: typ})
			values[name] = valuetest.Value(t, typ)
		}
		text, err := EncodeFields(params, values)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeFields("output", params, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		again, err := EncodeFields(params, back)
		if err != nil || string(again) != string(text) {
			t.Fatalf("%s became %s, %v", text, again, err)
		}
	})
}

// FuzzDecodeFields feeds what comes as inputs over the network.
func FuzzDecodeFields(f *testing.F) {
	for _, seed := range []string{`{"a":1,"b":"x"}`, `{"a":1e400,"b":null}`, `{"a":[],"b":{"$tuple":[1]}}`, `{"a":1,"a":2}`, `null`} {
		f.Add([]byte(seed))
	}
	params := []value.Param{{Name: "a", Type: value.Type{Kind: value.KindAny}}, {Name: "b", Type: value.OptionalOf(value.Type{Kind: value.KindStr})}}
	f.Fuzz(func(t *testing.T, text []byte) {
		values, err := DecodeFields("input", params, text)
		if err != nil {
			if !errors.Is(err, &Error{Code: InvalidInput}) {
				t.Errorf("%q gave %v", text, err)
			}
			return
		}
		if _, err := EncodeFields(params, values); err != nil {
			t.Errorf("%q was read, but cannot be written: %v", text, err)
		}
	})
}
