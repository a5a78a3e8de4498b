package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// runnerFunc is a Runner that finds nothing wrong with a task.
type runnerFunc func(ctx context.Context, runID string, req *api.Request) (*api.Result, error)

func (runnerFunc) Validate(*api.Task) error { return nil }

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

func repeat(err error, n int) []error {
	errs := make([]error, n)
	for i := range errs {
		errs[i] = err
	}
	return errs
}

func TestRunAttempts(t *testing.T) {
	exception := api.Errorf(api.PythonException, "ValueError: bad")
	lost := api.Errorf(api.CellLost, "the cell ended without a report")
	down := api.Errorf(api.IndexUnavailable, "pypi.org does not answer")
	tests := []struct {
		name    string
		retries int
		errs    []error
		tries   int
		code    api.Code // empty: success
	}{
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
		{"python_missing repeats if asked to", 1, repeat(api.Errorf(api.PythonMissing, "no python3"), 9), 2, api.PythonMissing},
	}
	for _, code := range []api.Code{
		api.InvalidTask, api.InvalidType, api.InvalidInput, api.InvalidPackage, api.SyntaxError,
		api.IsolationUnavailable, api.SecretNotFound, api.Canceled, api.ResolutionFailed, api.ImageNotFound,
	} {
		tests = append(tests, struct {
			name    string
			retries int
			errs    []error
			tries   int
			code    api.Code
		}{"never again: " + string(code), 5, repeat(api.Errorf(code, "no"), 9), 1, code})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := New(Config{Sandbox: failing(tt.errs...)})
				result, err := e.Run(t.Context(), &api.Request{Task: &api.Task{Retries: tt.retries}})
				if result.Attempts != tt.tries || result.ExitCode != tt.tries {
					t.Errorf("attempts = %d, result of attempt %d; want %d", result.Attempts, result.ExitCode, tt.tries)
				}
				if tt.code == "" {
					if err != nil {
						t.Fatalf("Run: %v", err)
					}
					return
				}
				var e2 *api.Error
				if !errors.As(err, &e2) || e2.Code != tt.code || e2.Attempts != tt.tries {
					t.Errorf("err = %#v; want %s after %d attempts", err, tt.code, tt.tries)
				}
			})
		})
	}
}

func TestRunDoesNotChangeTheErrorOfTheRunner(t *testing.T) {
	shared := api.Errorf(api.SyntaxError, "bad")
	_, err := New(Config{Sandbox: failing(shared)}).Run(t.Context(), &api.Request{Task: &api.Task{}})
	if shared.Attempts != 0 || api.AsError(err).Attempts != 1 {
		t.Errorf("attempts: runner's error %d, ours %d; want 0 and 1", shared.Attempts, api.AsError(err).Attempts)
	}
}

func TestRunWaitsBetweenAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var starts []time.Time
		runner := runnerFunc(func(context.Context, string, *api.Request) (*api.Result, error) {
			starts = append(starts, time.Now())
			return nil, api.Errorf(api.PythonException, "again")
		})
		var announced []string
		req := &api.Request{Task: &api.Task{Retries: 12}, Progress: func(p api.Progress) { announced = append(announced, p.Stage) }}
		if _, err := New(Config{Sandbox: runner}).Run(t.Context(), req); err == nil {
			t.Fatal("Run: no error")
		}
		if diff := cmp.Diff(announced, []string{"retry", "retry", "retry", "retry", "retry", "retry", "retry", "retry", "retry", "retry", "retry", "retry"}); diff != "" {
			t.Errorf("progress (-got +want):\n%s", diff)
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

func TestRunCancelled(t *testing.T) {
	stuck := runnerFunc(func(ctx context.Context, _ string, _ *api.Request) (*api.Result, error) {
		<-ctx.Done()
		return &api.Result{Stdout: []byte("so far")}, ctx.Err()
	})
	t.Run("while it runs", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			began := time.Now()
			result, err := New(Config{Sandbox: stuck}).Run(ctx, &api.Request{Task: &api.Task{Retries: 5}})
			if e := api.AsError(err); e.Code != api.Canceled || e.Outcome != api.Unknown || e.Attempts != 1 {
				t.Errorf("err = %+v", e)
			}
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("err = %v does not wrap the cause", err)
			}
			if string(result.Stdout) != "so far" || time.Since(began) != time.Second {
				t.Errorf("stdout = %q after %v", result.Stdout, time.Since(began))
			}
		})
	})
	t.Run("while it waits to try again", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			req := &api.Request{Task: &api.Task{Retries: 5}, Progress: func(api.Progress) { cancel() }}
			_, err := New(Config{Sandbox: failing(repeat(errors.New("boom"), 9)...)}).Run(ctx, req)
			if e := api.AsError(err); e.Code != api.Canceled || e.Attempts != 1 {
				t.Errorf("err = %+v", e)
			}
		})
	})
	t.Run("while it queues", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e := New(Config{Sandbox: stuck, MaxCells: 1})
			ctx, cancel := context.WithCancel(t.Context())
			var first sync.WaitGroup
			first.Go(func() { _, _ = e.Run(ctx, &api.Request{Task: &api.Task{}}) })
			synctest.Wait()
			queued, give := context.WithTimeout(t.Context(), time.Minute)
			defer give()
			_, err := e.Run(queued, &api.Request{Task: &api.Task{}})
			if e := api.AsError(err); e.Code != api.Canceled || e.Outcome != api.NotStarted {
				t.Errorf("err = %+v", e)
			}
			cancel()
			first.Wait()
		})
	})
	t.Run("a failure of the run itself is not hidden", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		runner := runnerFunc(func(context.Context, string, *api.Request) (*api.Result, error) {
			cancel()
			return nil, api.Errorf(api.NonzeroExit, "status 3")
		})
		_, err := New(Config{Sandbox: runner}).Run(ctx, &api.Request{Task: &api.Task{}})
		if e := api.AsError(err); e.Code != api.NonzeroExit {
			t.Errorf("err = %v", err)
		}
	})
}

func TestRunBoundsAndOrdersAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var under, most atomic.Int32
		var mu sync.Mutex
		var order []string
		runner := runnerFunc(func(_ context.Context, _ string, req *api.Request) (*api.Result, error) {
			most.Store(max(most.Load(), under.Add(1)))
			defer under.Add(-1)
			mu.Lock()
			order = append(order, req.Task.Name)
			mu.Unlock()
			time.Sleep(time.Second)
			return nil, nil
		})
		e := New(Config{Sandbox: runner, MaxCells: 2})
		var all sync.WaitGroup
		var want []string
		for i := range 8 {
			name := fmt.Sprint(i)
			want = append(want, name)
			all.Go(func() {
				if _, err := e.Run(t.Context(), &api.Request{Task: &api.Task{Name: name}}); err != nil {
					t.Errorf("Run %s: %v", name, err)
				}
			})
			synctest.Wait()
		}
		all.Wait()
		if most.Load() != 2 {
			t.Errorf("%d attempts at once, want 2", most.Load())
		}
		if diff := cmp.Diff(order, want); diff != "" {
			t.Errorf("order (-got +want):\n%s", diff)
		}
	})
}

// picky refuses every task.
type picky struct{ runnerFunc }

func (picky) Validate(*api.Task) error { return api.Errorf(api.InvalidTask, "no") }

func TestRunValidatesFirst(t *testing.T) {
	e := New(Config{Sandbox: picky{func(context.Context, string, *api.Request) (*api.Result, error) {
		t.Error("an invalid task was run")
		return nil, nil
	}}})
	result, err := e.Run(t.Context(), &api.Request{Task: &api.Task{Retries: 3}})
	if e := api.AsError(err); e.Code != api.InvalidTask || e.Attempts != 0 || result.RunID == "" {
		t.Errorf("result = %+v, err = %+v", result, e)
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
