package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/calendar"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// no is the answer of a swift method that leaves the call to Python.
func no() (Value, bool, error) { return Value{}, false, nil }

// defineDates defines the methods of date.
func defineDates(mod *moduleMaker) {
	mod.swift("date.__new__", 1, -1, "_slow_new", dateNew)
	mod.swift("date.__add__", 2, 2, "_slow_add", dateAdd(1))
	mod.swift("date.__radd__", 2, 2, "_slow_add", dateAdd(1))
	mod.swift("date.__sub__", 2, 2, "_slow_sub", dateSub)
	mod.swift("date.fromisoformat", 2, 2, "_slow_fromisoformat", dateParse)
	mod.swift("date.isoformat", 1, 1, "_slow_isoformat", onDay(func(m *Machine, d calendar.Date) (Value, error) { return m.str(isoDay(nil, d)) }))
	mod.swift("date.toordinal", 1, 1, "_slow_toordinal", onDay(func(_ *Machine, d calendar.Date) (Value, error) { return Int(int64(d.Ordinal())), nil }))
	mod.swift("date.weekday", 1, 1, "_slow_weekday", onDay(func(_ *Machine, d calendar.Date) (Value, error) { return Int(int64(d.Weekday())), nil }))
	mod.swift("date.isoweekday", 1, 1, "_slow_isoweekday", onDay(func(_ *Machine, d calendar.Date) (Value, error) { return Int(int64(d.Weekday() + 1)), nil }))
	mod.swift("date.replace", 1, -1, "_slow_replace", dateReplace)
	mod.swift("date.strftime", 1, -1, "_slow_strftime", dateFormat)
	mod.comparisons("date", &valueOps{equal: equalDates, order: orderDates, hash: hashDate})
}

// onDay makes a method of a function of the day of a date or datetime.
func onDay(fn func(m *Machine, d calendar.Date) (Value, error)) swiftFunc {
	return func(m *Machine, a Args) (Value, bool, error) {
		o := a.v[0].instance()
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
func dateNew(m *Machine, a Args) (Value, bool, error) {
	if err := named(a, "function", 3, momentNames[:3]); err != nil {
		return Value{}, false, err
	}
	c := a.v[0].class()
	if c == nil || a.names != nil || len(a.v) != 4 || c.layout != kindInstance || c.flags&shared != 0 || c.abstract != nil {
		return no()
	}
	d, ok := dayIn(a.v[1:])
	if !ok {
		return no()
	}
	return m.newDate(c, d)
}

// named refuses too many arguments, and keywords of other names.
func named(a Args, fn string, most int, names []*str) error {
next:
	for i := range a.named() {
		s := a.names.items[i].str()
		for _, name := range names {
			if s.s == name.s {
				continue next
			}
		}
		if fn == "function" {
			fn = "this function"
		}
		return raise.Type("'%s' is an invalid keyword argument for %s", s.s, fn)
	}
	if n := len(a.v) - 1; n > most {
		return raise.Type("%s takes at most %d arguments (%d given)", fn, most, n)
	}
	return nil
}

// dayIn reads a year, a month and a day.
func dayIn(v []Value) (d calendar.Date, ok bool) {
	if !v[0].isInt() || !v[1].isInt() || !v[2].isInt() || v[0].n > calendar.MaxYear || v[1].n > 12 || v[2].n > 31 {
		return d, false
	}
	d = calendar.Date{Year: int(v[0].n), Month: int(v[1].n), Day: int(v[2].n)}
	return d, d.Check() == nil
}

// dateAdd is date + timedelta, or date - timedelta.
func dateAdd(sign int64) swiftFunc {
	return func(m *Machine, a Args) (Value, bool, error) {
		t := m.dates()
		o := t.isDate(a.v[0])
		us, ok := t.deltaOf(a.v[1])
		if o == nil || !ok || !m.plainNew(o.class) {
			return no()
		}
		d, ok := dayOf(o)
		if !ok {
			return no()
		}
		days, _ := floorDivMod(us, calendar.Day)
		n := int64(d.Ordinal()) + sign*days
		if n < 1 || n > calendar.MaxOrdinal {
			return Value{}, false, errDateRange
		}
		d, err := calendar.FromOrdinal(int(n))
		if err != nil {
			return Value{}, false, err
		}
		return m.newDate(o.class, d)
	}
}

var dateLess = dateAdd(-1)

// dateSub is date - date and date - timedelta.
func dateSub(m *Machine, a Args) (Value, bool, error) {
	t := m.dates()
	x, y := t.isDate(a.v[0]), t.isDate(a.v[1])
	if x == nil || y == nil {
		return dateLess(m, a)
	}
	from, ok1 := dayOf(x)
	to, ok2 := dayOf(y)
	if !ok1 || !ok2 {
		return no()
	}
	return m.newDelta(t.timedelta, int64(from.Ordinal()-to.Ordinal())*calendar.Day)
}

// dateParse is date.fromisoformat(text).
func dateParse(m *Machine, a Args) (Value, bool, error) {
	c, s := a.v[0].class(), a.v[1].str()
	if c == nil || s == nil || len(a.v) != 2 || len(s.s) > 10 || !m.plainNew(c) {
		return no()
	}
	d, err := calendar.ParseDate(s.s)
	if err != nil {
		return no()
	}
	return m.newDate(c, d)
}

// dayNumber orders days.
func dayNumber(d calendar.Date) int { return (d.Year*16+d.Month)*32 + d.Day }

func twoDays(m *Machine, x, y Value) (a, b int, state comparable2) {
	t := m.dates()
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
		return errForeign
	}
	return nil
}

func equalDates(m *Machine, x, y Value) (bool, bool, error) {
	a, b, state := twoDays(m, x, y)
	return a == b, state == compareKnown, state.err()
}

func orderDates(m *Machine, x, y Value) (int, bool, bool, error) {
	a, b, state := twoDays(m, x, y)
	return a - b, true, state == compareKnown, state.err()
}

func hashDate(m *Machine, x Value) (uint64, error) {
	d, ok := dayOf(x.instance())
	if !ok {
		return 0, errForeign
	}
	return mix(uint64(dayNumber(d))), nil
}

// replaced reads the arguments of replace() over the values of the fields of
// those names.
func replaced(values []Value, names []*str, a Args) bool {
	if a.len()-1 > len(values) {
		return false
	}
	copy(values, a.positional()[1:])
	for i := range a.named() {
		at := -1
		for k, name := range names {
			if s := a.names.items[i].str(); s != nil && s.s == name.s {
				at = k
			}
		}
		if at < a.len()-1 {
			return false
		}
		values[at] = a.v[a.len()+i]
	}
	return true
}

// dateReplace is date.replace(...) of ints.
func dateReplace(m *Machine, a Args) (Value, bool, error) {
	if err := named(a, "replace()", 3, momentNames[:3]); err != nil {
		return Value{}, false, err
	}
	t := m.dates()
	o := t.isDate(a.v[0])
	if o == nil || !m.plainNew(o.class) {
		return no()
	}
	var values [3]Value
	for i := range values {
		values[i] = o.fieldAt(i, momentNames[i])
	}
	if !replaced(values[:], momentNames[:3], a) {
		return no()
	}
	d, ok := dayIn(values[:])
	if !ok {
		return no()
	}
	return m.newDate(o.class, d)
}

// dateFormat is date.strftime(format).
func dateFormat(m *Machine, a Args) (Value, bool, error) {
	o := m.dates().isDate(a.v[0])
	if o == nil {
		return no()
	}
	d, ok := dayOf(o)
	if !ok || d.Check() != nil {
		return no()
	}
	return m.formatted(a, calendar.Fields{Date: d})
}

// formatted is strftime(format) of what has no time zone.
func (m *Machine) formatted(a Args, f calendar.Fields) (Value, bool, error) {
	if len(a.v) != 2 || a.names != nil || a.v[1].str() == nil {
		return no()
	}
	format := a.v[1].str()
	s, err := calendar.Strftime(m, format.s, f)
	if err != nil {
		return Value{}, false, err
	}
	v, err := m.str(s)
	return v, err == nil, err
}
