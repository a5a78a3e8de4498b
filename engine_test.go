//go:build linux

package glovebox_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/api"
)

func TestCallsAreRuns(t *testing.T) { everywhere(t, callsAreRuns) }

func callsAreRuns(t *testing.T, gb *glovebox.Glovebox) {
	add := glovebox.MustFunction("add", func(x, y int) int { return x + y }, glovebox.WithParams("x", "y"))
	inner := glovebox.Orchestrator{Name: "inner", Source: "print('in', x)\nadd(x, 1)", Inputs: []string{"x: int"}, Output: "int", Tools: []glovebox.Task{add}}
	outer := glovebox.Orchestrator{Name: "outer", Source: "print('out')\ninner(1) + inner(2)", Output: "int", Tools: []glovebox.Task{inner}}
	var printed strings.Builder
	run, err := gb.Start(t.Context(), outer, nil, glovebox.WithStdout(&printed))
	if err != nil {
		t.Fatal(err)
	}
	result, err := run.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n, err := glovebox.Get[int](result, "result"); n != 5 || err != nil || printed.String() != "out\n" {
		t.Errorf("%d, %v, printed %q; want 5 and out", n, err, printed.String())
	}
	calls, err := run.Calls(t.Context())
	if err != nil || len(calls) != 2 || calls[0].Task != "inner" || calls[1].Parent != run.ID() {
		t.Errorf("calls %+v, %v", calls, err)
	}
	if status, err := gb.Attach(run.ID()).Status(t.Context()); status != api.StatusSucceeded || err != nil {
		t.Errorf("status %s, %v", status, err)
	}
}

func TestEventsAndLogs(t *testing.T) { everywhere(t, eventsAndLogs) }

func eventsAndLogs(t *testing.T, gb *glovebox.Glovebox) {
	run, err := gb.Start(t.Context(), glovebox.Orchestrator{Name: "o", Source: "print('hello')"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for event, err := range run.Events(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if event.Seq > 0 {
			kinds = append(kinds, string(event.Kind))
		}
	}
	if len(kinds) < 2 || kinds[0] != "created" || kinds[len(kinds)-1] != "ended" {
		t.Errorf("events %v", kinds)
	}
	var logs []byte
	for entry, err := range run.Logs(t.Context(), true) {
		if err != nil {
			t.Fatal(err)
		}
		logs = append(logs, entry.Bytes()...)
	}
	if string(logs) != "hello\n" {
		t.Errorf("logs %q", logs)
	}
}

func TestIdempotencyKeyIsOneRun(t *testing.T) { everywhere(t, idempotencyKeyIsOneRun) }

func idempotencyKeyIsOneRun(t *testing.T, gb *glovebox.Glovebox) {
	var count atomic.Int64
	f := glovebox.MustFunction("count", func() int { return int(count.Add(1)) })
	for range 3 {
		if n, err := glovebox.Call[int](t.Context(), gb, f, nil, glovebox.WithIdempotencyKey("k")); n != 1 || err != nil {
			t.Errorf("call = %d, %v; want 1", n, err)
		}
	}
	_, err := gb.Start(t.Context(), glovebox.MustFunction("other", func() {}), nil, glovebox.WithIdempotencyKey("k"))
	if !errors.Is(err, glovebox.ErrConflict) {
		t.Errorf("another task with the key: %v", err)
	}
}

func TestResumeDoesNotRepeatCalls(t *testing.T) { everywhere(t, resumeDoesNotRepeatCalls) }

func resumeDoesNotRepeatCalls(t *testing.T, gb *glovebox.Glovebox) {
	var first, second atomic.Int64
	one := glovebox.MustFunction("one", func() int { return int(first.Add(1)) })
	two := glovebox.MustFunction("two", func() (int, error) {
		if second.Add(1) == 1 {
			return 0, errors.New("not yet")
		}
		return 10, nil
	})
	task := glovebox.Orchestrator{Name: "o", Source: "a = one()\na + two()", Output: "int", Tools: []glovebox.Task{one, two}}
	run, err := gb.Start(t.Context(), task, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = run.Wait(t.Context())
	var e *glovebox.Error
	if !errors.As(err, &e) || e.Code != api.CallFailed || e.Details.Call == nil || e.Details.Call.Tool != "two" ||
		e.Details.Call.Error == nil || e.Details.Call.Error.Code != api.FunctionFailed || !strings.Contains(e.Details.Call.Error.Message, "not yet") {
		t.Fatalf("err = %+v; want call_failed of two", err)
	}
	if run, err = gb.Resume(t.Context(), run.ID(), glovebox.ResumeOptions{}, two); err != nil {
		t.Fatal(err)
	}
	result, err := run.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n, err := glovebox.Get[int](result, "result"); n != 11 || err != nil || first.Load() != 1 {
		t.Errorf("%d, %v after %d calls of one; want 11 after 1", n, err, first.Load())
	}
	task.Source = "a = one()\na * two()"
	if run, err = gb.Rerun(t.Context(), run.ID(), glovebox.RerunOptions{Task: task}); err != nil {
		t.Fatal(err)
	}
	if result, err = run.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := glovebox.Get[int](result, "result"); n != 10 || err != nil || first.Load() != 1 || second.Load() != 2 {
		t.Errorf("again: %d, %v after %d and %d calls; want 10 after 1 and 2", n, err, first.Load(), second.Load())
	}
}

func TestCancelReachesTheFunction(t *testing.T) { everywhere(t, cancelReachesTheFunction) }

func cancelReachesTheFunction(t *testing.T, gb *glovebox.Glovebox) {
	began, ended := make(chan struct{}), make(chan struct{})
	wait := glovebox.MustFunction("wait", func(ctx context.Context) error {
		close(began)
		<-ctx.Done()
		close(ended)
		return ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-began; cancel() }()
	_, err := gb.Run(ctx, glovebox.Orchestrator{Name: "o", Source: "wait()", Tools: []glovebox.Task{wait}}, nil)
	if !errors.Is(err, glovebox.ErrCanceled) || !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	<-ended
}

func TestRunsInsideAFunction(t *testing.T) { everywhere(t, runsInsideAFunction) }

func runsInsideAFunction(t *testing.T, gb *glovebox.Glovebox) {
	leaf := glovebox.MustFunction("leaf", func(x int) int { return x * x }, glovebox.WithParams("x"))
	tree := glovebox.MustFunction("tree", func(ctx context.Context, n int) ([]int, error) {
		var squares []int
		for i := range n {
			square, err := glovebox.Call[int](ctx, gb, leaf, glovebox.Values{"x": i})
			if err != nil {
				return nil, err
			}
			squares = append(squares, square)
		}
		return squares, nil
	}, glovebox.WithParams("n"))
	got, err := glovebox.Call[[]int](t.Context(), gb, tree, glovebox.Values{"n": 4})
	if !slices.Equal(got, []int{0, 1, 4, 9}) || err != nil {
		t.Errorf("tree = %v, %v", got, err)
	}
	page, err := gb.Service().Runs(t.Context(), api.RunQuery{Top: true})
	if err != nil || len(page.Runs) != 1 || page.Runs[0].Task != "tree" {
		t.Errorf("runs at the top: %+v, %v", page.Runs, err)
	}
}

func TestPanicOfAFunctionIsAnError(t *testing.T) { everywhere(t, panicOfAFunctionIsAnError) }

func panicOfAFunctionIsAnError(t *testing.T, gb *glovebox.Glovebox) {
	f := glovebox.MustFunction("f", func() { panic("oh no") })
	if _, err := gb.Run(t.Context(), f, nil); !errors.Is(err, glovebox.ErrFunctionFailed) || !strings.Contains(err.Error(), "oh no") {
		t.Errorf("err = %v", err)
	}
}

func TestDialRefusesWhatIsNoServer(t *testing.T) {
	for url, want := range map[string]error{
		"nonsense":                          glovebox.ErrRequestInvalid,
		"unix://" + t.TempDir() + "/absent": glovebox.ErrServerUnavailable,
	} {
		if _, err := glovebox.Dial(t.Context(), url, glovebox.DialOptions{}); !errors.Is(err, want) {
			t.Errorf("%s: %v; want %v", url, err, want)
		}
	}
}
