package machine

import (
	"math/big"
	"time"

	"github.com/glovebox-dev/glovebox/py/internal/calendar"
	"github.com/glovebox-dev/glovebox/py/internal/decimal"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/zone"
	"github.com/glovebox-dev/glovebox/value"
)

// Dates, times and what lies between are instances of classes of
// lib/datetime.py. Hosts know them as values of package api.

// exportDate returns an instance of datetime.py as the host sees it. Of the
// time zones that the program defines, only the program knows the offsets.
func (m *Machine) exportDate(o *Instance) (any, error) {
	mod := m.modules["datetime"]
	var x any
	var ok bool
	switch {
	case o.isA(mod, "datetime"):
		x, ok = m.exportMoment(o, mod)
	case o.isA(mod, "date"):
		x, ok = exportDay(o)
	case o.isA(mod, "time"):
		x, ok = exportClock(o, mod)
	default:
		x, ok = exportDelta(o)
	}
	if !ok {
		return nil, raise.Type("a value of type '%s' with a tzinfo of its own cannot leave the program; "+
			"use .astimezone(timezone.utc) or .isoformat()", o.class.name)
	}
	return x, nil
}

// isA reports whether o is an instance of a class of mod.
func (o *Instance) isA(mod *ModuleObject, class string) bool {
	c, err := mod.attr(SharedStr(class))
	return err == nil && c.Kind() == KindClass && o.class.IsSubclass(c.Class())
}

// field returns an attribute of the instance itself, or unbound.
func (o *Instance) field(name string) Value {
	if i := o.attrs().findStr(SharedStr(name)); i >= 0 {
		return o.attrs().entries[i].value
	}
	return Value{}
}

var momentFields = []string{"year", "month", "day", "hour", "minute", "second", "microsecond"}

// numbers reads fields that are small ints.
func (o *Instance) numbers(names []string) (n [7]int, ok bool) {
	for i, name := range names {
		v := Plain(o.field(name))
		if !v.IsInt() || v.Int() < 0 || v.Int() > 1e6 {
			return n, false
		}
		n[i] = int(v.Int())
	}
	return n, true
}

func (m *Machine) exportMoment(o *Instance, mod *ModuleObject) (any, bool) {
	n, ok := o.numbers(momentFields)
	if !ok || (calendar.Date{Year: n[0], Month: n[1], Day: n[2]}).Check() != nil ||
		(calendar.Clock{Hour: n[3], Minute: n[4], Second: n[5], Microsecond: n[6]}).Check() != nil {
		return nil, false
	}
	wall := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], n[6]*1000, time.UTC)
	if offset, ok := m.namedOffset(o, wall); ok {
		return value.DateTime{Wall: wall, Aware: true, Offset: offset}, true
	}
	aware, offset, ok := exportZone(o, mod)
	return value.DateTime{Wall: wall, Aware: aware, Offset: offset}, ok
}

func exportDay(o *Instance) (any, bool) {
	n, ok := o.numbers(momentFields[:3])
	if !ok || (calendar.Date{Year: n[0], Month: n[1], Day: n[2]}).Check() != nil {
		return nil, false
	}
	return value.Date{Year: n[0], Month: time.Month(n[1]), Day: n[2]}, true
}

func exportClock(o *Instance, mod *ModuleObject) (any, bool) {
	n, ok := o.numbers(momentFields[3:])
	if !ok || (calendar.Clock{Hour: n[0], Minute: n[1], Second: n[2], Microsecond: n[3]}).Check() != nil {
		return nil, false
	}
	seconds := time.Duration(n[0]*3600 + n[1]*60 + n[2])
	aware, offset, ok := exportZone(o, mod)
	return value.TimeOfDay{Clock: seconds*time.Second + time.Duration(n[3])*time.Microsecond, Aware: aware, Offset: offset}, ok
}

// exportZone is the offset from UTC of a datetime or time, if it has one.
func exportZone(o *Instance, mod *ModuleObject) (aware bool, offset time.Duration, ok bool) {
	zone := o.field("tzinfo")
	if zone.IsNone() {
		return false, 0, true
	}
	offset, ok = exportOffset(zone.Instance(), mod)
	return true, offset, ok
}

// namedOffset is the offset of a datetime in a ZoneInfo.
func (m *Machine) namedOffset(o *Instance, wall time.Time) (time.Duration, bool) {
	named, mod := o.field("tzinfo").Instance(), m.modules["zoneinfo"]
	if named == nil || mod == nil {
		return 0, false
	}
	if c, err := mod.attr(SharedStr("ZoneInfo")); err != nil || c.Class() != named.class {
		return 0, false
	}
	l, err := m.ZoneOf(named.field("_key"))
	if err != nil {
		return 0, false
	}
	found := zone.AtLocal(l, wall.Unix(), OptionalTruth(o.field("fold"), false))
	return time.Duration(found.Seconds) * time.Second, true
}

// exportOffset is the offset of a timezone of the module itself.
func exportOffset(zone *Instance, mod *ModuleObject) (time.Duration, bool) {
	if zone == nil || !zone.isA(mod, "timezone") {
		return 0, false
	}
	delta := zone.field("_offset").Instance()
	if delta == nil {
		return 0, false
	}
	us := delta.field("_us")
	if !us.IsInt() || us.Int() <= -calendar.Day || us.Int() >= calendar.Day {
		return 0, false
	}
	return time.Duration(us.Int()) * time.Microsecond, true
}

func exportDelta(o *Instance) (any, bool) {
	us := o.field("_us")
	if !us.IsInt() && us.Kind() != KindBigInt {
		return nil, false
	}
	d, err := calendar.FromMicros(BigOf(us))
	if err != nil {
		return nil, false
	}
	return value.Timedelta{Days: d.Days, Seconds: d.Seconds, Microseconds: d.Microseconds}, true
}

// importDate makes an instance of a class of datetime.py.
func (m *Machine) importDate(x any) (Value, error) {
	mod, err := m.importNow("datetime")
	if err != nil {
		return Value{}, err
	}
	switch x := x.(type) {
	case value.DateTime:
		return m.importMoment(mod, x)
	case value.Date:
		return m.importInstance(mod, "date", dayFields(x.Time())...)
	case value.TimeOfDay:
		return m.importClock(mod, x)
	case value.Timedelta:
		d := calendar.Delta{Days: x.Days, Seconds: x.Seconds, Microseconds: x.Microseconds}
		return m.importMicros(mod, d.Micros())
	}
	return Value{}, ErrMalformed
}

func (m *Machine) importMoment(mod *ModuleObject, x value.DateTime) (Value, error) {
	zone, err := m.importZone(mod, x.Aware, x.Offset)
	if err != nil {
		return Value{}, err
	}
	return m.importInstance(mod, "datetime", append(dayFields(x.Wall), clockFields(x.Wall, zone)...)...)
}

func (m *Machine) importClock(mod *ModuleObject, x value.TimeOfDay) (Value, error) {
	zone, err := m.importZone(mod, x.Aware, x.Offset)
	if err != nil {
		return Value{}, err
	}
	return m.importInstance(mod, "time", clockFields(time.Time{}.Add(x.Clock), zone)...)
}

func dayFields(t time.Time) []Field {
	return intFields(momentFields[:3], t.Year(), int(t.Month()), t.Day())
}

func clockFields(t time.Time, zone Value) []Field {
	fields := intFields(momentFields[3:], t.Hour(), t.Minute(), t.Second(), t.Nanosecond()/1000)
	return append(fields, Field{"tzinfo", zone}, Field{"fold", Int(0)})
}

func intFields(names []string, values ...int) []Field {
	fields := make([]Field, len(names))
	for i, n := range values {
		fields[i] = Field{names[i], Int(int64(n))}
	}
	return fields
}

// importZone is None for a naive time.
func (m *Machine) importZone(mod *ModuleObject, aware bool, offset time.Duration) (Value, error) {
	if !aware {
		return None, nil
	}
	return m.importOffset(mod, offset)
}

func (m *Machine) importOffset(mod *ModuleObject, offset time.Duration) (Value, error) {
	if offset == 0 {
		return mod.attr(SharedStr("UTC"))
	}
	delta, err := m.importMicros(mod, big.NewInt(offset.Microseconds()))
	if err != nil {
		return Value{}, err
	}
	return m.importInstance(mod, "timezone", Field{"_offset", delta}, Field{"_zone", None})
}

func (m *Machine) importMicros(mod *ModuleObject, us *big.Int) (Value, error) {
	n := m.BigInt(us)
	return m.importInstance(mod, "timedelta", Field{"_us", n})
}

func (m *Machine) importInstance(mod *ModuleObject, class string, fields ...Field) (Value, error) {
	v, err := mod.attr(SharedStr(class))
	if err != nil || v.Kind() != KindClass {
		return Value{}, ErrMalformed
	}
	if err := m.Alloc(InstanceBytes); err != nil {
		return Value{}, err
	}
	o := &Instance{class: v.Class()}
	obj := o.value()
	return obj, m.SetFields(o, fields...)
}

func (m *Machine) importDecimal(x value.Decimal) (Value, error) {
	mod, err := m.importNow("decimal")
	if err != nil {
		return Value{}, err
	}
	c := decimal.NewContext()
	c.Traps = 0
	d, err := c.Parse(m, string(x))
	if err != nil {
		return Value{}, err
	}
	v, err := m.Decimal(d, nil)
	if err != nil {
		return Value{}, err
	}
	return m.importInstance(mod, "Decimal", Field{"_v", v})
}

func (m *Machine) importUUID(x value.UUID) (Value, error) {
	mod, err := m.importNow("uuid")
	if err != nil {
		return Value{}, err
	}
	n := m.BigInt(new(big.Int).SetBytes(x[:]))
	return m.importInstance(mod, "UUID", Field{"int", n})
}

// zoneWork is about what finding the offset of a time takes.
const zoneWork = 2000

// ZoneOf returns the time zone whose name v is.
func (m *Machine) ZoneOf(v Value) (*time.Location, error) {
	name, err := WantStr(v, "the key of a zone must be a str, not %s", TypeName(v))
	if err != nil {
		return nil, err
	}
	if err := m.Work(zoneWork); err != nil {
		return nil, err
	}
	l, ok := zone.Load(name.s)
	if !ok {
		return nil, raise.New("KeyError", "no such zone")
	}
	return l, nil
}
