package check

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/py/internal/builtins"
)

// The documents' "Not allowed" table, row by row, and what it implies.
func TestStrictRefuses(t *testing.T) {
	const strictly = " is not available in the strict dialect; "
	for _, c := range []struct{ source, want string }{
		{"import os", "import (import os)" + strictly + "all available functions are provided directly"},
		{"from math import *", "import (from math import *)" + strictly + "all available functions are provided directly"},
		{"from . import x", "import (from . import x)" + strictly + "all available functions are provided directly"},
		{"import __future__", "import (import __future__)" + strictly + "all available functions are provided directly"},

		{"n['a'] = n + 1", "subscript assignment (n['a'] = n + 1)" + strictly + "build dicts as literals or with n.update({'a': n + 1}); use .append() for lists"},
		{"n[n, 1] = 2  # x", "subscript assignment (n[n, 1] = 2)" + strictly + "build dicts as literals or with n.update({(n, 1): 2}); use .append() for lists"},
		{"words[1:2] = []", "subscript assignment (words[1:2] = [])" + strictly + "build the list anew instead of changing its items; use .append() for new ones"},
		{"words[0] = n", "subscript assignment (words[0] = n)" + strictly + "build the list anew instead of changing its items; use .append() for new ones"},
		{"words[n] += 'x'", "augmented assignment (words[n] += 'x')" + strictly + "build the list anew instead of changing its items; use .append() for new ones"},
		{"n[0] = 1", "subscript assignment (n[0] = 1)" + strictly + "build a list anew instead of changing n[0]; for a dict use n.update({0: 1})"},
		{"n[n], a = 1, 2", "subscript assignment (n[n])" + strictly + "build dicts as literals; use .append() for lists"},
		{"words[0], a = 1, 2", "subscript assignment (words[0])" + strictly + "build the list anew instead of changing its items; use .append() for new ones"},
		{"words[0]: int = 1", "subscript assignment (words[0])" + strictly + "build the list anew instead of changing its items; use .append() for new ones"},
		{"for words[0] in []: pass", "line 1, column 5: subscript assignment (words[0] in [])" + strictly + "build the list anew instead of changing its items; use .append() for new ones"},
		{"[0 for words[0] in []]", "line 1, column 8: subscript assignment (words[0] in [])" + strictly + "build the list anew instead of changing its items; use .append() for new ones"},

		{"n += 1", "augmented assignment (n += 1)" + strictly + "use n = n + 1"},
		{"n -= 1 - 2", "augmented assignment (n -= 1 - 2)" + strictly + "use n = n - (1 - 2)"},
		{"n += 2 * n; n", "augmented assignment (n += 2 * n)" + strictly + "use n = n + 2 * n"},
		{"n **= 2", "augmented assignment (n **= 2)" + strictly + "use n = n ** 2"},
		{"n //= len('#;(')  # half", "augmented assignment (n //= len('#;('))" + strictly + "use n = n // len('#;(')"},
		{"n += 1, 2", "augmented assignment (n += 1, 2)" + strictly + "use n = n + (1, 2)"},
		{"n += 1 if n else 2", "augmented assignment (n += 1 if n else 2)" + strictly + "use n = n + (1 if n else 2)"},
		{"n[n] += 'x'", "augmented assignment (n[n] += 'x')" + strictly + "for a dict use n.update({n: n[n] + 'x'}); build lists anew"},
		{"n += (1 +\n 2)", "augmented assignment" + strictly + "use x = x + 1"},
		{"n += '''\n'''", "augmented assignment" + strictly + "use x = x + 1"},

		{"class Point: pass", "class (class Point)" + strictly + "use dicts or tuples"},
		{"with n as f: pass", "with (with n as f: pass)" + strictly + "not needed: there are no resources to manage in the sandbox"},
		{"with n as f:\n    pass", "with (with n as f)" + strictly + "not needed: there are no resources to manage in the sandbox"},
		{"try:\n    n\nexcept ValueError:\n    n", "try/except" + strictly + "errors propagate to the controller"},
		{"try:\n    n\nfinally:\n    n", "try/except" + strictly + "errors propagate to the controller"},
		{"try:\n    n\nexcept* ValueError:\n    n", "try/except" + strictly + "errors propagate to the controller"},
		{"if (k := len(words)) > 1: k", "line 1, column 5: walrus operator (k := len(words))" + strictly + "use a separate assignment before it: k = len(words)"},
		{"def f():\n    yield n, 1\nf()", "line 2, column 5: yield (yield n, 1)" + strictly + "build a list with .append() and return it"},
		{"def f():\n    yield from words\nf()", "line 2, column 5: yield (yield from words)" + strictly + "build a list with .append() and return it"},
		{"def f():\n    global n\nf()", "line 2, column 5: global/nonlocal (global n)" + strictly + "pass values as arguments and return the new ones"},
		{"def f():\n    k = 1\n    def g():\n        nonlocal k\n    g()\nf()", "line 4, column 9: global/nonlocal (nonlocal k)" + strictly + "pass values as arguments and return the new ones"},
		{"{1, n}", "set literal or comprehension ({1, n})" + strictly + "use lists: [1, n], or set([1, n])"},
		{"{1} | n", "set literal or comprehension ({1} | n)" + strictly + "use lists: [1], or set([1])"},
		{"{w for w in words}", "set literal or comprehension ({w for w in words})" + strictly + "use lists: [w for w in words], or set([w for w in words])"},
		{"del words[n]", "del (del words[n])" + strictly + "use words.pop(n)"},
		{"del n", "del (del n)" + strictly + "leave the variable alone, or assign None to it"},
		{"del words[1:]", "del (del words[1:])" + strictly + "build a new list or dict without the element"},
		{"assert n > 0", "assert (assert n > 0)" + strictly + "use if not (n > 0): raise AssertionError()"},
		{"assert n > 0, f'{n}, no'", "assert (assert n > 0, f'{n}, no')" + strictly + "use if not (n > 0): raise AssertionError(f'{n}, no')"},

		{"words.x = 1", "attribute assignment (words.x = 1)" + strictly + "use a variable of its own, or a dict"},
		{"async def f():\n    async for x in words: pass\nawait f()", "line 2, column 5: async for (async for x in words: pass)" + strictly + "use a plain for loop and await each call inside it"},
		{"async def f():\n    return [x async for x in words]\nawait f()", "line 2, column 15: async for" + strictly + "use a plain for loop and await each call inside it"},
		{"async def f():\n    async with n: pass\nawait f()", "line 2, column 5: with (async with n: pass)" + strictly + "not needed: there are no resources to manage in the sandbox"},
		{"type X = int", "type statement (type X = int)" + strictly + "write the type where it is used"},
		{"1j", "complex number" + strictly + "use two floats"},
		{"n.__class__", "line 1, column 3: attribute __class__ is not available; use type(x), or isinstance(x, C)"},
	} {
		expect(t, c.source, strict(), c.want)
		if r := Forbidden(parse(t, c.source), strict()); r == nil || len(r.Problems) != 1 || !refuses(r) {
			t.Errorf("%s: Forbidden does not say the same", c.source)
		} else if !strings.HasSuffix(c.want, "; "+r.Problems[0].Hint) {
			t.Errorf("%s: Forbidden has the hint %s", c.source, r.Problems[0].Hint)
		}
	}
}

// Everything that is not in the documents' table stays available.
func TestStrictAllows(t *testing.T) {
	for _, a := range available {
		expect(t, a.example, strict())
	}
	for _, source := range []string{
		"@print\ndef f(): pass", "a, *b = [1, 2]\na", "a = b = 1\na", "x: int = 1\nx", "def f(a, /, b=1, *c, d, **e): return a\nf(1, d=2)",
		"for i in []: break\nelse: pass", "set([1])", "d = {}\nd.update({'a': 1})\nd", "[*words, *words]", "{**{'a': 1}, 'b': 2}",
		"lambda *a: a", "raise ValueError('x') from None", "f'{n!r:>{n}}'", "x = ...\nx", "n if n else None", "not n", "b'x'",
		"match words:\n    case [a, *_] if a: a\n    case {'k': v, **r}: v\n    case int(x) | str(x): x\n    case _: None",
		"(x for x in words)", "words[::2]", "print('a', end='')", "n.__add__(1)", "__name__",
	} {
		if got := problems(Forbidden(parse(t, source), strict())); got != nil {
			t.Errorf("%s: %v", source, got)
		}
	}
}

func TestExtendedRefuses(t *testing.T) {
	const extendedly = " is not available in the extended dialect; "
	for _, c := range []struct{ source, want string }{
		{"import shutil", "line 1, column 8: module shutil is not available; the sandbox has no files: take the content as an input, or call a tool; io.StringIO and io.BytesIO are files in memory"},
		{"import mth", "line 1, column 8: module mth is not available; did you mean math?"},
		{"import numpy as np", "line 1, column 8: module numpy is not available; use lists with sum, min, max, and the modules math, statistics and itertools"},
		{"from requests import get", "module requests is not available; the sandbox has no network: call a tool; urllib.parse takes addresses apart"},
		{"import zzzzzzzz", "line 1, column 8: module zzzzzzzz is not available; the bundled modules are asyncio, collections, collections.abc, contextlib, dataclasses, enum, functools, json, math, typing"},
		{"from math import *", "import of * (from math import *)" + extendedly + "name what you use: from math import sqrt, pi"},
		{"from .a import b", "relative import (from .a import b)" + extendedly + "import a bundled module by its full name"},
		{"from typing import __loader__", "line 1, column 20: attribute __loader__ is not available; programs cannot look into the interpreter"},
		{"n + 1j", "line 1, column 5: complex number" + extendedly + "use two floats"},
		{"print.__self__", "line 1, column 7: attribute __self__ is not available; programs cannot look into the interpreter"},
		{"f'{n.__code__}'", "line 1, column 6: attribute __code__ is not available; programs cannot look into the interpreter"},
		{"words.__globals__ = n", "line 1, column 7: attribute __globals__ is not available; programs cannot look into the interpreter"},
		{"del words.__globals__", "line 1, column 11: attribute __globals__ is not available; programs cannot look into the interpreter"},
		{"words.__code__ += n", "line 1, column 7: attribute __code__ is not available; programs cannot look into the interpreter"},
		{"match n:\n    case int(__globals__=k): pass", "line 2, column 10: attribute __globals__ is not available; programs cannot look into the interpreter"},
		{"match n:\n    case n.__globals__: pass", "line 2, column 12: attribute __globals__ is not available; programs cannot look into the interpreter"},
		{"(x for x in words).gi_frame", "line 1, column 20: attribute gi_frame is not available; programs cannot look into the interpreter"},
		{"@n.__globals__\ndef f(): pass\nf()", "line 1, column 4: attribute __globals__ is not available; programs cannot look into the interpreter"},
		{"def f(x: n.__globals__ = 1): pass\nf()", "line 1, column 12: attribute __globals__ is not available; programs cannot look into the interpreter"},
		{"def f() -> n.__globals__: pass\nf()", "line 1, column 14: attribute __globals__ is not available; programs cannot look into the interpreter"},
	} {
		got := problems(Forbidden(parse(t, c.source), extended()))
		want := c.want
		if !strings.HasPrefix(want, "line ") {
			want = "line 1, column 1: " + want
		}
		if diff := cmp.Diff([]string{want}, got); diff != "" {
			t.Errorf("%s\n%s", c.source, diff)
		}
	}
}

func TestAllProblemsInOnePass(t *testing.T) {
	source := "import os\ntotal = 0\ntotal += 1\nclass A:\n    def f(self):\n        self.x = {1, 2}\n        del self\n"
	want := []string{"import", "augmented assignment", "class", "attribute assignment", "set literal or comprehension", "del"}
	var got []string
	for _, p := range Forbidden(parse(t, source), strict()).Problems {
		got = append(got, p.Construct)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReportsAreBounded(t *testing.T) {
	r := Check(parse(t, strings.Repeat("n += 1\n", 1000)+"n"), strict())
	if len(r.Problems) != maxProblems || r.Omitted != 900 {
		t.Errorf("%d problems and %d omitted", len(r.Problems), r.Omitted)
	}
}

// The words of the documents are those of the table.
func TestWorkaroundsAreTheDocuments(t *testing.T) {
	for c, want := range map[construct]string{
		importStatement: "All available functions are provided directly", subscriptAssignment: "Build dicts as literals; use .append() for lists",
		augmentedAssignment: "Use x = x + 1", classDefinition: "Use dicts or tuples", tryStatement: "Errors propagate to the controller",
		walrusOperator: "Use a separate assignment", setLiteral: "Use lists", assertStatement: "Use if + raise",
	} {
		if got := constructs[c].workaround; !strings.EqualFold(got, want) {
			t.Errorf("%s: %s, want %s", constructs[c].name, got, want)
		}
	}
}

// Each built-in name of CPython is either there or has a hint.
func TestEveryBuiltinIsKnown(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is missing: its built-ins are not compared")
	}
	out, err := exec.Command(python, "-c", "import builtins; print(*dir(builtins))").Output()
	if err != nil {
		t.Fatal(err)
	}
	ours := map[string]bool{"gather": true, "glovebox_map": true}
	for _, name := range strings.Fields(string(out)) {
		ours[name] = true
		constant := name == "True" || name == "False" || name == "None"
		if !constant && IsBuiltin(name) == (NameHint(name) != "") {
			t.Errorf("%s must be a built-in or have a hint, and not both", name)
		}
	}
	for _, name := range append(builtins.Names(), "__name__") {
		if !ours[name] {
			t.Errorf("%s is no built-in of Python", name)
		}
	}
}

func TestAttributes(t *testing.T) {
	for _, name := range []string{"__init__", "__len__", "__radd__", "__name__", "__private", "_x_", "x__", "__", "____", "append", "frame", "__members__"} {
		if !AttributeAllowed(name, Strict) || !AttributeAllowed(name, Extended) {
			t.Errorf("%s is refused", name)
		}
	}
	for _, name := range strings.Fields(`__class__ __dict__ __mro__ __bases__ __base__ __subclasses__ __traceback__ __context__ __annotations__`) {
		if AttributeAllowed(name, Strict) || !AttributeAllowed(name, Extended) {
			t.Errorf("%s is there in strict, or not in extended", name)
		}
	}
	for _, name := range strings.Fields(`__globals__ __code__ __closure__ __builtins__
		__import__ __reduce__ __reduce_ex__ __self__ __func__ __defaults__ __kwdefaults__
		__loader__ __spec__ __weakref__ __getstate__ __sizeof__ __dir__ __del__ __x__ gi_frame gi_code cr_frame ag_frame f_back f_globals tb_frame`) {
		if AttributeAllowed(name, Strict) || AttributeAllowed(name, Extended) {
			t.Errorf("%s is allowed", name)
		}
	}
}

// refuses reports whether a program with these problems cannot be compiled.
func refuses(r *Report) bool {
	return slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Level == Refusal })
}
