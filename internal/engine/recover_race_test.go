package engine

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cache"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
)

// A run that ends, and its process after it, between the list of unfinished
// runs and the question whether the process lives, has ended well.
func TestRecoverLeavesWhatEndedMeanwhile(t *testing.T) {
	h, held, release, task := holding(t)
	a := h.engine("a", process(t, h))
	run := submit(t, a, api.Submission{Task: task})
	<-held
	j := process(t, h)
	config := h.config("b", j)
	ends := sync.OnceFunc(func() {
		close(release)
		if _, err := a.Wait(t.Context(), run.ID); err != nil {
			t.Error(err)
		}
		a.Close()
	})
	config.Alive = func(string) bool {
		ends()
		return false
	}
	b := New(config)
	defer b.Close()
	if _, err := b.Recover(t.Context(), false); err != nil {
		t.Error(err)
	}
	rec, err := j.Load(t.Context(), run.ID)
	if err != nil || rec.Status != api.StatusSucceeded {
		t.Errorf("got %+v, %v", rec, err)
	}
}

// lateCache lets something happen after a result was looked for in vain.
type lateCache struct {
	cache.Store
	missed func()
}

func (c lateCache) Lookup(ctx context.Context, key string) (*cache.Entry, error) {
	entry, err := c.Store.Lookup(ctx, key)
	if errors.Is(err, cache.ErrNotFound) {
		c.missed()
	}
	return entry, err
}

// Of two runs that ask for the same, one that looks before the other has ended
// and is ready after it finds the result of the other.
func TestCacheIsLookedIntoOnceMore(t *testing.T) {
	h := newHost(t)
	db, err := sqlite.Open(t.Context(), h.dir+"/journal.db", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	task := function("twice", "x")
	task.Cache = api.CacheAuto
	h.functions.code["twice"] = func(context.Context, map[string]any) (any, error) { return int64(2), nil }
	var e *Engine
	var asked atomic.Bool
	config := h.config("a", db.Journal())
	config.Cache = lateCache{db.Cache(), func() {
		if asked.Swap(true) {
			return
		}
		run := submit(t, e, api.Submission{Task: &task, Inputs: map[string]any{"x": int64(1)}})
		if _, err := e.Wait(t.Context(), run.ID); err != nil {
			t.Error(err)
		}
	}}
	e = New(config)
	defer e.Close()
	run := submit(t, e, api.Submission{Task: &task, Inputs: map[string]any{"x": int64(1)}})
	result, err := e.Wait(t.Context(), run.ID)
	if err != nil || !result.Cached {
		t.Errorf("got %+v, %v", result, err)
	}
	if n := h.functions.count("twice"); n != 1 {
		t.Errorf("it was done %d times", n)
	}
}
