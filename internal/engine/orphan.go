package engine

import (
	"context"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// endOrphans ends the calls of an earlier process that the run did not reach before
// it failed, and returns why the run failed. If one of them is in doubt, the doubt
// is the reason: the call must not be repeated unless a person asks for it.
func (r *run) endOrphans(failure *api.Error) *api.Error {
	if !r.kind.CallsTools() || r.plan.attempts == 0 {
		return failure
	}
	ctx := context.WithoutCancel(r.ctx)
	doubt, err := r.callInDoubt(ctx)
	if err == nil {
		err = r.cancelCalls(ctx, errAbandoned.Error())
	}
	if err != nil {
		r.engine.config.Logger.Warn("ending the calls of a run", "run", r.id, "error", err)
	}
	if doubt == nil || r.plan.retryUnknown || failure.Code == api.Canceled {
		return failure
	}
	lost := api.Errorf(api.OutcomeUnknown, "it is unknown whether call %d, of %s, was done when its process ended; the run could not continue: %w",
		doubt.Call, doubt.Task, failure).WithDetails(api.Details{Run: doubt.ID})
	lost.Attempts = failure.Attempts
	return lost
}

// callInDoubt finds a call that was under way in another process, and that it
// could do harm to do again.
func (r *run) callInDoubt(ctx context.Context) (*journal.Record, error) {
	calls, err := r.engine.callsOf(ctx, &r.rec)
	if err != nil {
		return nil, err
	}
	open := slices.DeleteFunc(calls, func(call *journal.Record) bool { return call.Status.Ended() })
	return r.engine.firstInDoubt(ctx, open)
}
