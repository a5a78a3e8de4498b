package modules

import (
	"github.com/glovebox-dev/glovebox/py/internal/calendar"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// no is the answer of a swift method that leaves the call to Python.
func no() (machine.Value, bool, error) { return machine.Value{}, false, nil }

// defineDates defines the methods of date.
func defineDates(mod *machine.ModuleBuilder) {
	mod.Swift("date.__new__", 1, -1, "_slow_new", dateNew)
	mod.Swift("date.__add__", 2, 2, "_slow_add", dateAdd(1))
	mod.Swift("date.__radd__", 2, 2, "_slow_add", dateAdd(1))
	mod.Swift("date.__sub__", 2, 2, "_slow_sub", dateSub)
	mod.Swift("date.fromisoformat", 2, 2, "_slow_fromisoformat", dateParse)
	mod.Swift("date.isoformat", 1, 1, "_slow_isoformat", onDay(func(m *machine.Machine, d calendar.Date) (machine.Value, error) { return m.Str(isoDay(nil, d)) }))
	mod.Swift("date.toordinal", 1, 1, "_slow_toordinal", onDay(func(_ *machine.Machine, d calendar.Date) (machine.Value, error) {
		return machine.Int(int64(d.Ordinal())), nil
	}))
	mod.Swift("date.weekday", 1, 1, "_slow_weekday", onDay(func(_ *machine.Machine, d calendar.Date) (machine.Value, error) {
		return machine.Int(int64(d.Weekday())), nil
	}))
	mod.Swift("date.isoweekday", 1, 1, "_slow_isoweekday", onDay(func(_ *machine.Machine, d calendar.Date) (machine.Value, error) {
		return machine.Int(int64(d.Weekday() + 1)), nil
	}))
	mod.Swift("date.replace", 1, -1, "_slow_replace", dateReplace)
	mod.Swift("date.strftime", 1, -1, "_slow_strftime", dateFormat)
	mod.Comparisons("date", &machine.ValueOps{Equal: equalDates, Order: orderDates, Hash: hashDate})
}

// onDay makes a method of a function of the day of a date or datetime.
func onDay(fn func(m *machine.Machine, d calendar.Date) (machine.Value, error)) machine.SwiftFunc {
	return func(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
		o := a.Arg(0).Instance()
		if o == nil {
			return no()
		}
		d, ok := dayOf(o)
		if !ok || d.Check() != nil {
			return no()
		}
		v, err := fn(m, d)
		return v, err == nil, err
	}
}

// isoDay is YYYY-MM-DD.
func isoDay(to []byte, d calendar.Date) string { return string(appendDay(to, d)) }

func appendDay(to []byte, d calendar.Date) []byte {
	to = append(to, '0'+byte(d.Year/1000), '0'+byte(d.Year/100%10))
	to = appendTwo(to, d.Year%100)
	to = appendTwo(append(to, '-'), d.Month)
	return appendTwo(append(to, '-'), d.Day)
}

func appendTwo(to []byte, n int) []byte { return append(to, '0'+byte(n/10%10), '0'+byte(n%10)) }

// dateNew is date(year, month, day) of ints.
func dateNew(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
	if err := named(a, "function", 3, momentNames[:3]); err != nil {
		return machine.Value{}, false, err
	}
	c := a.Arg(0).Class()
	if c == nil || a.Named() > 0 || len(a.All()) != 4 || !c.Ordinary() {
		return no()
	}
	d, ok := dayIn(a.All()[1:])
	if !ok {
		return no()
	}
	return newDate(m, c, d)
}

// named refuses too many arguments, and keywords of other names.
func named(a machine.Args, fn string, most int, names []*machine.Str) error {
next:
	for i := range a.Named() {
		s := a.NameAt(i)
		for _, name := range names {
			if s.Text() == name.Text() {
				continue next
			}
		}
		if fn == "function" {
			fn = "this function"
		}
		return raise.Type("'%s' is an invalid keyword argument for %s", s.Text(), fn)
	}
	if n := len(a.All()) - 1; n > most {
		return raise.Type("%s takes at most %d arguments (%d given)", fn, most, n)
	}
	return nil
}

// dayIn reads a year, a month and a day.
func dayIn(v []machine.Value) (d calendar.Date, ok bool) {
	if !v[0].IsInt() || !v[1].IsInt() || !v[2].IsInt() || uint64(v[0].Int()) > calendar.MaxYear || uint64(v[1].Int()) > 12 || uint64(v[2].Int()) > 31 {
		return d, false
	}
	d = calendar.Date{Year: int(v[0].Int()), Month: int(v[1].Int()), Day: int(v[2].Int())}
	return d, d.Check() == nil
}

// dateAdd is date + timedelta, or date - timedelta.
func dateAdd(sign int64) machine.SwiftFunc {
	return func(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
		t := datesOf(m)
		o := t.isDate(a.Arg(0))
		us, ok := t.deltaOf(a.Arg(1))
		if o == nil || !ok || !m.PlainNew(o.Class()) {
			return no()
		}
		d, ok := dayOf(o)
		if !ok {
			return no()
		}
		days, _ := floorDivMod(us, calendar.Day)
		n := int64(d.Ordinal()) + sign*days
		if n < 1 || n > calendar.MaxOrdinal {
			return machine.Value{}, false, errDateRange
		}
		d, err := calendar.FromOrdinal(int(n))
		if err != nil {
			return machine.Value{}, false, err
		}
		return newDate(m, o.Class(), d)
	}
}

var dateLess = dateAdd(-1)

// dateSub is date - date and date - timedelta.
func dateSub(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
	t := datesOf(m)
	x, y := t.isDate(a.Arg(0)), t.isDate(a.Arg(1))
	if x == nil || y == nil {
		return dateLess(m, a)
	}
	from, ok1 := dayOf(x)
	to, ok2 := dayOf(y)
	if !ok1 || !ok2 {
		return no()
	}
	return newDelta(m, t.timedelta, int64(from.Ordinal()-to.Ordinal())*calendar.Day)
}

// dateParse is date.fromisoformat(text).
func dateParse(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
	c, s := a.Arg(0).Class(), a.Arg(1).Str()
	if c == nil || s == nil || len(a.All()) != 2 || len(s.Text()) > 10 || !m.PlainNew(c) {
		return no()
	}
	d, err := calendar.ParseDate(s.Text())
	if err != nil {
		return no()
	}
	return newDate(m, c, d)
}

// dayNumber orders days.
func dayNumber(d calendar.Date) int { return (d.Year*16+d.Month)*32 + d.Day }

func twoDays(m *machine.Machine, x, y machine.Value) (a, b int, state comparable2) {
	t := datesOf(m)
	if t == nil {
		return 0, 0, compareSlow
	}
	p := t.isDate(x)
	if p == nil || t.isMoment(y) != nil {
		return 0, 0, compareSlow
	}
	q := t.isDate(y)
	if q == nil {
		return 0, 0, compareUnknown
	}
	d, ok1 := dayOf(p)
	e, ok2 := dayOf(q)
	if !ok1 || !ok2 {
		return 0, 0, compareSlow
	}
	return dayNumber(d), dayNumber(e), compareKnown
}

// comparable2 says what becomes of a comparison of two values.
type comparable2 uint8

const (
	compareKnown   comparable2 = iota
	compareUnknown             // NotImplemented
	compareSlow                // Python knows
)

func (c comparable2) err() error {
	if c == compareSlow {
		return machine.ErrForeign
	}
	return nil
}

func equalDates(m *machine.Machine, x, y machine.Value) (bool, bool, error) {
	a, b, state := twoDays(m, x, y)
	return a == b, state == compareKnown, state.err()
}

func orderDates(m *machine.Machine, x, y machine.Value) (int, bool, bool, error) {
	a, b, state := twoDays(m, x, y)
	return a - b, true, state == compareKnown, state.err()
}

func hashDate(m *machine.Machine, x machine.Value) (uint64, error) {
	d, ok := dayOf(x.Instance())
	if !ok {
		return 0, machine.ErrForeign
	}
	return machine.SpreadHash(uint64(dayNumber(d))), nil
}

// replaced reads the arguments of replace() over the values of the fields of
// those names.
func replaced(values []machine.Value, names []*machine.Str, a machine.Args) bool {
	if a.Len()-1 > len(values) {
		return false
	}
	copy(values, a.Positional()[1:])
	for i := range a.Named() {
		at := -1
		for k, name := range names {
			if s := a.NameAt(i); s != nil && s.Text() == name.Text() {
				at = k
			}
		}
		if at < a.Len()-1 {
			return false
		}
		values[at] = a.Arg(a.Len() + i)
	}
	return true
}

// dateReplace is date.replace(...) of ints.
func dateReplace(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
	if err := named(a, "replace()", 3, momentNames[:3]); err != nil {
		return machine.Value{}, false, err
	}
	t := datesOf(m)
	o := t.isDate(a.Arg(0))
	if o == nil || !m.PlainNew(o.Class()) {
		return no()
	}
	var values [3]machine.Value
	for i := range values {
		values[i] = o.FieldAt(i, momentNames[i])
	}
	if !replaced(values[:], momentNames[:3], a) {
		return no()
	}
	d, ok := dayIn(values[:])
	if !ok {
		return no()
	}
	return newDate(m, o.Class(), d)
}

// dateFormat is date.strftime(format).
func dateFormat(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
	o := datesOf(m).isDate(a.Arg(0))
	if o == nil {
		return no()
	}
	d, ok := dayOf(o)
	if !ok || d.Check() != nil {
		return no()
	}
	return formatted(m, a, calendar.Fields{Date: d})
}

// formatted is strftime(format) of what has no time zone.
func formatted(m *machine.Machine, a machine.Args, f calendar.Fields) (machine.Value, bool, error) {
	if len(a.All()) != 2 || a.Named() > 0 || a.Arg(1).Str() == nil {
		return no()
	}
	format := a.Arg(1).Str()
	s, err := calendar.Strftime(m, format.Text(), f)
	if err != nil {
		return machine.Value{}, false, err
	}
	v, err := m.Str(s)
	return v, err == nil, err
}
