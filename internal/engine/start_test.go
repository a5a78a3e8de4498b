package engine

import (
	"bytes"
	"context"
	"os"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// TestBeginsBesideTheJournal: a run that works before it is durable has no
// visible effect: code that reaches outside waits, and so does its output.
func TestBeginsBesideTheJournal(t *testing.T) {
	sandbox, network, starting, f := plain("main", 0), plain("main", 0), plain("main", 0), function("f")
	network.Network.Public = true
	starting.StartsRuns = true
	f.Signature.Outputs = nil
	for _, c := range []struct {
		name   string
		task   *api.Task
		key    string
		begins bool
	}{
		{"a sandbox", sandbox, "", true},
		{"a sandbox with a key", sandbox, "k", false},
		{"a sandbox with a network", network, "", false},
		{"a sandbox that starts runs", starting, "", false},
		{"a function", &f, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHost(t)
			synctest.Test(t, func(t *testing.T) {
				h := h.anew()
				slow := &slowJournal{h.journal, make(chan struct{})}
				config := h.config("a", slow)
				var begun atomic.Bool
				config.Kinds[api.KindSandbox] = runnerFunc(func(_ context.Context, _ string, req *api.Request) (*api.Result, error) {
					begun.Store(true)
					_, err := req.Stdout.Write([]byte("hello"))
					return &api.Result{}, err
				})
				config.Kinds[api.KindFunction] = config.Kinds[api.KindSandbox]
				e := New(config)
				defer e.Close()
				var shown bytes.Buffer
				go func() {
					_, err := e.Submit(t.Context(), api.Submission{Task: c.task, IdempotencyKey: c.key, Stdout: &shown})
					if err != nil {
						t.Error(err)
					}
				}()
				synctest.Wait()
				if begun.Load() != c.begins || shown.Len() > 0 {
					t.Errorf("before it is durable: begun %v, shown %q; want %v and nothing", begun.Load(), shown.String(), c.begins)
				}
				close(slow.gate)
				synctest.Wait()
				if !begun.Load() || shown.String() != "hello" {
					t.Errorf("in the end: begun %v, shown %q", begun.Load(), shown.String())
				}
				e.checkRest(t)
				checkAllOf(t, h)
			})
		})
	}
}

// A run whose turn it is begins in one submission, and ends in another.
func TestSubmissionsOfARun(t *testing.T) {
	h := newHost(t)
	h.functions.code["f"] = func(context.Context, map[string]any) (any, error) { return int64(1), nil }
	e := h.engine("a", nil)
	defer e.Close()
	task := function("f")
	result, err := run1(t, e, &task, nil)
	if got := valueFrom(t, result, err); got != int64(1) {
		t.Errorf("got %v", got)
	}
	if n := h.journal.(*memory).changes; n != 2 {
		t.Errorf("%d submissions, want 2", n)
	}
	events, err := h.journal.Events(t.Context(), result.RunID, 0, 10)
	var kinds []api.EventKind
	for _, ev := range events {
		kinds = append(kinds, ev.Kind)
	}
	want := []api.EventKind{api.EventCreated, api.EventStarted, api.EventAttemptStarted, api.EventAttemptEnded, api.EventEnded}
	if diff := cmp.Diff(want, kinds); err != nil || diff != "" {
		t.Errorf("%v, %s", err, diff)
	}
}

// A run that could not be created, and had begun meanwhile, leaves nothing.
func TestBeginsInVain(t *testing.T) {
	h := newHost(t)
	full := &filling{Journal: h.journal}
	config := h.config("a", full)
	var shown bytes.Buffer
	var ended atomic.Int32
	config.Ended = func(api.Run) { ended.Add(1) }
	config.Kinds[api.KindSandbox] = runnerFunc(func(ctx context.Context, id string, req *api.Request) (*api.Result, error) {
		if err := os.MkdirAll(config.FileDir+"/"+id, 0o700); err != nil {
			t.Error(err)
		}
		if _, err := req.Stdout.Write([]byte("hello")); err == nil {
			t.Error("it can print")
		}
		<-ctx.Done()
		return &api.Result{}, nil
	})
	e := New(config)
	defer e.Close()
	_, err := e.Submit(t.Context(), api.Submission{Task: plain("main", 0), Stdout: &shown})
	if api.AsError(err).Code != api.StorageFull {
		t.Errorf("got %v, want storage_full", err)
	}
	e.checkRest(t)
	left, err := os.ReadDir(config.FileDir)
	logs, _ := os.ReadDir(config.LogDir)
	if err != nil || len(left)+len(logs)+shown.Len()+int(ended.Load()) > 0 {
		t.Errorf("%v and %v are left, %q was shown, and %d ends were reported: %v", left, logs, shown.String(), ended.Load(), err)
	}
	full.left.Store(plenty)
	submit(t, e, api.Submission{Task: orchestrate("1", integer)})
	e.checkRest(t)
}
