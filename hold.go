package glovebox

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// holds are the functions that are offered to runs, by the ids of the runs. A
// run that is resumed, or asked for twice under one key, has several.
type holds struct {
	mu    sync.Mutex
	byRun map[string][]*hold
	work  sync.WaitGroup
}

// hold is what one call of Start, Resume or Rerun offers to a run.
type hold struct {
	once sync.Once
	drop func()
}

func (h *hold) end() { h.once.Do(h.drop) }

func (h *holds) add(run string, one *hold) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.byRun == nil {
		h.byRun = map[string][]*hold{}
	}
	h.byRun[run] = append(h.byRun[run], one)
}

func (h *holds) remove(run string, one *hold) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.byRun[run] = slices.DeleteFunc(h.byRun[run], func(other *hold) bool { return other == one })
	if len(h.byRun[run]) == 0 {
		delete(h.byRun, run)
	}
}

func (h *holds) of(run string) []*hold {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.byRun[run])
}

// offerTo offers functions to the run that start makes, until that has ended.
func (g *Glovebox) offerTo(bound map[string]*function, start func() (*Run, error)) (*Run, error) {
	if err := g.offers.hold(bound, false); err != nil {
		return nil, err
	}
	return g.follow(bound, start)
}

// follow takes functions back that are held, when the run that start makes has
// ended, or could not be made.
func (g *Glovebox) follow(bound map[string]*function, start func() (*Run, error)) (*Run, error) {
	run, err := start()
	if err != nil || len(bound) == 0 {
		g.offers.drop(bound)
		return run, err
	}
	one := &hold{drop: func() { g.offers.drop(bound) }}
	g.holds.add(run.id, one)
	g.holds.work.Go(func() {
		g.awaitEnd(run.id)
		one.end()
		g.holds.remove(run.id, one)
	})
	return run, nil
}

// maxPause is between looks at a run that was interrupted.
const maxPause = 10 * time.Second

// awaitEnd returns when the run has ended, or the Glovebox was closed. An
// interrupted run may be resumed without this process, as when a server starts
// again.
func (g *Glovebox) awaitEnd(id string) {
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, maxPause) {
		for range g.service.Events(g.life, id, math.MaxInt64) { // none; it ends with the run
		}
		page, err := g.service.Runs(g.life, api.RunQuery{IDPrefix: id, Limit: 1})
		if err == nil && (len(page.Runs) == 0 || page.Runs[0].Status.Ended()) {
			return
		}
		select {
		case <-time.After(pause):
		case <-g.life.Done():
			return
		}
	}
}

// ended reports whether what the waiting for a run gave says that it has ended.
func ended(ctx context.Context, result *api.Result, err error) bool {
	if err == nil {
		return true
	}
	return result != nil && ctx.Err() == nil && !errors.Is(err, ErrInterrupted) && !errors.Is(err, ErrServerUnavailable)
}
