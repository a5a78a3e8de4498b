package engine

import (
	"encoding/json"

	"github.com/glovebox-dev/glovebox/api"
)

// attemptFailed notes that an attempt of a process before this one failed.
func (r *run) attemptFailed(ev api.Event) error {
	var d api.AttemptEndedData
	if err := json.Unmarshal(ev.Data, &d); err != nil {
		return r.unreadable(ev, err)
	}
	if d.Error != nil {
		r.plan.failures = append(r.plan.failures, d.Error)
	}
	return nil
}

// failed counts the attempts of processes before this one, and returns the error of
// the last if the policy allows no more: that process died before it had ended the
// run. A call whose outcome was unknown may have been resolved since, or a person
// wants it to be made again.
func (r *run) failed(p *policy) error {
	var last *api.Error
	for _, failure := range r.plan.failures {
		if last = failure; p.again(failure) {
			last = nil
		}
	}
	if last == nil || r.plan.replay != nil {
		return nil
	}
	if last.Code != api.OutcomeUnknown {
		return last
	}
	if r.plan.retryUnknown {
		return nil
	}
	calls, err := r.engine.callsOf(r.ctx, &r.rec)
	if err != nil {
		return err
	}
	doubt, err := r.engine.firstInDoubt(r.ctx, calls)
	if err != nil || doubt == nil {
		return err
	}
	return last
}
