package engine

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/budget"
	"github.com/glovebox-dev/glovebox/internal/cache"
	"github.com/glovebox-dev/glovebox/internal/engine/admission"
	"github.com/glovebox-dev/glovebox/internal/engine/replay"
	"github.com/glovebox-dev/glovebox/internal/engine/runlog"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// run is a run that this process executes.
type run struct {
	engine *Engine
	kind   api.TaskKind
	parent *run  // nil at the top
	memory int64 // bytes that its cell asks for; 0 if it has none

	imageTook      time.Duration // until the image was there, if the cache asked for it
	waitsForSlot   atomic.Bool   // it has a turn, and its image
	waitsForPermit atomic.Bool   // it needs no turn
	ctx            context.Context
	cancel         context.CancelCauseFunc
	done           chan struct{} // closed when it has ended, and that is durable

	state       state
	ledger                        // its record and events
	ticket      *admission.Ticket // its turn and its slot
	children    admission.Group[*run]
	submissions replay.Submissions // what its program asks for, and earlier attempts of it got
	callSite    *callSite          // where an orchestrator called it; nil if none did
	hold        atomic.Pointer[hold]
	bed         bed

	assignment
	plan       plan
	durability durability
	log        *runlog.Log
	seen       int    // bytes of its output that streams.stdout has got
	seed       []byte // the randomness of all attempts; nil if the task has none
	progress   progress
	untold     untold
	product
}

// assignment is what a run has to do.
type assignment struct {
	task     *api.Task    // nil while it waits in a queue
	inputs   value.Fields // the same
	override api.CacheMode
	streams  streams
}

// plan says where a run begins. The zero plan is the beginning.
type plan struct {
	attempts     int             // made already
	failures     []*api.Error    // of those that have ended, since the run last began
	replay       *replay.History // of the attempt that was under way
	inDoubt      bool            // an attempt was under way, of a task that is no orchestrator
	retryUnknown bool
	woken        bool // the attempt that was under way was asleep
}

// product is what a run has made.
type product struct {
	outputs   outputs
	share     *budget.Share  // of the memory that outputs take until they are in the journal
	flight    string         // the cache key that other runs wait for
	comparing sync.WaitGroup // explains a miss
	entry     *cache.Entry   // for the cache, when the run ends

	result    *api.Result // when it has ended; ledger.mu guards it
	resultErr *api.Error
}

func (e *Engine) newRun(rec journal.Record, parent *run) *run {
	ctx := e.ctx
	switch {
	case parent != nil:
		ctx = parent.ctx
	case rec.Owner != "":
		ctx = api.WithIdentity(ctx, api.Identity{Owner: rec.Owner})
	}
	r := &run{engine: e, kind: rec.Kind, parent: parent, ledger: newLedger(e.config.Journal, rec), done: make(chan struct{})}
	if r.kind == api.KindSandbox {
		r.memory = rec.Needs.Memory
	}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	r.ticket = e.admission.Ticket(rec.Kind, parent.ticketOf(), r)
	r.ticket.Own(rec.Owner)
	if parent == nil {
		r.ticket.Prioritize(rec.Priority)
	}
	if r.bounded() {
		r.ticket.Block()
	}
	r.log = runlog.New(e.logPath(rec.ID), r.wake, runlog.Bound{Bytes: e.config.LogBytes, Room: e.config.LogRoom})
	return r
}

// ticketOf returns the ticket of a run; nil if r is nil.
func (r *run) ticketOf() *admission.Ticket {
	if r == nil {
		return nil
	}
	return r.ticket
}

// Begin carries the run out, whose turn it is.
func (r *run) Begin() { r.engine.work.Go(r.execute) }

// Interrupt ends the run, which waits for its turn while the engine closes.
func (r *run) Interrupt() {
	r.cancel(errClosing)
	r.engine.work.Go(func() { r.finish(nil, errClosing) })
}

// maxProgress bounds the stages that late watchers still see.
const maxProgress = 64

// progress is the newest stages of a run, which are not in the journal.
// ledger.mu guards it.
type progress struct {
	newest  []api.Progress
	dropped int // before those
}

func (p *progress) add(stage api.Progress) {
	if len(p.newest) == maxProgress {
		p.newest = append(p.newest[:0], p.newest[1:]...)
		p.dropped++
	}
	p.newest = append(p.newest, stage)
}

// after returns the stages after the first n, and how many there are in all.
func (p *progress) after(n int) ([]api.Progress, int) {
	fresh := p.newest[min(max(n-p.dropped, 0), len(p.newest)):]
	return slices.Clone(fresh), p.dropped + len(p.newest)
}

// show passes a stage to the caller, once that knows of the run, and to watchers.
func (r *run) show(stage api.Progress) {
	r.tell(stage)
	r.mu.Lock()
	r.progress.add(stage)
	r.mu.Unlock()
	r.wake()
}

// load fetches the task and the inputs of a run that waited without them.
func (r *run) load(ctx context.Context) (err error) {
	if r.task != nil {
		return nil
	}
	rec, err := r.engine.config.Journal.Load(ctx, r.id)
	if err != nil {
		return journalError(r.id, err)
	}
	if r.task, err = r.engine.loadTask(ctx, rec.TaskDigest); err != nil {
		return err
	}
	rec.Approval = r.record().Approval // the journal may not have the decision yet
	r.inputs, err = r.engine.loadInputs(ctx, r.task, rec)
	return err
}

// unload forgets them again, for as long as the run waits.
func (r *run) unload() { r.task, r.inputs = nil, value.Fields{} }
