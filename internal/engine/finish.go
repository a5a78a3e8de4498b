package engine

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// finish ends the run: with its outputs, with an error, or interrupted.
func (r *run) finish(result *api.Result, err error) {
	defer r.share.Release()
	defer r.release()
	r.to(ending)
	if result == nil {
		result = &api.Result{ExitCode: -1}
	}
	result.RunID = r.id
	failure := r.failure(err)
	r.endParked(cmp.Or(context.Cause(r.ctx), error(errAttemptOver)))
	if r.interrupted() && failure != nil {
		r.interrupt()
		return
	}
	if failure != nil && !r.taken() {
		failure = r.endOrphans(failure)
	}
	if !r.taken() {
		r.cancelLeftovers(context.WithoutCancel(r.ctx))
	}
	receipt := r.end(result, failure)
	r.store()
	if err := r.durable(context.WithoutCancel(r.ctx), receipt); err != nil && failure == nil {
		failure = api.AsError(err)
	}
	if r.durability.neverCreated() {
		os.RemoveAll(filepath.Join(r.engine.config.FileDir, r.id))
		return
	}
	r.tellRest()
	r.keepResult(result, failure)
	if notify := r.engine.config.Ended; notify != nil {
		notify(r.record().Run)
	}
}

// release frees what the run held, and wakes its waiters.
func (r *run) release() {
	r.log.Close()
	if r.kind == api.KindSandbox && r.callSite != nil {
		os.RemoveAll(filepath.Join(r.engine.config.FileDir, r.id)) // its outputs are blobs, and their paths are not used any more
	}
	r.giveBack()
	r.engine.forget(r)
	if r.bounded() {
		r.engine.gate.wake()
	}
	r.cancel(nil)
	r.wake()
	close(r.done)
}

// giveBack releases the slot and the turn of the run, and its flight.
func (r *run) giveBack() {
	if r.flight != "" {
		r.engine.flights.leave(r.flight)
	}
	r.ticket.Release()
}

// failure turns the error of the last attempt into that of the run.
func (r *run) failure(err error) *api.Error {
	if err == nil {
		return nil
	}
	last := *api.AsError(err)
	if r.taken() {
		last = *journalError(r.id, journal.ErrFenced).(*api.Error)
	} else if r.ctx.Err() != nil && last.Code != api.Canceled && last.Outcome != api.Failed {
		last = *api.Errorf(api.Canceled, "the run was cancelled: %w", context.Cause(r.ctx))
	}
	last.Attempts = r.attemptNumber()
	if last.Attempts == 0 {
		last.Outcome = api.NotStarted
	}
	return &last
}

// interrupt records that the run stopped here, so that any process may resume it.
func (r *run) interrupt() {
	receipt := r.change(edited(func(rec *journal.Record) {
		rec.Deaths = 0
		interruptRecord(rec)
	}),
		event{api.EventInterrupted, api.InterruptedData{Owner: r.engine.owner()}})
	if err := receipt.Wait(context.WithoutCancel(r.ctx)); err != nil && !r.durability.neverCreated() {
		r.engine.config.Logger.Warn("interrupting a run", "run", r.id, "error", err)
	}
}

// end submits the end of the run, with the end of its call if it is one.
func (r *run) end(result *api.Result, failure *api.Error) journal.Receipt {
	if r.callSite != nil {
		return r.callSite.ended(r, result, failure)
	}
	r.mu.Lock()
	receipt := r.engine.config.Journal.Submit(r.endChange(result, failure))
	r.submitted(receipt)
	used := r.rec.Usage.Models
	r.mu.Unlock()
	if r.parent != nil { // a program started it, whose own end submits the sum
		r.parent.mu.Lock()
		defer r.parent.mu.Unlock()
		r.parent.charge(used)
	}
	return receipt
}

// charge adds what a run below asked of models. The caller holds l.mu.
func (l *ledger) charge(used api.ModelUsage) {
	l.rec.Usage.Models = l.rec.Usage.Models.Add(used)
}

// endChange edits the record as it ends, after events that come before. What its
// calls asked of models is in it already. The caller holds r.mu.
func (r *run) endChange(result *api.Result, failure *api.Error, events ...event) journal.Change {
	rec := &r.rec
	rec.Status, rec.Error, rec.Ended = api.StatusSucceeded, failure, time.Now().UTC()
	result.Usage.Models = result.Usage.Models.Add(rec.Usage.Models)
	rec.ExitCode, rec.Image, rec.Timings, rec.Usage, rec.Network = result.ExitCode, result.Image, result.Timings, result.Usage, result.Network
	rec.SleepsUntil, rec.Awaits, rec.Deaths = time.Time{}, nil, 0
	rec.Cached, rec.Holder = result.Cached, "" // any process may resume it
	switch {
	case failure == nil:
		rec.OutputsPayload = r.outputs.payload
		if !result.Cached && rec.Resolved.IsZero() {
			events = append(events, event{api.EventAttemptEnded, api.AttemptEndedData{Attempt: rec.Attempts, Samples: result.Samples}})
		}
	case failure.Code == api.Canceled:
		rec.Status = api.StatusCanceled
	default:
		rec.Status = api.StatusFailed
	}
	c := r.prepare(append(events, event{api.EventEnded, api.EndedData{Run: rec.Run}})...)
	if failure == nil {
		c.Blobs = r.outputs.blobs
	}
	c.Deliveries = deliveriesOf(rec)
	return c
}

// keepResult remembers the result for waiters in this process. They read it from
// the journal if its files are not laid out, or if it is large: the run does not
// account for its memory any more.
func (r *run) keepResult(result *api.Result, failure *api.Error) {
	if failure == nil && r.kind != api.KindSandbox && r.outputs.values.HoldFiles() || result.Cached || len(r.outputs.text) > maxRecentBytes {
		return
	}
	result.Attempts = r.attemptNumber()
	r.mu.Lock()
	r.result, r.resultErr = result, failure
	r.mu.Unlock()
	small := r.outputs.size+int64(len(result.Stdout)+len(result.Stderr)) <= maxRecentBytes
	if failure == nil && small && !r.outputs.values.HoldFiles() {
		r.engine.recent.add(result)
	}
}

// outcome returns what keepResult kept.
func (r *run) outcome() (*api.Result, error, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.result == nil {
		return nil, nil, false
	}
	if r.resultErr == nil {
		return r.result, nil, true
	}
	return r.result, r.resultErr, true
}

// cancelCause is why a run is cancelled.
type cancelCause struct{ reason string }

func (c cancelCause) Error() string {
	if c.reason == "" {
		return "it was asked for"
	}
	return c.reason
}

// requestCancel cancels a run of this process. It does nothing if the run was
// cancelled before, or if its end is submitted.
func (r *run) requestCancel(reason string) {
	if !r.noteCancel(reason) {
		return
	}
	r.cancel(cancelCause{reason})
	r.withdraw()
}

func (r *run) noteCancel(reason string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ctx.Err() != nil || r.rec.Status.Ended() {
		return false
	}
	r.submit(event{api.EventCancelRequested, api.CancelRequestedData{Reason: reason}})
	return true
}

// withdraw ends a run that waits for its turn.
func (r *run) withdraw() {
	if r.ticket.Withdraw() {
		r.engine.work.Go(func() { r.finish(nil, context.Cause(r.ctx)) })
	}
}

// Cancel ends a run and the runs that it started, in whichever process they
// are.
func (e *Engine) Cancel(ctx context.Context, id, reason string) error {
	if r := e.liveRun(id); r != nil {
		r.requestCancel(reason)
		return r.settled(ctx)
	}
	rec, err := e.config.Journal.Load(ctx, id)
	if err != nil {
		return journalError(id, err)
	}
	if rec.Status.Ended() {
		return api.Errorf(api.Conflict, "run %s has ended already: it %s", id, rec.Status).WithDetails(api.Details{Run: id, Got: string(rec.Status)})
	}
	if rec.Holder != e.owner() && e.config.Alive(rec.Holder) {
		return journalError(id, e.config.Journal.RequestCancel(ctx, id, reason))
	}
	return e.cancelDead(ctx, rec, nil, reason)
}

// cancelDead ends a run without a live process, and the runs below it. It claims
// the run first, so that no other process resumes it meanwhile.
func (e *Engine) cancelDead(ctx context.Context, rec *journal.Record, parent *run, reason string) error {
	return e.whileLive(rec, parent, func(r *run) error {
		if err := r.take(ctx); err != nil {
			return err
		}
		if err := r.cancelCalls(ctx, reason); err != nil {
			return err
		}
		r.noteCancel(reason)
		failure := api.Errorf(api.Canceled, "the run was cancelled: %w", cancelCause{reason})
		failure.Attempts = r.rec.Attempts
		return r.durable(ctx, r.end(&api.Result{ExitCode: -1}, failure))
	})
}

// whileLive makes a run without a live process one of this engine for the time of
// do.
func (e *Engine) whileLive(rec *journal.Record, parent *run, do func(r *run) error) error {
	r := e.newRun(*rec, parent)
	if err := e.admit(r); err != nil {
		r.cancel(nil)
		return err
	}
	defer e.dismiss(r)
	return do(r)
}

// cancelCalls ends the calls of a run without a live process, or the runs that its
// program started.
func (r *run) cancelCalls(ctx context.Context, reason string) error {
	calls, err := r.below(ctx)
	if err != nil {
		return err
	}
	for _, call := range calls {
		if call.Status.Ended() || r.engine.liveRun(call.ID) != nil {
			continue
		}
		if err := r.engine.cancelDead(ctx, call, r, reason); err != nil {
			return err
		}
	}
	return nil
}
