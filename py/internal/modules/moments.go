package modules

import (
	"math"

	"github.com/glovebox-dev/glovebox/py/internal/calendar"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// The classes of lib/datetime.py keep their fields as attributes. What programs
// do with them all the time is here, for instances whose fields are in range and
// need no time zone; everything else stays with the methods of Python.

// The attributes of instances, in the order in which they are stored.
var (
	momentNames = func() (all [8]*machine.Str) {
		for i, name := range []string{"year", "month", "day", "hour", "minute", "second", "microsecond", "tzinfo"} {
			all[i] = machine.SharedName(name)
		}
		return all
	}()
	microsName = machine.SharedName("_us")
)

// dateClasses are the classes of the module datetime of an instance.
type dateClasses struct {
	mod                       *machine.ModuleObject
	date, datetime, timedelta *machine.Class
}

var dateState = machine.NewState(func() machine.State { return new(dateClasses) })

// Size is nothing: the instance pays for the classes.
func (t *dateClasses) Size() int { return 0 }

// Each visits nothing: the module holds the classes.
func (t *dateClasses) Each(func(machine.Value)) {}

// datesOf returns the classes of the module datetime, or nil while it has none.
func datesOf(m *machine.Machine) *dateClasses {
	found := dateState.Of(m).(*dateClasses)
	if found.mod != nil {
		return found
	}
	mod := m.Imported("datetime")
	if mod == nil {
		return nil
	}
	all := dateClasses{mod: mod}
	for name, to := range map[string]**machine.Class{"date": &all.date, "datetime": &all.datetime, "timedelta": &all.timedelta} {
		v, err := mod.Member(machine.SharedName(name))
		if *to = v.Class(); err != nil || *to == nil {
			return nil
		}
	}
	*found = all
	return found
}

// dayOf returns the day of a date or datetime.
func dayOf(o *machine.Instance) (d calendar.Date, ok bool) {
	for i, to := range []*int{&d.Year, &d.Month, &d.Day} {
		v := o.FieldAt(i, momentNames[i])
		if !v.IsInt() || v.Int() < 1 || v.Int() > calendar.MaxYear {
			return d, false
		}
		*to = int(v.Int())
	}
	return d, d.Month <= 12 && d.Day <= 31
}

// wallOf returns the microseconds of a naive datetime since the day before
// year 1; ok is false when it has a time zone.
func wallOf(o *machine.Instance) (us int64, ok bool) {
	if !o.FieldAt(7, momentNames[7]).IsNone() {
		return 0, false
	}
	return wallIn(o)
}

// wallIn is wallOf whatever the time zone.
func wallIn(o *machine.Instance) (us int64, ok bool) {
	d, ok := dayOf(o)
	if !ok {
		return 0, false
	}
	var n [4]int64
	for i := range n {
		v := o.FieldAt(3+i, momentNames[3+i])
		if !v.IsInt() || v.Int() < 0 || v.Int() >= 1_000_000 {
			return 0, false
		}
		n[i] = v.Int()
	}
	seconds := (n[0]*60+n[1])*60 + n[2]
	return int64(d.Ordinal())*calendar.Day + seconds*1_000_000 + n[3], true
}

// isDate and the like report what an instance is; a datetime is no date here.
func (t *dateClasses) isDate(v machine.Value) *machine.Instance {
	o := v.Instance()
	if t == nil || o == nil || o.Class() != t.date && (!o.Class().IsSubclass(t.date) || o.Class().IsSubclass(t.datetime)) {
		return nil
	}
	return o
}

func (t *dateClasses) isMoment(v machine.Value) *machine.Instance {
	o := v.Instance()
	if t == nil || o == nil || o.Class() != t.datetime && !o.Class().IsSubclass(t.datetime) {
		return nil
	}
	return o
}

// deltaOf returns the microseconds of a timedelta, when they are an int of 64
// bits.
func (t *dateClasses) deltaOf(v machine.Value) (us int64, ok bool) {
	o := v.Instance()
	if t == nil || o == nil || o.Class() != t.timedelta && !o.Class().IsSubclass(t.timedelta) {
		return 0, false
	}
	n := o.FieldAt(0, microsName)
	return n.Int(), n.IsInt()
}

func newDate(m *machine.Machine, c *machine.Class, d calendar.Date) (machine.Value, bool, error) {
	v, err := m.NewInstance(c, momentNames[:3], []machine.Value{machine.Int(int64(d.Year)), machine.Int(int64(d.Month)), machine.Int(int64(d.Day))})
	return v, err == nil, err
}

func newMoment(m *machine.Machine, c *machine.Class, d calendar.Date, k calendar.Clock, zone machine.Value) (machine.Value, bool, error) {
	values := [8]machine.Value{machine.Int(int64(d.Year)), machine.Int(int64(d.Month)), machine.Int(int64(d.Day)), machine.Int(int64(k.Hour)), machine.Int(int64(k.Minute)),
		machine.Int(int64(k.Second)), machine.Int(int64(k.Microsecond)), zone}
	v, err := m.NewInstance(c, momentNames[:], values[:])
	return v, err == nil, err
}

func newDelta(m *machine.Machine, c *machine.Class, us int64) (machine.Value, bool, error) {
	v, err := m.NewInstance(c, []*machine.Str{microsName}, []machine.Value{machine.Int(us)})
	return v, err == nil, err
}

// momentAt makes the datetime that is us microseconds after the day before
// year 1.
func momentAt(m *machine.Machine, c *machine.Class, us int64, zone machine.Value) (machine.Value, bool, error) {
	day, rest := floorDivMod(us, calendar.Day)
	if day < 1 || day > calendar.MaxOrdinal {
		return machine.Value{}, false, errDateRange
	}
	d, err := calendar.FromOrdinal(int(day))
	if err != nil {
		return machine.Value{}, false, err
	}
	seconds := int(rest / 1_000_000)
	k := calendar.Clock{Hour: seconds / 3600, Minute: seconds / 60 % 60, Second: seconds % 60, Microsecond: int(rest % 1_000_000)}
	return newMoment(m, c, d, k, zone)
}

var errDateRange = raise.Overflow("date value out of range")

// floorDivMod divides by a positive number and rounds down.
func floorDivMod(a, b int64) (quotient, rest int64) {
	quotient, rest = a/b, a%b
	if rest < 0 {
		return quotient - 1, rest + b
	}
	return quotient, rest
}

// addMicros adds; ok is false when the sum is not far inside of 64 bits.
func addMicros(a, b int64) (sum int64, ok bool) {
	const most = math.MaxInt64 / 4
	return a + b, a > -most && a < most && b > -most && b < most
}
