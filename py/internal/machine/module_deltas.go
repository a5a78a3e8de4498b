package machine

import (
	"cmp"
	"math"

	"github.com/glovebox-dev/glovebox/py/internal/calendar"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// deltaUnits are the parameters of timedelta and what they count, in
// microseconds.
var deltaUnits = []struct {
	name *str
	us   int64
}{
	{known.str("days"), calendar.Day}, {known.str("seconds"), 1_000_000}, {known.str("microseconds"), 1},
	{known.str("milliseconds"), 1000}, {known.str("minutes"), 60_000_000}, {known.str("hours"), 3_600_000_000},
	{known.str("weeks"), 7 * calendar.Day},
}

// defineDeltas defines the methods of timedelta.
func defineDeltas(mod *moduleMaker) {
	mod.swift("timedelta.__new__", 1, -1, "_slow_new", deltaNew)
	mod.swift("timedelta.days", 1, 1, "_slow_days", onDelta(func(us int64) Value { n, _ := floorDivMod(us, calendar.Day); return Int(n) }))
	mod.swift("timedelta.seconds", 1, 1, "_slow_seconds", onDelta(func(us int64) Value {
		_, rest := floorDivMod(us, calendar.Day)
		return Int(rest / 1_000_000)
	}))
	mod.swift("timedelta.microseconds", 1, 1, "_slow_microseconds", onDelta(func(us int64) Value {
		_, rest := floorDivMod(us, 1_000_000)
		return Int(rest)
	}))
	mod.swift("timedelta.total_seconds", 1, 1, "_slow_total_seconds", func(m *Machine, a Args) (Value, bool, error) {
		us, ok := m.dates().deltaOf(a.v[0])
		if !ok || us > exactFloat || us < -exactFloat {
			return no()
		}
		return Float(float64(us) / 1e6), true, nil
	})
	mod.swift("timedelta.__bool__", 1, 1, "_slow_bool", onDelta(func(us int64) Value { return Bool(us != 0) }))
	mod.swift("timedelta.__neg__", 1, 1, "_slow_neg", func(m *Machine, a Args) (Value, bool, error) {
		t := m.dates()
		us, ok := t.deltaOf(a.v[0])
		if !ok || us == math.MinInt64 {
			return no()
		}
		return m.newDelta(t.timedelta, -us)
	})
	mod.swift("timedelta.__add__", 2, 2, "_slow_add", deltaSum(1))
	mod.swift("timedelta.__sub__", 2, 2, "_slow_sub", deltaSum(-1))
	mod.swift("timedelta.__mul__", 2, 2, "_slow_mul", deltaTimes)
	mod.swift("timedelta.__truediv__", 2, 2, "_slow_truediv", func(m *Machine, a Args) (Value, bool, error) {
		x, ok1 := m.dates().deltaOf(a.v[0])
		y, ok2 := m.dates().deltaOf(a.v[1])
		if !ok1 || !ok2 || y == 0 || max(x, -x, y, -y) > exactFloat || x == math.MinInt64 || y == math.MinInt64 {
			return no()
		}
		return Float(float64(x) / float64(y)), true, nil
	})
	mod.comparisons("timedelta", &valueOps{equal: equalDeltas, order: orderDeltas, hash: hashDelta})
}

// exactFloat is up to where floats have all ints.
const exactFloat = 1 << 53

func onDelta(fn func(us int64) Value) swiftFunc {
	return func(m *Machine, a Args) (Value, bool, error) {
		o := a.v[0].instance()
		if o == nil {
			return no()
		}
		us := o.fieldAt(0, microsName)
		if !us.isInt() {
			return no()
		}
		return fn(us.int()), true, nil
	}
}

// deltaNew is timedelta(...) of ints.
func deltaNew(m *Machine, a Args) (Value, bool, error) {
	if n := len(a.v) - 1; n > len(deltaUnits) {
		return Value{}, false, raise.Type("__new__() takes at most 7 arguments (%d given)", n)
	}
	c := a.v[0].class()
	if c == nil || c.layout != kindInstance || c.flags&shared != 0 || c.abstract != nil {
		return no()
	}
	us := int64(0)
	given := 0
	for i, v := range a.v[1:] {
		at := i
		if i >= a.len()-1 {
			name := a.names.items[i-a.len()+1].str()
			if at = deltaUnit(name); at < 0 {
				return Value{}, false, raise.Type("'%s' is an invalid keyword argument for __new__()", name.s)
			}
		}
		if given&(1<<at) != 0 {
			return Value{}, false, raise.Type("argument for __new__() given by name ('%s') and position (%d)", deltaUnits[at].name.s, at+1)
		}
		if !v.isInt() {
			return no()
		}
		given |= 1 << at
		unit := deltaUnits[at].us
		n := v.int()
		if most := math.MaxInt64 / 16 / unit; n > most || n < -most {
			return no()
		}
		us += n * unit
	}
	return m.newDelta(c, us)
}

// deltaUnit returns the number of a parameter of timedelta, or -1.
func deltaUnit(name *str) int {
	for i := range deltaUnits {
		if deltaUnits[i].name == name || deltaUnits[i].name.s == name.s {
			return i
		}
	}
	return -1
}

func deltaSum(sign int64) swiftFunc {
	return func(m *Machine, a Args) (Value, bool, error) {
		t := m.dates()
		x, ok1 := t.deltaOf(a.v[0])
		y, ok2 := t.deltaOf(a.v[1])
		sum, ok := addMicros(x, sign*y)
		if !ok1 || !ok2 || !ok {
			return no()
		}
		return m.newDelta(t.timedelta, sum)
	}
}

// deltaTimes is timedelta * int.
func deltaTimes(m *Machine, a Args) (Value, bool, error) {
	t := m.dates()
	us, ok := t.deltaOf(a.v[0])
	n := a.v[1]
	const most = 1 << 31
	if !ok || !n.isInt() || n.int() > most || n.int() < -most || us > most*1000 || us < -most*1000 {
		return no()
	}
	return m.newDelta(t.timedelta, us*n.int())
}

// microsOf returns the lengths of two timedeltas.
func twoDeltas(m *Machine, x, y Value) (a, b Value, state comparable2) {
	t := m.dates()
	if t == nil {
		return a, b, compareSlow
	}
	p, q := x.instance(), y.instance()
	if p == nil || !p.class.isSubclass(t.timedelta) {
		return a, b, compareSlow
	}
	if q == nil || !q.class.isSubclass(t.timedelta) {
		return a, b, compareUnknown
	}
	a, b = p.fieldAt(0, microsName), q.fieldAt(0, microsName)
	if !a.isInt() || !b.isInt() {
		return a, b, compareSlow
	}
	return a, b, compareKnown
}

func equalDeltas(m *Machine, x, y Value) (bool, bool, error) {
	a, b, state := twoDeltas(m, x, y)
	return a.n == b.n, state == compareKnown, state.err()
}

func orderDeltas(m *Machine, x, y Value) (int, bool, bool, error) {
	a, b, state := twoDeltas(m, x, y)
	return cmp.Compare(a.int(), b.int()), true, state == compareKnown, state.err()
}

func hashDelta(m *Machine, x Value) (uint64, error) {
	us := x.instance().fieldAt(0, microsName)
	if !us.isInt() {
		return 0, errForeign
	}
	return mix(us.n), nil
}
