package api

import (
	"strconv"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/value"
)

// Clock says which clock the code of an orchestrator can read:
//
//	""            none. Sleeping takes real time, but tells no time
//	real          that of the host
//	fixed:TIME    one that begins at an RFC 3339 time. Sleeping takes no time and moves it
//	virtual       none. Sleeping takes no time
type Clock string

// The clocks that have no parameter.
const (
	RealClock    Clock = "real"
	VirtualClock Clock = "virtual"
)

// FixedClock is a clock that begins at t and that only sleeping moves.
func FixedClock(t time.Time) Clock { return Clock(fixedClock + t.Format(time.RFC3339Nano)) }

const fixedClock = "fixed:"

// Fixed returns where a fixed clock begins; ok is false for other clocks.
func (c Clock) Fixed() (t time.Time, ok bool) {
	text, ok := strings.CutPrefix(string(c), fixedClock)
	if !ok {
		return t, false
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	return t.UTC(), err == nil
}

// Readable reports whether the code can read the clock.
func (c Clock) Readable() bool { return c != "" && c != VirtualClock }

// Sleeps reports whether sleeping takes real time.
func (c Clock) Sleeps() bool { return c == "" || c == RealClock }

// Check returns invalid_task for a clock that there is not.
func (c Clock) Check() error {
	if _, ok := c.Fixed(); ok || c == "" || c == RealClock || c == VirtualClock {
		return nil
	}
	return WrongField("orchestrator.clock", value.Quote(string(c)), `"real", "virtual", or "fixed:" and an RFC 3339 time such as "fixed:2024-02-29T12:00:00Z"`)
}

// Random says which randomness the code of an orchestrator has:
//
//	""          none but what it seeds itself
//	real        drawn once for each run, and kept in the journal
//	seeded:N    that of the int N: the module random gives what CPython gives after random.seed(N)
type Random string

// RealRandom is the randomness of the host.
const RealRandom Random = "real"

// SeededRandom is the randomness of a number.
func SeededRandom(seed int64) Random { return Random(seededRandom + strconv.FormatInt(seed, 10)) }

const seededRandom = "seeded:"

// Seed returns the number of seeded randomness; ok is false for any other.
func (r Random) Seed() (seed int64, ok bool) {
	text, ok := strings.CutPrefix(string(r), seededRandom)
	if !ok {
		return 0, false
	}
	seed, err := strconv.ParseInt(text, 10, 64)
	return seed, err == nil
}

// Check returns invalid_task for randomness that there is not.
func (r Random) Check() error {
	if _, ok := r.Seed(); ok || r == "" || r == RealRandom {
		return nil
	}
	return WrongField("orchestrator.random", value.Quote(string(r)), `"real", or "seeded:" and an int of 64 bits such as "seeded:42"`)
}

// Granted returns the task with the clock and the randomness that a submission
// asks for, if it asks for any.
func (s *Submission) Granted(task *Task) (*Task, error) {
	if s.Clock == "" && s.Random == "" {
		return task, nil
	}
	if task.Orchestrator == nil {
		return nil, Errorf(InvalidTask, "a clock and randomness are for orchestrators; this task is of kind %s", task.KindOf()).
			WithDetails(Details{Field: "clock"})
	}
	changed, spec := *task, *task.Orchestrator
	if s.Clock != "" {
		spec.Clock = s.Clock
	}
	if s.Random != "" {
		spec.Random = s.Random
	}
	changed.Orchestrator = &spec
	return &changed, nil
}
