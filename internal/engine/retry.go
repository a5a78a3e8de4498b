package engine

import (
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/glovebox-dev/glovebox/api"
)

// freeTries is how often a run is tried again on the engine's own account when
// the cause is likely to pass, and nothing of the user's has started or doing it
// twice does no harm.
const freeTries = 2

// final are the failures that a further attempt would only repeat.
var final = []api.Code{
	api.InvalidTask, api.InvalidType, api.InvalidInput, api.InvalidPackage, api.SyntaxError,
	api.IsolationUnavailable, api.SecretNotFound, api.Canceled, api.ReplayMismatch, api.OutcomeUnknown,
	api.Conflict, api.StorageCorrupt, api.CheckFailed,
	api.CommandNotFound, api.PythonMissing, // the image is the same the next time
	api.WorkerUnavailable, // its runner has waited for one already
}

// policy counts down the further attempts that a run may make.
type policy struct {
	free, asked int
	blind       bool // also when the effect of the attempt is unknown
	idempotent  bool // then that alone is a reason to do it again
}

// newPolicy returns the policy of a task. The effects of a program in a cell
// are gone with the cell, so that it may always be tried again.
func newPolicy(task *api.Task) *policy {
	return &policy{free: freeTries, asked: task.Retries, blind: task.Idempotent || task.KindOf() != api.KindFunction, idempotent: task.Idempotent}
}

// again reports whether the run may be tried again after err, and takes that
// attempt from the account it belongs to.
func (p *policy) again(err *api.Error) bool {
	if slices.Contains(final, err.Code) {
		return false
	}
	if err.Outcome == api.NotStarted || err.Outcome == api.Unknown && p.idempotent {
		return err.Retryable && (take(&p.free) || take(&p.asked))
	}
	return (err.Outcome != api.Unknown || p.blind) && take(&p.asked)
}

func take(n *int) bool {
	if *n <= 0 {
		return false
	}
	*n--
	return true
}

// newBackOff waits for a random time between nothing and a bound that begins
// at half a second, doubles, and ends at 30 seconds. The library draws from
// interval ± interval, so its intervals are half of the bounds.
func newBackOff() *backoff.ExponentialBackOff {
	return &backoff.ExponentialBackOff{
		InitialInterval: 250 * time.Millisecond, MaxInterval: 15 * time.Second,
		Multiplier: 2, RandomizationFactor: 1,
	}
}
