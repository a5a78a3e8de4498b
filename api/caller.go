package api

import (
	"context"
	"errors"
	"time"
)

// Caller lets the code of an orchestrator call its tools. Each call becomes a
// run of its own, whose intent is durable before it starts and whose outcome is
// kept. After a crash the same attempt is made again with a Caller that knows
// the outcomes, and the code cannot tell the difference.
//
// The runner of an orchestrator starts the code from Snapshot, or from its
// beginning if there is none. Whenever the code waits, the runner passes every
// new call to Start, and resumes the code with what Next returns. So the order
// of Next alone decides what happens, and the engine keeps that order. One
// goroutine at a time uses a Caller.
type Caller interface {
	// Snapshot returns what was saved last, and the ids of the calls that the
	// code had begun then. Nil means that the code starts from its beginning.
	Snapshot() []byte
	// Restart drops the snapshot, which the code could not use, and begins the
	// history anew: the code starts from its beginning. It is called before the
	// first Start and Next or not at all.
	Restart()
	// Start begins a call. The tool starts when the intent is durable, which
	// may be after Start returns; if the intent cannot be kept, Next returns
	// the error. A runner that restored a snapshot passes each call without an
	// answer to Start again. An error of Start ends the attempt, unchanged.
	Start(ctx context.Context, call Call) error
	// Cancel gives up a call that was begun and has no answer yet. The tool is
	// ended, and Next never returns its answer. The engine itself finds the
	// calls that were given up before a snapshot: those that are not passed to
	// Start again.
	Cancel(call uint64)
	// Next waits for a call to end. Its error ends the attempt, unchanged. A
	// wake that is not zero is when it returns at the latest, with an Answer
	// without an ID. The wait outlives this process. If it is long, the attempt
	// may end with ErrAsleep and resume from Snapshot when the time has come.
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

// LongSleep is a wait after which an attempt with no call under way need not
// stay in memory: the caller of Next saves a snapshot first, and handles
// ErrAsleep.
const LongSleep = 10 * time.Second

// ErrAsleep ends an attempt that is resumed when its time has come.
var ErrAsleep = errors.New("the attempt sleeps")

// Call is a call of a tool.
type Call struct {
	ID     uint64         // from 1, in the order of the calls
	Tool   string         // the name of the tool
	Task   *Task          // one that the runner has made for this call, instead of a tool
	Inputs map[string]any // every input of the tool, as its declared type
	Line   int            // of the code that makes the call; 0 if it is not known
}

// Answer is the end of a call, or that it is time to wake.
type Answer struct {
	ID    uint64    // of the call; 0 if the time has come that was asked for
	Time  time.Time // when it came; the same when it is given again
	Run   string    // the run that the call became
	Value any       // of the tool's one output; nil without outputs, a *Dict by name for several
	Err   *Error    // why it failed, or nil
	// Models is what the run asked of models.
	Models ModelUsage
}
