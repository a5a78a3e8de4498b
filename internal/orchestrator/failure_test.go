package orchestrator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// failed runs code that has to fail, also where the checker finds that it will.
func failed(t *testing.T, task *api.Task) (*api.Error, *api.Result) {
	t.Helper()
	task.Orchestrator.SkipCheck = true
	result, err := attemptOn(t, testRunner(never), task, nil, newEngine(funcs()))
	var e *api.Error
	if !errors.As(err, &e) {
		t.Fatalf("%s\ngot %v, want an *api.Error", task.Code, err)
	}
	return e, result
}

func TestFailures(t *testing.T) {
	for _, c := range []struct {
		name, code string
		limits     api.OrchestratorLimits
		want       api.Code
		message    string
	}{
		{"exception", "1 / 0", api.OrchestratorLimits{}, api.PythonException, "ZeroDivisionError: division by zero (line 1)"},
		{"call", "add(1, 2)\nfails('value')", api.OrchestratorLimits{}, api.CallFailed, "call 2 of fails failed: it raised"},
		{"call in gather", "await gather(add(1, 2), fails('nonzero_exit'))", api.OrchestratorLimits{}, api.CallFailed, "call 2 of fails"},
		{"raised again", "try:\n    fails('key')\nexcept KeyError:\n    raise", api.OrchestratorLimits{}, api.CallFailed, "call 1 of fails"},
		{"raised from", "try:\n    fails('value')\nexcept ValueError as e:\n    raise TypeError('bad') from e", api.OrchestratorLimits{}, api.CallFailed, "call 1 of fails"},
		{"handled", "try:\n    fails('value')\nexcept ValueError:\n    pass\nraise ValueError('my own')", api.OrchestratorLimits{}, api.PythonException, "my own"},
		{"unknown outcome", "try:\n    fails('outcome_unknown')\nexcept BaseException:\n    1", api.OrchestratorLimits{}, api.OutcomeUnknown, ""},
		{"interrupted", "try:\n    fails('interrupted')\nfinally:\n    add(1, 1)", api.OrchestratorLimits{}, api.Interrupted, ""},
		{"canceled", "try:\n    fails('canceled')\nexcept BaseException:\n    1", api.OrchestratorLimits{}, api.Canceled, ""},
		{"memory", "x = [0] * 10 ** 9", api.OrchestratorLimits{}, api.OutOfMemory, "52428800 bytes"},
		{"memory by steps", "x = []\nwhile True: x.append('a' * 1000 + str(len(x)))", api.OrchestratorLimits{Memory: 1 << 20}, api.OutOfMemory, "1048576"},
		{"time", "while True: pass", api.OrchestratorLimits{Time: time.Millisecond}, api.Timeout, "1ms"},
		{"depth", "def f(): return f()\nf()", api.OrchestratorLimits{}, api.LimitExceeded, "limit 1000"},
		{"steps", "try:\n    while True: pass\nexcept BaseException: 1", api.OrchestratorLimits{Steps: 1000}, api.LimitExceeded, "1000 steps"},
		{"calls", "while True: add(1, 1)", api.OrchestratorLimits{Calls: 10}, api.LimitExceeded, "10 tool calls"},
		{"no value", "x = 1", api.OrchestratorLimits{}, api.BadOutput, "expected int, got None"},
		{"wrong value", "'one'", api.OrchestratorLimits{}, api.BadOutput, "expected int, got str"},
		{"a function", "add", api.OrchestratorLimits{}, api.BadOutput, "output result"},
	} {
		t.Run(c.name, func(t *testing.T) {
			task := task(c.code, "int")
			task.Orchestrator.Limits = c.limits
			e, _ := failed(t, task)
			if e.Code != c.want || !strings.Contains(e.Message, c.message) || e.Hint == "" {
				t.Errorf("got %s: %s (hint %q), want %s: %s", e.Code, e.Message, e.Hint, c.want, c.message)
			}
		})
	}
}

// TestHintIsTheRepair holds that the hint alone is enough to repair the code.
func TestHintIsTheRepair(t *testing.T) {
	for _, c := range []struct{ name, code, hint string }{
		{"misspelt tool", "x = 1\nad(x, 2)", "did you mean add?"},
		{"misspelt name", "total = 1\ntotl + 1", "did you mean total?"},
		{"no clock", "import time\nint(time.time())", "clock"},
		{"in a function", "def f(n):\n    return ad(n, 2)\nf(1)", "did you mean add?"},
		{"no such built-in", "open('f').read()", "sandbox has no files"},
		{"wrong parameter", "add(1, z=2)", "call add(x: int, y: int)"},
		{"too few", "add(1)", "call add(x: int, y: int)"},
		{"handle", "make('a').read()", ""},
		{"no result", "total = add(1, 2)", "there is none: add a last line: total"},
		{"not called", "def main():\n    return add(1, 2)", "there is none: call it on the last line: main()"},
		{"wrong result", "'a'", "make it fit the declared type"},
		{"no word on it", "x = [1]\nx[0] + 'a'", "read the traceback"},
		{"another line", "def f(n):\n    return n + 'a'\nf(1) if True else ad(1)", "read the traceback"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if e, _ := failed(t, task(c.code, "int")); !strings.Contains(e.Hint, c.hint) || e.Hint == "" {
				t.Errorf("%s: hint %q, want %q", e.Message, e.Hint, c.hint)
			}
		})
	}
}

func TestFailedCallTellsWhereAndWhy(t *testing.T) {
	e, _ := failed(t, task("def f(x):\n    return fails(x)\n\nf('value')", "int"))
	want := api.Details{
		Call: &api.FailedCall{ID: 1, Tool: "fails", Run: "run-1", Error: failing("value")},
		Exception: &api.Exception{
			Type: "ValueError", Message: "no such value",
			Frames: []api.Frame{
				{File: "flow.py", Line: 4, Function: "<module>", Source: "f('value')"},
				{File: "flow.py", Line: 2, Function: "f", Source: "return fails(x)"},
			},
			Traceback: `Traceback (most recent call last):
  File "flow.py", line 4, in <module>
    f('value')
  File "flow.py", line 2, in f
    return fails(x)
ValueError: no such value
`,
		},
	}
	if diff := cmp.Diff(want, e.Details, cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".cause" }, cmp.Ignore())); diff != "" {
		t.Error(diff)
	}
}

// A result with exceptions in it fails as the first of the calls that they come
// from, wherever in it they are.
func TestExceptionInResult(t *testing.T) {
	for _, c := range []struct {
		dialect, code, output string
		kind                  api.Code
		call                  uint64
		want, hint            string
	}{
		{strict, "glovebox_map('fails', ['value', 'value'])", "Any", api.CallFailed, 1, "call 1 of fails failed: ", "return_exceptions=False"},
		{strict, "glovebox_map('fails', ['value'])", "list[int]", api.CallFailed, 1, "its exception is in the result, at [0]", "isinstance(r, Exception)"},
		{extended, "rs = await gather(add(1, 2), fails('value'), return_exceptions=True)\n{'all': [1, tuple(rs)]}", "dict", api.CallFailed, 2,
			`at ["all"][1][1]`, "return_exceptions=False"},
		{extended, "rs = glovebox_map(fails, ['value'])\nrs[0]", "int", api.CallFailed, 1, "its exception is in the result", ""},
		{extended, "rs = glovebox_map(fails, ['value'])\nraise rs[0]", "int", api.CallFailed, 1, "call 1 of fails failed: ", ""},
		{extended, "[ValueError('mine')]", "Any", api.BadOutput, 0, "[0]: a value of type 'ValueError' cannot leave the program; it is an exception", "give str(e) of it"},
	} {
		flow := task(c.code, c.output)
		flow.Orchestrator.Dialect = c.dialect
		_, err := attemptOn(t, testRunner(never), flow, nil, newEngine(funcs()))
		e := api.AsError(err)
		if e == nil || e.Code != c.kind || !strings.Contains(e.Message, c.want) || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%s\ngot %+v, want %s: %s", c.code, err, c.kind, c.want)
			continue
		}
		if c.call > 0 && (e.Details.Call == nil || e.Details.Call.ID != c.call || e.Details.Call.Tool != "fails") {
			t.Errorf("%s\ngot call %+v, want %d", c.code, e.Details.Call, c.call)
		}
	}
}

// Inside of the program the exceptions of calls are values like others.
func TestExceptionsAreValues(t *testing.T) {
	for _, dialect := range []string{strict, extended} {
		flow := task("rs = glovebox_map('fails', ['value', 'value'])\n[len(rs), len([r for r in rs if isinstance(r, ValueError)]), str(rs[0]) == str(rs[1])]", "list")
		flow.Orchestrator.Dialect = dialect
		result, err := attemptOn(t, testRunner(never), flow, nil, newEngine(funcs()))
		if err != nil {
			t.Fatalf("%s: %v", dialect, err)
		}
		if got := fmt.Sprint(result.Outputs[0].Value); got != "[2 2 true]" {
			t.Errorf("%s: got %s", dialect, got)
		}
	}
}

// A call that failed before a snapshot still ends the run as that call.
func TestFailedCallBeforeSnapshot(t *testing.T) {
	task := task("r = await gather(fails('value'), return_exceptions=True)\nadd(1, 1)\nraise r[0]", "int")
	e := newEngine(funcs())
	e.cut = 3
	r := testRunner(always)
	if _, err := attemptOn(t, r, task, nil, e); !errors.Is(err, errCut) || e.snapshot == nil {
		t.Fatalf("got %v, snapshot %d bytes", err, len(e.snapshot))
	}
	e.again()
	_, err := attemptOn(t, r, task, nil, e)
	if got := api.AsError(err); got.Code != api.CallFailed || got.Details.Call.ID != 1 {
		t.Errorf("got %v", err)
	}
}

func TestWrongValueOfTool(t *testing.T) {
	tools := funcs()
	tools["add"] = func(map[string]any) (any, *api.Error) { return "three", nil }
	_, err := attemptOn(t, testRunner(never), task("n = 0\ntry:\n    n = add(1, 2)\nexcept BaseException:\n    n = 1\nn", "int"), nil, newEngine(tools))
	e := api.AsError(err)
	if e.Code != api.BadOutput || e.Details.Call == nil || e.Details.Call.ID != 1 || e.Details.Call.Tool != "add" || e.Details.Expected != "int" {
		t.Errorf("got %v %+v", err, e.Details)
	}
}

// I15: what is printed and what an exception says are bounded.
func TestAttackI15Floods(t *testing.T) {
	flood := task("while True: print('x' * 1000)", "int")
	flood.Limits.Logs = 5000
	e, result := failed(t, flood)
	if e.Code != api.LimitExceeded || e.Details.Field != "limits.output" || len(result.Stdout) != 5000 {
		t.Errorf("got %v, %d bytes kept", e, len(result.Stdout))
	}
	e, _ = failed(t, task("raise ValueError('x' * 10 ** 7)", "int"))
	if e.Code != api.PythonException || len(e.Message) > 20<<10 || len(e.Details.Exception.Traceback) > 40<<10 {
		t.Errorf("got %s with %d bytes", e.Code, len(e.Message))
	}
	deep := task("def f(n): return f(n - 1) if n else 1 // 0\nf(200)", "int")
	e, _ = failed(t, deep)
	if x := e.Details.Exception; len(x.Frames) > 100 || len(x.Traceback) > 10<<10 {
		t.Errorf("%d frames, %d bytes of traceback", len(x.Frames), len(x.Traceback))
	}
}

func TestOutputIsStreamed(t *testing.T) {
	task := task("print('a')\nadd(1, 1)\nprint('b')\nadd(1, 1)\nprint('c')\n1", "int")
	e, r := newEngine(funcs()), testRunner(always)
	e.cut = 3
	var first, second bytes.Buffer
	request := api.Request{Task: task, Caller: e, Stdout: &first}
	if _, err := r.Run(context.Background(), "run", &request); !errors.Is(err, errCut) || first.String() != "a\nb\n" {
		t.Fatalf("got %v, printed %q", err, &first)
	}
	e.again()
	request.Stdout = &second
	result, err := r.Run(context.Background(), "run", &request)
	if err != nil || second.String() != "a\nb\nc\n" || string(result.Stdout) != "a\nb\nc\n" || result.Timings.Exec == 0 || result.Usage.PeakMemory == 0 {
		t.Errorf("got %v, printed %q and %q", err, &second, result.Stdout)
	}
}

// A busy loop ends with its context, for the reason of the context.
func TestCancel(t *testing.T) {
	busy := task("while True: pass", "int")
	r := testRunner(never)
	for _, c := range []struct {
		cause error
		want  api.Code
	}{
		{nil, api.Canceled},
		{context.DeadlineExceeded, api.Timeout},
		{api.Errorf(api.Interrupted, "the server stops"), api.Interrupted},
	} {
		ctx, cancel := context.WithCancelCause(context.Background())
		stdout := writerFunc(func() { cancel(c.cause) })
		busy.Code = "print(1)\nadd(1, 1)\nwhile True: pass"
		_, err := r.Run(ctx, "run", &api.Request{Task: busy, Caller: &deaf{newEngine(funcs())}, Stdout: stdout})
		if api.AsError(err).Code != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// deaf is an engine that does not look at contexts, so that the interpreter
// has to.
type deaf struct{ *engine }

func (d *deaf) Next(_ context.Context, wake time.Time) (api.Answer, error) {
	return d.engine.Next(context.Background(), wake)
}

type writerFunc func()

func (f writerFunc) Write(p []byte) (int, error) { f(); return len(p), nil }

// A run whose tools take longer than its time limit is not out of time.
func TestWaitingIsNotTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tools := funcs()
		tools["add"] = func(map[string]any) (any, *api.Error) { time.Sleep(time.Hour); return int64(1), nil }
		if _, err := attemptOn(t, testRunner(never), task("add(1, 1) + add(2, 2)", "int"), nil, newEngine(tools)); err != nil {
			t.Error(err)
		}
	})
}
