package machine

import (
	"math"

	"github.com/glovebox-dev/glovebox/py/internal/calendar"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// The classes of lib/datetime.py keep their fields as attributes. What programs
// do with them all the time is here, for instances whose fields are in range and
// need no time zone; everything else stays with the methods of Python.

// The attributes of instances, in the order in which they are stored.
var (
	momentNames = func() (all [8]*str) {
		for i, name := range []string{"year", "month", "day", "hour", "minute", "second", "microsecond", "tzinfo"} {
			all[i] = known.str(name)
		}
		return all
	}()
	microsName = known.str("_us")
)

// dateClasses are the classes of the module datetime of an instance.
type dateClasses struct {
	mod                       *module
	date, datetime, timedelta *class
}

// dates returns the classes of the module datetime, or nil while it has none.
func (m *Machine) dates() *dateClasses {
	if m.times.mod != nil {
		return &m.times
	}
	mod := m.modules["datetime"]
	if mod == nil {
		return nil
	}
	all := dateClasses{mod: mod}
	for name, to := range map[string]**class{"date": &all.date, "datetime": &all.datetime, "timedelta": &all.timedelta} {
		v, err := mod.member(known.str(name))
		if *to = v.class(); err != nil || *to == nil {
			return nil
		}
	}
	m.times = all
	return &m.times
}

// fieldAt returns an attribute of the instance itself that is usually the one
// at i, or unbound.
func (o *instance) fieldAt(i int, name *str) Value {
	t := o.attrs()
	if i < len(t.entries) {
		if e := &t.entries[i]; e.key.o == &name.Object {
			return e.value
		}
	}
	if i = t.findStr(name); i >= 0 {
		return t.entries[i].value
	}
	return Value{}
}

// dayOf returns the day of a date or datetime.
func dayOf(o *instance) (d calendar.Date, ok bool) {
	for i, to := range []*int{&d.Year, &d.Month, &d.Day} {
		v := o.fieldAt(i, momentNames[i])
		if !v.isInt() || v.int() < 1 || v.int() > calendar.MaxYear {
			return d, false
		}
		*to = int(v.int())
	}
	return d, d.Month <= 12 && d.Day <= 31
}

// wallOf returns the microseconds of a naive datetime since the day before
// year 1; ok is false when it has a time zone.
func wallOf(o *instance) (us int64, ok bool) {
	if !o.fieldAt(7, momentNames[7]).isNone() {
		return 0, false
	}
	return wallIn(o)
}

// wallIn is wallOf whatever the time zone.
func wallIn(o *instance) (us int64, ok bool) {
	d, ok := dayOf(o)
	if !ok {
		return 0, false
	}
	var n [4]int64
	for i := range n {
		v := o.fieldAt(3+i, momentNames[3+i])
		if !v.isInt() || v.int() < 0 || v.int() >= 1_000_000 {
			return 0, false
		}
		n[i] = v.int()
	}
	seconds := (n[0]*60+n[1])*60 + n[2]
	return int64(d.Ordinal())*calendar.Day + seconds*1_000_000 + n[3], true
}

// isDate and the like report what an instance is; a datetime is no date here.
func (t *dateClasses) isDate(v Value) *instance {
	o := v.instance()
	if t == nil || o == nil || o.class != t.date && (!o.class.isSubclass(t.date) || o.class.isSubclass(t.datetime)) {
		return nil
	}
	return o
}

func (t *dateClasses) isMoment(v Value) *instance {
	o := v.instance()
	if t == nil || o == nil || o.class != t.datetime && !o.class.isSubclass(t.datetime) {
		return nil
	}
	return o
}

// deltaOf returns the microseconds of a timedelta, when they are an int of 64
// bits.
func (t *dateClasses) deltaOf(v Value) (us int64, ok bool) {
	o := v.instance()
	if t == nil || o == nil || o.class != t.timedelta && !o.class.isSubclass(t.timedelta) {
		return 0, false
	}
	n := o.fieldAt(0, microsName)
	return n.int(), n.isInt()
}

// plainNew reports whether calling c does no more than its native __new__.
func (m *Machine) plainNew(c *class) bool {
	if c.meta != nil || c.abstract != nil {
		return false
	}
	fn, _ := m.lookup(c, nameNew)
	init, _ := m.lookup(c, nameInit)
	n := fn.native()
	return n != nil && n.method && !ownInit(init)
}

// newFields makes an instance of c with the attributes names.
func (m *Machine) newFields(c *class, names []*str, values []Value) (Value, error) {
	room := max(2, len(names))
	if room == 3 {
		room = 4
	}
	if err := m.Alloc(instanceBytes + room*entryBytes); err != nil {
		return Value{}, err
	}
	var o *instance
	switch room {
	case 2:
		with := &instanceOf2{}
		o = &with.instance
		o.own.entries = with.array[:len(names)]
		o.flags = roomy
	case 4:
		with := &instanceOf4{}
		o = &with.instance
		o.own.entries = with.array[:len(names)]
		o.flags = roomy
	default:
		o = &instance{}
		o.own.entries = make([]entry, len(names))
	}
	o.class = c
	for i, name := range names {
		o.own.entries[i] = entry{name.ref(), values[i], name.tableHash()}
	}
	o.own.count = int32(len(names))
	return o.value(), nil
}

func (m *Machine) newDate(c *class, d calendar.Date) (Value, bool, error) {
	v, err := m.newFields(c, momentNames[:3], []Value{Int(int64(d.Year)), Int(int64(d.Month)), Int(int64(d.Day))})
	return v, err == nil, err
}

func (m *Machine) newMoment(c *class, d calendar.Date, k calendar.Clock, zone Value) (Value, bool, error) {
	values := [8]Value{Int(int64(d.Year)), Int(int64(d.Month)), Int(int64(d.Day)), Int(int64(k.Hour)), Int(int64(k.Minute)),
		Int(int64(k.Second)), Int(int64(k.Microsecond)), zone}
	v, err := m.newFields(c, momentNames[:], values[:])
	return v, err == nil, err
}

func (m *Machine) newDelta(c *class, us int64) (Value, bool, error) {
	v, err := m.newFields(c, []*str{microsName}, []Value{Int(us)})
	return v, err == nil, err
}

// momentAt makes the datetime that is us microseconds after the day before
// year 1.
func (m *Machine) momentAt(c *class, us int64, zone Value) (Value, bool, error) {
	day, rest := floorDivMod(us, calendar.Day)
	if day < 1 || day > calendar.MaxOrdinal {
		return Value{}, false, errDateRange
	}
	d, err := calendar.FromOrdinal(int(day))
	if err != nil {
		return Value{}, false, err
	}
	seconds := int(rest / 1_000_000)
	k := calendar.Clock{Hour: seconds / 3600, Minute: seconds / 60 % 60, Second: seconds % 60, Microsecond: int(rest % 1_000_000)}
	return m.newMoment(c, d, k, zone)
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
