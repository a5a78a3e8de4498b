package py_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/py/graph"
)

func newSession(t *testing.T, o py.RunOptions) *py.Session {
	t.Helper()
	s, err := py.NewSession(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func feed(t *testing.T, s *py.Session, source string) {
	t.Helper()
	if err := s.Feed(context.Background(), "<feed>", source, nil); err != nil {
		t.Fatal(err)
	}
}

func intOf(t *testing.T, s *py.Session) int64 {
	t.Helper()
	r, err := s.Result()
	if err != nil {
		t.Fatal(err)
	}
	if r.Node().Kind != graph.Int {
		t.Fatalf("the result is %+v, expected an int", r.Node())
	}
	return r.Node().Int
}

func number(n int64) graph.Ref {
	return graph.Ref{Graph: &graph.Graph{Nodes: []graph.Node{{Kind: graph.Int, Int: n}}}}
}

// TestSessionSharesVariables feeds code that reads, changes and shadows what
// came before, from functions too.
func TestSessionSharesVariables(t *testing.T) {
	s := newSession(t, py.RunOptions{})
	feed(t, s, "def f():\n    return x + later()")
	feed(t, s, "x = 40")
	feed(t, s, "def later():\n    return 1\nf()")
	if got := intOf(t, s); got != 41 {
		t.Errorf("f() = %d, want 41", got)
	}
	feed(t, s, "def later():\n    return 2\nx += 0\nf()")
	if got := intOf(t, s); got != 42 {
		t.Errorf("f() = %d, want 42", got)
	}
	feed(t, s, "class C:\n    def get(self):\n        def inner():\n            return x\n        return inner()")
	feed(t, s, "len = 7\nC().get() + len")
	if got := intOf(t, s); got != 47 {
		t.Errorf("got %d, want 47", got)
	}
}

// TestSessionReturns ends pieces early, from blocks that have something to do on the
// way out.
func TestSessionReturns(t *testing.T) {
	s := newSession(t, py.RunOptions{})
	for _, test := range []struct {
		code string
		want int64
	}{
		{"return 1\n9", 1},
		{"x = 2\nif x:\n    return x\nx = 7", 2},
		{"x += 1\nx", 3},
		{"for i in range(3):\n    try:\n        return i + 4\n    finally:\n        x = 5\nx = 0", 4},
		{"x", 5},
		{"while True:\n    for a in [1]:\n        return 6 if a else 0", 6},
		{"def f():\n    return x + 2\nreturn f()", 7},
		{"await f() if False else f()", 7},
	} {
		feed(t, s, test.code)
		if got := intOf(t, s); got != test.want {
			t.Errorf("%q is %d, want %d", test.code, got, test.want)
		}
	}
	feed(t, s, "return")
	if r, err := s.Result(); err != nil || r.Node().Kind != graph.None {
		t.Errorf("a return of nothing: %+v, %v", r, err)
	}
	for _, code := range []string{"class A:\n    return 1", "yield 1"} {
		var refused *py.SourceError
		if err := s.Feed(context.Background(), "<feed>", code, nil); !errors.As(err, &refused) {
			t.Errorf("%q: %v, want a *SourceError", code, err)
		}
	}
}

func TestSessionContinuesAfterFailure(t *testing.T) {
	s := newSession(t, py.RunOptions{})
	feed(t, s, "x = 1\nx = 1 / 0")
	var exc *py.Exception
	if _, err := s.Result(); !errors.As(err, &exc) || exc.Class != "ZeroDivisionError" || exc.Lines[0].Line != 2 {
		t.Errorf("got %v", err)
	}
	if err := s.Feed(context.Background(), "<bad>", "x +", nil); !errors.As(err, new(*py.SourceError)) {
		t.Errorf("got %v", err)
	}
	feed(t, s, "x")
	if got := intOf(t, s); got != 1 {
		t.Errorf("x = %d, want 1", got)
	}
}

func TestSessionAsks(t *testing.T) {
	s := newSession(t, py.RunOptions{})
	feed(t, s, "a = name\na + function(1, k=2)")
	asks := s.Asks()
	if len(asks) != 1 || asks[0].Kind != py.AskName || asks[0].Name != "name" {
		t.Fatalf("asks for %+v", asks)
	}
	if p := asks[0].Place; p.Start != 4 || p.End != 8 {
		t.Errorf("the name is at %+v", p)
	}
	if err := s.Resume(context.Background(), py.Return(asks[0].ID, number(40))); err != nil {
		t.Fatal(err)
	}
	asks = s.Asks()
	if len(asks) != 1 || asks[0].Kind != py.AskCall || asks[0].Name != "function" || len(asks[0].Args) != 1 || asks[0].Named[0].Name != "k" {
		t.Fatalf("asks for %+v", asks)
	}
	if p := asks[0].Place; p.Start != 13 || p.End != 29 {
		t.Errorf("the call is at %+v", p)
	}
	if err := s.Resume(context.Background(), py.Return(asks[0].ID, number(2))); err != nil {
		t.Fatal(err)
	}
	if got := intOf(t, s); got != 42 {
		t.Errorf("got %d, want 42", got)
	}
	feed(t, s, "name")
	if got := intOf(t, s); got != 40 {
		t.Errorf("the name is not bound: %d", got)
	}
}

// TestSessionSnapshot saves a session between pieces of code and within one.
func TestSessionSnapshot(t *testing.T) {
	o := py.RunOptions{Key: []byte("key")}
	s := newSession(t, o)
	feed(t, s, "xs = [1]\nys = xs\ndef f(n):\n    return n + len(ys)")
	feed(t, s, "xs.append(2)\nf(host(xs))")
	saved, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := py.LoadSession(saved, o)
	if err != nil {
		t.Fatal(err)
	}
	asks := loaded.Asks()
	if len(asks) != 1 || len(asks[0].Graph.Nodes) != 3 {
		t.Fatalf("asks for %+v", asks)
	}
	if err := loaded.Resume(context.Background(), py.Return(asks[0].ID, number(40))); err != nil {
		t.Fatal(err)
	}
	if got := intOf(t, loaded); got != 42 {
		t.Errorf("got %d, want 42", got)
	}
	if saved, err = loaded.Snapshot(); err != nil {
		t.Fatal(err)
	}
	if loaded, err = py.LoadSession(saved, o); err != nil {
		t.Fatal(err)
	}
	feed(t, loaded, "xs is ys and f(0)")
	if got := intOf(t, loaded); got != 2 {
		t.Errorf("got %d, want 2", got)
	}
	if _, err := py.LoadSession(saved, py.RunOptions{Key: []byte("other")}); !errors.Is(err, py.ErrSnapshotKey) {
		t.Errorf("got %v", err)
	}
}

// TestSessionHostileSnapshot loads what nobody signed: it is an error or a
// session, and never a crash.
func TestSessionHostileSnapshot(t *testing.T) {
	s := newSession(t, py.RunOptions{})
	feed(t, s, "def f(x):\n    return host(x, [f], k={1: 'a'})")
	feed(t, s, "f(2)")
	saved, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	for i := range saved {
		for _, c := range []byte{0, 1, 0x7f, 0xff, saved[i] ^ 1} {
			forged := append([]byte(nil), saved...)
			forged[i] = c
			loaded, err := py.LoadSession(forged, py.RunOptions{Limits: py.Limits{Steps: 100_000}})
			if err != nil {
				continue
			}
			for _, a := range loaded.Asks() {
				_ = loaded.Resume(context.Background(), py.Return(a.ID, number(1))) // any answer will do
			}
			_, _ = loaded.Result()
		}
	}
}

// TestSessionValues sends values of every kind in and out.
func TestSessionValues(t *testing.T) {
	s := newSession(t, py.RunOptions{})
	feed(t, s, `
import datetime, decimal, pathlib, collections
class C:
    def __init__(self): self.a = 1
P = collections.namedtuple('P', 'x y')
c = C()
[None, True, 2**70, 1.5, 'é', b'\xff', (1,), {1: 2, (3,): 4}, {5}, frozenset([6]), datetime.date(2024, 2, 29),
 decimal.Decimal('1.20'), pathlib.PurePath('/a/b'), P(1, 2), c, c, int, len, ValueError('v'), ..., range(3)]`)
	r, err := s.Result()
	if err != nil {
		t.Fatal(err)
	}
	var kinds []graph.Kind
	items := r.Node().Items
	for _, at := range items {
		kinds = append(kinds, r.Graph.Nodes[at].Kind)
	}
	want := []graph.Kind{graph.None, graph.Bool, graph.Big, graph.Float, graph.Str, graph.Bytes, graph.Tuple, graph.Dict, graph.Set,
		graph.FrozenSet, graph.Moment, graph.Decimal, graph.Path, graph.NamedTuple, graph.Instance, graph.Instance, graph.BuiltinType,
		graph.Builtin, graph.Exception, graph.Ellipsis, graph.Repr}
	for i := range want {
		if i >= len(kinds) || kinds[i] != want[i] {
			t.Fatalf("item %d: kinds %v, want %v", i, kinds, want)
		}
	}
	if items[14] != items[15] {
		t.Errorf("one instance leaves as two nodes")
	}
	plain := graph.Ref{Graph: &graph.Graph{Nodes: r.Graph.Nodes}, Root: items[7]}
	if err := s.Feed(context.Background(), "<in>", "d[(3,)]", []py.NamedValue{{Name: "d", Value: plain}}); err != nil {
		t.Fatal(err)
	}
	if got := intOf(t, s); got != 4 {
		t.Errorf("got %d, want 4", got)
	}
}

// TestSessionSystem grants a system to a session, and to none else.
func TestSessionSystem(t *testing.T) {
	source := "from pathlib import Path\nPath('a').exists()"
	s := newSession(t, py.RunOptions{Host: py.Host{Directory: func() string { return "/home" }}})
	feed(t, s, source)
	asks := s.Asks()
	if len(asks) != 1 || asks[0].Kind != py.AskSystem || asks[0].Name != "exists" || asks[0].Graph.Nodes[asks[0].Args[0]].Text != "/home/a" {
		t.Fatalf("asks for %+v", asks)
	}
	s = newSession(t, py.RunOptions{})
	feed(t, s, source)
	var exc *py.Exception
	if _, err := s.Result(); !errors.As(err, &exc) || exc.Class != "ImportError" {
		t.Errorf("got %v", err)
	}
	for _, hidden := range []string{"import _system", "import _calls"} {
		if err := s.Feed(context.Background(), "<hidden>", hidden, nil); err == nil {
			t.Errorf("%s is code", hidden)
		}
	}
}

// TestSessionIsBounded feeds a session with more code than it may have, and with
// many inputs by name, some of them twice.
func TestSessionIsBounded(t *testing.T) {
	s := newSession(t, py.RunOptions{})
	long := "#" + strings.Repeat("x", 1_000_000) + "\n1"
	var limit *py.LimitError
	for range 16 {
		feed(t, s, long)
	}
	if err := s.Feed(context.Background(), "<feed>", long, nil); !errors.As(err, &limit) || limit.Limit != py.MemoryLimit {
		t.Errorf("17 MB of code: %v, want the memory limit", err)
	}
	feed(t, s, "x = 1")
	var inputs []py.NamedValue
	for i := range 20_000 {
		inputs = append(inputs, py.NamedValue{Name: fmt.Sprintf("v%d", i%10_000), Value: number(int64(i))})
	}
	if err := s.Feed(context.Background(), "<feed>", "x + v0 + v9999", inputs); err != nil {
		t.Fatal(err)
	}
	if got := intOf(t, s); got != 1+10_000+19_999 {
		t.Errorf("the last value of each name counts: %d", got)
	}
}
