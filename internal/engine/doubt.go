package engine

import (
	"context"
	"fmt"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/engine/replay"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// checkDoubt stops a run whose attempt was under way when its process died,
// unless the attempt may be repeated without harm. A function that makes calls
// has its effects by them, so then only the calls can be in doubt.
func (r *run) checkDoubt() error {
	if !r.plan.inDoubt || r.plan.retryUnknown {
		return nil
	}
	calls, err := r.engine.callsOf(r.ctx, &r.rec)
	if err != nil {
		return err
	}
	doubt, err := r.engine.firstInDoubt(r.ctx, calls)
	if err != nil {
		return err
	}
	if doubt != nil {
		return r.leaveInDoubt(doubt)
	}
	if r.task.Idempotent || harmless(r.task) || r.kind == api.KindFunction && len(calls) > 0 {
		return nil
	}
	return api.Errorf(api.OutcomeUnknown,
		"attempt %d of task %s was under way when its process ended; it is unknown whether it was done, and the task is not declared idempotent",
		r.plan.attempts, r.rec.Task).WithHint("%s", doubtHint(&r.rec)).WithDetails(api.Details{Run: r.id})
}

// doubtHint says what a person can do about a run in doubt.
func doubtHint(doubt *journal.Record) string {
	hint := fmt.Sprintf("find out whether it was done, and say so: glovebox resolve %s --value JSON, or --failed MESSAGE (run.resolve in Python)", doubt.ID)
	if doubt.Root != doubt.ID {
		hint += fmt.Sprintf("; then: glovebox resume %s", doubt.Root)
	}
	return hint + fmt.Sprintf("; or do it again: glovebox resume %s --retry-unknown (retry_unknown=True in Python)", doubt.Root)
}

// harmless reports whether an attempt of a task leaves nothing behind when its
// process dies: without network and secrets, all effects end with the cell. A
// model that is asked again only costs again.
func harmless(task *api.Task) bool {
	return task.KindOf() == api.KindModel || task.KindOf() == api.KindSignal || task.KindOf() == api.KindSandbox && task.Network.None() && len(task.Secrets) == 0
}

// leaveInDoubt ends a run below this one, so that a person can resolve it, and
// returns why this one ends.
func (r *run) leaveInDoubt(doubt *journal.Record) error {
	e := r.engine
	if !doubt.Status.Ended() {
		if err := e.endInDoubt(r.ctx, doubt, r); err != nil {
			return err
		}
	}
	return api.Errorf(api.OutcomeUnknown, "it is unknown whether %s, in run %s, was done when its process ended, and the task is not declared idempotent",
		doubt.Task, doubt.ID).WithHint("%s", doubtHint(doubt)).WithDetails(api.Details{Run: doubt.ID})
}

// endInDoubt ends a run of a dead process whose effect is unknown.
func (e *Engine) endInDoubt(ctx context.Context, rec *journal.Record, parent *run) error {
	return e.whileLive(rec, parent, func(r *run) error {
		if err := r.take(ctx); err != nil {
			return err
		}
		failure := api.Errorf(api.OutcomeUnknown,
			"attempt %d of task %s was under way when its process ended; it is unknown whether it was done", r.rec.Attempts, r.rec.Task).
			WithHint("%s", doubtHint(&r.rec)).WithDetails(api.Details{Run: r.id})
		failure.Attempts = r.rec.Attempts
		return r.durable(ctx, r.end(&api.Result{ExitCode: -1}, failure))
	})
}

// firstInDoubt returns the first run in doubt at or below some calls, or nil.
func (e *Engine) firstInDoubt(ctx context.Context, calls []*journal.Record) (*journal.Record, error) {
	for _, call := range calls {
		if doubt, err := e.doubtAt(ctx, call); doubt != nil || err != nil {
			return doubt, err
		}
	}
	return nil, nil
}

// doubtAt returns the first run in doubt at or below another one, or nil.
func (e *Engine) doubtAt(ctx context.Context, rec *journal.Record) (*journal.Record, error) {
	doubts, err := e.doubtsAt(ctx, rec)
	if err != nil || len(doubts) == 0 {
		return nil, err
	}
	return doubts[0], nil
}

// doubtsAt finds the runs in doubt, at or below another one: no process carries
// them out, their effect is unknown, and to repeat them could do harm.
func (e *Engine) doubtsAt(ctx context.Context, rec *journal.Record) (doubts []*journal.Record, err error) {
	if rec.Attempts == 0 || rec.Status == api.StatusSucceeded || e.liveRun(rec.ID) != nil {
		return nil, nil
	}
	if rec.Status.Ended() && (rec.Error == nil || rec.Error.Outcome != api.Unknown) {
		return nil, nil
	}
	calls, err := e.callsOf(ctx, rec)
	if err != nil {
		return nil, err
	}
	for _, call := range replay.NewestTries(calls) {
		below, err := e.doubtsAt(ctx, call)
		if err != nil {
			return nil, err
		}
		doubts = append(doubts, below...)
	}
	if rec.Kind.CallsTools() || rec.Kind == api.KindFunction && len(calls) > 0 {
		return doubts, nil
	}
	task, err := e.loadTask(ctx, rec.TaskDigest)
	if err != nil || task.Idempotent || harmless(task) || rec.Kind == api.KindSandbox && cellLost(rec) {
		return doubts, err
	}
	return append(doubts, rec), nil
}

// cellLost reports whether a cell failed other than by the death of its process or
// a cancellation. A person who resumes the run wants it to be repeated.
func cellLost(rec *journal.Record) bool {
	return rec.Error != nil && rec.Error.Code != api.OutcomeUnknown && rec.Error.Code != api.Canceled
}

// checkResumable refuses to resume a run that has ended if that would repeat a
// call whose outcome is unknown, and that could do harm.
func (e *Engine) checkResumable(ctx context.Context, rec *journal.Record, o api.ResumeOptions) error {
	if !rec.Status.Ended() || o.RetryUnknown {
		return nil
	}
	doubt, err := e.doubtAt(ctx, rec)
	if err != nil || doubt == nil {
		return err
	}
	how := "ended because it is unknown whether something was done: "
	if rec.Status == api.StatusCanceled {
		how = "was cancelled while something was under way: "
	}
	return api.Errorf(api.Conflict, "run %s %s%s, in run %s, may have been done, and the task is not declared idempotent",
		rec.ID, how, doubt.Task, doubt.ID).
		WithHint("%s", doubtHint(doubt)).
		WithDetails(api.Details{Run: doubt.ID})
}
