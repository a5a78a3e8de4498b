package check

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py/syntax"
	"github.com/glovebox-dev/glovebox/py/tool"
	"github.com/glovebox-dev/glovebox/value"
)

// bundled are the modules of the tests. A module without members has unknown
// ones.
type bundled map[string][]string

func (b bundled) Names() []string {
	var names []string
	for name := range b {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (b bundled) Members(module string) ([]string, bool) {
	members, ok := b[module]
	return members, ok
}

func typ(s string) value.Type { return value.MustType(s) }

func strict() Options {
	return Options{
		Inputs: []value.Param{{Name: "n", Type: typ("int")}, {Name: "data", Type: typ("File")}, {Name: "words", Type: typ("list[str]")}},
		Tools: []tool.Tool{
			{Name: "add", Doc: "Add two numbers.", Result: typ("int"), Params: []tool.Param{
				{Name: "x", Type: typ("int")}, {Name: "y", Type: typ("int"), HasDefault: true, Default: 0},
			}},
			{Name: "fetch", Doc: "Fetch a page.", Async: true, Result: typ("str"), Params: []tool.Param{
				{Name: "url", Type: typ("str")}, {Name: "limit", Type: typ("Optional[int]"), HasDefault: true, KeywordOnly: true},
			}},
			{Name: "lines", Result: typ("int"), Params: []tool.Param{{Name: "file", Type: typ("File")}}},
			{Name: "mean", Result: typ("float"), Params: []tool.Param{{Name: "numbers", Type: typ("list[float]")}, {Name: "weights", Type: typ("dict[str, int]"), HasDefault: true, Default: map[string]int{}}}},
		},
	}
}

func extended() Options {
	o := strict()
	o.Dialect = Extended
	o.Modules = bundled{
		"math": {"pi", "sqrt", "floor"}, "json": {"dumps", "loads"}, "asyncio": {"gather", "run", "sleep"},
		"dataclasses": {"dataclass", "field"}, "typing": nil, "collections": {"Counter", "defaultdict", "deque"}, "collections.abc": nil,
		"functools": nil, "contextlib": nil, "enum": nil,
	}
	return o
}

func parse(t testing.TB, source string) *syntax.File {
	t.Helper()
	file, err := syntax.Parse("test.py", source)
	if err != nil {
		t.Fatalf("%s\n%v", source, err)
	}
	return file
}

func problems(r *Report) []string {
	var lines []string
	if r != nil {
		for _, p := range r.Problems {
			lines = append(lines, p.String())
		}
	}
	return lines
}

// expect checks a program and compares the problems, each on a line, place
// first.
func expect(t *testing.T, source string, o Options, want ...string) {
	t.Helper()
	for i, line := range want {
		if strings.HasPrefix(line, "line ") {
			continue
		}
		want[i] = "line 1, column 1: " + line
	}
	if diff := cmp.Diff(want, problems(Check(parse(t, source), o))); diff != "" {
		t.Errorf("%s\n(-want +got)\n%s", source, diff)
	}
}

func TestOptionsAreValidated(t *testing.T) {
	if err := strict().Validate(); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		change func(*Options)
		want   string
	}{
		{func(o *Options) { o.Tools[0].Name = "print" }, "tool print has the name of a Python built-in"},
		{func(o *Options) { o.Tools[0].Name = "n" }, "tool n has the name of an input"},
		{func(o *Options) { o.Tools[0].Name = "fetch" }, "tool fetch has the name of another tool"},
		{func(o *Options) { o.Tools[0].Name = "a-b" }, `name "a-b" is not a Python identifier`},
		{func(o *Options) { o.Inputs[0].Name = "words" }, `input "words" is declared twice`},
		{func(o *Options) { o.Inputs[0].Name = "lambda" }, `name "lambda" is a Python keyword`},
	} {
		o := strict()
		c.change(&o)
		err := o.Validate()
		var e *api.Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

func TestDialects(t *testing.T) {
	if d := (Options{}).Dialect; d != Strict {
		t.Errorf("the default is %s, want strict", d)
	}
	for d, want := range map[Dialect]string{Strict: "strict", Extended: "extended"} {
		if got := d.String(); got != want {
			t.Errorf("dialect %d is %s, want %s", d, got, want)
		}
	}
}
