package typeschema

import (
	"encoding/json"
	"testing"

	"github.com/glovebox-dev/glovebox/value"
)

func TestOf(t *testing.T) {
	for typ, want := range map[string]string{
		"int":             `{"type":"integer"}`,
		"list[float]":     `{"type":"array","items":{"type":"number"}}`,
		"dict[str, bool]": `{"type":"object","additionalProperties":{"type":"boolean"}}`,
		"Optional[int]":   `{"anyOf":[{"type":"integer"},{"type":"null"}]}`,
		"tuple[int, str]": `{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"minItems":2,"maxItems":2}`,
		"tuple[int, ...]": `{"type":"array","items":{"type":"integer"}}`,
		"Any":             `{"description":"Any"}`,
	} {
		of, err := value.ParseType(typ)
		if err != nil {
			t.Fatal(err)
		}
		same(t, typ, Of(of), want)
	}
}

func TestObject(t *testing.T) {
	got := Object([]value.Param{{Name: "b", Type: value.Type{Kind: value.KindInt}}, {Name: "a", Type: value.Type{Kind: value.KindStr}, Default: []byte(`"x"`)}})
	same(t, "object", got, `{"type":"object","required":["b"],"properties":{"b":{"type":"integer","description":"int"},"a":{"type":"string","description":"str","default":"x"}},"additionalProperties":false}`)
}

func TestChoices(t *testing.T) {
	choices := []json.RawMessage{json.RawMessage(`"a"`), json.RawMessage(`"b"`)}
	got := Object([]value.Param{{Name: "x", Type: value.Type{Kind: value.KindStr}, Choices: choices}, {Name: "y", Type: value.OptionalOf(value.Type{Kind: value.KindStr}), Default: []byte("null"), Choices: choices}})
	same(t, "object", got, `{"type":"object","required":["x"],"properties":{"x":{"type":"string","description":"str","enum":["a","b"]},
		"y":{"anyOf":[{"type":"string","enum":["a","b"]},{"type":"null"}],"description":"Optional[str]","default":null}},"additionalProperties":false}`)
}

// same compares schemas as JSON, whatever the order.
func same(t *testing.T, what string, got any, want string) {
	t.Helper()
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &b); err != nil {
		t.Fatal(err)
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	if string(x) != string(y) {
		t.Errorf("%s: %s, want %s", what, x, y)
	}
}
