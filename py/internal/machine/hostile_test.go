package machine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// odd defines POOL, the values that TestHostileArguments passes for every
// argument, and the same values again, as some get used up.
const odd = `
class Idx:
    def __index__(self): return 3
class Wrong:
    def __index__(self): return "x"
    def __len__(self): return -1
    def __iter__(self): return 5
    def __next__(self): raise KeyError(1)
    def __eq__(self, o): raise ValueError("eq")
    def __hash__(self): return "x"
    def __repr__(self): return 5
    def __getattr__(self, name): raise TypeError(name)
    def __call__(self, *a, **k): return self
class L(list): pass
class D(dict): pass
class S(str): pass
class I(int): pass
class F(float): pass
class T(tuple): pass
class E(Exception): pass
class M(type): pass
class K(metaclass=M): pass
def gen():
    yield 1
    yield [2]
def pool():
    loop = [1]
    loop.append(loop)
    knot = {}
    knot[1] = knot
    return [None, True, 0, -1, 3, 2**62, 2**63 - 1, -2**63, 10**30, 0.5, -0.0, float("nan"), float("inf"), 1e300,
        "", "é😀", "a{}%s", b"", b"\xff\x00", [], [1, 2], loop, (), (1, "a"), {}, {"a": 1}, knot, set(), {1, 2},
        frozenset(), range(0), range(10**18), range(5, -5, -2), slice(None), slice(1, 10**30, -1), gen(), iter([1, 2]), iter("ab"),
        enumerate("ab"), zip([1], [2]), map(str, [1]), reversed([1, 2]), {1: 2}.keys(), {1: 2}.items(), Idx(), Wrong(),
        L([1]), D(a=1), S("ab"), I(5), F(1.5), T((1, 2)), E("x"), K, Wrong, int, list, type, len, gen, [].append, Ellipsis,
        NotImplemented, property(gen), classmethod(gen), object()]
`

// TestHostileArguments calls every attribute of every built-in class, and every
// built-in function, with values that they do not expect. Nothing may panic and
// nothing may fail in a way that a program could not catch, but for the limits.
func TestHostileArguments(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	var callees []string
	for name, v := range known.builtins {
		callees = append(callees, name)
		if c := v.Class(); c != nil {
			for i := c.attrs.Next(0); i >= 0; i = c.attrs.Next(i + 1) {
				callees = append(callees, fmt.Sprintf("%s.%s", name, c.attrs.entries[i].key.Str().s))
			}
		}
	}
	for _, x := range []string{"gen()", "{}.keys()", "{}.values()", "{}.items()", "iter([])", "iter('')", "iter({})", "reversed({})"} {
		for _, name := range []string{"__next__", "__iter__", "send", "throw", "close", "__len__", "__contains__", "__or__", "__rsub__",
			"__reversed__", "isdisjoint", "mapping"} {
			callees = append(callees, fmt.Sprintf("getattr(type(%s), %q, len)", x, name))
		}
	}
	slices.Sort(callees)
	for _, callee := range callees {
		for _, call := range []string{
			"FN(*[])",
			"for i in range(len(P)):\n    do(lambda: FN(P[i]))",
			"for i in range(0, len(P), 2):\n  Q = pool()\n  for j in range(0, len(Q), 3):\n    do(lambda: FN(P[i], Q[j]))",
			"for i in range(0, len(P), 9):\n  Q = pool()\n  for j in range(1, len(Q), 7):\n    for k in range(2, len(Q), 9):\n      do(lambda: FN(P[i], Q[j], Q[k]))",
		} {
			hostileCalls(t, callee, call)
		}
	}
}

func hostileCalls(t *testing.T, callee, call string) {
	source := odd + "P = pool()\ndef do(f):\n    try:\n        r = f()\n        if type(r) in (list, tuple, dict, str, bytes):\n            len(r)\n" +
		"    except Exception:\n        pass\nFN = " + callee + "\ntry:\n    " + strings.ReplaceAll(call, "\n", "\n    ") + "\nexcept Exception:\n    pass\n"
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s, %s: panic: %v", callee, call, r)
		}
	}()
	limits := testLimits
	limits.Steps = 1 << 21
	m := New(testProgram(t, source), limits, Host{})
	m.Start(context.Background())
	if m.Status() == Done {
		return
	}
	err := m.Failure()
	if _, limit := err.(*LimitError); !limit {
		t.Errorf("%s, %s: %v", callee, call, err)
	}
}
