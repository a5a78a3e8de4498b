package machine

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Limits bound an instance. Every field must be positive.
type Limits struct {
	Memory int64         // bytes of live values
	Steps  int64         // instructions, and work of native operations in their measure
	Time   time.Duration // of execution; waiting for calls does not count
	Depth  int           // frames of the program
	Output int           // bytes printed
	Calls  int           // of tools, in all
}

// LimitKind names a limit.
type LimitKind string

// The limits.
const (
	MemoryLimit LimitKind = "memory"
	StepLimit   LimitKind = "steps"
	TimeLimit   LimitKind = "time"
	DepthLimit  LimitKind = "depth"
	OutputLimit LimitKind = "output"
	CallLimit   LimitKind = "calls"
	Canceled    LimitKind = "canceled" // not a limit: the context of the host ended
)

// LimitError says that the program ran into a limit. The program cannot catch
// it.
type LimitError struct {
	Limit LimitKind
	Max   int64 // of the unit of the limit; nanoseconds for time
	Cause error // of Canceled
}

// Error says which limit it was.
func (e *LimitError) Error() string {
	switch e.Limit {
	case MemoryLimit:
		return fmt.Sprintf("memory limit of %d bytes exceeded", e.Max)
	case StepLimit:
		return fmt.Sprintf("limit of %d steps exceeded", e.Max)
	case TimeLimit:
		return fmt.Sprintf("time limit of %v exceeded", time.Duration(e.Max))
	case DepthLimit:
		return fmt.Sprintf("maximum recursion depth exceeded (limit %d)", e.Max)
	case OutputLimit:
		return fmt.Sprintf("limit of %d bytes of output exceeded", e.Max)
	case CallLimit:
		return fmt.Sprintf("limit of %d tool calls exceeded", e.Max)
	}
	return "canceled: " + e.Cause.Error()
}

// Unwrap returns the reason of a cancellation.
func (e *LimitError) Unwrap() error { return e.Cause }

// ErrMalformed is what a frame that no compiler made leads to. Only a snapshot
// from a hostile source has one.
var ErrMalformed = errors.New("the snapshot is corrupt")

func (m *Machine) limit(kind LimitKind) error {
	e := &LimitError{Limit: kind}
	switch kind {
	case MemoryLimit:
		e.Max = m.limits.Memory
	case StepLimit:
		e.Max = m.limits.Steps
	case TimeLimit:
		e.Max = int64(m.limits.Time)
	case DepthLimit:
		e.Max = int64(m.limits.Depth)
	case OutputLimit:
		e.Max = int64(m.limits.Output)
	case CallLimit:
		e.Max = int64(m.limits.Calls)
	}
	return e
}

// portionSteps is how many steps are taken between two looks at the clock,
// about a tenth of a millisecond.
const portionSteps = 30_000

// check settles the steps taken and looks at every limit that is polled.
func (m *Machine) check() error {
	m.settle()
	if m.mem > m.memCheck {
		if err := m.trace(0); err != nil {
			return err
		}
	}
	if m.steps > m.limits.Steps {
		return m.limit(StepLimit)
	}
	if m.elapsed+now()-m.resumedAt > m.limits.Time {
		return m.limit(TimeLimit)
	}
	if m.ctx != nil && m.ctx.Err() != nil {
		return &LimitError{Limit: Canceled, Cause: context.Cause(m.ctx)}
	}
	return nil
}

// pause is check at a place where the loop can stop: the instruction under way
// has done nothing yet.
func (m *Machine) pause() error {
	if err := m.check(); err != nil {
		return err
	}
	if m.stopHere != nil && !m.asFuture && !m.holdsResolved() && m.stopHere() {
		return errStopped
	}
	return nil
}

func (m *Machine) settle() {
	m.steps += m.portion - m.budget
	m.portion = min(portionSteps, m.limits.Steps-m.steps+1)
	if m.stopHere != nil {
		m.portion = 0
	}
	m.budget = m.portion
}

// interrupt makes the next jump or call look at the limits.
func (m *Machine) interrupt() {
	m.portion -= m.budget + 1
	m.budget = -1
}

// WorkPerStep is how many units of Work make one step.
const WorkPerStep = 4

// Work pays for work of a native operation. A negative amount is one that
// overflowed, and so more than any limit allows.
func (m *Machine) Work(units int) error {
	m.budget -= int64(uint(units)/WorkPerStep) + 1
	if m.budget < 0 {
		return m.check()
	}
	return nil
}

// due looks at the limits when what was paid for is used up.
func (m *Machine) due() error {
	if m.budget >= 0 {
		return nil
	}
	return m.check()
}

// bytesPerStep is how much memory is cleared or copied in about a step.
const bytesPerStep = 32

// Alloc pays for memory before it is allocated, and for the time that it takes:
// the next jump or call looks at the clock when that is used up. A negative
// amount is one that overflowed, and so more than any limit allows.
func (m *Machine) Alloc(bytes int) error {
	if uint64(bytes) > uint64(m.limits.Memory) {
		return m.limit(MemoryLimit)
	}
	m.mem += int64(bytes)
	m.budget -= int64(bytes) / bytesPerStep
	if m.mem > m.memCheck {
		return m.trace(int64(bytes))
	}
	return nil
}

// Spend pays for a small object, for which the next look at the limits is soon
// enough. A negative amount gives nothing back.
func (m *Machine) Spend(bytes int) {
	m.mem += int64(max(bytes, 0))
	if m.mem > m.memCheck && m.budget >= 0 {
		m.interrupt()
	}
}

// The bytes charged for values, as Go lays them out, headers of slices and the
// rounding of its allocator included.
const (
	ValueBytes    = 16
	frameBytes    = 64
	cellBytes     = 48
	SliceBytes    = 80
	TupleBytes    = 48
	ListBytes     = 48
	dictBytes     = 80
	StrBytes      = 48
	bytesBytes    = 48
	bigBytes      = 64
	InstanceBytes = 144
	rarityBytes   = 16
	functionBytes = 160
	methodBytes   = 64
	IteratorBytes = 112
	rangeBytes    = 64
	opaqueBytes   = 64
	generatorBase = 192
	classBytes    = 512
	tracebackLine = 48
)
