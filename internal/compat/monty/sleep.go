package monty

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/glovebox-dev/glovebox/py"
)

// The session does not sleep by itself: the client does, or nobody. The time of
// the session is what the client has slept for it.

// sleeping is a sleep that the client was asked for.
type sleeping struct {
	call  uint64 // 0 for none
	until time.Duration
	alone bool // by time.sleep
}

// name is that of the function that sleeps.
func (s sleeping) name() string {
	if s.alone {
		return "time.sleep"
	}
	return "asyncio.sleep"
}

// firstSleep is the first number of a sleep: those of other calls stay below.
const firstSleep = 1 << 30

// The fields of OsCall for sleeps.
const (
	osSleep            protowire.Number = 27
	osAsyncSleep       protowire.Number = 28
	osSystemSleep      protowire.Number = 29
	osAsyncSystemSleep protowire.Number = 30
)

// awake lets time pass that costs nothing, until the code needs the client or
// has ended.
func (s *session) awake(ctx context.Context) error {
	for s.config.policy.sleep == fromPolicy && s.py.Status() == py.Waiting && !s.asksNow() {
		at, ok := s.py.Timer()
		if !ok {
			return nil
		}
		if err := s.pass(ctx, at, nil); err != nil {
			return err
		}
	}
	return nil
}

// asksNow reports whether the code stands at a call.
func (s *session) asksNow() bool {
	for _, a := range s.py.Asks() {
		if !a.Pending {
			return true
		}
	}
	return false
}

// pass says that it is later, and gives the answers that came meanwhile.
func (s *session) pass(ctx context.Context, to time.Duration, answers []py.Result) error {
	s.passed = max(s.passed, to)
	s.py.Advance(s.passed)
	s.allow(s.spent())
	return s.py.Resume(ctx, answers...)
}

// slumber is the event that asks the client to sleep; ok is false if it does
// already, or nothing sleeps. Unless the code sleeps alone, it is a call that the
// client may answer by a future.
func (s *session) slumber(pending bool) (ev event, ok bool) {
	at, timed := s.py.Timer()
	if !timed || s.asleep.call != 0 && s.asleep.until == at {
		return event{}, false
	}
	s.sleeps++
	alone, tasks := s.py.Sleep()
	s.asleep = sleeping{call: firstSleep + s.sleeps, until: at, alone: alone}
	left := max(at-s.passed, 0)
	number := osSleep
	if s.config.policy.sleep == fromSystem {
		number, left = osSystemSleep, min(left, s.config.policy.maxSleep)
	}
	if !alone {
		number++ // each kind is followed by that which other calls may overlap
	}
	body := join(numberSet(1, s.asleep.call), bytesOf(number, float(1, left.Seconds())), flag(51, !alone && !pending && tasks == 1))
	return event{kind: eventOSCall, body: body}, true
}

// wake takes the answer to a sleep out of the results; slept reports whether
// there was one that is no future.
func (s *session) wake(results []callResult) (rest []callResult, slept bool, err error) {
	for _, r := range results {
		if s.asleep.call == 0 || r.call != s.asleep.call {
			rest = append(rest, r)
			continue
		}
		switch r.kind {
		case resultFuture:
		case resultRaised:
			return nil, false, refused{orException(r.raised.class), r.raised.message}
		case resultNotHandled:
			return nil, false, refused{"RuntimeError", fmt.Sprintf("'%s' is not supported in this environment", s.asleep.name())}
		default:
			slept = true
		}
	}
	return rest, slept, nil
}

// resumeSlept is resume where the code may sleep.
func (s *session) resumeSlept(ctx context.Context, results []callResult, answers func([]callResult) ([]py.Result, error)) (event, error) {
	rest, slept, err := s.wake(results)
	var no refused
	if errors.As(err, &no) {
		s.asleep = sleeping{}
		if err := s.py.Abort(no.class, no.message); err != nil {
			return event{}, fatalf("an answer that fits nothing: %v", err)
		}
		return s.turn(ctx)
	}
	if err != nil {
		return event{}, err
	}
	given, err := answers(rest)
	if err != nil {
		return event{}, err
	}
	to := s.passed
	if slept {
		to = s.asleep.until
		s.asleep = sleeping{}
	}
	if err := s.pass(ctx, to, given); err != nil {
		return event{}, fatalf("an answer that fits nothing: %v", err)
	}
	return s.turn(ctx)
}
