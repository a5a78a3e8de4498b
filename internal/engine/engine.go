// Package engine carries out runs. It gives a run its id, writes the journal,
// looks in the cache, waits for a free place, and attempts the task as often as
// its policy and the kind of failure allow. It lets the code of an orchestrator
// call tools, each as a run of its own, and goes on with runs whose process
// died. What a task does is the business of the Runner of its kind.
package engine

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/cache"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// Runner runs tasks of one kind.
type Runner interface {
	// Validate reports what is wrong with a task as far as that can be known
	// before anything starts.
	Validate(task *api.Task) error
	// Identity names everything beside the task and its inputs that can change
	// the result, such as the digest of the image, which it builds if it must.
	Identity(ctx context.Context, task *api.Task, progress func(api.Progress)) (string, error)
	// Run makes one attempt. A result may come beside an error: it then holds
	// what there is of the failed attempt.
	Run(ctx context.Context, runID string, req *api.Request) (*api.Result, error)
}

// Config is what an Engine is made of.
type Config struct {
	Kinds   map[api.TaskKind]Runner
	Journal journal.Journal
	Blobs   blob.Store
	Cache   cache.Store
	// Catalog finds a deployed task by NAME or NAME@VERSION.
	Catalog func(ctx context.Context, ref string) (*api.TaskVersion, error)
	// FileDir is where files of runs are laid out, LogDir where their logs are.
	FileDir, LogDir string
	// Owner names this process in the journal; Alive tells whether the process
	// of that name lives.
	Owner string
	Alive func(owner string) bool
	// Limits bound how many attempts of a kind are under way at once. Who asks
	// first is served first. 0 means the default: two cells for each CPU, and
	// DefaultPlaces of every other kind.
	Limits map[api.TaskKind]int
	// MaxQueued bounds the runs that wait; 0 means DefaultQueued.
	MaxQueued int
	// Ended is told of each run that ends in this process; nil ignores them.
	Ended  func(api.Run)
	Logger *slog.Logger
}

// The defaults of Config.
const (
	DefaultPlaces = 1000
	DefaultQueued = 100_000
)

// Engine carries out runs. It is safe for concurrent use.
type Engine struct {
	config  Config
	places  map[api.TaskKind]*places
	queues  map[api.TaskKind]*queue
	flights flights
	recent  recent

	longSleep time.Duration // after which an attempt that sleeps rests

	evicting sync.Mutex // guards eviction
	eviction cache.Eviction

	ctx  context.Context // ends when the engine closes
	stop context.CancelCauseFunc
	work sync.WaitGroup // goroutines

	mu     sync.Mutex
	live   map[string]*run
	closed bool
	idle   chan struct{} // closed when no run is live any more; nil unless someone waits
}

// New returns an engine. Close it after use.
func New(c Config) *Engine {
	e := &Engine{config: c, places: map[api.TaskKind]*places{}, queues: map[api.TaskKind]*queue{}, live: map[string]*run{}, longSleep: api.LongSleep, eviction: cache.Eviction{Store: c.Cache}}
	e.ctx, e.stop = context.WithCancelCause(context.Background())
	for kind := range c.Kinds {
		limit := e.limit(kind)
		e.places[kind] = newPlaces(limit)
		e.queues[kind] = &queue{free: admitted(kind, limit)}
	}
	e.work.Go(e.watchCancels)
	return e
}

func (e *Engine) limit(kind api.TaskKind) int {
	switch limit := e.config.Limits[kind]; {
	case limit > 0:
		return limit
	case kind == api.KindSandbox:
		return 2 * runtime.NumCPU()
	}
	return DefaultPlaces
}

// admitted is how many runs of a kind are out of the queue at once: as many as
// there are places, and some more that look in the cache or have their image
// built meanwhile.
func admitted(kind api.TaskKind, limit int) int {
	if kind == api.KindSandbox {
		return 4 * limit
	}
	return limit
}

// errClosing is why runs end that the end of the engine interrupts.
var errClosing = errors.New("the engine was closed")

// Drain refuses new runs and waits until those under way have ended, or ctx.
func (e *Engine) Drain(ctx context.Context) error {
	e.mu.Lock()
	e.closed = true
	idle := make(chan struct{})
	if len(e.live) == 0 {
		close(idle)
	} else if e.idle == nil {
		e.idle = idle
	} else {
		idle = e.idle
	}
	e.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close interrupts the runs under way, so that they can be resumed, and waits
// until nothing of them is left in this process.
func (e *Engine) Close() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.stop(errClosing)
	for _, q := range e.queues {
		for _, r := range q.empty() {
			e.work.Go(func() { r.finish(nil, errClosing) })
		}
	}
	e.work.Wait()
}

// admit makes a run live. What runs under way start for themselves is let in to
// the last: otherwise they could not end well.
func (e *Engine) admit(r *run) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed && (r.parent == nil || e.live[r.parent.id] != r.parent) {
		return api.Errorf(api.ServerUnavailable, "Glovebox is shutting down and takes no new runs")
	}
	if e.live[r.id] != nil {
		return underWay(r.id)
	}
	e.live[r.id] = r
	e.work.Add(1) // Close waits for it, whichever goroutine has it
	return nil
}

// forget ends what admit began.
func (e *Engine) forget(r *run) {
	defer e.work.Done()
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.live, r.id)
	if r.parent != nil {
		r.parent.started.remove(r)
	}
	if len(e.live) == 0 && e.idle != nil {
		close(e.idle)
		e.idle = nil
	}
}

// queueOf is where a run waits for its turn. What a cell started waits in a queue
// of the cell's own, so that it can neither get ahead of others nor fill the
// memory. Below others it goes at once: its parent holds a place, and must not
// wait for one that its parent frees.
func (e *Engine) queueOf(kind api.TaskKind, parent *run) *queue {
	switch {
	case parent == nil:
		return e.queues[kind]
	case parent.kind == api.KindSandbox:
		return parent.calls
	}
	return nil
}

// dismiss lets go of a run that was admitted and did not begin. Whoever waits
// for it looks into the journal.
func (e *Engine) dismiss(r *run) {
	r.giveBack()
	e.forget(r)
	r.cancel(nil)
	close(r.done)
}

func (e *Engine) liveRun(id string) *run {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.live[id]
}

// Live counts the runs of this process by kind and status.
func (e *Engine) Live() map[api.TaskKind]map[api.Status]int {
	e.mu.Lock()
	runs := slices.Collect(maps.Values(e.live))
	e.mu.Unlock()
	counts := map[api.TaskKind]map[api.Status]int{}
	for _, r := range runs {
		rec := r.record()
		if counts[rec.Kind] == nil {
			counts[rec.Kind] = map[api.Status]int{}
		}
		counts[rec.Kind][rec.Status]++
	}
	return counts
}

// cancelPoll is how often other processes are listened to. Every ownerTicks
// times it is asked whether they have taken runs over.
const (
	cancelPoll = 250 * time.Millisecond
	ownerTicks = 20
)

// watchCancels cancels runs that other processes ask this one to cancel.
func (e *Engine) watchCancels() {
	tick := time.NewTicker(cancelPoll)
	defer tick.Stop()
	for ticks := 0; ; {
		select {
		case <-e.ctx.Done():
			return
		case <-tick.C:
		}
		live := e.liveRuns()
		if len(live) == 0 {
			continue
		}
		if ticks++; ticks%ownerTicks == 0 {
			e.yield(live)
		}
		asked, err := e.config.Journal.CancelRequests(e.ctx, e.config.Owner)
		if err != nil && e.ctx.Err() == nil {
			e.config.Logger.Warn("reading requests to cancel runs", "error", err)
		}
		for id, reason := range asked {
			if r := e.liveRun(id); r != nil {
				r.requestCancel(reason)
			}
		}
	}
}

// errTaken is why runs end that another process carries out now: it took this
// one, which may have been stopped for a long time, for dead.
var errTaken = errors.New("another process has taken it over")

// yield ends the runs that other processes have taken over. Live are those that
// were owned by this one before the journal is read.
func (e *Engine) yield(live map[string]bool) {
	unfinished, err := e.config.Journal.Unfinished(e.ctx)
	if err != nil && !errors.Is(err, journal.ErrDamaged) {
		return // the next tick asks again
	}
	for _, rec := range unfinished {
		if rec.Owner == e.config.Owner {
			delete(live, rec.ID)
		}
	}
	for id := range live { // taken over, ended, or not in the journal yet
		rec, err := e.config.Journal.Load(e.ctx, id)
		if r := e.liveRun(id); err == nil && r != nil && rec.Fence > r.record().Fence {
			r.cancel(errTaken)
		}
	}
}
