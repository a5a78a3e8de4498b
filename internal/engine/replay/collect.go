package replay

import (
	"context"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// Source reads earlier runs. Its errors are *api.Error.
type Source interface {
	// Load returns the record of a run, or NotFound.
	Load(ctx context.Context, id string) (*journal.Record, error)
	// CallsOf returns the runs that a run started, by the numbers of the calls, and
	// of one number, or of none, in the order in which they began.
	CallsOf(ctx context.Context, rec *journal.Record) ([]*journal.Record, error)
}

// collector fills a pool. Used has the origins and the keys of the calls that
// are taken already.
type collector struct {
	source Source
	pool   *Pool
	used   map[string]bool
}

// OfOrchestrator collects what earlier attempts of an orchestrator called, and
// the run that it repeats. Calls that the history of the attempt has are not for
// others. It returns nil if there was nothing before.
func OfOrchestrator(ctx context.Context, s Source, rec *journal.Record, h *History) (*Pool, error) {
	if rec.Attempts <= 1 && rec.Reuse == nil {
		return nil, nil
	}
	c := collector{s, newPool(), map[string]bool{}}
	own, err := s.CallsOf(ctx, rec)
	if err != nil {
		return nil, err
	}
	for _, call := range own {
		if h.HasRun(call.ID) {
			c.use(call)
		}
	}
	c.addTries(own)
	return c.pool, c.addEarlier(ctx, rec)
}

// OfProgram collects what earlier attempts of a program started. It returns nil
// if there was nothing before.
func OfProgram(ctx context.Context, s Source, rec *journal.Record) (*Pool, error) {
	if rec.Attempts <= 1 && rec.Reuse == nil {
		return nil, nil
	}
	c := collector{s, newPool(), map[string]bool{}}
	own, err := s.CallsOf(ctx, rec)
	if err != nil {
		return nil, err
	}
	c.addDone(own)
	c.addOwed(own)
	for _, call := range NewestTries(own) {
		if call.Status != api.StatusSucceeded && !call.Owed {
			c.used[Key(call)] = true
			c.pool.failed.add(call) // also one that never began: the further attempt continues it
		}
	}
	return c.pool, c.addEarlier(ctx, rec)
}

// addEarlier adds the calls of the run that this one repeats. A rerun reuses the
// successes of that run alone. Otherwise that run was an earlier try of the same
// call, and may have been a repetition too.
func (c *collector) addEarlier(ctx context.Context, rec *journal.Record) error {
	for rec.Reuse != nil {
		before, rerun := rec.Reuse.Before, rec.RerunOf != ""
		earlier, err := c.source.Load(ctx, rec.Reuse.Run)
		if err != nil {
			if rerun && api.AsError(err).Code == api.NotFound {
				return nil // it was pruned
			}
			return err
		}
		calls, err := c.source.CallsOf(ctx, earlier)
		if err != nil {
			return err
		}
		if rerun {
			c.addDone(slices.DeleteFunc(calls, func(call *journal.Record) bool { return before > 0 && call.Call >= before }))
			return nil
		}
		c.addTries(calls)
		rec = earlier
	}
	return nil
}

func (c *collector) use(call *journal.Record) { c.used[Origin(call)], c.used[Key(call)] = true, true }

func (c *collector) addTries(calls []*journal.Record) {
	c.addDone(calls)
	c.addOwed(calls)
	c.addFailed(calls)
}

// addDone takes calls that succeeded, each origin once.
func (c *collector) addDone(calls []*journal.Record) {
	for _, call := range calls {
		if call.Status == api.StatusSucceeded && !c.used[Origin(call)] {
			c.use(call)
			c.pool.done.add(call)
		}
	}
}

// addOwed takes calls that a person resolved as failed and that were not tried
// again since.
func (c *collector) addOwed(calls []*journal.Record) {
	for _, call := range NewestTries(calls) {
		if key := Key(call); call.Owed && !c.used[key] {
			c.used[key] = true
			c.pool.done.add(call)
		}
	}
}

// addFailed takes calls that began and did not succeed, the newest of each key.
func (c *collector) addFailed(calls []*journal.Record) {
	for _, call := range NewestTries(calls) {
		key := Key(call)
		if call.Status == api.StatusSucceeded || call.Attempts == 0 && call.CachedRun == "" || c.used[key] {
			continue
		}
		c.used[key] = true
		c.pool.failed.add(call)
	}
}
