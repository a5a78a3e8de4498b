package machine

import (
	"math/big"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py/internal/calendar"
)

// Datetimes and timedeltas are instances of classes of lib/datetime.py. Hosts
// know them as values of package api.

// exportDate returns a datetime or timedelta as the host sees it. It reports
// false for other instances, and for time zones that the program defines.
func (m *Machine) exportDate(o *instance) (any, bool) {
	mod, ok := m.modules["datetime"]
	if !ok {
		return nil, false
	}
	switch {
	case o.isA(mod, "datetime"):
		return exportMoment(o, mod)
	case o.isA(mod, "timedelta"):
		return exportDelta(o)
	}
	return nil, false
}

// isA reports whether o is an instance of a class of mod.
func (o *instance) isA(mod *module, class string) bool {
	c, err := mod.attr(newStr(class))
	return err == nil && c.kind() == kindClass && o.class.isSubclass(c.class())
}

// field returns an attribute of the instance itself, or unbound.
func (o *instance) field(name string) Value {
	if i := o.attrs.findStr(newStr(name)); i >= 0 {
		return o.attrs.entries[i].value
	}
	return Value{}
}

var momentFields = []string{"year", "month", "day", "hour", "minute", "second", "microsecond"}

func exportMoment(o *instance, mod *module) (any, bool) {
	var n [7]int
	for i, name := range momentFields {
		v := plain(o.field(name))
		if !v.isInt() || v.int() < 0 || v.int() > 1e6 {
			return nil, false
		}
		n[i] = int(v.int())
	}
	if (calendar.Date{Year: n[0], Month: n[1], Day: n[2]}).Check() != nil ||
		(calendar.Clock{Hour: n[3], Minute: n[4], Second: n[5], Microsecond: n[6]}).Check() != nil {
		return nil, false
	}
	wall := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], n[6]*1000, time.UTC)
	zone := o.field("tzinfo")
	if zone.isNone() {
		return api.DateTime{Wall: wall}, true
	}
	offset, ok := exportOffset(zone.instance(), mod)
	return api.DateTime{Wall: wall, Aware: true, Offset: offset}, ok
}

// exportOffset is the offset of a timezone of the module itself.
func exportOffset(zone *instance, mod *module) (time.Duration, bool) {
	if zone == nil || !zone.isA(mod, "timezone") {
		return 0, false
	}
	delta := zone.field("_offset").instance()
	if delta == nil {
		return 0, false
	}
	us := delta.field("_us")
	if !us.isInt() || us.int() <= -calendar.Day || us.int() >= calendar.Day {
		return 0, false
	}
	return time.Duration(us.int()) * time.Microsecond, true
}

func exportDelta(o *instance) (any, bool) {
	us := o.field("_us")
	if !us.isInt() && us.kind() != kindBigInt {
		return nil, false
	}
	d, err := calendar.FromMicros(bigOf(us))
	if err != nil {
		return nil, false
	}
	return api.Timedelta{Days: d.Days, Seconds: d.Seconds, Microseconds: d.Microseconds}, true
}

// importDate makes a datetime or timedelta of the program.
func (m *Machine) importDate(x any) (Value, error) {
	mod, err := m.importNow("datetime")
	if err != nil {
		return Value{}, err
	}
	switch x := x.(type) {
	case api.DateTime:
		return m.importMoment(mod, x)
	case api.Timedelta:
		d := calendar.Delta{Days: x.Days, Seconds: x.Seconds, Microseconds: x.Microseconds}
		return m.importMicros(mod, d.Micros())
	}
	return Value{}, errCorrupt
}

func (m *Machine) importMoment(mod *module, x api.DateTime) (Value, error) {
	zone := None
	if x.Aware {
		var err error
		if zone, err = m.importOffset(mod, x.Offset); err != nil {
			return Value{}, err
		}
	}
	w := x.Wall
	var fields []field
	for i, n := range []int{w.Year(), int(w.Month()), w.Day(), w.Hour(), w.Minute(), w.Second(), w.Nanosecond() / 1000} {
		fields = append(fields, field{momentFields[i], Int(int64(n))})
	}
	return m.importInstance(mod, "datetime", append(fields, field{"tzinfo", zone}, field{"fold", Int(0)})...)
}

func (m *Machine) importOffset(mod *module, offset time.Duration) (Value, error) {
	if offset == 0 {
		return mod.attr(newStr("UTC"))
	}
	delta, err := m.importMicros(mod, big.NewInt(offset.Microseconds()))
	if err != nil {
		return Value{}, err
	}
	return m.importInstance(mod, "timezone", field{"_offset", delta}, field{"_zone", None})
}

func (m *Machine) importMicros(mod *module, us *big.Int) (Value, error) {
	n := m.bigValue(us)
	return m.importInstance(mod, "timedelta", field{"_us", n})
}

func (m *Machine) importInstance(mod *module, class string, fields ...field) (Value, error) {
	v, err := mod.attr(newStr(class))
	if err != nil || v.kind() != kindClass {
		return Value{}, errCorrupt
	}
	if err := m.Alloc(instanceBytes); err != nil {
		return Value{}, err
	}
	o := &instance{class: v.class()}
	obj := o.value()
	return obj, m.setFields(o, fields...)
}

// importNow imports a bundled module while the program does not run: before it
// starts, or while it waits. The body runs to its end in a frame above those of
// the program.
func (m *Machine) importNow(name string) (*module, error) {
	if mod, ok := m.modules[name]; ok {
		return mod, nil
	}
	code, ok := bundledCode(name)
	if !ok {
		return nil, errCorrupt
	}
	mod := &module{name: name, code: code, globals: make([]Value, len(code.code.Globals))}
	mod.value()
	m.keepModule(name, mod)
	base := 1
	if n := len(m.frames); n > 0 {
		base = int(m.frames[n-1].base+m.frames[n-1].unit.regs) + 1
	}
	dst, result := m.dst, m.result
	m.resumedAt = now()
	if err := m.push(code.units[0], nil, mod, base, contFinish, Value{}); err != nil {
		return nil, err
	}
	clear(m.stack[base : base+int(code.units[0].locals)])
	err := m.loop()
	m.elapsed += now() - m.resumedAt
	m.dst, m.result = dst, result
	m.clearDead()
	if err != errDone {
		return nil, err
	}
	return mod, nil
}
