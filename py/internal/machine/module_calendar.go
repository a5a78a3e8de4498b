package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/calendar"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// defineCalendar defines the module _calendar, on which the module datetime
// stands; lib/datetime.py says what its functions take and return.
func defineCalendar(r *registry) {
	r.nativeModule("_calendar", func(mod *moduleMaker) {
		mod.counted("ordinal", 3, 3, onInts(func(m *Machine, n []int) (Value, error) {
			d := calendar.Date{Year: n[0], Month: n[1], Day: n[2]}
			if err := d.Check(); err != nil {
				return Value{}, err
			}
			return Int(int64(d.Ordinal())), nil
		}))
		mod.counted("from_ordinal", 1, 1, onInts(func(m *Machine, n []int) (Value, error) {
			d, err := calendar.FromOrdinal(n[0])
			return m.dateTuple(d, err)
		}))
		mod.counted("iso", 3, 3, onInts(func(m *Machine, n []int) (Value, error) {
			d := calendar.Date{Year: n[0], Month: n[1], Day: n[2]}
			if err := d.Check(); err != nil {
				return Value{}, err
			}
			year, week, weekday := d.ISO()
			return m.intTuple(year, week, weekday)
		}))
		mod.counted("from_iso", 3, 3, onInts(func(m *Machine, n []int) (Value, error) {
			d, err := calendar.FromISO(n[0], n[1], n[2])
			return m.dateTuple(d, err)
		}))
		mod.counted("parse_date", 1, 1, onText(func(m *Machine, s string) (Value, error) {
			d, err := calendar.ParseDate(s)
			return m.dateTuple(d, err)
		}))
		mod.counted("parse_time", 1, 1, onText(func(m *Machine, s string) (Value, error) {
			t, err := calendar.ParseTime(s)
			if err != nil {
				return Value{}, err
			}
			return m.newTupleCopy(append(clockValues(nil, t.Clock), m.offsetValue(t)))
		}))
		mod.counted("parse_datetime", 1, 1, onText(func(m *Machine, s string) (Value, error) {
			t, err := calendar.ParseDateTime(s)
			if err != nil {
				return Value{}, err
			}
			return m.newTupleCopy(append(momentValues(t), m.offsetValue(t)))
		}))
		mod.counted("strftime", 10, 10, calendarFormat)
		mod.counted("strptime", 2, 2, calendarParse)
		defineDeltas(mod)
		defineDates(mod)
		defineDatetimes(mod)
	})
}

// onInts makes a native of a function of ints.
func onInts(fn func(m *Machine, n []int) (Value, error)) NativeFunc {
	return func(m *Machine, a Args) (Value, error) {
		n, err := m.calendarInts(a.v)
		if err != nil {
			return Value{}, err
		}
		return fn(m, n)
	}
}

// calendarInts cuts ints to a range in which the calendar can say what is wrong
// with them.
func (m *Machine) calendarInts(vs []Value) ([]int, error) {
	n := make([]int, len(vs))
	for i, v := range vs {
		x, err := m.boundInt(v, 0)
		if err != nil {
			return nil, err
		}
		if x < -1<<31 || x >= 1<<31 {
			return nil, raise.Overflow("Python int too large to convert to C int")
		}
		n[i] = int(x)
	}
	return n, nil
}

// onText makes a native of a function of a str. A text that is too long to be
// a date is cut to a length at which that still shows.
func onText(fn func(m *Machine, s string) (Value, error)) NativeFunc {
	return func(m *Machine, a Args) (Value, error) {
		s, err := wantStr(a.v[0], "fromisoformat: argument must be str")
		if err != nil {
			return Value{}, err
		}
		if err := m.Alloc(4*len(s.s) + 256); err != nil {
			return Value{}, err
		}
		if err := m.Work(4*len(s.s) + 500); err != nil {
			return Value{}, err
		}
		return fn(m, s.s)
	}
}

func (m *Machine) dateTuple(d calendar.Date, err error) (Value, error) {
	if err != nil {
		return Value{}, err
	}
	return m.intTuple(d.Year, d.Month, d.Day)
}

func (m *Machine) intTuple(n ...int) (Value, error) {
	values := make([]Value, len(n))
	for i, x := range n {
		values[i] = Int(int64(x))
	}
	return m.newTupleCopy(values)
}

func clockValues(to []Value, c calendar.Clock) []Value {
	for _, n := range []int{c.Hour, c.Minute, c.Second, c.Microsecond} {
		to = append(to, Int(int64(n)))
	}
	return to
}

func momentValues(t calendar.Moment) []Value {
	date := []Value{Int(int64(t.Year)), Int(int64(t.Month)), Int(int64(t.Day))}
	return clockValues(date, t.Clock)
}

// offsetValue is an offset from UTC in microseconds, or None.
func (m *Machine) offsetValue(t calendar.Moment) Value {
	if !t.Zoned {
		return None
	}
	return Int(t.Offset.Micros().Int64())
}

// calendarFormat is strftime(format, y, m, d, h, mi, s, us, offset, zone).
func calendarFormat(m *Machine, a Args) (Value, error) {
	format, err := wantStr(a.v[0], "strftime() argument 1 must be str, not %s", typeName(a.v[0]))
	if err != nil {
		return Value{}, err
	}
	n, err := m.calendarInts(a.v[1:8])
	if err != nil {
		return Value{}, err
	}
	f := calendar.Fields{
		Date:  calendar.Date{Year: n[0], Month: n[1], Day: n[2]},
		Clock: calendar.Clock{Hour: n[3], Minute: n[4], Second: n[5], Microsecond: n[6]},
	}
	if err := f.Date.Check(); err != nil {
		return Value{}, err
	}
	if err := f.Clock.Check(); err != nil {
		return Value{}, err
	}
	offset, zone := plain(a.v[8]).str(), plain(a.v[9]).str()
	if offset == nil || zone == nil {
		return Value{}, raise.Type("tzinfo.tzname() must return None or a string")
	}
	f.Offset, f.Zone = offset.s, zone.s
	s, err := calendar.Strftime(m, format.s, f)
	if err != nil {
		return Value{}, err
	}
	return m.str(s)
}

// calendarParse is strptime(text, format).
func calendarParse(m *Machine, a Args) (Value, error) {
	s, format := plain(a.v[0]).str(), plain(a.v[1]).str()
	if s == nil || format == nil {
		return Value{}, raise.Type("strptime() arguments must be str")
	}
	layout, err := m.layout(format.s)
	if err != nil {
		return Value{}, m.regexError(err, a.v[1])
	}
	t, err := layout.Parse(m, &m.patterns.scratch, s.s)
	if err != nil {
		return Value{}, err
	}
	zone := None
	if t.Zone != "" {
		zone = m.small(t.Zone)
	}
	return m.newTupleCopy(append(momentValues(t), m.offsetValue(t), zone))
}

// layoutBytes estimates a format of strptime that is ready to use.
const layoutBytes = 64 << 10

// layout returns a format of strptime. The last one is kept: programs parse
// many texts by one format.
func (m *Machine) layout(format string) (*calendar.Layout, error) {
	if m.patterns.layout != nil && m.patterns.format == format {
		return m.patterns.layout, nil
	}
	l, err := calendar.NewLayout(m, format)
	if err != nil {
		return nil, err
	}
	m.patterns.layout, m.patterns.format = l, format
	return l, nil
}
