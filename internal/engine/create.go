package engine

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/tuning"
)

// create submits the creation of the run and dispatches the run. A run that gets
// its turn immediately runs ahead of its creation; durability says what it waits
// for. A run with a key does not, since another may have the key already.
func (e *Engine) create(ctx context.Context, sub *submission) (*api.Run, error) {
	r := e.newRun(sub.rec, sub.parent)
	r.task, r.inputs, r.streams, r.override = sub.task, sub.inputs, sub.streams, sub.override
	if err := e.admitBelow(r); err != nil {
		return nil, err
	}
	offers, err := e.offers(r)
	if err != nil {
		e.dismiss(r)
		return nil, err
	}
	receipt := r.create(sub, offers)
	if r.record().Holder == "" {
		return e.offered(ctx, r, receipt)
	}
	run, signature := r.record().Run, sub.task.Signature // as it begins, however far it has come by then
	run.Signature = &signature
	if r.state.in(started, attempting) && sub.rec.IdempotencyKey == "" && tuning.On(tuning.Ahead) {
		if err := e.runAhead(ctx, r); err != nil {
			return nil, err
		}
		return &run, nil
	}
	if err := receipt.Wait(ctx); err != nil {
		return nil, e.unconfirmed(ctx, r, err)
	}
	return &run, e.dispatch(r)
}

// runAhead starts a run while its creation is written, and waits for that. If
// the creation fails, or the caller stops waiting, the run is cancelled.
func (e *Engine) runAhead(ctx context.Context, r *run) error {
	caller := &acknowledgement{answered: make(chan struct{})}
	defer close(caller.answered)
	r.durability.caller, r.durability.begun = caller, caller
	e.work.Go(r.execute)
	if caller.err = r.durability.created.Wait(ctx); caller.err != nil {
		r.cancel(errGivenUp)
	}
	return caller.err
}

// create submits the beginning of a run: with that of its first attempt, if
// nothing is in the way of it. One that is offered belongs to no process.
func (r *run) create(sub *submission, offers bool) journal.Receipt {
	if !r.asks() && !offers && r.ticket.TryTurn() {
		r.to(started)
		r.tryAttempt()
	}
	r.durability.created = r.change(func(rec *journal.Record) journal.Change {
		r.markBegun(rec)
		if offers {
			rec.Holder = ""
		}
		return journal.Change{Tasks: map[string]json.RawMessage{rec.TaskDigest: sub.definition}, Blobs: sub.blobs}
	}, append([]event{{api.EventCreated, api.CreatedData{Run: sub.rec.Run}}}, r.beginning()...)...)
	r.durability.begun = r.durability.created
	return r.durability.created
}

// tryAttempt makes the first attempt begin with the creation of the run, if
// neither the cache nor other attempts are in its way.
func (r *run) tryAttempt() {
	if !r.engine.cacheable(r) && r.ticket.TrySlot() {
		r.to(attempting)
	}
}

// beginning returns the events of a new run up to its phase.
func (r *run) beginning() (events []event) {
	if r.rec.Approval.Waiting() {
		events = append(events, event{api.EventApprovalAsked, api.ApprovalAskedData{Approval: *r.rec.Approval}})
	}
	if r.state.in(started, attempting) {
		events = append(events, event{api.EventStarted, r.startedData()})
	}
	if r.state.in(attempting) {
		events = append(events, event{api.EventAttemptStarted, api.AttemptStartedData{Attempt: 1, Seed: r.drawn()}})
	}
	return events
}

// markBegun sets the record of a new run to its phase.
func (r *run) markBegun(rec *journal.Record) {
	if r.state.in(started, attempting) {
		rec.Status, rec.Started = api.StatusRunning, rec.Created
	}
	if r.state.in(attempting) {
		rec.Attempts = 1
	}
}

// dispatch executes a run that is in the journal: now if it has its turn,
// otherwise when it gets one, and after its approval if it asks for that.
func (e *Engine) dispatch(r *run) error {
	if r.asks() {
		r.await(nil)
		return nil
	}
	if r.ticket.HasTurn() {
		e.work.Go(r.execute)
		return nil
	}
	return e.enqueue(r)
}

// enqueue has a run wait for its turn.
func (e *Engine) enqueue(r *run) error {
	most := cmp.Or(e.config.MaxQueued, DefaultQueued)
	if r.parent != nil {
		most = min(most, maxStarted)
	}
	if r.state.in(admitted) {
		r.to(queued)
	}
	if !r.ticket.Enter(most) {
		return e.refuse(r, most)
	}
	r.queueUp()
	r.meetGate()
	return nil
}

// queueUp unloads a run that waits for its turn, if it does. A run that was
// cancelled before it entered the queue is withdrawn.
func (r *run) queueUp() {
	if r.ctx.Err() != nil {
		r.withdraw()
		return
	}
	if r.streams.stdout == nil && r.streams.stderr == nil && r.streams.progress == nil {
		r.ticket.IfWaiting(r.unload)
	}
}

// meetGate has a run that is blocked in its queue ask for its permits.
func (r *run) meetGate() {
	if r.bounded() && r.ticket.Blocked() {
		r.engine.awaitPermit(r, r.ticket.Unblock)
	}
}

// refuse ends a run whose queue is full.
func (e *Engine) refuse(r *run, most int) error {
	err := api.Errorf(api.Overloaded, "%d runs of kind %s wait already", most, r.kind).
		WithHint("wait until some of them have ended, then try again").WithDetails(api.Details{Limit: int64(most)})
	r.finish(nil, err)
	return err
}
