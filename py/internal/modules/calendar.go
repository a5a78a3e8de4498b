package modules

import (
	"github.com/glovebox-dev/glovebox/py/internal/calendar"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// defineCalendar defines the module _calendar, on which the module datetime
// stands; lib/datetime.py says what its functions take and return.
func defineCalendar(r *machine.Registry) {
	r.Module("_calendar", func(mod *machine.ModuleBuilder) {
		mod.Counted("ordinal", 3, 3, onInts(func(m *machine.Machine, n []int) (machine.Value, error) {
			d := calendar.Date{Year: n[0], Month: n[1], Day: n[2]}
			if err := d.Check(); err != nil {
				return machine.Value{}, err
			}
			return machine.Int(int64(d.Ordinal())), nil
		}))
		mod.Counted("from_ordinal", 1, 1, onInts(func(m *machine.Machine, n []int) (machine.Value, error) {
			d, err := calendar.FromOrdinal(n[0])
			return dateTuple(m, d, err)
		}))
		mod.Counted("iso", 3, 3, onInts(func(m *machine.Machine, n []int) (machine.Value, error) {
			d := calendar.Date{Year: n[0], Month: n[1], Day: n[2]}
			if err := d.Check(); err != nil {
				return machine.Value{}, err
			}
			year, week, weekday := d.ISO()
			return intTuple(m, year, week, weekday)
		}))
		mod.Counted("from_iso", 3, 3, onInts(func(m *machine.Machine, n []int) (machine.Value, error) {
			d, err := calendar.FromISO(n[0], n[1], n[2])
			return dateTuple(m, d, err)
		}))
		mod.Counted("parse_date", 1, 1, onText(func(m *machine.Machine, s string) (machine.Value, error) {
			d, err := calendar.ParseDate(s)
			return dateTuple(m, d, err)
		}))
		mod.Counted("parse_time", 1, 1, onText(func(m *machine.Machine, s string) (machine.Value, error) {
			t, err := calendar.ParseTime(s)
			if err != nil {
				return machine.Value{}, err
			}
			return m.NewTuple(append(clockValues(nil, t.Clock), offsetValue(m, t)))
		}))
		mod.Counted("parse_datetime", 1, 1, onText(func(m *machine.Machine, s string) (machine.Value, error) {
			t, err := calendar.ParseDateTime(s)
			if err != nil {
				return machine.Value{}, err
			}
			return m.NewTuple(append(momentValues(t), offsetValue(m, t)))
		}))
		mod.Counted("strftime", 10, 10, calendarFormat)
		mod.Counted("strptime", 2, 2, calendarParse)
		defineDeltas(mod)
		defineDates(mod)
		defineDatetimes(mod)
	})
}

// onInts makes a native of a function of ints.
func onInts(fn func(m *machine.Machine, n []int) (machine.Value, error)) machine.NativeFunc {
	return func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		n, err := calendarInts(m, a.All())
		if err != nil {
			return machine.Value{}, err
		}
		return fn(m, n)
	}
}

// calendarInts cuts ints to a range in which the calendar can say what is wrong
// with them.
func calendarInts(m *machine.Machine, vs []machine.Value) ([]int, error) {
	n := make([]int, len(vs))
	for i, v := range vs {
		x, err := m.OptionalInt(v, 0)
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
func onText(fn func(m *machine.Machine, s string) (machine.Value, error)) machine.NativeFunc {
	return func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		s, err := machine.WantStr(a.Arg(0), "fromisoformat: argument must be str")
		if err != nil {
			return machine.Value{}, err
		}
		if err := m.Alloc(4*len(s.Text()) + 256); err != nil {
			return machine.Value{}, err
		}
		if err := m.Work(4*len(s.Text()) + 500); err != nil {
			return machine.Value{}, err
		}
		return fn(m, s.Text())
	}
}

func dateTuple(m *machine.Machine, d calendar.Date, err error) (machine.Value, error) {
	if err != nil {
		return machine.Value{}, err
	}
	return intTuple(m, d.Year, d.Month, d.Day)
}

func intTuple(m *machine.Machine, n ...int) (machine.Value, error) {
	values := make([]machine.Value, len(n))
	for i, x := range n {
		values[i] = machine.Int(int64(x))
	}
	return m.NewTuple(values)
}

func clockValues(to []machine.Value, c calendar.Clock) []machine.Value {
	for _, n := range []int{c.Hour, c.Minute, c.Second, c.Microsecond} {
		to = append(to, machine.Int(int64(n)))
	}
	return to
}

func momentValues(t calendar.Moment) []machine.Value {
	date := []machine.Value{machine.Int(int64(t.Year)), machine.Int(int64(t.Month)), machine.Int(int64(t.Day))}
	return clockValues(date, t.Clock)
}

// offsetValue is an offset from UTC in microseconds, or None.
func offsetValue(m *machine.Machine, t calendar.Moment) machine.Value {
	if !t.Zoned {
		return machine.None
	}
	return machine.Int(t.Offset.Micros().Int64())
}

// calendarFormat is strftime(format, y, m, d, h, mi, s, us, offset, zone).
func calendarFormat(m *machine.Machine, a machine.Args) (machine.Value, error) {
	format, err := machine.WantStr(a.Arg(0), "strftime() argument 1 must be str, not %s", machine.TypeName(a.Arg(0)))
	if err != nil {
		return machine.Value{}, err
	}
	n, err := calendarInts(m, a.All()[1:8])
	if err != nil {
		return machine.Value{}, err
	}
	f := calendar.Fields{
		Date:  calendar.Date{Year: n[0], Month: n[1], Day: n[2]},
		Clock: calendar.Clock{Hour: n[3], Minute: n[4], Second: n[5], Microsecond: n[6]},
	}
	if err := f.Date.Check(); err != nil {
		return machine.Value{}, err
	}
	if err := f.Clock.Check(); err != nil {
		return machine.Value{}, err
	}
	offset, zone := machine.Plain(a.Arg(8)).Str(), machine.Plain(a.Arg(9)).Str()
	if offset == nil || zone == nil {
		return machine.Value{}, raise.Type("tzinfo.tzname() must return None or a string")
	}
	f.Offset, f.Zone = offset.Text(), zone.Text()
	s, err := calendar.Strftime(m, format.Text(), f)
	if err != nil {
		return machine.Value{}, err
	}
	return m.Str(s)
}

// calendarParse is strptime(text, format).
func calendarParse(m *machine.Machine, a machine.Args) (machine.Value, error) {
	s, format := machine.Plain(a.Arg(0)).Str(), machine.Plain(a.Arg(1)).Str()
	if s == nil || format == nil {
		return machine.Value{}, raise.Type("strptime() arguments must be str")
	}
	layout, err := layoutOf(m, format.Text())
	if err != nil {
		return machine.Value{}, regexErrorOf(m, err, a.Arg(1))
	}
	t, err := layout.Parse(m, &patternsOf(m).scratch, s.Text())
	if err != nil {
		return machine.Value{}, err
	}
	zone := machine.None
	if t.Zone != "" {
		zone = m.SmallStr(t.Zone)
	}
	return m.NewTuple(append(momentValues(t), offsetValue(m, t), zone))
}

// layoutBytes estimates a format of strptime that is ready to use.
const layoutBytes = 64 << 10

// layoutCache keeps the format of strptime that was used last: programs parse
// many texts by one format.
type layoutCache struct {
	layout *calendar.Layout
	format string
}

var layoutState = machine.NewState(func() machine.State { return new(layoutCache) })

// Size is what the format takes.
func (c *layoutCache) Size() int {
	if c.layout == nil {
		return 0
	}
	return layoutBytes + 16*len(c.format)
}

// Each visits nothing.
func (c *layoutCache) Each(func(machine.Value)) {}

// layoutOf returns a format of strptime.
func layoutOf(m *machine.Machine, format string) (*calendar.Layout, error) {
	cache := layoutState.Of(m).(*layoutCache)
	if cache.layout != nil && cache.format == format {
		return cache.layout, nil
	}
	l, err := calendar.NewLayout(m, format)
	if err != nil {
		return nil, err
	}
	cache.layout, cache.format = l, format
	return l, nil
}
