package check

import (
	"testing"

	"github.com/glovebox-dev/glovebox/value"
)

// TestLeaving: what cannot leave is said before any call.
func TestLeaving(t *testing.T) {
	const own = "class A:\n    def __init__(self, x): self.x = x\n"
	o := extended()
	o.Output = typ("Any")
	for _, c := range []struct{ source, want string }{
		{"(w for w in words)", "line 1, column 1: the result is an iterator, which cannot leave the program; convert it with list(...)"},
		{"map(str, words)", "line 1, column 1: the result is an iterator, which cannot leave the program; convert it with list(...)"},
		{"def f(): return 1\nf", "line 2, column 1: the result is a function, which cannot leave the program; call it"},
		{"[1, {'a': lambda: 1}]", "line 1, column 11: an item of the result is a function, which cannot leave the program; call it"},
		{"(1, {w for w in words}, (w for w in words))", "line 1, column 25: an item of the result is an iterator, which cannot leave the program; convert it with list(...)"},
		{"{b'a': 3}", "line 1, column 2: a key of the result is a bytes, which cannot leave the program; use keys that are str, int, bool or a date"},
	} {
		expect(t, c.source, o, c.want)
	}
	for _, source := range []string{
		"{1, 2}", "{1: 2, 'a': 3, None: 4, 1.5: 5}", "range(3)", "{'a': 1}.items()", "import collections\ncollections.deque()",
		"import enum\nclass A(enum.Enum):\n    B = 1\nA.B", "import dataclasses\n@dataclasses.dataclass\nclass A:\n    x: int\nA(1)",
		"class A(dict): pass\nA()", own + "A(1)", own + "a = A(1)\n[a, {'a': a}]", "{(1, 2): 3}",
	} {
		expect(t, source, o)
	}
}

// TestRareTypes: the types that are no JSON of their own are known.
func TestRareTypes(t *testing.T) {
	for _, c := range []struct{ output, source, want string }{
		{"set[int]", "[1, 2]", "line 1, column 1: the result must be set[int], and is list; convert it with set(...)"},
		{"set[int]", "{1, 'a'}", "line 1, column 5: an item of the result must be int, and is str; convert it with int(...)"},
		{"list[int]", "{1, 2}", "line 1, column 1: the result must be list[int], and is set; convert it with list(...)"},
		{"dict[int, str]", "{'a': 'b'}", "line 1, column 2: a key of the result must be int, and is str; convert it with int(...)"},
		{"str", "day", "line 1, column 1: the result must be str, and is date; convert it with str(...)"},
		{"float", "price", "line 1, column 1: the result must be float, and is Decimal; pass float"},
		{"int", "day()", "line 1, column 1: day is date and cannot be called"},
		{"set[int]", "{1, 2}", ""}, {"set[Any]", "set(words)", ""}, {"dict[int, str]", "{1: 'a'}", ""}, {"date", "day", ""}, {"Decimal", "1", ""},
		{"Decimal", "price * 2", ""}, {"dict[date, int]", "{day: 1}", ""}, {"list[int]", "range(3)", ""}, {"UUID", "n and id", ""},
	} {
		o := extended()
		o.Inputs = append(o.Inputs, value.Param{Name: "day", Type: typ("date")}, value.Param{Name: "price", Type: typ("Decimal")}, value.Param{Name: "id", Type: typ("UUID")})
		o.Output = typ(c.output)
		if c.want == "" {
			expect(t, c.source, o)
			continue
		}
		expect(t, c.source, o, c.want)
	}
}
