package value

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestParseType(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"int", "int"},
		{" str ", "str"},
		{"builtins.bool", "bool"},
		{"datetime.datetime", "datetime"},
		{"datetime.timedelta", "timedelta"},
		{"datetime.date", "date"},
		{"datetime.time", "time"},
		{"decimal.Decimal", "Decimal"},
		{"uuid.UUID", "UUID"},
		{"set", "set[Any]"},
		{"typing.Set[int]", "set[int]"},
		{"frozenset[tuple[int, str]]", "set[tuple[int, str]]"},
		{"dict[int, str]", "dict[int, str]"},
		{"dict[datetime.date, dict[bool, int]]", "dict[date, dict[bool, int]]"},
		{"NoneType", "None"},
		{"glovebox.io.File", "File"},
		{"pandas.DataFrame", "DataFrame"},
		{"list", "list[Any]"},
		{"typing.List[int]", "list[int]"},
		{"dict", "dict[str, Any]"},
		{"Dict[str,float]", "dict[str, float]"},
		{"tuple", "tuple[Any, ...]"},
		{"tuple[int, ...]", "tuple[int, ...]"},
		{"tuple[int,str]", "tuple[int, str]"},
		{"tuple[()]", "tuple[()]"},
		{"Optional[int]", "Optional[int]"},
		{"int | None", "Optional[int]"},
		{"None | int", "Optional[int]"},
		{"Union[int, None]", "Optional[int]"},
		{"typing.Optional[int | str]", "Union[int, str, None]"},
		{"Union[int, Union[str, int]]", "Union[int, str]"},
		{"Union[int]", "int"},
		{"Optional[None]", "None"},
		{"Optional[Optional[int]]", "Optional[int]"},
		{"list[dict[str, tuple[int | None, ...]]]", "list[dict[str, tuple[Optional[int], ...]]]"},
		{"list[\n  int\n]", "list[int]"},
	} {
		got, err := ParseType(c.in)
		if err != nil {
			t.Errorf("ParseType(%q): %v", c.in, err)
			continue
		}
		if got.String() != c.want {
			t.Errorf("ParseType(%q) = %s, want %s", c.in, got, c.want)
		}
		if again := MustType(got.String()); !again.Equal(got) {
			t.Errorf("%s reads back as %s", got, again)
		}
	}
}

func TestParseTypeErrors(t *testing.T) {
	for _, c := range []struct{ in, message, suggestion string }{
		{"", `expected a type, got the end`, ""},
		{"itn", `unknown type "itn"`, "int"},
		{"string", `unknown type "string"`, "str"},
		{"datetime.tine", `unknown type "datetime.tine"`, "time"},
		{"set[list[int]]", `list[int] cannot be in a set`, ""},
		{"set[int, str]", `set takes one type, got 2`, ""},
		{"decimal", `unknown type "decimal"`, "Decimal"},
		{"Lst[int]", `unknown type "Lst"`, "list"},
		{"complex", `unknown type "complex"`, ""},
		{"int int", `expected the end, got "int"`, ""},
		{"list[int", `expected "," or "]", got the end`, ""},
		{"list[int, str]", `list takes one type, got 2`, ""},
		{"list[]", `expected a type, got "]"`, ""},
		{"dict[float, str]", `the keys of a dict must be str, int, bool or date, got float`, ""},
		{"dict[str]", `dict takes two types, got 1`, ""},
		{"int[str]", `int takes no types in brackets`, ""},
		{"Optional", `Optional needs types in brackets`, ""},
		{"tuple[int, str, ...]", `"..." must follow the only element type of a tuple`, ""},
		{"tuple[...]", `expected a type`, ""},
		{"int |", `expected a type, got the end`, ""},
		{strings.Repeat("list[", 40) + "int" + strings.Repeat("]", 40), "nested more than 32 deep", ""},
		{strings.Repeat("Optional[", 200) + "int" + strings.Repeat("]", 200), "more than 128 nested brackets", ""},
		{"tuple[" + strings.Repeat("dict,", 800) + "int]", "its full spelling is longer than 4096 bytes", ""},
		{strings.Repeat("x", 5000), "longer than 4096 bytes", ""},
	} {
		_, err := ParseType(c.in)
		var e *TypeError
		if !errors.As(err, &e) || e.Text != c.in {
			t.Errorf("ParseType(%q) = %v, want a *TypeError", c.in, err)
			continue
		}
		if !strings.Contains(e.Error(), c.message) || e.Suggestion != c.suggestion {
			t.Errorf("ParseType(%q) = %q, suggestion %q; want %q, %q", c.in, e, e.Suggestion, c.message, c.suggestion)
		}
	}
}

func TestTypeInJSON(t *testing.T) {
	var s struct {
		Inputs []Param `json:"inputs"`
	}
	if err := json.Unmarshal([]byte(`{"inputs":[{"name":"x","type":"int | None"}]}`), &s); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(s)
	if want := `{"inputs":[{"name":"x","type":"Optional[int]"}]}`; err != nil || string(out) != want {
		t.Errorf("got %s, %v; want %s", out, err, want)
	}
	if err := json.Unmarshal([]byte(`{"inputs":[{"name":"x","type":"nope"}]}`), &s); !errors.As(err, new(*TypeError)) {
		t.Errorf("got %v, want a *TypeError", err)
	}
}

func TestTypeFiles(t *testing.T) {
	if MustType("dict[str, list[int]]").Files() || !MustType("list[Optional[Dir]]").Files() {
		t.Error("Files looks at every part of a type, and at nothing else")
	}
}

func FuzzParseType(f *testing.F) {
	for _, s := range []string{"int", "list[int]", "tuple[int, ...]", "tuple[()]", "Union[int, str | None]", "a.b.Optional[File]", "dict[str, "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		parsed, err := ParseType(s)
		if err != nil {
			return
		}
		if again, err := ParseType(parsed.String()); len(parsed.String()) <= maxTypeLength && (err != nil || !again.Equal(parsed)) {
			t.Errorf("%q is %s, which reads back as %s, %v", s, parsed, again, err)
		}
	})
}
