package engine

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// owner names this process in the journal, as long as its lease holds.
func (e *Engine) owner() string { return *e.name.Load() }

// errLost refuses runs while this process holds nothing.
var errLost = api.Errorf(api.ServerUnavailable, "this node has lost its lease and takes no runs before it has another one").
	WithHint("try again in a moment, or ask another node")

// Surrender stops all runs of this process, whose lease is over, and returns when
// nothing is left of them. Nothing of it is written: others go on with them. It takes
// no new ones before Rejoin.
func (e *Engine) Surrender() {
	e.mu.Lock()
	e.lost = true
	e.shared.reserved.keep("", journal.Needs{})
	live := make([]*run, 0, len(e.live))
	for _, r := range e.live {
		live = append(live, r)
	}
	e.mu.Unlock()
	for _, r := range live {
		r.cancel(errTaken)
		r.withdraw()
	}
	for _, r := range live {
		<-r.done
	}
}

// Rejoin lets this process hold runs again, under another name: what it held under
// the old one is not its own any more.
func (e *Engine) Rejoin(owner string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.name.Store(&owner)
	e.lost = false
}

// taken reports whether the run belongs to another process by now.
func (r *run) taken() bool { return errors.Is(context.Cause(r.ctx), errTaken) }

// shared is what an engine knows of others that work on the same journal.
type shared struct {
	on     atomic.Bool // servers take what is left of others
	short  atomic.Bool // there was no memory for a run
	passed passedOver

	reserved reservation

	mu      sync.Mutex
	news    chan struct{} // closed when another process wrote something for this one
	waiting int           // runs without a process, when they were counted, and those since
	counted time.Time
}

func (s *shared) init() { s.news = make(chan struct{}) }

// heard returns a channel that is closed at the next news.
func (s *shared) heard() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.news
}

// Hear says that another process wrote something to the journal that may be for this
// one, so that it need not wait until it looks by itself.
func (e *Engine) Hear() {
	e.shared.mu.Lock()
	defer e.shared.mu.Unlock()
	close(e.shared.news)
	e.shared.news = make(chan struct{})
}

// Share says that servers work on the journal which take what has no owner: a run that
// was interrupted is continued by itself.
func (e *Engine) Share(on bool) { e.shared.on.Store(on) }

// goesOn reports whether a run that has no live process will be taken by a server.
func (e *Engine) goesOn(rec *journal.Record) bool {
	return e.shared.on.Load() && !rec.Status.Ended() && rec.Deaths < maxDeaths
}

// Room is how many more runs of a kind this process could carry out now.
func (e *Engine) Room(kind api.TaskKind) int {
	if e.isClosed() || e.isLost() {
		return 0
	}
	return max(0, e.admission.Room(kind))
}

// Freed returns what gets something when this process has room again after it had none.
func (e *Engine) Freed() <-chan struct{} { return e.admission.Freed() }

// release gives up a run that this process took over and could not continue.
func (e *Engine) release(ctx context.Context, id string) {
	rec, err := e.config.Journal.Load(ctx, id)
	if err == nil && rec.Holder == e.owner() && e.liveRun(id) == nil && !rec.Status.Ended() {
		err = e.markInterrupted(ctx, rec)
	}
	if err != nil && ctx.Err() == nil {
		e.config.Logger.Warn("giving a run back", "run", id, "error", err)
	}
}

func (e *Engine) isLost() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.lost
}
