package py

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
)

// Status is where an instance of a program stands.
type Status = machine.Status

// The states of an instance that a host sees.
const (
	Waiting = machine.Waiting // for the results of calls
	Done    = machine.Done    // the result is there
	Failed  = machine.Failed  // by an exception or a limit
)

// State is one instance of a program. It is used by one goroutine at a time.
type State struct {
	program *Program
	machine *machine.Machine
	key     []byte
	pieces  bool // of a Console
}

// Status tells where the instance stands.
func (s *State) Status() Status { return s.machine.Status() }

// Call is a call of a tool that waits for its result.
type Call struct {
	ID   uint64 // unique in the instance, from 1 in the order of the calls
	Tool string
	Args []any // one for each parameter of the tool, as package api describes values
	Line int   // of the source that makes the call; 0 if a snapshot was taken since
}

// Calls returns the calls that wait for results. The program continues as soon
// as it has one that it needs.
func (s *State) Calls() []Call {
	waiting := s.machine.Calls()
	calls := make([]Call, len(waiting))
	for i, c := range waiting {
		calls[i] = Call{c.ID, c.Tool.Name, c.Args, c.Line}
	}
	return calls
}

// Timer returns when the program wants to continue although no call has ended, as
// the time since it started; ok is false if it waits for calls alone. It is so
// only with Host.Timers: then the host waits, calls Advance, and Resume with
// whatever results there are.
func (s *State) Timer() (at time.Duration, ok bool) { return s.machine.Timer() }

// Advance tells the program how much time has passed since it started, before
// the next Resume. Its sleeping and its time limits count by that alone, and it
// never goes back.
func (s *State) Advance(passed time.Duration) { s.machine.Advance(passed) }

// Canceled returns the calls that the program gave up since it was resumed last:
// by cancel, a timeout, or the end of a group. They are not among Calls any
// more, and take no result; the host may end them. Of a call that the host never
// saw, nothing is to be ended. A snapshot does not hold the list: ask before it
// is taken.
func (s *State) Canceled() []uint64 { return slices.Clone(s.machine.GivenUp()) }

// Result is what became of a call.
type Result struct{ answer machine.Answer }

// Return is the result of a call that succeeded. The value must fit the type of
// the tool's result.
func Return(id uint64, value any) Result { return Result{machine.Answer{ID: id, Value: value}} }

// Raise is the result of a call that failed: the program sees an exception of
// the built-in class of that name.
func Raise(id uint64, class, message string) Result {
	return Result{machine.Answer{ID: id, Class: class, Message: message}}
}

// RaiseWith is Raise with a value as the only argument of the exception, such as
// the key of a KeyError.
func RaiseWith(id uint64, class string, argument any) Result {
	return Result{machine.Answer{ID: id, Class: class, Value: argument}}
}

// Pending says that the result of a call comes later. The call gives the
// program a future, which it can await.
func Pending(id uint64) Result { return Result{machine.Answer{ID: id, Pending: true}} }

// ErrNotWaiting is returned for a result of a call that does not wait.
var ErrNotWaiting = errors.New("the program does not wait for calls")

// Resume gives the results of some calls, in any order, and runs the program
// until it waits again, ends or fails. Its error says which result cannot be
// given, and then nothing has changed.
func (s *State) Resume(ctx context.Context, results ...Result) error {
	if s.Status() != Waiting {
		return ErrNotWaiting
	}
	answers := make([]machine.Answer, len(results))
	for i, r := range results {
		for _, before := range answers[:i] {
			if before.ID == r.answer.ID {
				return fmt.Errorf("two results for call %d", r.answer.ID)
			}
		}
		v, err := s.machine.Check(r.answer)
		if err != nil {
			return err
		}
		answers[i] = r.answer
		answers[i].Value = v
	}
	s.machine.Resume(ctx, answers)
	return nil
}

// Result returns the value of a program that is done: that of its last
// expression. For one that failed it returns why: an *Exception or a
// *LimitError.
func (s *State) Result() (any, error) {
	switch s.Status() {
	case Done:
		return s.machine.Export(s.machine.Result(), s.program.options.Output)
	case Failed:
		return nil, s.machine.Failure()
	}
	return nil, api.Errorf(api.InvalidTask, "the program has not ended: it waits for %d calls", len(s.machine.Calls()))
}

// Snapshot returns the instance as bytes, from which Program.Load makes it
// again, in this process or another. With RunOptions.Key they are authenticated.
// docs/SNAPSHOT.md describes the format.
func (s *State) Snapshot() ([]byte, error) {
	if s.pieces {
		return nil, api.Errorf(api.InvalidTask, "a console cannot be saved")
	}
	return s.machine.Snapshot(s.key)
}

// Load makes an instance of a snapshot that another instance of the same
// program gave. It is safe with bytes from anywhere: what is not a snapshot of
// this program is refused, and with a key what was not made with that key. Only
// a key keeps a hostile source from forging handles, though. The limits are
// those of o; what was used before the snapshot counts.
func (p *Program) Load(snapshot []byte, o RunOptions) (*State, error) {
	limits, err := o.Limits.complete()
	if err != nil {
		return nil, err
	}
	m, err := machine.Load(p.linked, snapshot, o.Key, limits, o.Host)
	if err != nil {
		return nil, err
	}
	return &State{program: p, machine: m, key: o.Key}, nil
}

// The reasons for which Load refuses a snapshot.
var (
	ErrSnapshotCorrupt = machine.ErrCorrupt // the bytes are no snapshot
	ErrSnapshotKey     = machine.ErrKey     // it was made with another key, or changed since
	ErrSnapshotFormat  = machine.ErrFormat  // it is of a format that this version does not know
	ErrSnapshotProgram = machine.ErrProgram // it is of another program
)

// Exception is an exception that the program did not catch.
type Exception = machine.Exception

// Line is a place in the source that an Exception has passed.
type Line = machine.Line

// Output returns what the program printed so far.
func (s *State) Output() string { return s.machine.Output() }

// OutputFrom returns what the program printed after the first n bytes.
func (s *State) OutputFrom(n int) string { return s.machine.OutputFrom(n) }

// Usage is what an instance used.
type Usage = machine.Usage

// Usage returns what the instance used so far.
func (s *State) Usage() Usage { return s.machine.Usage() }

// Repr returns repr of the result of a program that is done, as far as no code
// of the program is needed for it.
func (s *State) Repr() (string, error) { return s.machine.Repr() }
