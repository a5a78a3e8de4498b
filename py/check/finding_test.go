package check

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/value"
)

func TestNames(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"totl", "name totl is not defined"},
		{"total = 1\ntotl + totl", "line 2, column 1: name totl is not defined; did you mean total?"},
		{"wrods", "name wrods is not defined; did you mean words?"},
		{"true", "name true is not defined; use True"},
		{"null", "name null is not defined; use None"},
		{"Words", "name Words is not defined; did you mean words?"},
		{"ad(1)", "ad is not defined: it is no tool, no built-in and no function of the program; did you mean add?"},
		{"fetch_everything(1)", "fetch_everything is not defined: it is no tool, no built-in and no function of the program; the tools are add, fetch, lines, mean"},
		{"math.sqrt(2)", "name math is not defined; write import math first"},
		{"eval('1')", "eval is not available; parse the text yourself: int(text), float(text), text.split(), or json.loads(text) in the extended dialect"},
		{"open('x')", "open is not available; the sandbox has no files: take the content as an input, or call a tool"},
		{"def f():\n    return loc\nf()", "line 2, column 12: name loc is not defined"},
		{"def f():\n    loc = 1\nf()\nloc", "line 4, column 1: name loc is not defined"},
		{"[x for x in words]\nx", "line 2, column 1: name x is not defined"},
		{"class A:\n    k = 1\n    def f(self): return k\nA()", "line 3, column 25: name k is not defined"},
		{"for i in rnge(3): pass", "line 1, column 10: rnge is not defined: it is no tool, no built-in and no function of the program; did you mean range?"},
		{"f'{missing:>{n}}'", "line 1, column 4: name missing is not defined"},
		{"import math\nmath.sqroot(2)", "line 2, column 6: module math has no sqroot; did you mean sqrt?"},
		{"import math as m\nm.tau", "line 2, column 3: module math has no tau"},
		{"from math import sqroot\nsqroot(1)", "line 1, column 18: module math has no sqroot; did you mean sqrt?"},
		{"glovebox_map('ad', words)", "line 1, column 14: there is no tool ad; did you mean add?"},
		{"try: pass\nexcept ValueErorr: pass", "line 2, column 8: name ValueErorr is not defined; did you mean ValueError?"},
	} {
		expect(t, c.source, extended(), c.want)
	}
	expect(t, "asyncio.run(1)", strict(), "name asyncio is not defined; gather is provided directly: await gather(...)")
	o := extended()
	o.Dialect = Strict
	expect(t, "math.pi", o, "name math is not defined; the strict dialect has no modules: use built-ins and tools")
}

// TestNamesThatPythonRefuses holds Check to what the compiler refuses for its
// names alone. A place that the dialect forbids anyway is reported once.
func TestNamesThatPythonRefuses(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"def f():\n    nonlocal k\nf()", "line 2, column 5: no binding for nonlocal 'k' found"},
		{"def f():\n    k = 1\n    global k\nf()", "line 3, column 5: name 'k' is assigned to before global declaration"},
		{"def f(k):\n    global k\nf(1)", "line 2, column 5: name 'k' is parameter and global"},
		{"def f():\n    nonlocal k\nf()\nwrods", "line 2, column 5: no binding for nonlocal 'k' found\nline 4, column 1: name wrods is not defined; did you mean words?"},
	} {
		found := Check(parse(t, c.source), extended())
		if got := strings.Join(problems(found), "\n"); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.source, got, c.want)
		}
		if !refuses(found) {
			t.Errorf("%s: the compiler refuses it, and Check calls it compilable", c.source)
		}
	}
	for _, source := range []string{"from math import *", "def f():\n    nonlocal k\nf()"} {
		file := parse(t, source)
		if diff := cmp.Diff(problems(Forbidden(file, strict())), problems(Check(file, strict()))); diff != "" {
			t.Errorf("%s: Check adds to what the dialect forbids (-forbidden +checked):\n%s", source, diff)
		}
	}
}

func TestNamesThatAreDefined(t *testing.T) {
	for _, source := range []string{
		"def f():\n    return g()\ndef g():\n    return later\nlater = 1\nf()",
		"def f():\n    global made\n    made = 1\nf()\nmade",
		"def f():\n    k = 1\n    def g():\n        nonlocal k\n        k = 2\n    g()\n    return k\nf()",
		"class A:\n    k = 1\n    j = k + 1\n    xs = [_ for _ in [k]]\nA()",
		"class A:\n    def f(self): return __class__\nA()", "[y := 1, y]\ny", "any((hit := w) for w in words)\nhit", "(lambda a, *b, c=n, **d: (a, b, c, d))(1)",
		"try:\n    n\nexcept ValueError as e:\n    e", "with n as f, n as (g, h):\n    f, g, h",
		"match n:\n    case [a, *b]: a, b\n    case {'k': c, **d}: c, d\n    case int() as e: e\n    case f: f",
		"import collections.abc\ncollections.abc", "from math import sqrt as root\nroot(2)", "import math as m\nm.pi",
		"for i, (j, *k) in []: i, j, k\ni", "x: int\nx = 1\nx", "def f(x: 'Later') -> 'Later': return x\nf(1)",
		"from __future__ import annotations\ndef f(x: Later): return x\nf(1)", "if __name__ == '__main__': n",
		"def f(x: Missing[lambda: 1]) -> [x for x in y]: pass\nf(1)", "x: (y := Missing) = 1\nx", "[(a, b) for a in words for b in a if a if b]", "input = 1\ninput", "def dir(): return 1\ndir()", "eval = len\neval(words)",
		"type X = int\nX", "def f(a, b=n): return a + b\nf(1)",
		"def f():\n    x: Undefined = 1\n    return x\nf()", "class A:\n    q = __qualname__\nA()", "from collections import abc\nabc",
		"def f():\n    def g(): return k\n    k = 1\n    return g()\nf()", "class A:\n    def f(self): return A\nA()",
		"async def f():\n    async with n as m: m\n    async for x in n: x\n    return [y async for y in n]\nawait f()",
		"x = [i for i in range(3)]\ny = [i for i in x]\ny", "def f(*, key): return key\nf(key=1)", "del n",
	} {
		expect(t, source, extended())
	}
	expect(t, "def f(x: List[Optional[int]], y: File) -> Dict[str, Any]: return {}\nf([], data)", strict())
}

func TestCalls(t *testing.T) {
	const add = "; call add(x: int, y: int = ...)"
	for _, c := range []struct{ source, want string }{
		{"add()", "add needs x" + add},
		{"add(1, 2, 3)", "line 1, column 11: add takes 2 arguments by position, and 3 are given" + add},
		{"add(1, x=2)", "line 1, column 8: add gets x twice, by position and by name" + add},
		{"add(1, z=2)", "line 1, column 8: add has no parameter z" + add},
		{"add(1, Y=2)", "line 1, column 8: add has no parameter Y; did you mean y?"},
		{"add(*words, y=1, k=1)", "line 1, column 18: add has no parameter k" + add},
		{"await fetch('a', 1)", "line 1, column 18: fetch takes one argument by position, and 2 are given; call fetch(url: str, *, limit: Optional[int] = ...)"},
		{"await fetch(*words, limt=1)", "line 1, column 21: fetch has no parameter limt; did you mean limit?"},
		{"def f(a, b=1): return a\nf()", "line 2, column 1: f needs a; call f(a, b = ...)"},
		{"def f(): return 1\nf(1)", "line 2, column 3: f takes no arguments by position, and 1 are given; call f()"},
		{"def f(a, /, b): return a\nf(a=1, b=2)", "line 2, column 3: f has no parameter a; call f(a, /, b)|line 2, column 1: f needs a; call f(a, /, b)"},
		{"def f(*, a): return a\nf(*words)", "line 2, column 1: f needs a; call f(*, a)"},
		{"f = lambda a: a\nf(1, 2)", "line 2, column 6: f takes one argument by position, and 2 are given; call f(a)"},
		{"class P:\n    def __init__(self, x): self.x = x\nP()", "line 3, column 1: P needs x; call P(x)"},
		{"class P:\n    def __init__(self, x): self.x = x\nP(1, 2)", "line 3, column 6: P takes one argument by position, and 2 are given; call P(x)"},
		{"x = 1\nx(2)", "line 2, column 1: x is int and cannot be called"},
	} {
		want := strings.Split(c.want, "|")
		if len(want) == 2 {
			want[0], want[1] = want[1], want[0]
		}
		expect(t, c.source, extended(), want...)
	}
}

func TestCallsThatMayBeRight(t *testing.T) {
	for _, source := range []string{
		"hook = None\nif hook: hook(1)\nif hook is not None: add(hook)",
		"add(1)", "add(1, 2)", "add(x=1, y=2)", "add(y=2, x=1)", "add(*words)", "add(**{'x': 1})", "add(1, **{})", "add(n)", "add(True)",
		"await fetch('a', limit=None)", "await fetch(url='a', limit=3)", "add(*[1], *[2])",
		"def f(a): return a\nf = print\nf()", "def f(a): return a\nif n:\n    def f(): return 1\nf()",
		"import functools\n@functools.cache\ndef f(a): return a\nf()", "def f(*a, **k): return a\nf(1, 2, z=3)",
		"class A:\n    def __new__(cls): return n\n    def __init__(self, x): pass\nA()", "class B(A := dict):\n    def __init__(self, x): pass\nB()",
		"class A: pass\nA()", "add = n\nadd", "def add(a, b, c): return a\nadd(1, 2, 3)",
		"def f():\n    def add(): return 1\n    return add()\nf()", "f = lambda a: a\nf = lambda: 1\nf()", "def f(self): return 1\nf(self=1)",
	} {
		expect(t, source, extended())
	}
}

func TestTypes(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"add('1')", "line 1, column 5: argument x of add must be int, and is str; convert it with int(...)"},
		{"add(1.5)", "line 1, column 5: argument x of add must be int, and is float; convert it with int(...)"},
		{"add(None)", "line 1, column 5: argument x of add must be int, and is None; pass int"},
		{"add([1])", "line 1, column 5: argument x of add must be int, and is list; pass int"},
		{"add(1, y=f'{n}')", "line 1, column 10: argument y of add must be int, and is str; convert it with int(...)"},
		{"add(n / 2)", "line 1, column 5: argument x of add must be int, and is float; convert it with int(...)"},
		{"add(words)", "line 1, column 5: argument x of add must be int, and is list; pass int"},
		{"add(lines(data) / 2)", "line 1, column 5: argument x of add must be int, and is float; convert it with int(...)"},
		{"half = n / 2\nadd(half)", "line 2, column 5: argument x of add must be int, and is float; convert it with int(...)"},
		{"def f():\n    s = 'a'.upper()\n    return add(s)\nf()", "line 3, column 16: argument x of add must be int, and is str; convert it with int(...)"},
		{"add(add)", "line 1, column 5: argument x of add must be int, and is function; pass int"},
		{"lines('a.txt')", "line 1, column 7: argument file of lines must be File, and is str; pass File"},
		{"mean(enumerate(words))", "line 1, column 6: argument numbers of mean must be list[float], and is iterator; convert it with list(...)"},
		{"mean([1, 'a'])", "line 1, column 10: an item of argument numbers of mean must be float, and is str; convert it with float(...)"},
		{"mean([], {'a': 1.5})", "line 1, column 16: an item of argument weights of mean must be int, and is float; convert it with int(...)"},
		{"mean([], {1: 1})", "line 1, column 11: a key of argument weights of mean must be str, and is int; convert it with str(...)"},
		{"mean(words.append('a'))", "line 1, column 6: argument numbers of mean must be list[float], and is None; pass list[float]"},
		{"await fetch('a', limit='3')", "line 1, column 24: argument limit of fetch must be Optional[int], and is str; pass Optional[int]"},
		{"data.name", "line 1, column 6: a File is an opaque handle and has no attributes; pass it on to a tool that reads it"},
		{"data.read()", "line 1, column 6: a File is an opaque handle and has no methods; pass it on to a tool that reads it"},
		{"data[0]", "a File is an opaque handle and has no items; pass it on to a tool that reads it"},
		{"for line in data: pass", "line 1, column 13: a File is an opaque handle and cannot be iterated over; pass it on to a tool that reads it"},
		{"len(data)", "line 1, column 5: a File is an opaque handle and cannot be passed to len; pass it on to a tool that reads it"},
	} {
		expect(t, c.source, extended(), c.want)
	}
}

func TestTypesThatMayFit(t *testing.T) {
	for _, source := range []string{
		"add(n)", "add(n + 1)", "add(n // 2)", "add(int('1'))", "add(len(words))", "add(words[0])", "add(max(words))", "add(round(1.5))",
		"x = 'a'\nx = 1\nadd(x)", "def f(k): return add(k)\nf('a')", "add(n if n else None)", "add(n or 'a')", "mean([1, n, 2.5, *words])",
		"mean((1, 2))", "mean([x for x in words])", "mean([], {})", "mean([], {**{}})", "await fetch('a' * 3)", "lines(data)", "data is data", "data == data",
		"add(sum(words))", "add(2 ** n)", "for n in words: pass\nadd(n)", "x = y = 1\nadd(x)", "add((lambda: 1)())", "fs = [data]\nlines(fs[0])",
		"def f(x=None):\n    return add(x)\nf(1)", "class N(int): pass\nadd(N(1))", "print(data)", "k = n > 1\nadd(k)", "add(-n)", "add(not n)", "add(abs(n))",
	} {
		expect(t, source, extended())
	}
}

func TestAwait(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"page = fetch('a')\npage.upper()", "line 2, column 1: page is used before it is awaited; put await in front of it"},
		{"fetch('a').upper()", "the call of fetch is used before it is awaited; write await fetch('a')"},
		{"fetch('a') + 'b'", "the call of fetch is used before it is awaited; write await fetch('a')"},
		{"print(fetch('a'))", "line 1, column 7: the call of fetch is used before it is awaited; write await fetch('a')"},
		{"if fetch('a'): n", "line 1, column 4: the call of fetch is used before it is awaited; write await fetch('a')"},
		{"f'{fetch('b')}'", "line 1, column 4: the call of fetch is used before it is awaited; write await fetch('b')"},
		{"add(fetch('a'))", "line 1, column 5: the call of fetch is passed on before it is awaited; write await fetch('a')"},
		{"fetch('a')\nn", "the call of fetch is never awaited; write await fetch('a')"},
		{"fetch('a')", "the call of fetch is the result of the program before it is awaited; write await fetch('a')"},
		{"a, b = fetch('a')\na", "line 1, column 8: the call of fetch is taken apart before it is awaited; write await fetch('a')"},
		{"a, b = gather(fetch('a'), fetch('b'))\na", "line 1, column 8: the call of gather is taken apart before it is awaited; write await gather(fetch('a'), fetch('b'))"},
		{"for x in gather(fetch('a')): x", "line 1, column 10: the call of gather is used before it is awaited; write await gather(fetch('a'))"},
		{"async def main(): return 1\nmain()", "line 2, column 1: the call of main is the result of the program before it is awaited; write await main()"},
		{"async def g(): return 1\nasync def main():\n    return g() + 1\nawait main()", "line 3, column 12: the call of g is used before it is awaited; write await g()"},
		{"await len(words)", "len is not async: its call returns the result itself; leave out await"},
		{"await glovebox_map(fetch, words)", "glovebox_map is not async: its call returns the result itself; leave out await"},
		{"await 1", "await needs a pending call, and this is int; leave out await"},
		{"await fetch", "await needs a call, and this is a function; call it: await f(...)"},
		{"x = add(1)\nawait x", "line 2, column 1: await needs a pending call, and this is int; leave out await"},
		{"await gather([fetch('a')])", "line 1, column 14: gather takes calls one by one, and this is a list; unpack it: gather(*calls)"},
		{"import asyncio\nawait asyncio.gather([fetch('a')])", "line 2, column 22: gather takes calls one by one, and this is a list; unpack it: gather(*calls)"},
	} {
		expect(t, c.source, extended(), c.want)
	}
}

func TestAwaitThatMayBeRight(t *testing.T) {
	for _, source := range []string{
		"t = fetch('a')\nif t is not None and t in [t] and t == t: await t", "async def f(): return 1\nf().close()",
		"await add(1)", "await gather(add(1), fetch('a'))", "await gather(1, None)", "add(await add(1))", "glovebox_map(fetch, words)[0].upper()",
		"await fetch('a')", "page = fetch('a')\nawait page", "await gather(*[fetch(w) for w in words])", "calls = [fetch('a')]\nawait gather(*calls)",
		"a, b = await gather(fetch('a'), fetch('b'))\na + b", "calls = []\ncalls.append(fetch('a'))\nawait gather(*calls)",
		"import asyncio\nasync def main(): return await fetch('a')\nasyncio.run(main())", "async def g(): yield 1\nasync def f():\n    async for x in g(): x\nawait f()",
		"def f(): return fetch('a')\nawait f()", "p = {'a': fetch('a')}\nawait p['a']", "(await fetch('a')).upper()", "isinstance(fetch('a'), int)",
		"async def f(x): return x\nt = f(1) if n else f(2)\nawait t", "x = fetch('a')\nx = await x\nx.upper()", "await (fetch('a') if n else fetch('b'))",
	} {
		expect(t, source, extended())
	}
}

func TestReachability(t *testing.T) {
	const never = "this line is never reached; remove it, or move it up"
	for _, c := range []struct{ source, want string }{
		{"def f():\n    return 1\n    n\nf()", "line 3, column 5: " + never},
		{"raise ValueError('x')\nn\nn", "line 2, column 1: " + never},
		{"while True:\n    n\nn", "line 3, column 1: " + never},
		{"for w in words:\n    continue\n    n", "line 3, column 5: " + never},
		{"def f():\n    if n: return 1\n    elif words: raise ValueError\n    else: return 2\n    n\nf()", "line 5, column 5: " + never},
		{"def f():\n    try: return 1\n    except ValueError: raise\n    n\nf()", "line 4, column 5: " + never},
	} {
		expect(t, c.source, extended(), c.want)
	}
	for _, source := range []string{
		"while True:\n    if n: break\nn", "def f():\n    return\n    yield\nf()", "def f():\n    if n: return 1\n    return 2\nf()",
		"def f():\n    with n: return 1\n    n\nf()", "def f():\n    try: return 1\n    except ValueError: pass\n    n\nf()",
		"for w in words:\n    if w: continue\n    w", "while True:\n    while True:\n        break\n    break\nn",
		"while True:\n    for w in words:\n        if w: break\n    else:\n        break\nn", "while n:\n    n\nn",
	} {
		expect(t, source, extended())
	}
}

func TestResult(t *testing.T) {
	for _, c := range []struct{ output, source, want string }{
		{"int", "", "the program is empty; end with an expression of type int"},
		{"int", "x = n", "the program ends with an assignment and has no result; add a last line: x"},
		{"int", "for w in words: w", "the program ends with a loop and has no result; end with an expression of type int"},
		{"int", "if n: 1\nelse: 2", "the program ends with an if statement and has no result; assign the result to a variable and end with that variable"},
		{"int", "def main(n): return n", "the program ends with the definition of main and has no result; call it on the last line: main(n)"},
		{"int", "async def main(n, *a, k=1, **kw): return n", "the program ends with the definition of main and has no result; call it on the last line: await main(n)"},
		{"int", "print(n)", "the result must be int, and is None; print returns None: put the value itself on the last line"},
		{"int", "str(n)", "the result must be int, and is str; convert it with int(...)"},
		{"dict[str, int]", "{'a': 1, 'b': 'x'}", "line 1, column 15: an item of the result must be int, and is str; convert it with int(...)"},
		{"list[int]", "(w for w in words)", "the result must be list[int], and is iterator; convert it with list(...)"},
		{"int", "fetch('a')", "the call of fetch is the result of the program before it is awaited; write await fetch('a')"},
		{"None", "def main(): return n", "nothing calls main; call it on the last line: main()"},
		{"", "def main(): return n", "nothing calls main; call it on the last line: main()"},
		{"int", "while True: pass\nn", "line 2, column 1: this line is never reached; remove it, or move it up"},
	} {
		o := extended()
		if c.output != "" {
			o.Output = typ(c.output)
		}
		expect(t, c.source, o, c.want)
	}
	for _, c := range []struct{ output, source string }{
		{"int", "n"}, {"float", "n"}, {"Optional[int]", "x = 1"}, {"None", "x = 1"}, {"", "x = 1"}, {"", ""}, {"None", ""}, {"Any", "x = 1"},
		{"int", "raise ValueError('no')"}, {"list[int]", "[w for w in words]"}, {"tuple[int, int]", "[1, 2]"}, {"str", "await fetch('a')"},
		{"int", "n if n else None"}, {"int", "def f(): return 1\nf()"}, {"", "def f(): return f\nprint(f)"}, {"File", "data"},
		{"None", "@print\ndef f(): pass"}, {"Union[int, str]", "'a'"}, {"dict[str, Any]", "{'a': [1, {'b': None}]}"}, {"None", "def f(): return 1\nclass A: g = f"},
	} {
		o := extended()
		if c.output != "" {
			o.Output = typ(c.output)
		}
		expect(t, c.source, o)
	}
}

// Inputs that the program binds again are ordinary variables.
func TestInputsCanBeRebound(t *testing.T) {
	o := Options{Inputs: []value.Param{{Name: "x", Type: typ("File")}}}
	expect(t, "x = [1]\nx[0]", o)
	if diff := cmp.Diff([]string(nil), problems(Check(parse(t, "def f():\n    x = 'a'\n    return x.upper()\nf()"), o))); diff != "" {
		t.Error(diff)
	}
}
