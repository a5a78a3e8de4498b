package engine

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
	"github.com/glovebox-dev/glovebox/internal/tuning"
)

// lateFull says only when its gate is open that the disk is full from a
// submission on.
type lateFull struct {
	*filling
	gate chan struct{}
}

func (l lateFull) Submit(changes ...journal.Change) journal.Receipt {
	return gated{l.filling.Submit(changes...), l.gate}
}

// TestSubmitTellsTheBeginning: Submit returns a run as it began, however far it
// has come since.
func TestSubmitTellsTheBeginning(t *testing.T) {
	h := newHost(t)
	synctest.Test(t, func(t *testing.T) {
		h := h.anew()
		slow := &slowJournal{h.journal, make(chan struct{})}
		config := h.config("a", slow)
		config.Kinds[api.KindSandbox] = runnerFunc(func(context.Context, string, *api.Request) (*api.Result, error) { return &api.Result{}, nil })
		e := New(config)
		defer e.Close()
		created := make(chan *api.Run, 1)
		go func() { created <- submit(t, e, api.Submission{Task: plain("main", 0)}) }()
		synctest.Wait() // it is over, but for the disk
		close(slow.gate)
		if run := <-created; run.Status != api.StatusRunning || run.Attempts != 1 || !run.Ended.IsZero() {
			t.Errorf("a new run is created of as %s, %d attempts, ended %v", run.Status, run.Attempts, run.Ended)
		}
	})
}

// TestNobodyListensToASubmissionGivenUp: a caller that stopped waiting for its
// submission gets no output of the run, even if the run exists.
func TestNobodyListensToASubmissionGivenUp(t *testing.T) {
	h := newHost(t)
	synctest.Test(t, func(t *testing.T) {
		h := h.anew()
		slow := &slowJournal{h.journal, make(chan struct{})}
		config := h.config("a", slow)
		config.Kinds[api.KindSandbox] = runnerFunc(func(ctx context.Context, _ string, req *api.Request) (*api.Result, error) {
			req.Progress(api.Progress{Stage: "start"})
			if _, err := req.Stdout.Write([]byte("hello")); err != nil {
				return nil, err
			}
			<-ctx.Done()
			return nil, ctx.Err()
		})
		e := New(config)
		defer e.Close()
		ctx, giveUp := context.WithCancel(t.Context())
		over := false
		heard := func() {
			if over {
				t.Error("the caller was told something after its submission had failed")
			}
		}
		s := api.Submission{Task: plain("main", 0), Stdout: writerFunc(heard), Progress: func(api.Progress) { heard() }}
		submitted := make(chan error, 1)
		go func() { _, err := e.Submit(ctx, s); submitted <- err }()
		synctest.Wait()
		giveUp()
		if err := <-submitted; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		over = true
		synctest.Wait()
		close(slow.gate)
		synctest.Wait()
		e.checkRest(t)
		for _, rec := range h.journal.(*memory).all(nil) {
			if rec.Status != api.StatusCanceled {
				t.Errorf("the run is %s", rec.Status)
			}
		}
	})
}

// TestStagesDoNotHoldARunBack: a run works while its creation is written, and
// the caller then hears of its stages in order, before its output.
func TestStagesDoNotHoldARunBack(t *testing.T) {
	h := newHost(t)
	synctest.Test(t, func(t *testing.T) {
		h := h.anew()
		slow := &slowJournal{h.journal, make(chan struct{})}
		config := h.config("a", slow)
		gone := make(chan struct{})
		config.Kinds[api.KindSandbox] = runnerFunc(func(_ context.Context, _ string, req *api.Request) (*api.Result, error) {
			req.Progress(api.Progress{Stage: "start"})
			req.Progress(api.Progress{Stage: "run"})
			close(gone)
			if _, err := req.Stdout.Write([]byte("hello")); err != nil {
				return nil, err
			}
			req.Progress(api.Progress{Stage: "collect"})
			return &api.Result{}, nil
		})
		e := New(config)
		defer e.Close()
		var mu sync.Mutex
		var heard []string
		hear := func(word string) {
			mu.Lock()
			defer mu.Unlock()
			heard = append(heard, word)
		}
		s := api.Submission{Task: plain("main", 0), Stdout: writerFunc(func() { hear("output") }), Progress: func(p api.Progress) { hear(p.Stage) }}
		go func() {
			if _, err := e.Submit(t.Context(), s); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		select {
		case <-gone:
		default:
			t.Error("the run waits for the disk to tell its stages")
		}
		if len(heard) > 0 {
			t.Errorf("the caller heard %q before its run was durable", heard)
		}
		close(slow.gate)
		synctest.Wait()
		if want := []string{"start", "run", "output", "collect"}; !slices.Equal(heard, want) {
			t.Errorf("the caller heard %q, want %q", heard, want)
		}
		e.checkRest(t)
	})
}

// Without its switch, a run does not begin before its creation is durable.
func TestAheadCanBeSwitchedOff(t *testing.T) {
	defer func() { _ = tuning.Set("") }()
	h := newHost(t)
	for _, c := range []struct {
		switches string
		begins   bool
	}{{"", true}, {"-ahead", false}} {
		if err := tuning.Set(c.switches); err != nil {
			t.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) {
			h := h.anew()
			slow := &slowJournal{h.journal, make(chan struct{})}
			config := h.config("a", slow)
			var begun atomic.Bool
			config.Kinds[api.KindSandbox] = runnerFunc(func(context.Context, string, *api.Request) (*api.Result, error) {
				begun.Store(true)
				return &api.Result{}, nil
			})
			e := New(config)
			defer e.Close()
			go func() {
				if _, err := e.Submit(t.Context(), api.Submission{Task: plain("main", 0)}); err != nil {
					t.Error(err)
				}
			}()
			synctest.Wait()
			if begun.Load() != c.begins {
				t.Errorf("with %q it began: %v", c.switches, begun.Load())
			}
			close(slow.gate)
			synctest.Wait()
			if !begun.Load() {
				t.Errorf("with %q it never began", c.switches)
			}
			e.checkRest(t)
		})
	}
}

type writerFunc func()

func (f writerFunc) Write(p []byte) (int, error) { f(); return len(p), nil }

// TestNoResultOfARunThatWasNotMade: a run that was never created leaves no
// result in the cache.
func TestNoResultOfARunThatWasNotMade(t *testing.T) {
	h := newHost(t)
	db, err := sqlite.Open(t.Context(), h.dir+"/journal.db", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	full := lateFull{&filling{Journal: db.Journal()}, make(chan struct{})}
	config := h.config("a", full)
	config.Cache = db.Cache()
	ended := make(chan struct{})
	config.Kinds[api.KindSandbox] = runnerFunc(func(context.Context, string, *api.Request) (*api.Result, error) {
		close(ended)
		return &api.Result{Outputs: []api.Output{{Name: "result", Type: integer, Value: int64(1)}}}, nil
	})
	e := New(config)
	defer e.Close()
	task := plain("main", 0)
	task.Cache, task.Signature.Outputs = api.CacheAuto, ints("result")
	go func() {
		<-ended
		close(full.gate)
	}()
	if _, err := e.Submit(t.Context(), api.Submission{Task: task}); api.AsError(err).Code != api.StorageFull {
		t.Errorf("got %v", err)
	}
	e.checkRest(t)
	if kept, err := db.Cache().Recent(t.Context(), "main", 10); err != nil || len(kept) > 0 {
		t.Errorf("kept are %+v, %v", kept, err)
	}
}

// An attempt goes beside the journal, but not on when that cannot say that it
// began: it would be in vain.
func TestAttemptEndsWithTheJournal(t *testing.T) {
	h := newHost(t)
	synctest.Test(t, func(t *testing.T) {
		h := h.anew()
		full := &filling{Journal: h.journal}
		full.left.Store(2) // the creation, and the end of the first attempt
		config := h.config("a", full)
		attempts := 0
		config.Kinds[api.KindSandbox] = runnerFunc(func(ctx context.Context, _ string, _ *api.Request) (*api.Result, error) {
			if attempts++; attempts == 1 {
				return nil, api.Errorf(api.NonzeroExit, "it failed")
			}
			<-ctx.Done()
			return nil, ctx.Err()
		})
		e := New(config)
		defer e.Close()
		run := submit(t, e, api.Submission{Task: plain("main", 1)})
		_, err := e.Wait(t.Context(), run.ID)
		if api.AsError(err).Code != api.StorageFull || attempts != 2 {
			t.Errorf("after %d attempts: %v, want storage_full", attempts, err)
		}
		e.checkRest(t)
	})
}
