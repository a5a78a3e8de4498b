//go:build linux

package glovebox_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/embed"
	"github.com/glovebox-dev/glovebox/embed/interpreter"
)

// runsOf lists the tasks of all runs that are kept.
func runsOf(t *testing.T, gb *glovebox.Glovebox) (tasks []string) {
	t.Helper()
	page, err := gb.Service().Runs(t.Context(), api.RunQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range page.Runs {
		tasks = append(tasks, run.Task)
	}
	return tasks
}

// TestEvaluateKeepsNothingHere shows that an evaluation in this process makes no
// run, and that one at a server, or inside a run, does.
func TestEvaluateKeepsNothingHere(t *testing.T) {
	gb := openHere(t)
	if got, err := gb.Evaluate(t.Context(), "fetch('a')", nil, greeter("ann")); got != "ann:a" || err != nil {
		t.Fatal(got, err)
	}
	if runs := runsOf(t, gb); len(runs) != 0 {
		t.Errorf("it made the runs %v", runs)
	}
	inside := glovebox.MustFunction("inside", func(ctx context.Context) (any, error) { return gb.Evaluate(ctx, "1", nil) })
	if got, err := glovebox.Call[int](t.Context(), gb, inside, nil); got != 1 || err != nil {
		t.Fatal(got, err)
	}
	if runs := runsOf(t, gb); len(runs) != 2 {
		t.Errorf("an evaluation inside a run: there are the runs %v", runs)
	}
	remote := dialServer(t)
	if got, err := remote.Evaluate(t.Context(), "1", nil); got != int64(1) || err != nil {
		t.Fatal(got, err)
	}
	if runs := runsOf(t, remote); len(runs) != 1 || runs[0] != "evaluate" {
		t.Errorf("an evaluation at a server: there are the runs %v", runs)
	}
}

// TestDurabilityIsChosen shows that an argument of Run decides, everywhere, and
// that the result names the runs that an evaluation called.
func TestDurabilityIsChosen(t *testing.T) { everywhere(t, durabilityIsChosen) }

func durabilityIsChosen(t *testing.T, gb *glovebox.Glovebox) {
	inner := glovebox.Orchestrator{Name: "inner", Source: "x * 2", Inputs: []string{"x: int"}, Output: "int"}
	o := glovebox.Orchestrator{Name: "outer", Source: "fetch('a') + str(inner(x))", Inputs: []string{"x: int"}, Output: "str", Tools: []glovebox.Task{greeter("ann"), inner}}
	result, err := gb.Run(t.Context(), o, glovebox.Values{"x": 4}, glovebox.WithDurability(glovebox.Ephemeral))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := glovebox.Get[string](result, "result"); got != "ann:a8" || err != nil || result.RunID != "" {
		t.Errorf("got %q, %v, run %q", got, err, result.RunID)
	}
	if result.CallsMade != 2 || len(result.Calls) != 2 || result.Calls[1].Run == "" {
		t.Fatalf("calls %+v", result.Calls)
	}
	if info, err := gb.Attach(result.Calls[1].Run).Info(t.Context()); err != nil || info.Task != "inner" || info.Parent != "" {
		t.Errorf("the run of the call: %+v, %v", info, err)
	}
	before := len(runsOf(t, gb))
	durable, err := gb.Run(t.Context(), o, glovebox.Values{"x": 4}, glovebox.WithDurability(glovebox.Durable))
	if err != nil || durable.RunID == "" || len(durable.Calls) != 0 {
		t.Errorf("durable: %+v, %v", durable, err)
	}
	if made := len(runsOf(t, gb)) - before; made != 3 {
		t.Errorf("durable: %d runs, want that of the code and of two calls", made)
	}
	deployed, err := gb.Deploy(t.Context(), "", inner)
	if err != nil {
		t.Fatal(err)
	}
	task, err := gb.Task(t.Context(), deployed[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := glovebox.Call[int](t.Context(), gb, task, glovebox.Values{"x": 5}, glovebox.WithDurability(glovebox.Ephemeral)); got != 10 || err != nil {
		t.Errorf("deployed: %d, %v", got, err)
	}
}

// TestEphemeralIsRefused shows what cannot be had without a run.
func TestEphemeralIsRefused(t *testing.T) {
	gb := interpreter.New()
	defer gb.Close()
	one := glovebox.Orchestrator{Source: "1", Output: "int"}
	retried, withFile := one, one
	retried.Retries, withFile.Inputs = 1, []string{"f: File"}
	for field, test := range map[string]struct {
		task   glovebox.Task
		option glovebox.RunOption
	}{
		"idempotency_key": {one, glovebox.WithIdempotencyKey("k")},
		"cache":           {one, glovebox.WithCache(api.CacheAuto)},
		"parent":          {one, glovebox.WithParent("run-1")},
		"image":           {one, glovebox.WithImage("debian")},
		"kind":            {greeter("ann"), glovebox.WithStdout(nil)},
		"retries":         {retried, glovebox.WithStdout(nil)},
		"signature":       {withFile, glovebox.WithStdout(nil)},
	} {
		_, err := gb.Run(t.Context(), test.task, nil, glovebox.WithDurability(glovebox.Ephemeral), test.option)
		if e := (*glovebox.Error)(nil); !errors.As(err, &e) || e.Code != glovebox.ErrInvalidTask || e.Details.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	if _, err := gb.Start(t.Context(), one, nil, glovebox.WithDurability(glovebox.Ephemeral)); !errors.Is(err, glovebox.ErrInvalidTask) {
		t.Errorf("Start: %v", err)
	}
	_, err := gb.Run(t.Context(), glovebox.Sandbox{Code: "1"}, nil, glovebox.WithDurability(glovebox.Ephemeral))
	if !errors.Is(err, glovebox.ErrIsolationUnavailable) {
		t.Errorf("a sandbox where there are no cells: %v", err)
	}
	if _, err := gb.Run(t.Context(), one, nil); !errors.Is(err, glovebox.ErrIsolationUnavailable) {
		t.Errorf("a run without a home: %v", err)
	}
}

func BenchmarkEvaluate(b *testing.B) {
	gb := interpreter.New()
	defer gb.Close()
	add := glovebox.MustFunction("add", func(x, y int) int { return x + y }, glovebox.WithParams("x", "y"))
	for name, source := range map[string]string{"expression": "1 + 1", "call": "add(1, 2)", "fifty calls": "for i in range(50):\n    add(i, 1)"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := gb.Evaluate(b.Context(), source, nil, add); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestEphemeralSandbox runs sandboxes of which nothing is kept: no run, no
// cached result, no directory. They end as runs do.
func TestEphemeralSandbox(t *testing.T) {
	if !realCells {
		t.Skip("starts cells: GLOVEBOX_TEST_REAL is not 1")
	}
	everywhere(t, ephemeralSandbox)
}

func ephemeralSandbox(t *testing.T, gb *glovebox.Glovebox) {
	nothing := glovebox.WithDurability(glovebox.Ephemeral)
	double := glovebox.Sandbox{
		Name: "double", Code: "import sys\nprint('out')\nprint('err', file=sys.stderr)\ny = x * 2",
		Inputs: []string{"x: int"}, Outputs: []string{"y: int"},
	}
	for range 2 { // the second is no answer of a cache
		var stdout, stderr bytes.Buffer
		result, err := gb.Run(t.Context(), double, glovebox.Values{"x": 4}, nothing, glovebox.WithStdout(&stdout), glovebox.WithStderr(&stderr))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := glovebox.Get[int](result, "y"); got != 8 || err != nil {
			t.Errorf("got %d, %v", got, err)
		}
		if result.RunID != "" || result.Cached || result.ExitCode != 0 || result.Image == "" || result.Timings.Exec == 0 {
			t.Errorf("the result %+v", result)
		}
		if got := []string{stdout.String(), stderr.String(), string(result.Stdout), string(result.Stderr)}; !slices.Equal(got, []string{"out\n", "err\n", "out\n", "err\n"}) {
			t.Errorf("printed %q", got)
		}
	}
	for code, task := range map[api.Code]glovebox.Sandbox{
		glovebox.ErrPythonException: {Code: "1 / 0"},
		glovebox.ErrNonzeroExit:     {Command: []string{"sh", "-c", "exit 3"}},
		glovebox.ErrTimeout:         {Code: "while True: pass", Timeout: time.Second},
		glovebox.ErrBadOutput:       {Code: "y = open", Outputs: []string{"y: Any"}},
	} {
		result, err := gb.Run(t.Context(), task, nil, nothing)
		if !errors.Is(err, code) {
			t.Errorf("got %v, want %s", err, code)
		}
		if code == glovebox.ErrNonzeroExit && result.ExitCode != 3 {
			t.Errorf("the status %d", result.ExitCode)
		}
	}
	if runs := runsOf(t, gb); len(runs) != 0 {
		t.Errorf("there are the runs %v", runs)
	}
}

// TestEphemeralSandboxEndsWithItsCaller gives up a cell that works, and finds
// that another has room.
func TestEphemeralSandboxEndsWithItsCaller(t *testing.T) {
	gb := openWith(t, embed.Options{Home: newHome(t), MaxCells: 1})
	ctx, cancel := context.WithCancel(t.Context())
	nothing := glovebox.WithDurability(glovebox.Ephemeral)
	ended := make(chan error, 1)
	begun := &beginning{begun: make(chan struct{})}
	go func() {
		_, err := gb.Run(ctx, glovebox.Sandbox{Code: "print('begun', flush=True)\nwhile True: pass"}, nil, nothing, glovebox.WithStdout(begun))
		ended <- err
	}()
	select {
	case <-begun.begun:
	case err := <-ended:
		t.Fatal(err)
	}
	waits, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	if _, err := gb.Run(waits, glovebox.Sandbox{Code: "pass"}, nil, nothing); !errors.Is(err, glovebox.ErrCanceled) {
		t.Errorf("beside the only cell: %v", err)
	}
	cancel()
	if err := <-ended; !errors.Is(err, glovebox.ErrCanceled) {
		t.Errorf("got %v", err)
	}
	if _, err := gb.Run(t.Context(), glovebox.Sandbox{Code: "pass"}, nil, nothing); err != nil {
		t.Error(err)
	}
}

// beginning is closed by the first text that is written to it.
type beginning struct {
	begun chan struct{}
	once  sync.Once
}

func (b *beginning) Write(p []byte) (int, error) {
	b.once.Do(func() { close(b.begun) })
	return len(p), nil
}
