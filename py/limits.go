package py

import (
	"math"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
)

// Limits bound what an instance of a program may use. Zero fields are the
// defaults.
type Limits struct {
	Memory int64         // bytes of values that are alive; default 50 MiB
	Depth  int           // nested calls; default 1000
	Time   time.Duration // of execution, without the waiting for tools; default 30 s
	Steps  int64         // instructions and the like; default without bound
	Output int           // bytes that are printed; default 1 MiB
	Calls  int           // calls of tools, in all; default 10,000
}

// The defaults of Limits.
const (
	DefaultMemory = 50 << 20
	DefaultDepth  = 1000
	DefaultTime   = 30 * time.Second
	DefaultSteps  = math.MaxInt64 / 4
	DefaultOutput = 1 << 20
	DefaultCalls  = 10_000
)

// The least memory that an instance works with, and the deepest nesting that
// it may be granted.
const (
	leastMemory = 64 << 10
	mostDepth   = 100_000
)

// complete fills in the defaults.
func (l Limits) complete() (machine.Limits, error) {
	if l.Memory < 0 || l.Depth < 0 || l.Time < 0 || l.Steps < 0 || l.Output < 0 || l.Calls < 0 {
		return machine.Limits{}, api.Errorf(api.InvalidTask, "a limit is negative: %+v", l)
	}
	if l.Memory > 0 && l.Memory < leastMemory {
		return machine.Limits{}, api.Errorf(api.InvalidTask, "the memory limit is %d bytes; the least is %d", l.Memory, leastMemory)
	}
	if l.Depth > mostDepth {
		return machine.Limits{}, api.Errorf(api.InvalidTask, "the depth limit is %d; the most is %d", l.Depth, mostDepth)
	}
	return machine.Limits{
		Memory: or(l.Memory, DefaultMemory), Depth: or(l.Depth, DefaultDepth), Time: or(l.Time, DefaultTime),
		Steps: min(or(l.Steps, DefaultSteps), DefaultSteps), Output: or(l.Output, DefaultOutput), Calls: or(l.Calls, DefaultCalls),
	}, nil
}

func or[T int | int64 | time.Duration](v, fallback T) T {
	if v == 0 {
		return fallback
	}
	return v
}

// LimitError says which limit ended a program.
type LimitError = machine.LimitError

// LimitKind names a limit.
type LimitKind = machine.LimitKind

// The limits, as LimitError names them.
const (
	MemoryLimit = machine.MemoryLimit
	DepthLimit  = machine.DepthLimit
	TimeLimit   = machine.TimeLimit
	StepLimit   = machine.StepLimit
	OutputLimit = machine.OutputLimit
	CallLimit   = machine.CallLimit
	Canceled    = machine.Canceled
)
