package value_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/value"
)

func param(t *testing.T, typ, def string, choices ...string) value.Param {
	t.Helper()
	parsed, err := value.ParseType(typ)
	if err != nil {
		t.Fatal(err)
	}
	p := value.Param{Name: "x", Type: parsed}
	if def != "" {
		p.Default = json.RawMessage(def)
	}
	for _, choice := range choices {
		p.Choices = append(p.Choices, json.RawMessage(choice))
	}
	return p
}

// TestChoices refuses values that are none of the choices.
func TestChoices(t *testing.T) {
	for _, test := range []struct {
		p    value.Param
		text string
		want string // in the error; empty is none
	}{
		{param(t, "str", "", `"slow"`, `"fast"`), `{"x":"fast"}`, ""},
		{param(t, "str", "", `"slow"`, `"fast"`), `{"x":"Fast"}`, `input x: expected one of "slow", "fast", got "Fast"`},
		{param(t, "str", `"slow"`, `"slow"`, `"fast"`), `{}`, ""},
		{param(t, "str", "", `"\u0066ast"`), `{"x":"fast"}`, ""},
		{param(t, "int", "", "1", "2"), `{"x":2}`, ""},
		{param(t, "int", "", "1", "2"), `{"x":3}`, "one of 1, 2"},
		{param(t, "float", "", "1", "2.5"), `{"x":1.0}`, ""},
		{param(t, "date", "", `"2026-01-01"`), `{"x":"2026-01-02"}`, "2026-01-01"},
		{param(t, "Optional[str]", "", `"a"`), `{"x":null}`, ""},
		{param(t, "Optional[str]", "", `"a"`), `{"x":"b"}`, `one of "a"`},
		{param(t, "Optional[str]", "null", `"a"`), `{}`, ""},
	} {
		params := []value.Param{test.p}
		f, err := value.Decode("input", params, []byte(test.text))
		if err != nil {
			t.Fatal(err)
		}
		if f, err = f.Complete(params); err != nil {
			t.Fatal(err)
		}
		err = f.CheckChoices(params)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s of %s: got %v, want %q", test.text, test.p.Choices, err, test.want)
		}
	}
}

func TestWrongChoices(t *testing.T) {
	many := make([]string, value.MaxChoices+1)
	for i := range many {
		many[i] = "1"
	}
	for want, p := range map[string]value.Param{
		"expected int":        param(t, "int", "", `"1"`),
		"there twice":         param(t, "float", "", "1", "1.0"),
		"at most 100":         param(t, "int", "", many...),
		"cannot be chosen":    param(t, "list[int]", "", "[1]"),
		"type File cannot be": param(t, "File", "", "{}"),
		"one of 1, got 2":     param(t, "int", "2", "1"),
		"expected str":        param(t, "Optional[str]", "", "null"),
	} {
		if _, err := p.WithChoices(p.Choices); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s %s: got %v, want %s", p.Type, p.Choices, err, want)
		}
	}
}
