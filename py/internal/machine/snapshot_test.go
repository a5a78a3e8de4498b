package machine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py/internal/builtins"
	"github.com/glovebox-dev/glovebox/py/internal/compile"
	"github.com/glovebox-dev/glovebox/py/syntax"
	"github.com/glovebox-dev/glovebox/py/tool"
	"github.com/glovebox-dev/glovebox/value"
)

// toolProgram compiles source for a tool f that gives its argument back, and an
// asynchronous one, af.
func toolProgram(t testing.TB, source string) *Program {
	t.Helper()
	file, err := syntax.Parse("<code>", source)
	if err != nil {
		t.Fatal(err)
	}
	any := value.Type{Kind: value.KindAny}
	value := []tool.Param{{Name: "value", Type: any}}
	tools := []*tool.Tool{
		{Name: "f", Params: value, Result: any},
		{Name: "af", Params: value, Result: any, Async: true},
		{Name: "tool_add", Params: []tool.Param{{Name: "x", Type: any}, {Name: "y", Type: any, HasDefault: true, Default: int64(1)}}, Result: any},
		{Name: "tool_echo", Params: value, Result: any},
		{Name: "tool_fail", Params: value, Result: any},
		{Name: "tool_later", Params: value, Result: any, Async: true},
	}
	var names []string
	for _, t := range tools {
		names = append(names, t.Name)
	}
	mod, err := compile.Compile(file, compile.Options{Name: "<code>", Builtin: builtins.Is, Result: true, Predeclared: names})
	if err != nil {
		t.Fatal(err)
	}
	return Link(mod, nil, tools)
}

// reload takes a snapshot and loads it.
func reload(t testing.TB, m *Machine) *Machine {
	t.Helper()
	data, err := m.Snapshot(nil)
	if err != nil {
		t.Fatalf("snapshot: %v", err)
	}
	again, err := Load(m.program, data, nil, testLimits, Host{})
	if err != nil {
		t.Fatalf("load of a snapshot of %d bytes: %v", len(data), err)
	}
	return again
}

// runCut runs a program to its end; between two stretches step may replace it.
func runCut(t testing.TB, p *Program, cut func() bool, step func(*Machine) *Machine) *Machine {
	m := New(p, testLimits, Host{})
	m.stopHere = cut
	m.Start(context.Background())
	for {
		switch {
		case m.status == Running:
			m = step(m)
			m.stopHere = cut
			m.Run(context.Background())
		case m.status == Waiting:
			m = step(m)
			m.stopHere = cut
			c := m.Calls()[0]
			m.Resume(context.Background(), []Answer{answerTool(c)})
		default:
			return step(m)
		}
	}
}

// answerTool is what the tools of toolProgram answer.
func answerTool(c *Call) Answer {
	switch c.Tool.Name {
	case "tool_add":
		if x, ok := c.Args[0].(int64); ok {
			if y, ok := c.Args[1].(int64); ok {
				return Answer{ID: c.ID, Value: x + y}
			}
		}
	case "tool_fail":
		return Answer{ID: c.ID, Class: "ValueError", Message: fmt.Sprint(c.Args[0])}
	}
	return Answer{ID: c.ID, Value: c.Args[0]}
}

func snapshotOutcome(m *Machine) string {
	text := m.Output()
	if err := m.Failure(); err != nil {
		return text + "\n" + err.Error()
	}
	s, _ := m.ReprNative(m.Result())
	return text + "\n" + s
}

// every is true once in n calls.
func every(n int) func() bool {
	i := 0
	return func() bool { i++; return i%n == 0 }
}

// rarer is true at the calls that are powers of two.
func rarer() func() bool {
	i := 0
	return func() bool { i++; return i&(i-1) == 0 }
}

// same compares a straight run with one that is dumped and loaded at every
// call and after the jumps that cut names.
func same(t *testing.T, p *Program, cut func() bool) {
	t.Helper()
	straight := runCut(t, p, nil, func(m *Machine) *Machine { return m })
	var limit *LimitError
	if errors.As(straight.Failure(), &limit) {
		t.Skip("it runs into a limit, which a program that is loaded anew reaches elsewhere")
	}
	want := snapshotOutcome(straight)
	got := snapshotOutcome(runCut(t, p, cut, func(m *Machine) *Machine { return reload(t, m) }))
	if got != want {
		t.Errorf("after loading:\n%s\nwant:\n%s", tail(got), tail(want))
	}
}

func tail(s string) string { return s[max(0, len(s)-600):] }

var snapshotPrograms = []string{
	"x = f(1)\nx",
	"a = [1, 'two', 3.0, None, True, b'x', 2**100, -2**70, (1, 2), {3}, frozenset({4}), {'k': [5]}, range(3), slice(1, 2), ...]\nb = f(1)\na.append(b)\nrepr(a)",
	"a = []\na.append(a)\nd = {'a': a}\nd['d'] = d\nf(1)\nrepr((a, d))",
	"def g():\n    x = yield 1\n    y = yield x\n    return y\ni = g()\nnext(i)\nf(1)\nr = [i.send(5)]\nf(2)\nr",
	"class A:\n    n = 0\n    def __init__(self, x):\n        self.x = f(x)\n    def __eq__(self, o):\n        return f(self.x) == o.x\n    def __hash__(self):\n        return f(7)\n    def __repr__(self):\n        return f'A({f(self.x)})'\nd = {A(1): 1, A(2): 2, (A(3), 1): 3}\nf(0)\nd[A(2)] = 9\nd[(A(3), 1)] = 8\nrepr(d)",
	"class L(list):\n    pass\nclass E(ValueError):\n    pass\nl = L([1, 2])\nl.tag = 'x'\ntry:\n    raise E('bad', f(1))\nexcept E as e:\n    caught = e\nf(2)\n(l, l.tag, caught.args, isinstance(caught, ValueError))",
	"r = sorted([3, 1, 2], key=lambda x: f(-x))\nr",
	"r = [f(x) for x in range(3) if f(True)]\nr",
	"async def work(x):\n    return await af(x) + 1\nasync def main():\n    return await gather(work(1), work(2), af(3))\nawait main()",
	"def outer():\n    n = 0\n    def inc():\n        nonlocal n\n        n = n + f(1)\n        return n\n    return inc\ni = outer()\ni()\ni()\ni()",
	"for i, (a, b) in enumerate(zip([1, 2], 'ab')):\n    print(i, f(a), b)\n",
	"x = 'fin'\ntry:\n    f(1)\n    1 / 0\nexcept ZeroDivisionError:\n    x = x + f('e')\nfinally:\n    x = x + f('f')\nx",
	"def h(*a, k=1, **kw):\n    return f([a, k, kw])\nh(1, 2, k=3, z=f(4))",
	"s = {x * 1.5 for x in range(20)}\nd = {(i, i): i for i in range(20)}\nd[(frozenset({1, frozenset({2})}), 1)] = 'deep'\nf(1)\n(1.5 in s, d[(7, 7)], d[(frozenset({1, frozenset({2})}), 1)])",
	"d = {i: i for i in range(10)}\ndel d[0]\ndel d[5]\nr = []\nfor k in d:\n    r.append(f(k))\nr",
	"@property\ndef p(self): return 1\nclass M(type):\n    def __call__(cls, *a):\n        return super().__call__(*a)\nclass C(metaclass=M):\n    q = p\n    @classmethod\n    def c(cls): return f(cls.__name__)\n    @staticmethod\n    def s(x): return f(x)\n    @property\n    def v(self): return f(3)\no = C()\nf(1)\n(C.c(), o.s(2), o.v, o.q)",
	"d = {i: i for i in range(12)}\ndel d[0]\ndel d[1]\ne = {'a': 1, 'b': 2}\ndel e['a']\nf(1)\n(next(iter(d)), next(iter(e.items())))",
	"1/f(0)",
	"import collections, json\nd = collections.defaultdict(list)\nd['a'].append(f(1))\njson.dumps(d)",
}

func TestSnapshotPrograms(t *testing.T) {
	for i, source := range snapshotPrograms {
		for _, n := range []int{1, 3} {
			t.Run(fmt.Sprintf("%d every %d", i, n), func(t *testing.T) { same(t, toolProgram(t, source), every(n)) })
		}
	}
}

// TestSnapshotCorpus cuts the programs of testdata/py.
func TestSnapshotCorpus(t *testing.T) {
	files, _ := filepath.Glob("../../../testdata/py/*.py")
	if len(files) == 0 {
		t.Fatal("no programs")
	}
	cuts := func() func() bool { return every(37) }
	if testing.Short() {
		cuts = rarer
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".py"), func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			same(t, testProgram(t, string(source)), cuts())
		})
	}
}

// TestSnapshotPauses cuts programs that call tools wherever a program can pause.
func TestSnapshotPauses(t *testing.T) {
	for _, name := range []string{"pauses", "native_modules", "modules_text"} {
		source, err := os.ReadFile("../../../testdata/py/tools/" + name + ".py")
		if err != nil {
			t.Fatal(err)
		}
		for i, part := range strings.Split(string(source), "# ---\n") {
			t.Run(fmt.Sprint(name, i), func(t *testing.T) { same(t, toolProgram(t, part), every(2)) })
		}
	}
}
