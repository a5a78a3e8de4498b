package engine

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
)

// process opens the journal of a host on disk as one more process does.
func process(t *testing.T, h *host) journal.Journal {
	t.Helper()
	db, err := sqlite.Open(t.Context(), h.dir+"/journal.db", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db.Journal()
}

// declareDead makes other processes believe that a live process is gone.
func (h *host) declareDead(owner string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.alive[owner] = false
}

// holding returns a host whose function hold waits in process a only.
func holding(t *testing.T) (h *host, held, release chan struct{}, task *api.Task) {
	h = newHost(t)
	tools := idempotent(append(h.arithmetic()[:1], function("hold", "x")))
	held, release = make(chan struct{}), make(chan struct{})
	first := true
	h.functions.code["hold"] = func(ctx context.Context, in map[string]any) (any, error) {
		h.mu.Lock()
		holds := first
		first = false
		h.mu.Unlock()
		if holds {
			close(held)
			select {
			case <-release:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return in["x"], nil
	}
	return h, held, release, orchestrate("add(hold(add(1, 2)), 10)", integer, tools...)
}

// TestTakenOver (D02): a process that was taken for dead, and was only slow,
// cannot write any more, and says so; what it was taken over by ends the run.
func TestTakenOver(t *testing.T) {
	h, held, release, task := holding(t)
	slow, quick := process(t, h), process(t, h)
	a := h.engine("a", slow)
	defer a.Close()
	run := submit(t, a, api.Submission{Task: task})
	<-held
	h.declareDead("a")
	b := h.engine("b", quick)
	defer b.Close()
	if n, err := b.Recover(t.Context(), true); n != 2 || err != nil { // the orchestrator and hold
		t.Errorf("recovered %d, %v", n, err)
	}
	result, err := b.Wait(t.Context(), run.ID)
	if got := valueFrom(t, result, err); got != int64(13) {
		t.Errorf("got %v", got)
	}
	done := h.functions.count("add")
	close(release)
	if _, err := a.Wait(t.Context(), run.ID); err != nil && api.AsError(err).Code != api.Conflict {
		t.Errorf("the slow process: %v", err)
	}
	a.checkRest(t)
	b.checkRest(t)
	if n := h.functions.count("add"); n != done || n != 2 {
		t.Errorf("add was carried out %d times, then %d", done, n)
	}
	checkTree(t, quick, run.ID)
}

// checkTree checks the events of a run and of its calls.
func checkTree(t *testing.T, j journal.Journal, id string) {
	t.Helper()
	page, _, err := j.List(t.Context(), api.RunQuery{Root: id, Limit: maxPage})
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range page {
		if rec, err = j.Load(t.Context(), rec.ID); err != nil {
			t.Fatal(err)
		}
		checkEvents(t, j, rec)
		if n := count(t, j, rec.ID, api.EventEnded); n != 1 {
			t.Errorf("run %s of %s ended %d times", rec.ID, rec.Task, n)
		}
	}
}

// A process that was taken over ends what it has under way, also if it has
// nothing to write.
func TestTakenOverGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, held, _, task := holding(t)
		a := h.engine("a", nil)
		defer a.Close()
		run := submit(t, a, api.Submission{Task: task})
		<-held
		h.declareDead("a")
		b := h.engine("b", nil)
		defer b.Close()
		if _, err := b.Recover(t.Context(), true); err != nil {
			t.Error(err)
		}
		ours := a.liveRun(run.ID)
		a.checkRest(t) // hold ends with its context only
		if ours == nil {
			t.Fatal("the run was not live")
		}
		if _, err, ok := ours.outcome(); !ok || api.AsError(err).Code != api.Conflict {
			t.Errorf("the slow process: %v, %v", err, ok)
		}
		result, err := b.Wait(t.Context(), run.ID)
		if got := valueFrom(t, result, err); got != int64(13) {
			t.Errorf("got %v", got)
		}
		b.checkRest(t)
		checkTree(t, h.journal, run.ID)
	})
}

// TestResumedByMany (D02): when many resume a run at the same time, in one
// process or in several, exactly one succeeds.
func TestResumedByMany(t *testing.T) {
	for range 10 {
		h, held, _, task := holding(t)
		a := h.engine("a", process(t, h))
		run := submit(t, a, api.Submission{Task: task})
		<-held
		h.kill("a", a)
		var engines []*Engine
		for _, owner := range []string{"b", "c", "d"} {
			e := h.engine(owner, process(t, h))
			defer e.Close()
			engines = append(engines, e)
		}
		var all sync.WaitGroup
		var mu sync.Mutex
		won := 0
		for i := range 12 {
			all.Go(func() {
				_, err := engines[i%3].Resume(t.Context(), run.ID, api.ResumeOptions{})
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					won++
				} else if api.AsError(err).Code != api.Conflict {
					t.Errorf("resume: %v", err)
				}
			})
		}
		all.Wait()
		result, err := engines[0].Wait(t.Context(), run.ID)
		if got := valueFrom(t, result, err); got != int64(13) || won != 1 {
			t.Errorf("got %v, %d have resumed it", got, won)
		}
		if n := h.functions.count("add"); n != 2 {
			t.Errorf("add was carried out %d times", n)
		}
		checkTree(t, engines[1].config.Journal, run.ID)
	}
}

// TestResumeWaitsForADyingProcess: resuming a run whose process is about to end
// waits for that end instead of reporting that the run is under way.
func TestResumeWaitsForADyingProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, held, _, task := holding(t)
		dying := h.engine("a", nil)
		run := submit(t, dying, api.Submission{Task: task})
		<-held
		e := h.engine("b", nil)
		defer e.Close()
		if _, err := e.Resume(t.Context(), run.ID, api.ResumeOptions{}); api.AsError(err).Code != api.Conflict {
			t.Errorf("while its process lives: %v", err)
		}
		time.AfterFunc(leavePatience/2, func() { h.kill("a", dying) })
		if _, err := e.Resume(t.Context(), run.ID, api.ResumeOptions{}); err != nil {
			t.Fatal(err)
		}
		result, err := e.Wait(t.Context(), run.ID)
		if got := valueFrom(t, result, err); got != int64(13) {
			t.Errorf("got %v", got)
		}
	})
}
