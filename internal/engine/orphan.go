package engine

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// endOrphans ends the calls of an earlier process that the run did not come to,
// because it failed before, and returns why the run failed. If nobody knows
// whether one of them was carried out, that is what there is to say: it must
// not be done again unasked.
func (r *run) endOrphans(failure *api.Error) *api.Error {
	if r.kind != api.KindOrchestrator || r.plan.attempts == 0 {
		return failure
	}
	ctx := context.WithoutCancel(r.ctx)
	doubt, err := r.engine.callInDoubt(ctx, r.id)
	if err == nil {
		err = r.cancelCalls(ctx, errAbandoned.Error())
	}
	if err != nil {
		r.engine.config.Logger.Warn("ending the calls of a run", "run", r.id, "error", err)
	}
	if doubt == nil || r.plan.retryUnknown || failure.Code == api.Canceled {
		return failure
	}
	lost := api.Errorf(api.OutcomeUnknown, "nobody knows whether call %d, of %s, was carried out when its process ended; the run could not go on: %w",
		doubt.Call, doubt.Task, failure).WithDetails(api.Details{Run: doubt.ID})
	lost.Attempts = failure.Attempts
	return lost
}

// callInDoubt finds a call that was under way in another process, and that it
// could do harm to do again.
func (e *Engine) callInDoubt(ctx context.Context, parent string) (*journal.Record, error) {
	calls, err := e.config.Journal.Calls(ctx, parent)
	if err != nil {
		return nil, journalError(parent, err)
	}
	for _, call := range calls {
		if call.Status.Ended() || call.Attempts == 0 || e.liveRun(call.ID) != nil {
			continue
		}
		if call.Kind == api.KindOrchestrator {
			if below, err := e.callInDoubt(ctx, call.ID); below != nil || err != nil {
				return below, err
			}
			continue
		}
		if task, err := e.loadTask(ctx, call.TaskDigest); err != nil || !task.Idempotent {
			return call, nil
		}
	}
	return nil, nil
}

// checkCut stops the resumption of a canceled run if it would do again what the
// cancellation cut off, and that could do harm.
func (e *Engine) checkCut(ctx context.Context, rec *journal.Record, o api.ResumeOptions) error {
	if rec.Status != api.StatusCanceled || o.RetryUnknown {
		return nil
	}
	cut, err := e.cutOff(ctx, rec)
	if err != nil || cut == nil {
		return err
	}
	return api.Errorf(api.Conflict, "run %s was cancelled while %s was under way, in run %s; nobody knows how far it came, and the task is not declared idempotent",
		rec.ID, cut.Task, cut.ID).
		WithHint("find out whether it was done; to do it again, resume with --retry-unknown, or retry_unknown=True in Python").WithDetails(api.Details{Run: cut.ID})
}

// cutOff finds what a cancellation cut off, at or below a canceled run, and that
// it could do harm to do again.
func (e *Engine) cutOff(ctx context.Context, rec *journal.Record) (*journal.Record, error) {
	if rec.Status != api.StatusCanceled || rec.Attempts == 0 {
		return nil, nil
	}
	if rec.Kind != api.KindOrchestrator {
		task, err := e.loadTask(ctx, rec.TaskDigest)
		if err != nil || task.Idempotent || rec.Error == nil || rec.Error.Outcome != api.Unknown {
			return nil, err
		}
		return rec, nil
	}
	calls, err := e.config.Journal.Calls(ctx, rec.ID)
	if err != nil {
		return nil, journalError(rec.ID, err)
	}
	for i, call := range calls {
		if i+1 < len(calls) && calls[i+1].Call == call.Call {
			continue // it was made again since
		}
		if cut, err := e.cutOff(ctx, call); cut != nil || err != nil {
			return cut, err
		}
	}
	return nil, nil
}
