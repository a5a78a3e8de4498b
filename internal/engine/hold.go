package engine

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// hold is the waiting of a run for a person to decide about it. The run has no
// goroutine, no slot, no turn and no inputs in memory then. Whatever ends the
// waiting (a decision, a cancellation, the run above it) takes the hold first, so
// that one of them alone continues the run.
type hold struct {
	run    *run
	from   phase                  // before it
	call   bool                   // an orchestrator called it
	caller atomic.Pointer[caller] // of a call whose attempt is under way
	going  atomic.Bool            // something continues or ends the run

	mu      sync.Mutex
	over    bool
	known   *journal.Decision // an approval
	timer   *time.Timer       // until its notice or its deadline
	unwatch func() bool
}

// asks reports whether a person has to decide before the run is executed.
func (r *run) asks() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rec.Approval.Waiting()
}

// askedBy is the question of a new run of a task, or nil.
func askedBy(task *api.Task, now time.Time, line int) *api.Asked {
	a := task.Held()
	if a == nil {
		return nil
	}
	q := &api.Asked{Since: now, Line: line}
	if a.Deadline > 0 {
		q.Deadline = now.Add(a.Deadline)
	}
	if a.Notice > 0 {
		q.Notice = now.Add(a.Notice)
	}
	return q
}

// askAgain asks once more about a run that was refused, or was cancelled before a
// decision, and is resumed. It returns the event, if there is one.
func (r *run) askAgain(ctx context.Context) ([]event, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	was := r.rec.Approval
	if was == nil || !r.rec.Status.Ended() || was.Decision != nil && was.Decision.Approved {
		return nil, nil
	}
	task, err := r.engine.loadTask(ctx, r.rec.TaskDigest)
	if err != nil {
		return nil, err
	}
	r.rec.Approval = askedBy(task, time.Now().UTC(), was.Line)
	return []event{{api.EventApprovalAsked, api.ApprovalAskedData{Approval: *r.rec.Approval}}}, nil
}

// await puts a run to rest until a person decides about it. The caller is that of a
// call, whose inputs stay in memory for as long as its attempt.
func (r *run) await(c *caller) {
	h := &hold{run: r, from: phase(r.state.now.Load()), call: c != nil}
	h.caller.Store(c)
	r.engine.holds.Add(1)
	h.mu.Lock()
	r.hold.Store(h)
	r.to(held)
	if c == nil {
		r.unload()
	}
	h.arm()
	h.unwatch = context.AfterFunc(r.ctx, h.canceled)
	h.mu.Unlock()
	if r.parent == nil && r.engine.isClosed() { // Drain may not have seen it
		r.cancel(errClosing)
	}
}

// take ends the waiting, unless something else has. Decision is the one that ends
// it, if one does: the journal knows it before anything else happens.
func (h *hold) take(d *journal.Decision) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		return false
	}
	h.over = true
	if h.timer != nil {
		h.timer.Stop()
	}
	h.unwatch()
	if d == nil {
		return true
	}
	h.run.noteDecision(*d)
	if d.Approved {
		h.known = d
	}
	return true
}

// fate returns whether the waiting is over, and the approval if it ended so.
func (h *hold) fate() (over bool, known *journal.Decision) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.over, h.known
}

// goes claims to continue or end the run, which one alone may do.
func (h *hold) goes() bool {
	if !h.going.CompareAndSwap(false, true) {
		return false
	}
	h.run.engine.holds.Add(-1)
	return true
}

// arm sets the timer to what comes next: the notice or the deadline. The caller
// holds h.mu.
func (h *hold) arm() {
	q := h.run.record().Approval
	at := q.Deadline
	if q.Noticed.IsZero() && !q.Notice.IsZero() {
		at = q.Notice
	}
	if !at.IsZero() {
		h.timer = time.AfterFunc(time.Until(at), h.due)
	}
}

// decideAgain is how long after a failure the deadline is recorded once more.
const decideAgain = time.Second

// due records that a second notice is due, or refuses the run at its deadline.
func (h *hold) due() {
	h.mu.Lock()
	if h.over {
		h.mu.Unlock()
		return
	}
	r := h.run
	if q := r.record().Approval; q.Noticed.IsZero() && !q.Notice.IsZero() {
		r.notice()
		h.arm()
		h.mu.Unlock()
		return
	}
	h.timer = time.AfterFunc(decideAgain, h.due) // unless the journal takes the refusal
	h.mu.Unlock()
	d := journal.Decision{Decision: api.Decision{From: api.FromDeadline, Reason: "the deadline has passed", Time: time.Now().UTC()}}
	kept, err := r.engine.config.Journal.Decide(r.ctx, r.id, d)
	switch {
	case err != nil && r.ctx.Err() == nil:
		r.engine.config.Logger.Warn("refusing a run at its deadline", "run", r.id, "error", err)
	case err == nil && kept.Decision != nil:
		h.decide(*kept.Decision)
	}
}

// notice records that a run still waits.
func (r *run) notice() {
	r.mu.Lock()
	defer r.mu.Unlock()
	q := *r.rec.Approval
	q.Noticed = time.Now().UTC()
	r.rec.Approval = &q
	r.submit(event{api.EventApprovalNoticed, api.ApprovalAskedData{Approval: q}})
}

// noteDecision has the journal know that this process has taken a decision over.
func (r *run) noteDecision(d journal.Decision) {
	r.change(func(rec *journal.Record) journal.Change {
		q := *rec.Approval
		q.Decision = &d.Decision
		rec.Approval = &q
		return journal.Change{Blobs: d.Blobs}
	}, event{api.EventApprovalDecided, api.ApprovalDecidedData{Decision: d.Decision}})
}

// decide continues the run as a person said, or ends it.
func (h *hold) decide(d journal.Decision) {
	if !h.take(&d) {
		return
	}
	if d.Approved {
		h.proceed()
		return
	}
	h.end(h.run.refusal(&d.Decision))
}

// refusal is the error of a run that was refused.
func (r *run) refusal(d *api.Decision) *api.Error {
	task := r.record().Task
	if r.kind == api.KindSignal && d.From == api.FromDeadline {
		return api.Errorf(api.Timeout, "nobody sent the signal %s before its deadline", task)
	}
	what := task + " was refused by " + d.Author()
	if d.Reason != "" {
		what += ": " + d.Reason
	}
	return api.Errorf(api.ApprovalRefused, "%s", what)
}

// canceled ends a run that is cancelled while it waits.
func (h *hold) canceled() {
	r := h.run
	if p := r.parent; p != nil && p.ctx.Err() != nil && p.bed.has(r) {
		return // its own end ends what is parked
	}
	if h.take(nil) {
		h.end(context.Cause(r.ctx))
	}
}

// end ends a run that was not executed.
func (h *hold) end(cause error) {
	r := h.run
	if c := h.caller.Load(); c != nil && c.carry(h, func() { r.finish(nil, cause) }) {
		return
	}
	parked := r.parent != nil && r.parent.bed.has(r)
	if !h.goes() {
		return
	}
	r.engine.work.Go(func() {
		r.finish(nil, cause)
		if parked {
			r.parent.bed.take(r.id)
			r.parent.rouse()
		}
	})
}

// proceed executes a run that was approved. A call whose attempt is parked only
// wakes that, which proceeds when it makes the call again.
func (h *hold) proceed() {
	r := h.run
	if !h.call {
		h.proceedAlone()
		return
	}
	if r.parent.bed.has(r) {
		r.parent.rouse()
		return
	}
	if c := h.caller.Load(); c != nil && c.carry(h, func() { h.execute(c) }) {
		return
	}
	if r.parent.bed.has(r) { // since a moment ago
		r.parent.rouse()
		return
	}
	r.engine.work.Go(func() { // its attempt is over, which ends it
		<-r.ctx.Done()
		if h.goes() {
			r.finish(nil, context.Cause(r.ctx))
		}
	})
}

// proceedAlone executes a run that no attempt waits for as a call.
func (h *hold) proceedAlone() {
	r := h.run
	if !h.goes() {
		return
	}
	next := queued
	if h.from == resumed {
		next = resumed
	}
	r.to(next)
	if r.ticket.HasTurn() {
		r.engine.work.Go(r.execute)
		return
	}
	r.ticket.Enter(math.MaxInt) // people wait for it
	if r.ctx.Err() != nil {
		r.withdraw()
	}
	r.meetGate()
}

// execute executes a call with what was approved of its arguments, once there is
// room beside the other calls.
func (h *hold) execute(c *caller) {
	r := h.run
	if err := c.parallel.Acquire(r.ctx); err != nil {
		r.finish(nil, err)
		return
	}
	defer c.parallel.Release()
	if _, known := h.fate(); len(known.Arguments) > 0 {
		r.unload()
	}
	if h.from == resumed {
		r.to(resumed)
	}
	r.execute()
}
