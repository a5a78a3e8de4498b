package machine

import (
	"cmp"

	"github.com/glovebox-dev/glovebox/py/internal/calendar"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// defineDatetimes defines the methods of datetime.
func defineDatetimes(mod *moduleMaker) {
	mod.swift("datetime.__new__", 1, -1, "_slow_new", momentNew)
	mod.swift("datetime.__add__", 2, 2, "_slow_add", momentAdd(1))
	mod.swift("datetime.__radd__", 2, 2, "_slow_add", momentAdd(1))
	mod.swift("datetime.__sub__", 2, 2, "_slow_sub", momentSub)
	mod.swift("datetime.fromisoformat", 2, 2, "_slow_fromisoformat", momentParse)
	mod.swift("datetime.isoformat", 1, -1, "_slow_isoformat", momentText('T'))
	mod.swift("datetime.__str__", 1, 1, "_slow_str", momentText(' '))
	mod.swift("datetime.replace", 1, -1, "_slow_replace", momentReplace)
	mod.swift("datetime.strftime", 1, -1, "_slow_strftime", momentFormat)
	mod.swift("datetime.date", 1, 1, "_slow_date", momentDate)
	mod.comparisons("datetime", &valueOps{equal: equalMoments, order: orderMoments, hash: hashMoment})
}

// clockNames are the parameters of datetime from the fourth on.
var clockNames = momentNames[3:]

// momentParams are all parameters of datetime.
var momentParams = append(momentNames[:], foldName)

// momentNew is datetime(...) of ints, with or without a time zone that is one.
func momentNew(m *Machine, a Args) (Value, bool, error) {
	if err := named(a, "function", 9, momentParams); err != nil {
		return Value{}, false, err
	}
	if n := a.len() - 1; n > 8 && a.names == nil {
		return Value{}, false, raise.Type("function takes at most 8 positional arguments (%d given)", n)
	}
	c := a.v[0].class()
	if c == nil || a.len() < 4 || a.len() > 9 || c.layout != kindInstance || c.flags&shared != 0 || c.abstract != nil {
		return no()
	}
	d, ok := dayIn(a.v[1:4])
	if !ok {
		return no()
	}
	fields := [5]Value{Int(0), Int(0), Int(0), Int(0), None}
	copy(fields[:], a.positional()[4:])
	for i := range a.named() {
		at := clockField(a.names.items[i].str())
		if at >= 0 && at < a.len()-4 {
			return Value{}, false, raise.Type("argument for function given by name ('%s') and position (%d)", clockNames[at].s, at+4)
		}
		if at < 0 {
			return no()
		}
		fields[at] = a.v[a.len()+i]
	}
	k, ok := clockIn(fields[:4])
	if !ok || !m.isZone(fields[4]) {
		return no()
	}
	return m.newMoment(c, d, k, fields[4])
}

func clockField(name *str) int {
	for i, n := range clockNames {
		if name != nil && n.s == name.s {
			return i
		}
	}
	return -1
}

func clockIn(v []Value) (k calendar.Clock, ok bool) {
	for i, to := range []*int{&k.Hour, &k.Minute, &k.Second, &k.Microsecond} {
		if !v[i].isInt() || v[i].n >= 1_000_000 {
			return k, false
		}
		*to = int(v[i].n)
	}
	return k, k.Check() == nil
}

// isZone reports whether v is None or an instance of tzinfo.
func (m *Machine) isZone(v Value) bool {
	if v.isNone() {
		return true
	}
	t := m.dates()
	o := v.instance()
	if t == nil || o == nil {
		return false
	}
	c, err := t.mod.member(known.str("tzinfo"))
	return err == nil && c.class() != nil && o.class.isSubclass(c.class())
}

// momentAdd is datetime + timedelta, or datetime - timedelta.
func momentAdd(sign int64) swiftFunc {
	return func(m *Machine, a Args) (Value, bool, error) {
		t := m.dates()
		o := t.isMoment(a.v[0])
		us, ok := t.deltaOf(a.v[1])
		if o == nil || !ok || !m.plainNew(o.class) {
			return no()
		}
		wall, ok := wallIn(o)
		sum, inside := addMicros(wall, sign*us)
		zone := o.fieldAt(7, momentNames[7])
		if !ok || !inside || !m.isZone(zone) {
			return no()
		}
		return m.momentAt(o.class, sum, zone)
	}
}

var momentLess = momentAdd(-1)

// momentSub is datetime - timedelta, and datetime - datetime in one time zone.
func momentSub(m *Machine, a Args) (Value, bool, error) {
	t := m.dates()
	x, y := t.isMoment(a.v[0]), t.isMoment(a.v[1])
	if x == nil || y == nil {
		return momentLess(m, a)
	}
	if !x.fieldAt(7, momentNames[7]).is(y.fieldAt(7, momentNames[7])) {
		return no()
	}
	from, ok1 := wallIn(x)
	to, ok2 := wallIn(y)
	if !ok1 || !ok2 {
		return no()
	}
	return m.newDelta(t.timedelta, from-to)
}

// momentParse is datetime.fromisoformat(text) of a text without an offset.
func momentParse(m *Machine, a Args) (Value, bool, error) {
	c, s := a.v[0].class(), a.v[1].str()
	if c == nil || s == nil || len(a.v) != 2 || len(s.s) > 40 || !m.plainNew(c) {
		return no()
	}
	t, err := calendar.ParseDateTime(s.s)
	if err != nil || t.Zoned {
		return no()
	}
	return m.newMoment(c, t.Date, t.Clock, None)
}

var isoParams = []*str{known.str("sep"), known.str("timespec")}

// momentText is isoformat() and str() of a naive datetime.
func momentText(separator byte) swiftFunc {
	return func(m *Machine, a Args) (Value, bool, error) {
		if err := named(a, "isoformat()", 2, isoParams); err != nil {
			return Value{}, false, err
		}
		o := a.v[0].instance()
		if o == nil || len(a.v) != 1 {
			return no()
		}
		us, ok := wallOf(o)
		d, _ := dayOf(o)
		if !ok {
			return no()
		}
		_, rest := floorDivMod(us, calendar.Day)
		s := append(appendDay(make([]byte, 0, 26), d), separator)
		seconds := int(rest / 1_000_000)
		s = append(appendTwo(s, seconds/3600), ':')
		s = append(appendTwo(s, seconds/60%60), ':')
		s = appendTwo(s, seconds%60)
		if part := int(rest % 1_000_000); part > 0 {
			s = appendTwo(append(s, '.'), part/10000)
			s = appendTwo(appendTwo(s, part/100%100), part%100)
		}
		v, err := m.str(string(s))
		return v, err == nil, err
	}
}

// momentDate is datetime.date().
func momentDate(m *Machine, a Args) (Value, bool, error) {
	t := m.dates()
	o := t.isMoment(a.v[0])
	if o == nil {
		return no()
	}
	d, ok := dayOf(o)
	if !ok || d.Check() != nil {
		return no()
	}
	return m.newDate(t.date, d)
}

// twoMoments returns the wall clocks of two datetimes that have the same time
// zone, or none: then that does not count.
func twoMoments(m *Machine, x, y Value) (a, b int64, state comparable2) {
	t := m.dates()
	p, q := t.isMoment(x), t.isMoment(y)
	if p == nil || q == nil {
		return 0, 0, compareSlow
	}
	if !p.fieldAt(7, momentNames[7]).is(q.fieldAt(7, momentNames[7])) {
		return 0, 0, compareSlow
	}
	a, ok1 := wallIn(p)
	b, ok2 := wallIn(q)
	if !ok1 || !ok2 {
		return 0, 0, compareSlow
	}
	return a, b, compareKnown
}

func equalMoments(m *Machine, x, y Value) (bool, bool, error) {
	a, b, state := twoMoments(m, x, y)
	return a == b, state == compareKnown, state.err()
}

func orderMoments(m *Machine, x, y Value) (int, bool, bool, error) {
	a, b, state := twoMoments(m, x, y)
	return cmp.Compare(a, b), true, state == compareKnown, state.err()
}

func hashMoment(m *Machine, x Value) (uint64, error) {
	us, ok := wallOf(x.instance())
	if !ok {
		return 0, errForeign
	}
	return mix(uint64(us)), nil
}

// foldName is the attribute of a datetime that is 1 in the second of two hours
// of the same name; others are made without it here.
var foldName = known.str("fold")

// momentReplace is datetime.replace(...) of ints, of the first of two hours.
func momentReplace(m *Machine, a Args) (Value, bool, error) {
	if err := named(a, "replace()", 9, momentParams); err != nil {
		return Value{}, false, err
	}
	t := m.dates()
	o := t.isMoment(a.v[0])
	if o == nil || !m.plainNew(o.class) {
		return no()
	}
	if fold := o.fieldAt(8, foldName); fold.bound() && !(fold.isInt() && fold.n == 0) {
		return no()
	}
	var values [8]Value
	for i := range values {
		values[i] = o.fieldAt(i, momentNames[i])
	}
	if !replaced(values[:], momentNames[:], a) {
		return no()
	}
	d, ok1 := dayIn(values[:3])
	k, ok2 := clockIn(values[3:7])
	if !ok1 || !ok2 || !m.isZone(values[7]) {
		return no()
	}
	return m.newMoment(o.class, d, k, values[7])
}

// momentFormat is datetime.strftime(format) of a naive datetime.
func momentFormat(m *Machine, a Args) (Value, bool, error) {
	o := m.dates().isMoment(a.v[0])
	if o == nil || !o.fieldAt(7, momentNames[7]).isNone() {
		return no()
	}
	var values [7]Value
	for i := range values {
		values[i] = o.fieldAt(i, momentNames[i])
	}
	d, ok1 := dayIn(values[:3])
	k, ok2 := clockIn(values[3:])
	if !ok1 || !ok2 {
		return no()
	}
	return m.formatted(a, calendar.Fields{Date: d, Clock: k})
}
