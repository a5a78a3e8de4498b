// Package engine executes runs. What a task does is the business of the
// Runner of its kind; the engine gives each run an id, keeps it in the journal,
// looks in the cache, waits for a slot, makes as many attempts as the policy
// allows, and continues runs whose process died. The code of an orchestrator
// calls tools through it, each call being a run of its own.
//
// # The life of a run
//
// A run has one phase at a time in the process that executes it (state.go has
// the table, and checks every change against it):
//
//	admitted ──▶ queued ───┐      waits for its turn
//	 │    │                ▼
//	 │    └────────────▶ started ◀────┐   cache, doubt, slot, back-off
//	 ▼                   ▲    │       │ failed
//	resumed ─────────────┘    ▼       │
//	 ▲                       attempting   the runner works: it computes,
//	 │                         │          waits for calls, sleeps
//	 └──────── asleep ◀────────┘
//
//	admitted, resumed ──▶ held ──▶ queued, resumed, started   waits for a person
//
//	(any of these) ──▶ ending ──▶ ended
//
// A run whose task asks for approval is held before anything of it is executed. A
// new run skips the queue if a turn is free, and begins its first attempt with
// its creation if a slot is free too. A run that is resumed after a crash, or
// that slept without a goroutine, waits for its turn in resumed. Doubt whether
// an earlier attempt took effect ends a run from started. A run that the engine
// interrupts ends here too, and is admitted again by the process that resumes it.
//
// # What is durable when
//
//	event              submitted                     the run waits for it before
//	created            alone, or with the two below  Submit returns
//	started            with created, or alone        (covered by attempt_started)
//	attempt_started    with created, or alone        it reaches outside, or shows output
//	call_started       with created of the child     the child begins
//	call_ended         with ended of the child       the next call_started is durable
//	sleep_started      alone                         never
//	attempt_ended      with ended, or alone          the next attempt
//	ended              with attempt_ended            anyone gets the result
//
// Submissions of one process become durable in their order, so what comes later
// proves what came before. A run may even work while its creation is written;
// durability.go says what must wait then.
//
// # Where to read
//
//	engine.go       Engine: what is live, drain and close
//	state.go        the phases; run.go and ledger.go: a run, its record and events
//	submit.go       from a submission to a run; durability.go
//	admission/      turns and slots
//	execute.go      the attempts; retry.go, caching.go, files.go
//	finish.go       the end, and cancellation
//	calls.go        calls of orchestrators; answers.go, giveup.go, sleep.go, asleep.go
//	approve.go      what people decide; hold.go, park.go: the waiting for it
//	started.go      runs that a cell or a function starts by itself
//	recover.go      crashes and resumption; doubt.go, resolve.go, orphan.go
//	replay/         what need not be done again
//	replay.go       an attempt that resumes; reuse.go, resubmit.go, rerun.go: further ones
//	nodes.go        several processes on one journal: what is lost
//	reserve.go      memory that is kept free for a run that waited for long
//	gate.go         what lets so many runs of a task or a label work at the same time
//	placement.go    what a run needs of a process, and which run a process takes; offer.go: what it leaves to others; waiting.go: why a run waits
//	watch.go        events and results for others; results.go, logs.go
package engine

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/budget"
	"github.com/glovebox-dev/glovebox/internal/cache"
	"github.com/glovebox-dev/glovebox/internal/engine/admission"
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
	// HasBlob reports whether an owner may name bytes by their digest. It is asked only
	// about clients with an identity that is no admin's.
	HasBlob func(ctx context.Context, owner, digest string) (bool, error)
	// Catalog finds a deployed task by NAME or NAME@VERSION.
	Catalog func(ctx context.Context, ref string) (*api.TaskVersion, error)
	// FileDir is where files of runs are laid out, LogDir where their logs are.
	FileDir, LogDir string
	// Owner names this process in the journal, see Rejoin; Alive tells whether the
	// process of that name lives.
	Owner string
	Alive func(owner string) bool
	// Limits are the slots of each kind: how many attempts may be under way at the
	// same time. 0 means two for each CPU for sandboxes, DefaultSlots for others.
	Limits map[api.TaskKind]int
	// MaxQueued bounds the runs that wait; 0 means DefaultQueued.
	MaxQueued int
	// Place is what this process has for runs.
	Place Place
	// LabelLimits are how many runs with a label work at the same time, of those that this
	// process takes in.
	LabelLimits []LabelLimit
	// Nodes are the servers on the journal; nil means that there are no others.
	Nodes func(context.Context) ([]api.Node, error)
	// Memory is what values that are decoded may take together; nil bounds nothing.
	Memory *budget.Memory
	// Space calls what keeps an output again if that found no space; nil does not.
	Space func(ctx context.Context, write func() error) error
	// LogBytes bounds what a run keeps of what it prints, 0 means runlog.DefaultBytes;
	// LogRoom says whether the disk has room for a long log, see runlog.Bound.
	LogBytes int64
	LogRoom  func() bool
	// Ended is called with each run that ends in this process; it may be nil.
	Ended  func(api.Run)
	Logger *slog.Logger
}

// LabelLimit is how many runs with a label work at the same time.
type LabelLimit struct {
	Name, Value string
	Most        int
}

// The defaults of Config.
const (
	DefaultSlots  = 1000
	DefaultQueued = 100_000
)

// Engine executes runs. It is safe for concurrent use.
type Engine struct {
	config    Config
	admission *admission.Controller
	flights   flights
	recent    recent

	longSleep time.Duration // after which an attempt that sleeps rests
	holds     atomic.Int64  // runs that wait for people

	evicting sync.Mutex // guards eviction
	eviction cache.Eviction

	ctx  context.Context // ends when the engine closes
	stop context.CancelCauseFunc
	work sync.WaitGroup // goroutines

	name   atomic.Pointer[string] // see owner
	shared shared
	gate   gate

	mu     sync.Mutex
	live   map[string]*run
	closed bool
	lost   bool          // from Surrender to Rejoin
	idle   chan struct{} // closed when no run is live any more; nil unless someone waits
}

// New returns an engine. Close it after use.
func New(c Config) *Engine {
	e := &Engine{config: c, live: map[string]*run{}, longSleep: api.LongSleep, eviction: cache.Eviction{Store: c.Cache}}
	e.ctx, e.stop = context.WithCancelCause(context.Background())
	e.name.Store(&c.Owner)
	e.shared.init()
	e.gate.init()
	slots := map[api.TaskKind]int{}
	for kind := range c.Kinds {
		slots[kind] = e.limit(kind)
	}
	e.admission = admission.New(slots)
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
	return DefaultSlots
}

// errClosing is the cause when the engine interrupts runs because it closes.
var errClosing = errors.New("the engine was closed")

// Drain refuses new runs and waits until those under way have ended, or ctx.
// Runs that wait for their turn or for people, or sleep for long, are interrupted immediately:
// they lose nothing and can be resumed.
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
	for _, r := range e.live {
		if r.state.in(asleep) || r.state.in(held) && r.parent == nil {
			r.cancel(errClosing)
		}
	}
	e.mu.Unlock()
	e.admission.Drain()
	e.unreserve(context.WithoutCancel(ctx))
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (e *Engine) isClosed() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.closed
}

func (e *Engine) isIdle() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.live) == 0
}

// UnderWay returns the live runs of this process, but for those below others.
func (e *Engine) UnderWay() (runs []api.Run) {
	e.mu.Lock()
	live := slices.Collect(maps.Values(e.live))
	e.mu.Unlock()
	for _, r := range live {
		if r.parent == nil {
			runs = append(runs, r.record().Run)
		}
	}
	slices.SortFunc(runs, func(a, b api.Run) int { return strings.Compare(a.ID, b.ID) })
	return runs
}

// Close interrupts the runs under way, so that they can be resumed, and waits
// until nothing of them is left in this process.
func (e *Engine) Close() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.unreserve(context.Background())
	e.stop(errClosing)
	e.admission.Drain()
	e.work.Wait()
}

// admit makes a run live. An engine that closes still admits what live runs start,
// since these could not end well otherwise.
func (e *Engine) admit(r *run) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed && (r.parent == nil || e.live[r.parent.id] != r.parent) {
		return api.Errorf(api.ServerUnavailable, "Glovebox is shutting down and takes no new runs")
	}
	if e.lost {
		return errLost
	}
	if e.live[r.id] != nil {
		return underWay(r.id)
	}
	e.live[r.id] = r
	e.work.Add(1) // Close waits for it, whichever goroutine has it
	return nil
}

// forget removes a run that admit made live.
func (e *Engine) forget(r *run) {
	defer e.work.Done()
	defer e.gaveMemory(r)
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.live, r.id)
	r.to(ended)
	if r.parent != nil {
		r.parent.children.Remove(r)
	}
	if len(e.live) == 0 && e.idle != nil {
		close(e.idle)
		e.idle = nil
	}
}

// dismiss removes a run that was admitted and did not begin. Its waiters find the
// outcome in the journal.
func (e *Engine) dismiss(r *run) {
	r.to(ending)
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

// cancelPoll is how often the engine looks for requests to cancel of other
// processes. Every ownerTicks times it looks for runs that they have taken over.
const (
	cancelPoll = 250 * time.Millisecond
	ownerTicks = 20
)

// watchCancels cancels runs that other processes ask this one to cancel.
func (e *Engine) watchCancels() {
	tick := time.NewTicker(cancelPoll)
	defer tick.Stop()
	news := e.shared.heard()
	for ticks := 0; ; {
		select {
		case <-e.ctx.Done():
			return
		case <-tick.C:
		case <-news:
			news = e.shared.heard()
		}
		if e.isIdle() {
			continue
		}
		if ticks++; ticks%ownerTicks == 0 {
			e.releaseTaken(e.liveRuns())
		}
		e.takeDecisions()
		asked, err := e.config.Journal.CancelRequests(e.ctx, e.owner())
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

// errTaken is the cause when another process has taken a run over. It took this
// process for dead, which may have been stopped for a long time.
var errTaken = errors.New("another process has taken it over")

// releaseTaken cancels the runs that other processes have taken over. Live has the
// runs that this process owned before the journal is read.
func (e *Engine) releaseTaken(live map[string]bool) {
	unfinished, err := e.config.Journal.Unfinished(e.ctx)
	if err != nil && !errors.Is(err, journal.ErrDamaged) {
		return // the next tick asks again
	}
	for _, rec := range unfinished {
		if rec.Holder == e.owner() {
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
