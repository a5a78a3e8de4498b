package machine

import (
	"errors"
	"math"
	"testing"
)

// TestMeterHolds makes calls that once charged a negative amount, and then
// needs more memory than there is.
func TestMeterHolds(t *testing.T) {
	for _, call := range []string{"math.factorial(0)", "math.comb(0, 0)", "math.comb(5, 0)", "math.comb(5, 5)", "math.perm(0)", "math.perm(0, 0)"} {
		m := eval(t, "import math\nassert "+call+" == 1\nkeep = []\nfor i in range(99):\n    keep.append('z' * 1_000_000 + str(i))")
		var limit *LimitError
		if !errors.As(m.Failure(), &limit) || limit.Limit != MemoryLimit {
			t.Errorf("%s: it ended with %v", call, m.Failure())
		}
	}
}

// TestNegativeAmounts charges what overflowed.
func TestNegativeAmounts(t *testing.T) {
	for _, amount := range []int{-1, math.MinInt, math.MinInt / 2} {
		m := New(testProgram(t, "1"), testLimits, Host{})
		before := m.mem
		m.Spend(amount)
		var limit *LimitError
		if err := m.Alloc(amount); !errors.As(err, &limit) || m.mem < before {
			t.Errorf("Alloc(%d) = %v, and %d bytes became %d", amount, err, before, m.mem)
		}
		if err := m.Work(amount); !errors.As(err, &limit) || m.steps < 0 {
			t.Errorf("Work(%d) = %v, and %d steps", amount, err, m.steps)
		}
	}
}

// TestEdgeArguments makes calls that once ended the program with an error that
// it could not catch.
func TestEdgeArguments(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"'ab'.ljust(-2**63)", "'ab'"},
		{"'ab'.rjust(-2**63)", "'ab'"},
		{"'ab'.zfill(-2**63)", "'ab'"},
		{"from decimal import Decimal\nf'{Decimal(1):0{2**63},}'", "ValueError: invalid format string"},
		{"from decimal import Decimal\nf'{Decimal(1):>{2**63}}'", "ValueError: invalid format string"},
		{"import random\nrandom.setstate((3, (0,) * 624 + (9999,), None))", "ValueError: invalid state"},
		{"import asyncio\nasyncio.Future.set_name(5, 'x')", "TypeError: descriptor requires a '_asyncio.Future' object but received a 'int'"},
		{"import asyncio\nasyncio.Future.result(None)", "TypeError: descriptor requires a '_asyncio.Future' object but received a 'NoneType'"},
		{"async def g():\n    yield\ntype(g()).asend(5, 1).send(None)", "TypeError: descriptor requires a 'async_generator' object but received a 'int'"},
	} {
		m := eval(t, c.source)
		got := ""
		if m.Status() == Done {
			got, _ = m.Repr()
		} else {
			got = m.Failure().Error()
		}
		if got != c.want {
			t.Errorf("%q = %s, want %s", c.source, got, c.want)
		}
	}
}
