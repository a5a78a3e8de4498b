package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cache"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// run is a run that this process carries out.
type run struct {
	engine *Engine
	id     string
	kind   api.TaskKind
	parent *run // the run whose call it is; nil if it is none
	ctx    context.Context
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when it has ended, and that is durable

	task      *api.Task      // nil while it waits in a queue
	inputs    map[string]any // the same
	plan      plan
	override  api.CacheMode
	streams   streams
	log       *runLog
	seen      int             // bytes of its output that streams.stdout has got
	made      journal.Receipt // of its creation; nil if that was durable before it was live
	begin     journal.Receipt // of what is durable before anything of the run is felt outside; nil if it is
	told      *told           // of a run that goes ahead of its creation
	outputs   outputs
	flight    string         // that it carries out, for others that ask for the same
	comparing sync.WaitGroup // whoever explains a miss
	entry     *cache.Entry   // to be kept when it ends
	site      *site          // where an orchestrator called it
	place     *places        // that it holds
	queue     *queue         // that it waits in; nil if it goes at once
	queued    bool           // it takes part in its queue

	loan, cellLoan *places // for one run below it each, see sources
	calls          *queue  // of the runs that its cell started; nil if it is no cell
	started        started

	mu   sync.Mutex // guards what follows, and the order of submissions
	rec  journal.Record
	last journal.Receipt // of the newest submission
	// unconfirmed is the oldest submission that nobody has seen durable: when one
	// fails, those after it fail for another reason, which says nothing.
	unconfirmed journal.Receipt
	latest      time.Time      // of the newest event of this process
	attemptAt   time.Time      // when the newest attempt began
	seed        []byte         // the randomness of all attempts; nil if the task has it not
	changed     chan struct{}  // closed at the next change
	progress    []api.Progress // the newest
	shown       int            // how many there were before those
	result      *api.Result    // when it has ended
	resultErr   *api.Error
}

// plan says where a run begins. The zero plan is the beginning.
type plan struct {
	attempts     int      // made already
	replay       *history // of the attempt that was under way
	inDoubt      bool     // an attempt was under way, of a task that is no orchestrator
	retryUnknown bool
	started      bool // started is in the journal already
	slept        bool // the attempt that was under way sleeps no more
	begun        bool // attempt_started is in the journal already, with the creation of the run
}

func (e *Engine) newRun(rec journal.Record, parent *run) *run {
	ctx := e.ctx
	if parent != nil {
		ctx = parent.ctx
	}
	r := &run{engine: e, id: rec.ID, kind: rec.Kind, parent: parent, rec: rec, done: make(chan struct{}), changed: make(chan struct{})}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	r.loan, r.cellLoan, r.queue = newPlaces(1), newPlaces(1), e.queueOf(rec.Kind, parent)
	if rec.Kind == api.KindSandbox {
		r.calls = &queue{free: api.DefaultParallel}
	}
	r.log = newRunLog(e.logPath(rec.ID), r.wake)
	return r
}

// record returns the run as it is now.
func (r *run) record() journal.Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rec
}

// event is what happened, before it has a number and a time.
type event struct {
	kind api.EventKind
	data any
}

// prepare numbers the events and returns the change. The caller holds r.mu, has
// edited r.rec, and submits the change before it lets go.
func (r *run) prepare(events ...event) journal.Change {
	now := time.Now().UTC()
	r.latest = now
	c := journal.Change{Events: make([]api.Event, len(events))}
	for i, ev := range events {
		data, err := json.Marshal(ev.data)
		if err != nil { // structs of strings and numbers: nothing that can fail
			panic(fmt.Sprintf("encoding an event: %v", err))
		}
		r.rec.Seq++
		if ev.kind == api.EventAttemptStarted {
			r.attemptAt = now
		}
		c.Events[i] = api.Event{Run: r.id, Seq: r.rec.Seq, Time: now, Kind: ev.kind, Data: data}
	}
	c.Record = r.rec
	r.rec.InputsPayload = journal.Payload{} // the journal has it from here on
	return c
}

// submitted remembers the newest receipt and wakes those who watch. The caller
// holds r.mu.
func (r *run) submitted(receipt journal.Receipt) {
	r.last = receipt
	if r.unconfirmed == nil {
		r.unconfirmed = receipt
	}
	close(r.changed)
	r.changed = make(chan struct{})
}

// change edits the record, says what happened, and hands both to the journal.
func (r *run) change(edit func(*journal.Record) journal.Change, events ...event) journal.Receipt {
	r.mu.Lock()
	defer r.mu.Unlock()
	extra := edit(&r.rec)
	c := r.prepare(events...)
	c.Tasks, c.Blobs = extra.Tasks, extra.Blobs
	receipt := r.engine.config.Journal.Submit(c)
	r.submitted(receipt)
	return receipt
}

// edited is for edits that bring neither tasks nor blobs along.
func edited(f func(*journal.Record)) func(*journal.Record) journal.Change {
	return func(rec *journal.Record) journal.Change {
		f(rec)
		return journal.Change{}
	}
}

// durable waits for a submission of the run, and says why it or one before it
// failed.
func (r *run) durable(ctx context.Context, receipt journal.Receipt) error {
	err := receipt.Wait(ctx)
	r.mu.Lock()
	oldest := r.unconfirmed
	if err == nil {
		r.unconfirmed = nil
	}
	r.mu.Unlock()
	if errors.Is(err, journal.ErrSequence) && oldest != nil {
		if cause := oldest.Wait(ctx); cause != nil {
			err = cause
		}
	}
	return journalError(r.id, err)
}

// settled waits until everything that was handed to the journal is durable.
func (r *run) settled(ctx context.Context) error {
	r.mu.Lock()
	last := r.last
	r.mu.Unlock()
	if last == nil {
		return nil
	}
	return r.durable(ctx, last)
}

func (r *run) wake() {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.changed)
	r.changed = make(chan struct{})
}

// listened waits until the caller is told of the run, and reports whether it was.
func (r *run) listened() bool { return r.told == nil || r.told.Wait(context.Background()) == nil }

// maxProgress bounds the stages that late watchers still see.
const maxProgress = 64

func (r *run) show(p api.Progress) {
	if r.streams.progress != nil && r.listened() {
		r.streams.progress(p)
	}
	r.mu.Lock()
	if len(r.progress) == maxProgress {
		r.progress = append(r.progress[:0], r.progress[1:]...)
		r.shown++
	}
	r.progress = append(r.progress, p)
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
	r.inputs, err = r.engine.loadInputs(ctx, r.task, rec)
	return err
}

// unload forgets them again, for as long as the run waits.
func (r *run) unload() { r.task, r.inputs = nil, nil }
