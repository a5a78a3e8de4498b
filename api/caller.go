package api

import (
	"context"
	"errors"
	"time"
)

// Caller lets the code of an orchestrator call its tools. Each call becomes a
// run of its own, whose intent is durable before it starts and whose outcome is
// kept; after a crash the same attempt is made again with a Caller that knows
// the outcomes, and the code cannot tell the difference.
//
// The runner of an orchestrator uses it like this: it starts the code from
// Snapshot, or from its beginning if there is none; whenever the code waits, it
// passes every call that is new to it to Start, gives the code what Next
// returns, and goes on. So all that happens depends on the order of Next alone,
// and the engine keeps that order. It is used by one goroutine at a time.
type Caller interface {
	// Snapshot returns what was saved last, and the ids of the calls that the
	// code had begun then. Nil means that the code starts from its beginning.
	Snapshot() []byte
	// Restart drops the snapshot, which the code could not use, and begins the
	// history anew: the code starts from its beginning. It is called before the
	// first Start and Next or not at all.
	Restart()
	// Start begins a call. The tool starts when the intent is durable, which need
	// not be before Start returns; that it cannot be kept is an error of Next. Of
	// a call that was begun before the snapshot was taken and has no answer yet,
	// it is told again. Its error ends the attempt, as it is.
	Start(ctx context.Context, call Call) error
	// Cancel gives up a call that was begun and has no answer yet. The tool is
	// ended, and Next never gives an answer of it. The engine knows by itself of
	// calls that were given up before the snapshot: those that are not told again.
	Cancel(call uint64)
	// Next waits for a call to end. Its error ends the attempt, as it is. A wake
	// that is not zero is when it returns at the latest, with an Answer without
	// an ID. The wait outlives this process, and if it is long the attempt may
	// end with ErrAsleep, to go on from Snapshot when the time has come.
	Next(ctx context.Context, wake time.Time) (Answer, error)
	// Began is when the attempt began, and Seed the randomness of its run. Both
	// are the same when the attempt is made again. Seed is nil unless the task
	// has real randomness.
	Began() time.Time
	Seed() []byte
	// Save keeps a snapshot of the code as it is after the last answer. The
	// engine may ignore it; it is an optimisation of replay.
	Save(snapshot []byte)
}

// LongSleep is a wait after which an attempt with no call under way need not stay
// in memory: the caller of Next then saves a snapshot before, and is ready to be
// told ErrAsleep.
const LongSleep = 10 * time.Second

// ErrAsleep ends an attempt that goes on when its time has come.
var ErrAsleep = errors.New("the attempt sleeps")

// Call is a call of a tool.
type Call struct {
	ID     uint64         // from 1, in the order of the calls
	Tool   string         // the name of the tool
	Inputs map[string]any // every input of the tool, as its declared type
}

// Answer is the end of a call, or that it is time to wake.
type Answer struct {
	ID    uint64    // of the call; 0 if the time has come that was asked for
	Time  time.Time // when it came; the same when it is given again
	Run   string    // the run that the call became
	Value any       // of the tool's one output; nil without outputs, a *Dict by name for several
	Err   *Error    // why it failed, or nil
}
