package engine

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// watchPoll is how often a run of another process is looked at.
const watchPoll = 200 * time.Millisecond

// watcher waits for the next change of a run.
type watcher struct {
	run     *run
	changed <-chan struct{} // of a run of this process, or what is heard of others
}

// watch returns a watcher as of now, and whether the run rests: nothing more
// will happen to it by itself.
func (e *Engine) watch(ctx context.Context, id string) (w watcher, rests bool) {
	if r := e.liveRun(id); r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		return watcher{r, r.changed}, false
	}
	w.changed = e.shared.heard()
	rec, err := e.config.Journal.Load(ctx, id)
	return w, err != nil || rec.Status.Ended() || (rec.Status == api.StatusInterrupted || e.abandoned(rec)) && !e.goesOn(rec)
}

// wait returns after the next change, or after a while.
func (w watcher) wait(ctx context.Context) error {
	var done <-chan struct{}
	var poll <-chan time.Time
	if w.run != nil {
		done = w.run.done
	} else {
		poll = time.After(watchPoll)
	}
	select {
	case <-ctx.Done():
		return api.Errorf(api.Canceled, "the waiting was ended: %w", context.Cause(ctx))
	case <-w.changed:
	case <-done:
	case <-poll:
	}
	return nil
}

// eventPage is how many events are read in one query.
const eventPage = 256

// Events yields the events of a run after number after, and those to come until
// it has ended or was interrupted.
func (e *Engine) Events(ctx context.Context, id string, after int64) iter.Seq2[api.Event, error] {
	return func(yield func(api.Event, error) bool) {
		if _, err := e.config.Journal.Load(ctx, id); err != nil {
			yield(api.Event{}, journalError(id, err))
			return
		}
		f := follower{engine: e, id: id, after: after}
		for {
			w, rests := e.watch(ctx, id)
			if w.run != nil {
				// Events are shown only when they are durable.
				if err := w.run.settled(ctx); err != nil && ctx.Err() != nil {
					yield(api.Event{}, err)
					return
				}
				if !f.stages(w.run, yield) {
					return
				}
			}
			if !f.events(ctx, yield) || rests {
				return
			}
			if err := w.wait(ctx); err != nil {
				yield(api.Event{}, err)
				return
			}
		}
	}
}

// follower remembers what of a run was shown.
type follower struct {
	engine *Engine
	id     string
	after  int64
	seen   int // stages
}

// events yields what the journal has, and reports whether to continue.
func (f *follower) events(ctx context.Context, yield func(api.Event, error) bool) bool {
	for {
		page, err := f.engine.config.Journal.Events(ctx, f.id, f.after, eventPage)
		if err != nil {
			yield(api.Event{}, journalError(f.id, err))
			return false
		}
		for _, ev := range page {
			f.after = ev.Seq
			if !yield(ev, nil) {
				return false
			}
		}
		if len(page) < eventPage {
			return true
		}
	}
}

// stages yields the stages that were not shown yet, as far as they are kept.
func (f *follower) stages(r *run, yield func(api.Event, error) bool) bool {
	r.mu.Lock()
	fresh, seen := r.progress.after(f.seen)
	f.seen = seen
	r.mu.Unlock()
	for _, p := range fresh {
		data, err := json.Marshal(p)
		if err != nil || !yield(api.Event{Run: f.id, Time: time.Now().UTC(), Kind: api.EventProgress, Data: data}, nil) {
			return false
		}
	}
	return true
}

// Wait waits for a run to end and returns its result.
func (e *Engine) Wait(ctx context.Context, id string) (*api.Result, error) {
	return e.await(ctx, id, e.result)
}

// Ended is Wait for those who take the outputs from Outcome, as text: they may be
// missing in the result.
func (e *Engine) Ended(ctx context.Context, id string) (*api.Result, error) {
	return e.await(ctx, id, func(ctx context.Context, id string) (*api.Result, error) {
		result, _, err := e.ended(ctx, id)
		return result, err
	})
}

// await waits for a run to end and returns the result that is kept of it, or the
// one that is read.
func (e *Engine) await(ctx context.Context, id string, read func(context.Context, string) (*api.Result, error)) (*api.Result, error) {
	for {
		if result := e.justEnded(id); result != nil {
			return result, nil
		}
		w, rests := e.watch(ctx, id)
		if rests {
			return read(ctx, id)
		}
		if w.run == nil {
			if err := w.wait(ctx); err != nil {
				return &api.Result{RunID: id}, err
			}
			continue
		}
		select {
		case <-ctx.Done():
			return &api.Result{RunID: id}, api.Errorf(api.Canceled, "the waiting was ended: %w", context.Cause(ctx))
		case <-w.run.done:
			if w.run.taken() {
				continue // another process has it
			}
			if result, err, ok := w.run.outcome(); ok {
				return result, err
			}
			return read(ctx, id)
		}
	}
}

// justEnded returns the result of a run that succeeded a moment ago, or nil.
func (e *Engine) justEnded(id string) *api.Result {
	if e.liveRun(id) != nil {
		return nil
	}
	return e.recent.find(id)
}
