package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// maxStarted bounds the runs that one cell started and that wait.
const maxStarted = 10_000

// adopt puts a run below the one that started it, for as long as its attempt
// lasts. Only a sandbox has to have an attempt under way.
func (r *run) adopt(child *run) error {
	if !r.children.Add(child, r.kind == api.KindSandbox) {
		return api.Errorf(api.Conflict, "run %s, which is to be the parent, has no attempt under way", r.id).
			WithDetails(api.Details{Field: "parent", Run: r.id})
	}
	return nil
}

// admitBelow makes a run live, below the one that started it if there is one.
func (e *Engine) admitBelow(r *run) error {
	if err := e.admit(r); err != nil {
		r.cancel(nil)
		return err
	}
	if r.parent == nil {
		return nil
	}
	if err := r.parent.adopt(r); err != nil {
		e.dismiss(r)
		return err
	}
	return nil
}

// endChildren cancels the runs that an attempt started, and waits for their end:
// nothing of a failed attempt may run beside the next one.
func (r *run) endChildren() {
	going := r.children.Close()
	cause := context.Cause(r.ctx)
	if cause == nil {
		cause = cancelCause{"the attempt that started it has ended"}
	}
	for _, child := range going {
		child.cancel(cause)
		child.withdraw()
	}
	for _, child := range going {
		<-child.done
	}
}

// cancelLeftovers ends the runs that an attempt in a dead process started and that
// later attempts did not reuse.
func (r *run) cancelLeftovers(ctx context.Context) {
	if r.kind.CallsTools() || r.plan.attempts == 0 {
		return
	}
	if err := r.cancelCalls(ctx, "the attempt that started it has ended"); err != nil {
		r.engine.config.Logger.Warn("ending what a run started", "run", r.id, "error", err)
	}
}

// callsOf returns the runs that a run started: those of an orchestrator by the
// number of the call, and those of a program, without their payloads, in the order
// in which they began.
func (e *Engine) callsOf(ctx context.Context, rec *journal.Record) ([]*journal.Record, error) {
	if rec.Kind.CallsTools() {
		calls, err := e.config.Journal.Calls(ctx, rec.ID)
		return calls, journalError(rec.ID, err)
	}
	return e.startedBy(ctx, rec.ID)
}

// startedBy returns the runs that a program started, in the order in which they
// began, without their payloads. No statuses are all.
func (e *Engine) startedBy(ctx context.Context, id string, statuses ...api.Status) (found []*journal.Record, err error) {
	q := api.RunQuery{Parent: id, Status: statuses, Limit: maxPage}
	for {
		page, next, err := e.config.Journal.List(ctx, q)
		if err != nil {
			return nil, journalError(id, err)
		}
		found = append(found, page...)
		if next == "" {
			slices.SortFunc(found, func(a, b *journal.Record) int { return cmp.Compare(a.Num, b.Num) })
			return found, nil
		}
		q.Cursor = next
	}
}

// below returns the runs that the journal has below a run, of a program those
// that have not ended.
func (r *run) below(ctx context.Context) (found []*journal.Record, err error) {
	if r.kind.CallsTools() {
		return r.engine.callsOf(ctx, &r.rec)
	}
	listed, err := r.engine.startedBy(ctx, r.id, api.StatusQueued, api.StatusRunning, api.StatusInterrupted)
	if err != nil {
		return nil, err
	}
	for _, rec := range listed {
		whole, err := r.engine.config.Journal.Load(ctx, rec.ID)
		if err != nil {
			return nil, journalError(rec.ID, err)
		}
		found = append(found, whole)
	}
	return found, nil
}

// ParentOf returns the run that a run is below, or "".
func (e *Engine) ParentOf(ctx context.Context, id string) (string, error) {
	if r := e.liveRun(id); r != nil {
		return r.record().Parent, nil
	}
	rec, err := e.config.Journal.Load(ctx, id)
	if err != nil {
		return "", journalError(id, err)
	}
	return rec.Parent, nil
}
