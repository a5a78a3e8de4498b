package engine

import (
	"context"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

// reserveAfter is how long a run waits for others to leave it enough memory, before a
// process that could hold it takes it and keeps for it what becomes free.
const reserveAfter = 30 * time.Second

// reserveEvery is how often a process looks for such a run.
const reserveEvery = time.Second

// reservation is a run that this process has taken, and that begins when so much memory is
// free. Meanwhile no others are taken in its place. A process keeps memory for one at a
// time.
type reservation struct {
	mu     sync.Mutex
	run    string // empty for none
	needs  journal.Needs
	looked time.Time
}

// kept is the memory that is not for other runs than one.
func (s *reservation) kept(but string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run == "" || s.run == but {
		return 0
	}
	return s.needs.Memory
}

// due reports whether it is time to look for a run to keep memory for.
func (s *reservation) due(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run != "" || now.Sub(s.looked) < reserveEvery {
		return false
	}
	s.looked = now
	return true
}

func (s *reservation) keep(run string, needs journal.Needs) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.run, s.needs = run, needs
}

func (s *reservation) held() (run string, needs journal.Needs) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.run, s.needs
}

// reserve takes a run that has waited for long because the cells of others left it too
// little memory. W is what there is room for now.
func (e *Engine) reserve(ctx context.Context, w journal.Wanted) error {
	now := time.Now()
	if w.Place.Memory >= e.config.Place.Memory || !e.shared.reserved.due(now) {
		return nil
	}
	free := w.Place.Memory
	w = w.Clone()
	w.Place.Memory = e.config.Place.Memory
	w.Rank = func(r *journal.Record) journal.Rank {
		if r.Needs.Memory > free && now.Sub(r.Created) >= reserveAfter {
			return journal.Gladly
		}
		return journal.NotNow
	}
	w.Most = 1
	ids, err := e.config.Journal.Take(ctx, e.owner(), w)
	if err != nil || len(ids) == 0 {
		return journalError("", err)
	}
	rec, err := e.config.Journal.Load(ctx, ids[0])
	if err != nil {
		e.release(ctx, ids[0])
		return journalError(ids[0], err)
	}
	e.config.Logger.Info("keeping memory free for a run that waits for it", "run", rec.ID, "memory", rec.Needs.Memory)
	e.shared.reserved.keep(rec.ID, rec.Needs)
	return nil
}

// continueReserved begins the run that memory is kept for, if so much is free by now, and
// forgets it if it was cancelled.
func (e *Engine) continueReserved(ctx context.Context) {
	id, _ := e.shared.reserved.held()
	if id == "" {
		return
	}
	rec, err := e.config.Journal.Load(ctx, id)
	switch {
	case err != nil:
		e.config.Logger.Warn("looking at a run that memory is kept for", "run", id, "error", err)
		return
	case rec.Holder != e.owner() || rec.Status.Ended():
		e.shared.reserved.keep("", journal.Needs{})
		return
	case e.freeMemory(nil) < 0: // which what is kept has left
		return
	}
	err = e.continueTaken(ctx, id)
	e.shared.reserved.keep("", journal.Needs{})
	if err != nil {
		e.config.Logger.Warn("continuing a run that memory was kept for", "run", id, "error", err)
		e.release(ctx, id)
	}
}

// unreserve gives the run back that memory is kept for, so that others take it.
func (e *Engine) unreserve(ctx context.Context) {
	if id, _ := e.shared.reserved.held(); id != "" {
		e.shared.reserved.keep("", journal.Needs{})
		e.release(ctx, id)
	}
}

// waitsForReserved says that memory is kept for a run here, or nil.
func (e *Engine) waitsForReserved(rec *journal.Record) *api.Waiting {
	id, needs := e.shared.reserved.held()
	if id != rec.ID {
		return nil
	}
	return &api.Waiting{Reason: api.WaitFreeMemory, Message: "its node keeps for it what cells of others give back, until " + quantity.FormatSize(needs.Memory) + " of memory are free"}
}
