package modules

import (
	"cmp"
	"math"

	"github.com/glovebox-dev/glovebox/py/internal/calendar"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// deltaUnits are the parameters of timedelta and what they count, in
// microseconds.
var deltaUnits = []struct {
	name *machine.Str
	us   int64
}{
	{machine.SharedName("days"), calendar.Day}, {machine.SharedName("seconds"), 1_000_000}, {machine.SharedName("microseconds"), 1},
	{machine.SharedName("milliseconds"), 1000}, {machine.SharedName("minutes"), 60_000_000}, {machine.SharedName("hours"), 3_600_000_000},
	{machine.SharedName("weeks"), 7 * calendar.Day},
}

// defineDeltas defines the methods of timedelta.
func defineDeltas(mod *machine.ModuleBuilder) {
	mod.Swift("timedelta.__new__", 1, -1, "_slow_new", deltaNew)
	mod.Swift("timedelta.days", 1, 1, "_slow_days", onDelta(func(us int64) machine.Value { n, _ := floorDivMod(us, calendar.Day); return machine.Int(n) }))
	mod.Swift("timedelta.seconds", 1, 1, "_slow_seconds", onDelta(func(us int64) machine.Value {
		_, rest := floorDivMod(us, calendar.Day)
		return machine.Int(rest / 1_000_000)
	}))
	mod.Swift("timedelta.microseconds", 1, 1, "_slow_microseconds", onDelta(func(us int64) machine.Value {
		_, rest := floorDivMod(us, 1_000_000)
		return machine.Int(rest)
	}))
	mod.Swift("timedelta.total_seconds", 1, 1, "_slow_total_seconds", func(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
		us, ok := datesOf(m).deltaOf(a.Arg(0))
		if !ok || us > exactFloat || us < -exactFloat {
			return no()
		}
		return machine.Float(float64(us) / 1e6), true, nil
	})
	mod.Swift("timedelta.__bool__", 1, 1, "_slow_bool", onDelta(func(us int64) machine.Value { return machine.Bool(us != 0) }))
	mod.Swift("timedelta.__neg__", 1, 1, "_slow_neg", func(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
		t := datesOf(m)
		us, ok := t.deltaOf(a.Arg(0))
		if !ok || us == math.MinInt64 {
			return no()
		}
		return newDelta(m, t.timedelta, -us)
	})
	mod.Swift("timedelta.__add__", 2, 2, "_slow_add", deltaSum(1))
	mod.Swift("timedelta.__sub__", 2, 2, "_slow_sub", deltaSum(-1))
	mod.Swift("timedelta.__mul__", 2, 2, "_slow_mul", deltaTimes)
	mod.Swift("timedelta.__truediv__", 2, 2, "_slow_truediv", func(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
		x, ok1 := datesOf(m).deltaOf(a.Arg(0))
		y, ok2 := datesOf(m).deltaOf(a.Arg(1))
		if !ok1 || !ok2 || y == 0 || max(x, -x, y, -y) > exactFloat || x == math.MinInt64 || y == math.MinInt64 {
			return no()
		}
		return machine.Float(float64(x) / float64(y)), true, nil
	})
	mod.Comparisons("timedelta", &machine.ValueOps{Equal: equalDeltas, Order: orderDeltas, Hash: hashDelta})
}

// exactFloat is up to where floats have all ints.
const exactFloat = 1 << 53

func onDelta(fn func(us int64) machine.Value) machine.SwiftFunc {
	return func(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
		o := a.Arg(0).Instance()
		if o == nil {
			return no()
		}
		us := o.FieldAt(0, microsName)
		if !us.IsInt() {
			return no()
		}
		return fn(us.Int()), true, nil
	}
}

// deltaNew is timedelta(...) of ints.
func deltaNew(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
	if n := len(a.All()) - 1; n > len(deltaUnits) {
		return machine.Value{}, false, raise.Type("__new__() takes at most 7 arguments (%d given)", n)
	}
	c := a.Arg(0).Class()
	if c == nil || !c.Ordinary() {
		return no()
	}
	us := int64(0)
	given := 0
	for i, v := range a.All()[1:] {
		at := i
		if i >= a.Len()-1 {
			name := a.NameAt(i - a.Len() + 1)
			if at = deltaUnit(name); at < 0 {
				return machine.Value{}, false, raise.Type("'%s' is an invalid keyword argument for __new__()", name.Text())
			}
		}
		if given&(1<<at) != 0 {
			return machine.Value{}, false, raise.Type("argument for __new__() given by name ('%s') and position (%d)", deltaUnits[at].name.Text(), at+1)
		}
		if !v.IsInt() {
			return no()
		}
		given |= 1 << at
		unit := deltaUnits[at].us
		n := v.Int()
		if most := math.MaxInt64 / 16 / unit; n > most || n < -most {
			return no()
		}
		us += n * unit
	}
	return newDelta(m, c, us)
}

// deltaUnit returns the number of a parameter of timedelta, or -1.
func deltaUnit(name *machine.Str) int {
	for i := range deltaUnits {
		if deltaUnits[i].name == name || deltaUnits[i].name.Text() == name.Text() {
			return i
		}
	}
	return -1
}

func deltaSum(sign int64) machine.SwiftFunc {
	return func(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
		t := datesOf(m)
		x, ok1 := t.deltaOf(a.Arg(0))
		y, ok2 := t.deltaOf(a.Arg(1))
		sum, ok := addMicros(x, sign*y)
		if !ok1 || !ok2 || !ok {
			return no()
		}
		return newDelta(m, t.timedelta, sum)
	}
}

// deltaTimes is timedelta * int.
func deltaTimes(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
	t := datesOf(m)
	us, ok := t.deltaOf(a.Arg(0))
	n := a.Arg(1)
	const most = 1 << 31
	if !ok || !n.IsInt() || n.Int() > most || n.Int() < -most || us > most*1000 || us < -most*1000 {
		return no()
	}
	return newDelta(m, t.timedelta, us*n.Int())
}

// microsOf returns the lengths of two timedeltas.
func twoDeltas(m *machine.Machine, x, y machine.Value) (a, b machine.Value, state comparable2) {
	t := datesOf(m)
	if t == nil {
		return a, b, compareSlow
	}
	p, q := x.Instance(), y.Instance()
	if p == nil || !p.Class().IsSubclass(t.timedelta) {
		return a, b, compareSlow
	}
	if q == nil || !q.Class().IsSubclass(t.timedelta) {
		return a, b, compareUnknown
	}
	a, b = p.FieldAt(0, microsName), q.FieldAt(0, microsName)
	if !a.IsInt() || !b.IsInt() {
		return a, b, compareSlow
	}
	return a, b, compareKnown
}

func equalDeltas(m *machine.Machine, x, y machine.Value) (bool, bool, error) {
	a, b, state := twoDeltas(m, x, y)
	return a.Int() == b.Int(), state == compareKnown, state.err()
}

func orderDeltas(m *machine.Machine, x, y machine.Value) (int, bool, bool, error) {
	a, b, state := twoDeltas(m, x, y)
	return cmp.Compare(a.Int(), b.Int()), true, state == compareKnown, state.err()
}

func hashDelta(m *machine.Machine, x machine.Value) (uint64, error) {
	us := x.Instance().FieldAt(0, microsName)
	if !us.IsInt() {
		return 0, machine.ErrForeign
	}
	return machine.SpreadHash(uint64(us.Int())), nil
}
