package app

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres/pgtest"
	"github.com/glovebox-dev/glovebox/internal/worker"
	"github.com/glovebox-dev/glovebox/value"
)

// addTask is an orchestrator that gives a number.
func addTask(name, code string, tools ...api.Task) *api.Task {
	return &api.Task{
		Name: name, Kind: api.KindOrchestrator, Code: code, Orchestrator: &api.Orchestrator{Tools: tools},
		Signature: api.Signature{Outputs: []value.Param{{Name: "n", Type: value.Type{Kind: value.KindAny}}}},
	}
}

func endedRun(t *testing.T, a *App, task *api.Task) string {
	t.Helper()
	id := submit(t, a, api.Submission{Task: task})
	if _, err := a.Service().Wait(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	return id
}

func gone(t *testing.T, a *App, id string) bool {
	t.Helper()
	_, err := a.Service().Run(t.Context(), id)
	if err != nil && !errors.Is(err, &api.Error{Code: api.NotFound}) {
		t.Fatal(err)
	}
	return err != nil
}

// TestRetain removes runs by the time of their task, or else of all, and says what it did.
func TestRetain(t *testing.T) {
	a := openApp(t, t.TempDir())
	brief, long, other := endedRun(t, a, addTask("brief", "1")), endedRun(t, a, addTask("long", "1")), endedRun(t, a, addTask("other", "1"))
	done := a.retainOnce(t.Context(), api.Retention{Runs: map[string]time.Duration{"brief": time.Nanosecond}})
	if !gone(t, a, brief) || gone(t, a, long) || gone(t, a, other) || done.Pruned.Runs.Count != 1 || done.More || done.Error != nil {
		t.Errorf("one task: %+v", done)
	}
	done = a.retainOnce(t.Context(), api.Retention{OlderThan: time.Nanosecond, Runs: map[string]time.Duration{"long": time.Hour}})
	if gone(t, a, long) || !gone(t, a, other) || done.Pruned.Runs.Count != 1 {
		t.Errorf("all but one task: %+v", done)
	}
}

// TestRetainKeepsWhatIsRepeated leaves a run that another repeats which has not ended:
// that one takes over its calls.
func TestRetainKeepsWhatIsRepeated(t *testing.T) {
	a := openApp(t, t.TempDir())
	asked := make(chan struct{})
	tool := api.Task{Name: "wait", Kind: api.KindFunction, Function: &api.Function{ID: "wait"}}
	first := true
	if _, err := a.Functions().Register(tool, func(ctx context.Context, _ worker.Invocation) (map[string]any, error) {
		if first {
			first = false
			return nil, nil
		}
		close(asked)
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}); err != nil {
		t.Fatal(err)
	}
	id := endedRun(t, a, addTask("repeated", "wait()\n1", tool))
	again, err := a.Service().Rerun(t.Context(), id, api.RerunOptions{From: 1})
	if err != nil {
		t.Fatal(err)
	}
	<-asked
	alone := endedRun(t, a, addTask("alone", "1"))
	a.retainOnce(t.Context(), api.Retention{OlderThan: time.Nanosecond})
	if !gone(t, a, alone) || gone(t, a, id) || gone(t, a, again.ID) {
		t.Errorf("alone %v, repeated %v, what repeats it %v", gone(t, a, alone), gone(t, a, id), gone(t, a, again.ID))
	}
}

// TestRetainWhileServing removes at once, and again and again until the server stops.
func TestRetainWhileServing(t *testing.T) {
	a := openApp(t, t.TempDir())
	kept := func() *api.Retention {
		r, err := a.Service().Retention(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if a.retain(t.Context(), api.Retention{}); kept().Any() {
		t.Errorf("without rules: %+v", kept())
	}
	id := endedRun(t, a, addTask("old", "1"))
	stop := whileServing(t.Context(), func(ctx context.Context) { a.retain(ctx, api.Retention{OlderThan: time.Nanosecond}) })
	defer stop()
	for kept().Last == nil {
		time.Sleep(time.Millisecond)
	}
	if r := kept(); !gone(t, a, id) || r.Last.Pruned.Runs.Count != 1 || r.Next.Sub(r.Last.Began) != sweepSoon {
		t.Errorf("serving: %+v", r)
	}
}

func TestSweepPause(t *testing.T) {
	day := 24 * time.Hour
	for _, test := range []struct {
		rules api.Retention
		want  time.Duration
	}{
		{api.Retention{OlderThan: 30 * day}, time.Hour},
		{api.Retention{OlderThan: 30 * day, Runs: map[string]time.Duration{"a": 2 * time.Hour}}, 12 * time.Minute},
		{api.Retention{Runs: map[string]time.Duration{"a": 2 * time.Minute}}, time.Minute},
		{api.Retention{OlderThan: 30 * day, Last: &api.Sweep{More: true}}, time.Minute},
	} {
		if test.rules.Last == nil {
			test.rules.Last = &api.Sweep{}
		}
		if got := sweepPause(test.rules); got != test.want {
			t.Errorf("%+v: got %v, want %v", test.rules, got, test.want)
		}
	}
}

// TestRetentionIsADuty: of several servers on one journal, one removes its runs, and when
// it is gone, another one does.
func TestRetentionIsADuty(t *testing.T) {
	url, shared := pgtest.New(t), t.TempDir()
	open := func() *App {
		a, err := Open(t.Context(), host.Options{Home: t.TempDir(), Journal: url, Shared: shared})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = a.Close() }) // it may be closed already
		return a
	}
	first, second := open(), open()
	rules := api.Retention{OlderThan: time.Nanosecond}
	sweep := func(a *App) *api.Sweep {
		t.Helper()
		done := a.retainOnce(t.Context(), rules)
		if done.Error != nil {
			t.Error(done.Error)
		}
		return done
	}
	sweep(first) // which has the duty from now on
	run := endedRun(t, second, addTask("a", "1"))
	if done := sweep(second); gone(t, second, run) || done.Pruned.Runs.Count != 0 {
		t.Errorf("without the duty: %+v", done)
	}
	if done := sweep(first); !gone(t, second, run) || done.Pruned.Runs.Count != 1 {
		t.Errorf("with the duty: %+v", done)
	}
	run = endedRun(t, second, addTask("a", "1"))
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if done := sweep(second); !gone(t, second, run) || done.Pruned.Runs.Count != 1 {
		t.Errorf("with the duty of another one: %+v", done)
	}
}
