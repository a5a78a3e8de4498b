package api

import (
	"context"
	"encoding/json"
	"time"

	"github.com/glovebox-dev/glovebox/value"
)

// Signals sends values to runs that wait for them.
type Signals interface {
	// Signal sends a value to what waits for the signal of a name in a run or below it,
	// to the call that waits longest if there are several. It returns what it ended.
	// Nothing waits for the signal: conflict, and nothing was kept.
	Signal(ctx context.Context, run, name string, s Signal) (*PendingApproval, error)
}

// Signal is a value that somebody sends to a run.
type Signal struct {
	// Value is that of the only output of the signal, or an object of all by name; empty
	// for a signal without outputs.
	Value json.RawMessage `json:"value,omitempty"`
	By    string          `json:"by,omitempty"` // who sends it, as the client says
	// Identity is who sends it as far as the server knows, and From the way.
	Identity string      `json:"identity,omitempty"`
	From     DecidedFrom `json:"from,omitempty" enum:"api,cli,page,hook,callback"`
	// Key makes a repetition of the same signal no second one.
	Key string `json:"key,omitempty"`
	// Wait is how long the signal itself waits for a run that does not wait for it yet; 0
	// does not, and a minute is most.
	Wait time.Duration `json:"-"`
}

// maxSignalWait bounds how long a signal waits for its run.
const maxSignalWait = time.Minute

// Check returns request_invalid for a signal that cannot be.
func (s *Signal) Check() error {
	if s.Wait < 0 || s.Wait > maxSignalWait {
		return Errorf(RequestInvalid, "wait: expected a duration of at most %s, got %s", maxSignalWait, s.Wait).
			WithDetails(Details{Field: "wait", Expected: "at most " + maxSignalWait.String(), Got: s.Wait.String()})
	}
	return (&Decision{Approved: true, By: s.By, From: s.From, Key: s.Key}).Check()
}

// Held returns how runs of the task wait for somebody outside before they go on, or nil
// if they do not.
func (t *Task) Held() *Approval {
	if t.Approval == nil && t.KindOf() == KindSignal {
		return new(Approval)
	}
	return t.Approval
}

// Answers are the values that somebody gives a run that waits: the inputs that may be
// changed, or the outputs of a signal.
func (a *PendingApproval) Answers() []value.Param {
	switch {
	case a.Signature == nil:
		return nil
	case a.Kind == KindSignal:
		return a.Signature.Outputs
	}
	return a.Signature.Inputs
}
