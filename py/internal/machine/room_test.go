package machine

import "testing"

// TestRoomForArguments calls with more arguments than a frame has registers,
// and deep down.
func TestRoomForArguments(t *testing.T) {
	runs(t, [][2]string{
		{"class A:\n    def __getattr__(self, n):\n        return lambda *a, **k: (len(a), k)\nA().foo(*range(5000), x=1)", "(5000, {'x': 1})"},
		{"from functools import lru_cache\n@lru_cache\ndef fib(n):\n    return n if n < 2 else fib(n-1)+fib(n-2)\nfib(60)", "1548008755920"},
		{"def f(*a, **k):\n    return len(a) if len(a) > 100 else f(*a, 1, x=1)\nf()", "101"},
		{"import math\nclass F:\n    def __float__(self): return 3.0\nround(math.hypot(*[F()]*3000), 6)", "164.316767"},
	})
}

// TestModulesInside reaches a module through the one it is in.
func TestModulesInside(t *testing.T) {
	runs(t, [][2]string{
		{"import collections.abc\n(isinstance(len, collections.abc.Callable), isinstance([], collections.abc.Sequence))", "(True, True)"},
		{"import collections\ncollections.foo", "AttributeError: module 'collections' has no attribute 'foo'"},
		{"import _glovebox", "ModuleNotFoundError: No module named '_glovebox'"},
		{"import time\ntime.time()", "RuntimeError: no clock is granted to this program"},
		{"import random\nrandom.random()", "RuntimeError: no source of randomness is granted to this program; give random.seed() a value"},
	})
}

// TestRegisteredClasses registers a class, pauses and asks for it.
func TestRegisteredClasses(t *testing.T) {
	p := toolProgram(t, "from abc import ABC\nfrom collections.abc import Mapping\nclass A(ABC):\n    pass\nclass B:\n    pass\nA.register(B)\n"+
		"f(1)\n(isinstance(B(), A), isinstance({}, Mapping), isinstance([], Mapping))")
	m := runCut(t, p, nil, func(m *Machine) *Machine {
		if m.Status() == Waiting {
			return reload(t, m)
		}
		return m
	})
	if got := snapshotOutcome(m); got != "\n(True, True, False)" {
		t.Errorf("got %q", got)
	}
}

// TestTableEnds takes items from both ends of tables that grow and shrink.
func TestTableEnds(t *testing.T) {
	runs(t, [][2]string{
		{"d = {i: i for i in range(20000)}\nwhile len(d) > 1:\n    d.popitem()\n    d.pop(next(iter(d)))\nd", "{}"},
		{"s = set(range(20000))\nt = 0\nwhile s:\n    t += s.pop()\nt", "199990000"},
		{"d = {}\nfor i in range(50000):\n    d[i] = i\n    if i > 50:\n        d.popitem()\n(len(d), list(d)[-2:], 49 in d, 60 in d)", "(51, [49, 50], True, False)"},
		{"d = {i: 0 for i in range(100)}\nfor i in range(0, 100, 2):\n    del d[i]\nfor i in range(99, 50, -2):\n    del d[i]\n(sorted(d) == list(range(1, 50, 2)), d.popitem(), [k in d for k in (1, 47, 49, 51)])",
			"(True, (49, 0), [True, True, False, False])"},
	})
}
