package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/engine/admission"
	"github.com/glovebox-dev/glovebox/value"
)

// runnerFunc is a Runner that finds nothing wrong with a task.
type runnerFunc func(ctx context.Context, runID string, req *api.Request) (*api.Result, error)

func (runnerFunc) Validate(*api.Task) error { return nil }

func (runnerFunc) Identity(context.Context, *api.Task, func(api.Progress)) (string, error) {
	return "", nil
}

func (f runnerFunc) Run(ctx context.Context, runID string, req *api.Request) (*api.Result, error) {
	return f(ctx, runID, req)
}

// failing fails with one error after the other and then succeeds.
func failing(errs ...error) runnerFunc {
	var n int
	return func(context.Context, string, *api.Request) (*api.Result, error) {
		n++
		result := &api.Result{ExitCode: n}
		if n <= len(errs) {
			return result, errs[n-1]
		}
		return result, nil
	}
}

// stuck runs until it is ended.
var stuck = runnerFunc(func(ctx context.Context, _ string, _ *api.Request) (*api.Result, error) {
	<-ctx.Done()
	return &api.Result{ExitCode: -1, Stdout: []byte("so far")}, ctx.Err()
})

func repeat(err error, n int) []error {
	errs := make([]error, n)
	for i := range errs {
		errs[i] = err
	}
	return errs
}

// sandboxes starts an engine whose sandboxes are r. It is closed with the test.
func sandboxes(t *testing.T, r Runner, cells int) *Engine {
	return sandboxesOn(t, newHost(t), r, cells)
}

func sandboxesOn(t *testing.T, h *host, r Runner, cells int) *Engine {
	c := h.config("a", h.journal)
	h.alive["a"] = true
	c.Kinds[api.KindSandbox] = r
	c.Limits = map[api.TaskKind]int{api.KindSandbox: cells}
	e := New(c)
	t.Cleanup(e.Close)
	return e
}

func plain(name string, retries int) *api.Task {
	return &api.Task{Name: name, Kind: api.KindSandbox, Retries: retries, Cache: api.CacheDisable}
}

func submit(t *testing.T, e *Engine, s api.Submission) *api.Run {
	t.Helper()
	run, err := e.Submit(t.Context(), s)
	if err != nil {
		t.Fatalf("submit: %v", err)
	}
	return run
}

func TestAttempts(t *testing.T) {
	exception := api.Errorf(api.PythonException, "ValueError: bad")
	lost := api.Errorf(api.CellLost, "the cell ended without a report")
	down := api.Errorf(api.IndexUnavailable, "pypi.org does not answer")
	type test struct {
		name    string
		retries int
		errs    []error
		tries   int
		code    api.Code // empty: success
	}
	tests := []test{
		{"success", 3, nil, 1, ""},
		{"a failure is final by default", 0, repeat(exception, 9), 1, api.PythonException},
		{"retries run out", 2, repeat(exception, 9), 3, api.PythonException},
		{"retries help", 3, repeat(exception, 2), 3, ""},
		{"a lost cell may have had effects", 0, repeat(lost, 9), 1, api.CellLost},
		{"a lost cell with a retry", 1, repeat(lost, 1), 2, ""},
		{"not started gets two attempts of its own", 0, repeat(down, 9), 3, api.IndexUnavailable},
		{"not started does not use up retries", 1, []error{down, exception, down}, 4, ""},
		{"not started after its own attempts uses retries", 1, repeat(down, 9), 4, api.IndexUnavailable},
		{"an unknown error is a defect of ours and may be repeated", 1, repeat(errors.New("boom"), 9), 2, api.Internal},
	}
	for _, code := range []api.Code{
		api.InvalidTask, api.InvalidType, api.InvalidInput, api.InvalidPackage, api.SyntaxError, api.IsolationUnavailable,
		api.SecretNotFound, api.ResolutionFailed, api.ImageNotFound, api.ReplayMismatch, api.OutcomeUnknown, api.StorageCorrupt,
		api.CheckFailed, api.CommandNotFound, api.PythonMissing,
	} {
		tests = append(tests, test{"never again: " + string(code), 5, repeat(api.Errorf(code, "no"), 9), 1, code})
	}
	host := newHost(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := sandboxesOn(t, host.anew(), failing(tt.errs...), 1)
				run := submit(t, e, api.Submission{Task: plain("main", tt.retries)})
				result, err := e.Wait(t.Context(), run.ID)
				if result.Attempts != tt.tries || result.ExitCode != tt.tries {
					t.Errorf("attempts = %d, result of attempt %d; want %d", result.Attempts, result.ExitCode, tt.tries)
				}
				if failure := api.AsError(err); tt.code != "" && (failure == nil || failure.Code != tt.code || failure.Attempts != tt.tries) {
					t.Errorf("err = %#v; want %s after %d attempts", failure, tt.code, tt.tries)
				} else if tt.code == "" && err != nil {
					t.Errorf("err = %v", err)
				}
				e.checkRest(t)
				checkAll(t, e)
			})
		})
	}
}

// TestAttemptsOfFunctions: the effects of a function outlive a failed attempt,
// so it is tried again only if it is idempotent.
func TestAttemptsOfFunctions(t *testing.T) {
	lost := api.Errorf(api.WorkerLost, "the worker fell silent")
	for _, c := range []struct {
		idempotent bool
		tries      int
	}{{false, 1}, {true, 6}} { // three as the task asks, and two on the engine's own account
		synctest.Test(t, func(t *testing.T) {
			h := newHost(t)
			e := h.engine("a", nil)
			defer e.Close()
			tries := 0
			h.functions.code["f"] = func(context.Context, map[string]any) (any, error) { tries++; return nil, lost }
			task := function("f")
			task.Retries, task.Idempotent = 3, c.idempotent
			if _, err := run1(t, e, &task, nil); api.AsError(err).Code != api.WorkerLost || tries != c.tries {
				t.Errorf("idempotent %v: %v after %d attempts, want %d", c.idempotent, err, tries, c.tries)
			}
		})
	}
}

func TestTheErrorOfTheRunnerStaysAsItIs(t *testing.T) {
	shared := api.Errorf(api.SyntaxError, "bad")
	e := sandboxes(t, failing(shared), 1)
	_, err := e.Wait(t.Context(), submit(t, e, api.Submission{Task: plain("main", 0)}).ID)
	if shared.Attempts != 0 || api.AsError(err).Attempts != 1 {
		t.Errorf("attempts: runner's error %d, ours %d; want 0 and 1", shared.Attempts, api.AsError(err).Attempts)
	}
}

func TestWaitsBetweenAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var starts []time.Time
		e := sandboxes(t, runnerFunc(func(context.Context, string, *api.Request) (*api.Result, error) {
			starts = append(starts, time.Now())
			return nil, api.Errorf(api.PythonException, "again")
		}), 1)
		announced := 0
		run := submit(t, e, api.Submission{Task: plain("main", 12), Progress: func(p api.Progress) {
			if p.Stage == "retry" {
				announced++
			}
		}})
		if _, err := e.Wait(t.Context(), run.ID); err == nil || announced != 12 || len(starts) != 13 {
			t.Fatalf("err = %v, announced %d of %d attempts", err, announced, len(starts))
		}
		bound, total := 500*time.Millisecond, time.Duration(0)
		for i := 1; i < len(starts); i++ {
			wait := starts[i].Sub(starts[i-1])
			total += wait
			if wait < 0 || wait > bound {
				t.Errorf("wait %d = %v, want at most %v", i, wait, bound)
			}
			bound = min(2*bound, 30*time.Second)
		}
		if total == 0 {
			t.Error("no wait at all")
		}
	})
}

func TestBoundsAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var under, most atomic.Int32
		e := sandboxes(t, runnerFunc(func(context.Context, string, *api.Request) (*api.Result, error) {
			most.Store(max(most.Load(), under.Add(1)))
			defer under.Add(-1)
			time.Sleep(time.Second)
			return nil, nil
		}), 2)
		began := time.Now()
		for i := range 24 {
			submit(t, e, api.Submission{Task: plain(fmt.Sprintf("task%d", i), 0)})
		}
		e.checkRest(t)
		if took := time.Since(began); most.Load() != 2 || took != 12*time.Second {
			t.Errorf("%d attempts at once, %s in all; want 2, and 12s", most.Load(), took)
		}
	})
}

func TestOrdersAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t)
		c := h.config("a", h.journal)
		var order, want []string
		c.Kinds[api.KindFunction] = runnerFunc(func(_ context.Context, _ string, req *api.Request) (*api.Result, error) {
			order = append(order, req.Task.Name)
			time.Sleep(time.Second)
			return nil, nil
		})
		c.Limits = map[api.TaskKind]int{api.KindFunction: 1}
		e := New(c)
		defer e.Close()
		for i := range 24 {
			want = append(want, fmt.Sprintf("task%d", i))
			submit(t, e, api.Submission{Task: &api.Task{Name: want[i], Kind: api.KindFunction, Function: &api.Function{ID: "f"}}})
		}
		e.checkRest(t)
		if diff := cmp.Diff(want, order); diff != "" {
			t.Errorf("order (-want +got):\n%s", diff)
		}
	})
}

// A queue that is full says so, and what it refused has ended.
func TestQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t)
		c := h.config("a", h.journal)
		h.alive["a"] = true
		c.Kinds[api.KindFunction], c.MaxQueued, c.Limits = stuck, 2, map[api.TaskKind]int{api.KindFunction: 1}
		e := New(c)
		defer e.Close()
		task := function("f")
		var ids []string
		for range 3 {
			ids = append(ids, submit(t, e, api.Submission{Task: &task}).ID)
		}
		if _, err := e.Submit(t.Context(), api.Submission{Task: &task, IdempotencyKey: "refused"}); api.AsError(err).Code != api.Overloaded {
			t.Errorf("one too many: %v", err)
		}
		for _, id := range ids {
			if err := e.Cancel(t.Context(), id, ""); err != nil {
				t.Error(err)
			}
		}
		e.checkRest(t)
		checkAll(t, e)
	})
}

// picky refuses every task.
type picky struct{ runnerFunc }

func (picky) Validate(*api.Task) error { return api.Errorf(api.InvalidTask, "no") }

func TestValidatesFirst(t *testing.T) {
	e := sandboxes(t, picky{func(context.Context, string, *api.Request) (*api.Result, error) {
		t.Error("an invalid task was run")
		return nil, nil
	}}, 1)
	if run, err := e.Submit(t.Context(), api.Submission{Task: plain("main", 3)}); run != nil || api.AsError(err).Code != api.InvalidTask {
		t.Errorf("run = %+v, err = %+v", run, err)
	}
}

func TestNewIDSortsByTime(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	seen := map[string]bool{}
	last := ""
	for i := range 1000 {
		id := NewID(now.Add(time.Duration(i) * time.Millisecond))
		if id <= last || seen[id] || len(id) != len("run-")+24 {
			t.Fatalf("id %d = %q after %q", i, id, last)
		}
		seen[id], last = true, id
	}
	if a, b := NewID(now), NewID(now); a == b {
		t.Error("two ids of one millisecond are equal")
	}
}

// checkRest sees that nothing of any run is left in the engine, once the runs
// have ended.
func (e *Engine) checkRest(t *testing.T) {
	t.Helper()
	for live := e.all(); len(live) > 0; live = e.all() {
		for id, r := range live {
			select {
			case <-r.done:
			case <-t.Context().Done():
				t.Fatalf("run %s does not end", id)
			}
		}
	}
	for kind := range e.config.Kinds {
		limit := e.limit(kind)
		if got, want := e.admission.Usage(kind), (admission.Usage{FreeTurns: admission.Turns(kind, limit), FreeSlots: limit}); got != want {
			t.Errorf("of kind %s is free and waits %+v, want %+v", kind, got, want)
		}
	}
	e.flights.mu.Lock()
	defer e.flights.mu.Unlock()
	if len(e.flights.all) > 0 {
		t.Errorf("%d results are awaited", len(e.flights.all))
	}
}

func (e *Engine) all() map[string]*run {
	e.mu.Lock()
	defer e.mu.Unlock()
	live := map[string]*run{}
	for id, r := range e.live {
		live[id] = r
	}
	return live
}

// checkAll checks the events of every run, all of which have ended.
func checkAll(t *testing.T, e *Engine) {
	t.Helper()
	for _, rec := range e.config.Journal.(*memory).all(nil) {
		checkEvents(t, e.config.Journal, rec)
	}
}

// TestPanicOfAKind: a kind that panics ends only its own run.
func TestPanicOfAKind(t *testing.T) {
	h := newHost(t)
	h.functions.code["boom"] = func(context.Context, map[string]any) (any, error) { panic("boom") }
	h.functions.code["add"] = func(_ context.Context, in map[string]any) (any, error) { return in["x"], nil }
	e := h.engine("a", nil)
	defer e.Close()
	boom, add := function("boom"), function("add", "x")
	if _, err := run1(t, e, &boom, nil); !errors.Is(err, &api.Error{Code: api.Internal}) || !strings.Contains(err.Error(), "boom") {
		t.Errorf("a panic gave %v", err)
	}
	result, err := run1(t, e, &add, map[string]any{"x": 1})
	if got := valueFrom(t, result, err); got != int64(1) {
		t.Errorf("after a panic: %v", got)
	}
	if n := len(e.Live()); n != 0 {
		t.Errorf("%d kinds of runs are still live", n)
	}
}

// A file without bytes is a file: who waits gets a path that can be read.
func TestEmptyFileIsLaidOut(t *testing.T) {
	h := newHost(t)
	e := h.engine("a", nil)
	defer e.Close()
	path := filepath.Join(t.TempDir(), "empty.txt")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	file := value.Type{Kind: value.KindFile}
	task := orchestrate("f", file)
	task.Signature.Inputs = []value.Param{{Name: "f", Type: file}}
	result, err := run1(t, e, task, map[string]any{"f": value.File{Path: path}})
	got, ok := valueFrom(t, result, err).(value.File)
	if info, err := os.Stat(got.Path); !ok || err != nil || info.Size() != 0 || !filepath.IsAbs(got.Path) {
		t.Errorf("got %+v, %v", got, err)
	}
}
