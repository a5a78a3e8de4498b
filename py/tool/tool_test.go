package tool

import (
	"errors"
	"math"
	"os/exec"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

func typ(s string) value.Type { return value.MustType(s) }

func fetch() Tool {
	return Tool{
		Name: "fetch", Doc: "Fetch a page.\n\n    url  where from\n", Async: true, Result: typ("dict[str, str]"),
		Params: []Param{
			{Name: "url", Type: typ("str")},
			{Name: "limit", Type: typ("int"), Default: 10, HasDefault: true},
			{Name: "headers", Type: typ("Optional[dict[str, str]]"), HasDefault: true, KeywordOnly: true},
			{Name: "into", Type: typ("Dir"), KeywordOnly: true},
		},
	}
}

func TestStub(t *testing.T) {
	want := `async def fetch(url: str, limit: int = 10, *, headers: Optional[dict[str, str]] = None, into: Dir) -> dict[str, str]:
    """Fetch a page.

        url  where from"""`
	if got := fetch().Stub(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if err := fetch().Validate(); err != nil {
		t.Error(err)
	}
	bare := Tool{Name: "now", Result: typ("datetime")}
	if got := bare.Stub(); got != "def now() -> datetime: ..." {
		t.Errorf("got %s", got)
	}
}

func TestDefaultsAreWrittenAsPython(t *testing.T) {
	dict := value.NewDict()
	dict.Set(`a"b`, []any{int64(1), nil})
	for _, c := range []struct {
		value any
		want  string
	}{
		{nil, "None"}, {true, "True"}, {false, "False"}, {int64(-3), "-3"}, {7, "7"}, {1.0, "1.0"}, {1e300, "1e+300"},
		{math.Inf(-1), `float("-inf")`}, {math.Inf(1), `float("inf")`}, {math.NaN(), `float("nan")`},
		{"a\n\"ü", `"a\n\"ü"`}, {[]byte("a\"\\\xff\n"), `b"a\"\\\xff\x0a"`}, {value.Tuple{int64(1)}, "(1,)"},
		{value.Tuple{int64(1), "x"}, `(1, "x")`}, {value.Tuple{}, "()"}, {dict, `{"a\"b": [1, None]}`}, {[]int{1, 2}, "[1, 2]"},
		{value.Timedelta{Days: 1}, "..."},
	} {
		if got := literal(c.value); got != c.want {
			t.Errorf("literal(%v) = %s, want %s", c.value, got, c.want)
		}
	}
}

// A docstring from a host must not be able to end the stub early.
func TestStubsAreValidPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is missing: stubs are not compiled")
	}
	docs := []string{"", "plain", `a """ b`, `ends with "`, `""""`, `back\slash`, `ends with \`, "two\n  lines\n", `\"`}
	for _, doc := range docs {
		stub := Tool{Name: "f", Doc: doc, Result: typ("int")}.Stub()
		cmd := exec.Command(python, "-c", "import sys,ast; t = ast.parse(sys.stdin.read()); sys.exit(len(t.body) != 1 or len(t.body[0].body) != 1)")
		cmd.Stdin = strings.NewReader(stub)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("doc %q makes %q: %v %s", doc, stub, err, out)
		}
	}
}

func TestValidate(t *testing.T) {
	number := typ("int")
	for _, c := range []struct {
		tool Tool
		want string
	}{
		{Tool{Name: "2x", Result: number}, `tool: name "2x" is not a Python identifier`},
		{Tool{Name: "if", Result: number}, `tool: name "if" is a Python keyword`},
		{Tool{Name: "__import__", Result: number}, `starts with "__"`},
		{Tool{Name: "f"}, "result of tool f: "},
		{Tool{Name: "f", Result: value.Type{Kind: "bag"}}, "result of tool f: "},
		{Tool{Name: "f", Result: number, Doc: strings.Repeat("x", maxDoc+1)}, "tool f: its description is longer"},
		{Tool{Name: "f", Result: number, Params: make([]Param, maxParams+1)}, "tool f: more than 200 parameters"},
		{Tool{Name: "f", Result: number, Params: []Param{{Name: "class", Type: number}}}, `tool f: parameter: name "class" is a Python keyword`},
		{Tool{Name: "f", Result: number, Params: []Param{{Name: "a", Type: number}, {Name: "a", Type: number}}}, "tool f: parameter a is declared twice"},
		{Tool{Name: "f", Result: number, Params: []Param{{Name: "a"}}}, "tool f: parameter a: "},
		{Tool{Name: "f", Result: number, Params: []Param{{Name: "a", Type: number, HasDefault: true, Default: "x"}}}, "tool f: parameter a: default of a: expected int, got str"},
		{Tool{Name: "f", Result: number, Params: []Param{{Name: "a", Type: number, HasDefault: true, Default: 1}, {Name: "b", Type: number}}}, "tool f: parameter b has no default"},
		{Tool{Name: "f", Result: number, Params: []Param{{Name: "a", Type: number, KeywordOnly: true}, {Name: "b", Type: number}}}, "tool f: parameter b can be passed by position"},
	} {
		err := c.tool.Validate()
		var e *api.Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, c.want) {
			t.Errorf("%+v: got %v, want %q", c.tool, err, c.want)
		}
	}
}
