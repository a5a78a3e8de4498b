package machine

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// scanFull is the environment variable that makes TestScan take all arguments.
const scanFull = "GLOVEBOX_TEST_SCAN"

// TestScan calls everything that a program can reach with arguments at the edge
// of what it takes. Whatever a call does, the limits hold afterwards, and it
// ends in a value, an exception or a limit.
func TestScan(t *testing.T) {
	full := os.Getenv(scanFull) != ""
	targets := scanTargets(t)
	if testing.Short() { // those whose sizes are computed from their arguments
		targets = slices.DeleteFunc(targets, func(s scanTarget) bool {
			return s.module != "math" && !strings.HasPrefix(s.callee, "('ab c')") && !strings.HasPrefix(s.callee, "(lambda")
		})
	}
	for len(targets) > 0 {
		n := 1
		for n < len(targets) && n < scanBatch && targets[n].module == targets[0].module {
			n++
		}
		scan(t, targets[:n], full)
		targets = targets[n:]
	}
}

// scanBatch is how many callables one program calls at most.
const scanBatch = 60

// scanHead is the program before the calls. few and more are makers
// of values at an edge, least those that have shown most.
const scanHead = `
from decimal import Decimal
from fractions import Fraction
import datetime, collections, random, re, hashlib
random.seed(1)
nan, inf = float('nan'), float('inf')
few = [lambda: 0, lambda: 1, lambda: -1, lambda: 2**63, lambda: -2**63, lambda: 0.0, lambda: nan, lambda: inf,
    lambda: '', lambda: 'a', lambda: b'', lambda: [], lambda: [1], lambda: None]
least = [few[0], few[2], few[3], few[6], few[8], few[13]]
more = [lambda: 2, lambda: 7, lambda: 2**62, lambda: 2**63 - 1, lambda: 2**64, lambda: 10**30, lambda: -0.0, lambda: 1.5, lambda: -inf,
    lambda: 1e308, lambda: True, lambda: 'ab' * 5, lambda: 'é', lambda: b'ab', lambda: [0], lambda: [1, 2, 3], lambda: (),
    lambda: (1,), lambda: {}, lambda: {1: 2}, lambda: set(), lambda: range(0), lambda: range(5), lambda: range(-2**62, 2**62 - 1),
    lambda: Decimal(0), lambda: Decimal('NaN'), lambda: Decimal('1E+500'), lambda: Fraction(0), lambda: Fraction(1, 3),
    lambda: datetime.date(2024, 1, 1), lambda: datetime.timedelta(0), lambda: datetime.datetime(2024, 1, 1),
    lambda: (x for x in ()), lambda: iter([]), lambda: int, lambda: len, lambda: (lambda *a: 0), lambda: slice(None),
    lambda: (3, (0,) * 624 + (9999,), None)]
calls = at = target = 0
def call(fn, *makers):
    global calls, at
    calls += 1
    if target < TARGET or target == TARGET and calls < FIRST:
        return
    at = calls
    try:
        r = fn(*[f() for f in makers])
        if hasattr(r, '__next__'):
            for _ in range(3):
                next(r)
    except BaseException:
        pass
def all_calls(n, fn):
    global target, calls
    target, calls = n, 0
    if target < TARGET:
        return
    singles, pairs, triples = POOLS
    call(fn)
    for a in singles:
        call(fn, a)
    for a in pairs:
        for b in pairs:
            call(fn, a, b)
    for a in triples:
        for b in triples:
            for c in triples:
                call(fn, a, b, c)
`

// scanTail needs more memory than there is.
const scanTail = `
at = -1
keep = []
for i in range(40):
    keep.append('z' * 1_000_000 + str(i))
`

var scanLimits = Limits{Memory: 24 << 20, Steps: 1 << 24, Time: 5 * time.Second, Depth: 256, Output: 1 << 26, Calls: 1000}

// scanTarget is what a scan calls.
type scanTarget struct{ module, callee string }

// scan makes all calls of some targets of one module. After a call that runs
// into a limit it continues with the next one, after a defect with the next
// target.
func scan(t *testing.T, targets []scanTarget, full bool) {
	for target, first := 0, 1; target < len(targets); {
		m := New(testProgram(t, scanSource(targets, full, target, first)), scanLimits, libraryHost)
		done := make(chan struct{})
		go func() { defer close(done); m.Start(context.Background()) }()
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Fatalf("a call does not end: %v from target %d, call %d", targets, target, first)
		}
		at := scanGlobal(m, "at")
		target, first = scanGlobal(m, "target"), at+1
		if err := scanVerdict(m, at); err != nil {
			t.Errorf("%s, call %d: %v", targets[target].callee, at, err)
			target, first = target+1, 1
		}
		if at < 0 {
			return
		}
	}
}

// scanSource is the program that begins with a call of a target.
func scanSource(targets []scanTarget, full bool, target, first int) string {
	s := scanStartOf(targets[0].module, full, target, first)
	for i, target := range targets {
		s += fmt.Sprintf("all_calls(%d, lambda *a: %s(*a))\n", i, target.callee)
	}
	return s + scanTail
}

func scanStartOf(module string, full bool, target, first int) string {
	pools := "few, least, ()"
	switch {
	case full && module == "":
		pools = "few + more, few + more, ()"
	case full:
		pools = "few + more, few + more, few"
	}
	s := strings.NewReplacer("FIRST", fmt.Sprint(first), "TARGET", fmt.Sprint(target), "POOLS", pools).Replace(scanHead)
	if module != "" {
		s += "import " + module + "\n"
	}
	return s
}

// scanVerdict tells what is wrong with how a program ended.
func scanVerdict(m *Machine, at int) error {
	if u := m.Usage(); u.Steps < 0 || u.Memory < 0 || m.mem < 0 || m.budget > portionSteps {
		return fmt.Errorf("the meter is off: %+v, %d bytes, budget %d", u, m.mem, m.budget)
	}
	limit, ok := m.failure.(*LimitError)
	switch {
	case !ok:
		return fmt.Errorf("it ended with %v", m.Failure())
	case at < 0 && limit.Limit != MemoryLimit && limit.Limit != StepLimit:
		return fmt.Errorf("the memory limit did not hold: %w", limit)
	}
	return nil
}

// scanGlobal returns an int of the main module.
func scanGlobal(m *Machine, name string) int {
	for i, global := range m.main.code.code.Globals {
		if global == name {
			return int(m.main.globals[i].Int())
		}
	}
	return -1
}
