package machine

import (
	"context"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/py/internal/builtins"
	"github.com/glovebox-dev/glovebox/py/internal/compile"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

func testProgram(t testing.TB, source string) *Program {
	file, err := syntax.Parse("<code>", source)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := compile.Compile(file, compile.Options{Name: "<code>", Builtin: builtins.Is, Result: true})
	if err != nil {
		t.Fatal(err)
	}
	return Link(mod, nil, nil)
}

var testLimits = Limits{Memory: 50 << 20, Steps: 1 << 40, Time: 30 * time.Second, Depth: 256, Output: 1 << 20, Calls: 1000}

func eval(t testing.TB, source string) *Machine {
	m := New(testProgram(t, source), testLimits, Host{})
	m.Start(context.Background())
	return m
}

func TestEval(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"1+1", "2"},
		{"x = 5\ny = x * 2\ny", "10"},
		{"def f(n):\n    return n if n < 2 else f(n-1) + f(n-2)\nf(20)", "6765"},
		{"t = 0\nfor i in range(10):\n    t = t + i\nt", "45"},
		{"[x*x for x in range(5)]", "[0, 1, 4, 9, 16]"},
		{"def g():\n    yield 1\n    yield 2\n[x for x in g()]", "[1, 2]"},
		{"class A:\n    def __init__(self, x):\n        self.x = x\n    def get(self):\n        return self.x\nA(7).get()", "7"},
		{"try:\n    1/0\nexcept ZeroDivisionError as e:\n    r = 'caught'\nr", "'caught'"},
		{"sorted([3,1,2], key=lambda x: -x)", "[3, 2, 1]"},
		{"class A:\n    def __repr__(self):\n        return 'A!'\nrepr([A(), A()])", "'[A!, A!]'"},
		{"f'{1+1} and {\"x\"}'", "'2 and x'"},
		{"async def f():\n    return 5\nawait f()", "5"},
		{"class P:\n    def __eq__(self, o): return True\n    def __hash__(self): return 3\nd = {P(): 1}\nd[P()] = 2\nlen(d) if True else 0", "1"},
	} {
		m := eval(t, c.source)
		if m.Status() != Done {
			t.Errorf("%q: %v", c.source, m.Failure())
			continue
		}
		s, err := m.ReprNative(m.Result())
		if err != nil || s != c.want {
			t.Errorf("%q = %s, %v; want %s", c.source, s, err, c.want)
		}
	}
}

func BenchmarkFib25(b *testing.B) {
	p := testProgram(b, "def fib(n):\n    if n < 2:\n        return n\n    return fib(n-1) + fib(n-2)\nfib(25)")
	for b.Loop() {
		m := New(p, testLimits, Host{})
		m.Start(context.Background())
		if m.Status() != Done {
			b.Fatal(m.Failure())
		}
	}
}

func BenchmarkLoop(b *testing.B) {
	p := testProgram(b, "def f():\n    total = 0\n    for i in range(1, 1000001):\n        total = total + i\n    return total\nf()")
	for b.Loop() {
		m := New(p, testLimits, Host{})
		m.Start(context.Background())
		if m.Status() != Done {
			b.Fatal(m.Failure())
		}
	}
}

func BenchmarkOnePlusOne(b *testing.B) {
	p := testProgram(b, "1+1")
	for b.Loop() {
		m := New(p, testLimits, Host{})
		m.Start(context.Background())
	}
}
