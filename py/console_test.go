package py_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/py/check"
	"github.com/glovebox-dev/glovebox/value"
)

func consoleOptions() py.Options {
	return py.Options{
		Dialect: py.Extended,
		Inputs:  []value.Param{{Name: "city", Type: value.MustType("str")}},
		Tools: []py.Tool{
			{Name: "double", Params: []py.Param{{Name: "x", Type: value.MustType("int")}}, Result: value.MustType("int")},
			{Name: "fetch", Params: []py.Param{{Name: "x", Type: value.MustType("int")}}, Result: value.MustType("int"), Async: true},
			{Name: "fails", Result: value.MustType("str")},
			{Name: "keep", Params: []py.Param{{Name: "file", Type: value.MustType("File")}}, Result: value.MustType("File")},
		},
	}
}

func newConsole(t *testing.T, o py.Options, r py.RunOptions) *py.Console {
	t.Helper()
	inputs, err := value.CheckSome(o.Inputs, map[string]any{"city": "Oslo"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := py.NewConsole(o, inputs, r)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// consoleRun is a console whose tools are answered, and what it called.
type consoleRun struct {
	t     *testing.T
	c     *py.Console
	calls []string
	seen  uint64
}

// feed runs a piece to its end, and answers all calls that it waits for at once.
func (r *consoleRun) feed(name, source string) {
	r.t.Helper()
	if err := r.c.Feed(context.Background(), name, source); err != nil {
		r.t.Fatalf("%q: %v", source, err)
	}
	for s := r.c.State(); s.Status() == py.Waiting; {
		var results []py.Result
		for _, call := range s.Calls() {
			if call.ID > r.seen {
				r.seen = call.ID
				r.calls = append(r.calls, fmt.Sprint(call.ID, " ", call.Tool, call.Args))
			}
			results = append(results, answerOf(call))
		}
		if err := s.Resume(context.Background(), results...); err != nil {
			r.t.Fatalf("%q: %v", source, err)
		}
	}
}

func answerOf(call py.Call) py.Result {
	switch call.Tool {
	case "fails":
		return py.Raise(call.ID, "OSError", "the disk is full")
	case "keep":
		return py.Return(call.ID, call.Args[0])
	}
	return py.Return(call.ID, 2*call.Args[0].(int64))
}

// outcome is the result of the last piece as text, or how it failed.
func (r *consoleRun) outcome() string {
	v, err := r.c.State().Result()
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(v)
}

// TestConsole feeds pieces that call tools, one after the other into one console.
func TestConsole(t *testing.T) {
	r := &consoleRun{t: t, c: newConsole(t, consoleOptions(), py.RunOptions{})}
	for _, step := range []struct{ source, want, calls string }{
		{"city", "Oslo", ""},
		{"x = double(21)", "<nil>", "1 double[21]"},
		{"x", "42", ""},
		{"double(x=x) + 1", "85", "2 double[42]"},
		{"double('a')", "TypeError: double() argument 'x': expected int, got str \"a\"", ""},
		{"double(1, 2)", "TypeError: double() takes 1 positional argument but 2 were given", ""},
		{"double()", "TypeError: double() missing 1 required positional argument: 'x'", ""},
		{"await fetch(1)", "2", "3 fetch[1]"},
		{"await gather(fetch(2), fetch(3), double(4))", "[4 6 8]", "4 fetch[2], 5 fetch[3], 6 double[4]"},
		{"import asyncio\nasync def both():\n    return await asyncio.gather(*[fetch(i) for i in range(2)])", "<nil>", ""},
		{"await both()", "[0 2]", "7 fetch[0], 8 fetch[1]"},
		{"asyncio.run(both())", "[0 2]", "9 fetch[0], 10 fetch[1]"},
		{"fails()", "OSError: the disk is full", "11 fails[]"},
		{"try:\n    fails()\nexcept OSError as e:\n    why = str(e)\nwhy", "the disk is full", "12 fails[]"},
		{"glovebox_map(double, [1, 2])", "[2 4]", "13 double[1], 14 double[2]"},
		{"y = 1\ny = 2\nz = 1 / 0\ny = 3", "ZeroDivisionError: division by zero", ""},
		{"y", "2", ""},
		{"z", "NameError: name 'z' is not defined", ""},
		{"class A:\n    def get(self):\n        return y", "<nil>", ""},
		{"y = 5\nA().get()", "5", ""},
		{"later = fetch(50)", "<nil>", ""},
		{"other = fetch(60)\nraise ValueError('no')", "ValueError: no", ""},
		{"await gather(later, other)", "[100 120]", "15 fetch[50], 16 fetch[60]"},
		{"old, double = double, lambda x: x * 100", "<nil>", ""},
		{"double(3) + old(3)", "306", "17 double[3]"},
		{"del double\ndouble(1)", "NameError: name 'double' is not defined", ""},
		{"import sys\nsys.exit()", "<nil>", ""},
		{"undefined", "NameError: name 'undefined' is not defined", ""},
	} {
		r.calls = nil
		r.feed("<piece>", step.source)
		if got := r.outcome(); got != step.want {
			t.Errorf("%q is %s, want %s", step.source, got, step.want)
		}
		if got := strings.Join(r.calls, ", "); got != step.calls {
			t.Errorf("%q called %s, want %s", step.source, got, step.calls)
		}
	}
}

func TestConsoleIsStrictToo(t *testing.T) {
	o := consoleOptions()
	o.Dialect = py.Strict
	r := &consoleRun{t: t, c: newConsole(t, o, py.RunOptions{})}
	r.feed("", "xs = [double(1), fetch(2)]")
	r.feed("", "async def f(x):\n    return await fetch(x)")
	r.feed("", "xs + [await f(3)] + await gather(double(4), fetch(5))")
	if got := r.outcome(); got != "[2 4 6 8 10]" {
		t.Errorf("got %s", got)
	}
	var refused *py.SourceError
	if err := r.c.Feed(t.Context(), "", "import os"); !errors.As(err, &refused) || refused.Problems[0].Code != check.ForbiddenConstruct {
		t.Errorf("an import: %v", err)
	}
}

// TestConsoleTracebacks names pieces by their names and counts lines in each.
func TestConsoleTracebacks(t *testing.T) {
	r := &consoleRun{t: t, c: newConsole(t, consoleOptions(), py.RunOptions{})}
	r.feed("<1>", "def f(x):\n    return 1 // x")
	r.feed("<2>", "\n\n\nf(0)")
	_, err := r.c.State().Result()
	var exception *py.Exception
	if !errors.As(err, &exception) {
		t.Fatal(err)
	}
	var places []string
	for _, l := range exception.Lines {
		places = append(places, fmt.Sprintf("%s:%d %s", l.File, l.Line, l.Function))
	}
	if got, want := strings.Join(places, ", "), "<2>:4 <module>, <1>:2 f"; got != want {
		t.Errorf("the traceback is %s, want %s", got, want)
	}
}

func TestConsoleRefuses(t *testing.T) {
	ctx := t.Context()
	c := newConsole(t, consoleOptions(), py.RunOptions{})
	if err := c.Feed(ctx, "", "x = double(1)"); err != nil {
		t.Fatal(err)
	}
	if err := c.Feed(ctx, "", "x = 2"); !errors.Is(err, py.ErrBusy) {
		t.Errorf("while a piece waits: %v", err)
	}
	if err := c.State().Resume(ctx, py.Return(1, "text")); err == nil || c.State().Status() != py.Waiting {
		t.Errorf("a result of a wrong type: %v", err)
	}
	if err := c.State().Resume(ctx, py.Return(1, int64(2))); err != nil {
		t.Fatal(err)
	}
	for _, source := range []string{"x = (", "return 1", "import socket", "x.__globals__", "x = '" + strings.Repeat("a", 1<<20) + "'"} {
		var refused *py.SourceError
		if err := c.Feed(ctx, "", source); !errors.As(err, &refused) {
			t.Errorf("%.20q: %v", source, err)
		}
	}
	r := &consoleRun{t: t, c: c}
	if r.feed("", "x"); r.outcome() != "2" {
		t.Errorf("x is %s", r.outcome())
	}
}

func TestConsolePrompt(t *testing.T) {
	text := py.ConsolePrompt(consoleOptions())
	for _, want := range []string{"in pieces", "of those before", "double(x: int) -> int", "A piece may also end without one."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	if strings.Contains(text, "one Python program") {
		t.Errorf("it asks for a program:\n%s", text)
	}
}

func TestConsoleCannotBeSaved(t *testing.T) {
	c := newConsole(t, consoleOptions(), py.RunOptions{})
	if _, err := c.State().Snapshot(); err == nil {
		t.Error("a snapshot without the code")
	}
}

func TestConsoleResultHasItsType(t *testing.T) {
	o := consoleOptions()
	o.Output = value.MustType("float")
	r := &consoleRun{t: t, c: newConsole(t, o, py.RunOptions{})}
	if r.feed("", "3"); r.outcome() != "3" {
		t.Errorf("got %s", r.outcome())
	}
	if r.feed("", "'a'"); !strings.Contains(r.outcome(), "expected float") {
		t.Errorf("got %s", r.outcome())
	}
}

func TestConsoleHandles(t *testing.T) {
	o := consoleOptions()
	o.Inputs = append(o.Inputs, value.Param{Name: "file", Type: value.MustType("File")})
	file := value.File{Path: "a.txt", Size: 3, SHA256: strings.Repeat("0", 64)}
	inputs, err := value.CheckSome(o.Inputs, map[string]any{"city": "Oslo", "file": file})
	if err != nil {
		t.Fatal(err)
	}
	c, err := py.NewConsole(o, inputs, py.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := &consoleRun{t: t, c: c}
	r.feed("", "kept = keep(file)")
	r.feed("", "keep(kept)")
	if got, _ := c.State().Result(); got != file {
		t.Errorf("got %v", got)
	}
	if _, err := py.NewConsole(o, value.Fields{}, py.RunOptions{}); err == nil {
		t.Error("a console without its inputs")
	}
}

// TestConsoleLimits breaks each limit, and feeds another piece.
func TestConsoleLimits(t *testing.T) {
	limits := py.Limits{Memory: 4 << 20, Steps: 300_000, Depth: 50, Output: 1000, Calls: 3}
	r := &consoleRun{t: t, c: newConsole(t, consoleOptions(), py.RunOptions{Limits: limits})}
	r.feed("", "xs = []\ndef deep(n):\n    return deep(n + 1)")
	for _, step := range []struct {
		source string
		want   py.LimitKind
	}{
		{"for i in range(100_000_000): pass", py.StepLimit},
		{"while True: xs.append([0] * 10_000)", py.MemoryLimit},
		{"while True: print('abcdefgh')", py.OutputLimit},
		{"[double(i) for i in range(9)]", py.CallLimit},
	} {
		r.feed("", step.source)
		var limit *py.LimitError
		if _, err := r.c.State().Result(); !errors.As(err, &limit) || limit.Limit != step.want {
			t.Errorf("%q: %v", step.source, err)
		}
		if r.feed("", "n = len(xs)\nxs.clear()\nprint('fine')\nn >= 0"); r.outcome() != "true" || r.c.State().Output() != "fine\n" {
			t.Fatalf("after %q: %s, printed %q", step.source, r.outcome(), r.c.State().Output())
		}
	}
	if r.feed("", "deep(0)"); !strings.HasPrefix(r.outcome(), "RecursionError") {
		t.Errorf("got %s", r.outcome())
	}
}

// TestConsoleTime gives each piece its own time.
func TestConsoleTime(t *testing.T) {
	limits := py.Limits{Time: 300 * time.Millisecond}
	r := &consoleRun{t: t, c: newConsole(t, consoleOptions(), py.RunOptions{Limits: limits})}
	r.feed("", "n = 0\nwhile True: n += 1")
	var limit *py.LimitError
	if _, err := r.c.State().Result(); !errors.As(err, &limit) || limit.Limit != py.TimeLimit {
		t.Fatalf("got %v", err)
	}
	if r.feed("", "n > 1000"); r.outcome() != "true" {
		t.Errorf("got %s", r.outcome())
	}
}

// TestConsoleGivesUp ends pieces from outside: what they had under way is
// canceled, and the console continues.
func TestConsoleGivesUp(t *testing.T) {
	c := newConsole(t, consoleOptions(), py.RunOptions{})
	r := &consoleRun{t: t, c: c}
	ctx, cancel := context.WithCancel(t.Context())
	if err := c.Feed(ctx, "", "a = fetch(1)\nx = double(2)\nwhile True: pass"); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := c.State().Resume(ctx, py.Return(2, int64(4))); err != nil {
		t.Fatal(err)
	}
	var limit *py.LimitError
	if _, err := c.State().Result(); !errors.As(err, &limit) || limit.Limit != py.Canceled {
		t.Errorf("got %v", err)
	}
	if got := c.State().Canceled(); !slices.Equal(got, []uint64{1}) || len(c.State().Calls()) != 0 {
		t.Errorf("canceled %v, and %v are left", got, c.State().Calls())
	}
	r.feed("", "await a")
	if got, want := r.outcome(), "RuntimeError: the program waits for a future that nothing will complete"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := c.Feed(t.Context(), "", "y = await gather(fetch(3), fetch(4))"); err != nil {
		t.Fatal(err)
	}
	if err := c.Abort("KeyboardInterrupt", "enough"); err != nil {
		t.Fatal(err)
	}
	if got := c.State().Canceled(); r.outcome() != "KeyboardInterrupt: enough" || !slices.Equal(got, []uint64{3, 4}) {
		t.Errorf("%s, canceled %v", r.outcome(), got)
	}
	if err := c.Abort("KeyboardInterrupt", "enough"); !errors.Is(err, py.ErrNotWaiting) {
		t.Errorf("a second time: %v", err)
	}
	if r.feed("", "x + await fetch(5)"); r.outcome() != "14" {
		t.Errorf("got %s", r.outcome())
	}
}

// TestConsoleImportsAgain ends pieces by a limit wherever an import can stand.
func TestConsoleImportsAgain(t *testing.T) {
	cut := 0
	for wasted := range 120 {
		c := newConsole(t, consoleOptions(), py.RunOptions{Limits: py.Limits{Steps: 40_000}})
		r := &consoleRun{t: t, c: c}
		r.feed("", fmt.Sprintf("for i in range(%d): pass\nimport dataclasses, enum, statistics, collections", 150*wasted))
		if _, err := c.State().Result(); err != nil {
			cut++
		}
		r.feed("", "import dataclasses, enum")
		r.feed("", "import statistics, collections")
		r.feed("", "@dataclasses.dataclass\nclass A:\n    x: int\nstr(A(1)), statistics.mean([1, 3]), len(collections.Counter('aa')), enum.Enum.__name__")
		if got, want := r.outcome(), "[A(x=1) 2 1 Enum]"; got != want {
			t.Fatalf("%d: got %s, want %s", wasted, got, want)
		}
	}
	if cut == 0 {
		t.Error("no import was cut short")
	}
}

// TestConsoleChecks finds what would fail in a piece, with what those before left.
func TestConsoleChecks(t *testing.T) {
	c := newConsole(t, consoleOptions(), py.RunOptions{})
	r := &consoleRun{t: t, c: c}
	for _, source := range []string{
		"x = 1\nfailed = 1 / 0",
		"def setup():\n    global made\n    made = 1",
		"fetch = None",
		"import json\ndel x\nx = 2\ngone = 1\ndel gone",
		"missing",
	} {
		r.feed("", source)
	}
	for _, test := range []struct {
		source string
		want   []check.Code
	}{
		{"y = x + 1", nil},
		{"def g(): return x", nil},
		{"", nil},
		{"setup()\nmade", nil},
		{"json.loads('1')", nil},
		{"fetch(1, 2, 3)", nil},
		{"failed", []check.Code{check.UnknownName}},
		{"gone", []check.Code{check.UnknownName}},
		{"missing", []check.Code{check.UnknownName}},
		{"unheard()", []check.Code{check.UnknownTool}},
		{"double('a')", []check.Code{check.WrongType}},
		{"double(1, 2)", []check.Code{check.WrongCall}},
		{"double(city)", []check.Code{check.WrongType}},
		{"double = len\ndouble(city)", nil},
		{"x = (", []check.Code{check.InvalidSyntax}},
		{"import socket", []check.Code{check.ForbiddenImport}},
	} {
		var got []check.Code
		for _, p := range c.Check(test.source) {
			got = append(got, p.Code)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%q: %v, want %v", test.source, c.Check(test.source), test.want)
		}
	}
	r.feed("", "city = 5")
	if got := c.Check("double(city)"); len(got) != 0 {
		t.Errorf("an input that was assigned to: %v", got)
	}
	if err := c.Feed(t.Context(), "", "double(1)\nsoon = 1"); err != nil {
		t.Fatal(err)
	}
	if got := c.Check("soon"); len(got) != 0 {
		t.Errorf("a variable of the piece under way: %v", got)
	}
}
