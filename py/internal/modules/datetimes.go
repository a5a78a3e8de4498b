package modules

import (
	"cmp"

	"github.com/glovebox-dev/glovebox/py/internal/calendar"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// defineDatetimes defines the methods of datetime.
func defineDatetimes(mod *machine.ModuleBuilder) {
	mod.Swift("datetime.__new__", 1, -1, "_slow_new", momentNew)
	mod.Swift("datetime.__add__", 2, 2, "_slow_add", momentAdd(1))
	mod.Swift("datetime.__radd__", 2, 2, "_slow_add", momentAdd(1))
	mod.Swift("datetime.__sub__", 2, 2, "_slow_sub", momentSub)
	mod.Swift("datetime.fromisoformat", 2, 2, "_slow_fromisoformat", momentParse)
	mod.Swift("datetime.isoformat", 1, -1, "_slow_isoformat", momentText('T'))
	mod.Swift("datetime.__str__", 1, 1, "_slow_str", momentText(' '))
	mod.Swift("datetime.replace", 1, -1, "_slow_replace", momentReplace)
	mod.Swift("datetime.strftime", 1, -1, "_slow_strftime", momentFormat)
	mod.Swift("datetime.date", 1, 1, "_slow_date", momentDate)
	mod.Comparisons("datetime", &machine.ValueOps{Equal: equalMoments, Order: orderMoments, Hash: hashMoment})
}

// clockNames are the parameters of datetime from the fourth on.
var clockNames = momentNames[3:]

// momentParams are all parameters of datetime.
var momentParams = append(momentNames[:], foldName)

// momentNew is datetime(...) of ints, with or without a time zone that is one.
func momentNew(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
	if err := named(a, "function", 9, momentParams); err != nil {
		return machine.Value{}, false, err
	}
	if n := a.Len() - 1; n > 8 && a.Named() == 0 {
		return machine.Value{}, false, raise.Type("function takes at most 8 positional arguments (%d given)", n)
	}
	c := a.Arg(0).Class()
	if c == nil || a.Len() < 4 || a.Len() > 9 || !c.Ordinary() {
		return no()
	}
	d, ok := dayIn(a.All()[1:4])
	if !ok {
		return no()
	}
	fields := [5]machine.Value{machine.Int(0), machine.Int(0), machine.Int(0), machine.Int(0), machine.None}
	copy(fields[:], a.Positional()[4:])
	for i := range a.Named() {
		at := clockField(a.NameAt(i))
		if at >= 0 && at < a.Len()-4 {
			return machine.Value{}, false, raise.Type("argument for function given by name ('%s') and position (%d)", clockNames[at].Text(), at+4)
		}
		if at < 0 {
			return no()
		}
		fields[at] = a.Arg(a.Len() + i)
	}
	k, ok := clockIn(fields[:4])
	if !ok || !isZone(m, fields[4]) {
		return no()
	}
	return newMoment(m, c, d, k, fields[4])
}

func clockField(name *machine.Str) int {
	for i, n := range clockNames {
		if name != nil && n.Text() == name.Text() {
			return i
		}
	}
	return -1
}

func clockIn(v []machine.Value) (k calendar.Clock, ok bool) {
	for i, to := range []*int{&k.Hour, &k.Minute, &k.Second, &k.Microsecond} {
		if !v[i].IsInt() || uint64(v[i].Int()) >= 1_000_000 {
			return k, false
		}
		*to = int(v[i].Int())
	}
	return k, k.Check() == nil
}

// isZone reports whether v is None or an instance of tzinfo.
func isZone(m *machine.Machine, v machine.Value) bool {
	if v.IsNone() {
		return true
	}
	t := datesOf(m)
	o := v.Instance()
	if t == nil || o == nil {
		return false
	}
	c, err := t.mod.Member(machine.SharedName("tzinfo"))
	return err == nil && c.Class() != nil && o.Class().IsSubclass(c.Class())
}

// momentAdd is datetime + timedelta, or datetime - timedelta.
func momentAdd(sign int64) machine.SwiftFunc {
	return func(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
		t := datesOf(m)
		o := t.isMoment(a.Arg(0))
		us, ok := t.deltaOf(a.Arg(1))
		if o == nil || !ok || !m.PlainNew(o.Class()) {
			return no()
		}
		wall, ok := wallIn(o)
		sum, inside := addMicros(wall, sign*us)
		zone := o.FieldAt(7, momentNames[7])
		if !ok || !inside || !isZone(m, zone) {
			return no()
		}
		return momentAt(m, o.Class(), sum, zone)
	}
}

var momentLess = momentAdd(-1)

// momentSub is datetime - timedelta, and datetime - datetime in one time zone.
func momentSub(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
	t := datesOf(m)
	x, y := t.isMoment(a.Arg(0)), t.isMoment(a.Arg(1))
	if x == nil || y == nil {
		return momentLess(m, a)
	}
	if !x.FieldAt(7, momentNames[7]).Is(y.FieldAt(7, momentNames[7])) {
		return no()
	}
	from, ok1 := wallIn(x)
	to, ok2 := wallIn(y)
	if !ok1 || !ok2 {
		return no()
	}
	return newDelta(m, t.timedelta, from-to)
}

// momentParse is datetime.fromisoformat(text) of a text without an offset.
func momentParse(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
	c, s := a.Arg(0).Class(), a.Arg(1).Str()
	if c == nil || s == nil || len(a.All()) != 2 || len(s.Text()) > 40 || !m.PlainNew(c) {
		return no()
	}
	t, err := calendar.ParseDateTime(s.Text())
	if err != nil || t.Zoned {
		return no()
	}
	return newMoment(m, c, t.Date, t.Clock, machine.None)
}

var isoParams = []*machine.Str{machine.SharedName("sep"), machine.SharedName("timespec")}

// momentText is isoformat() and str() of a naive datetime.
func momentText(separator byte) machine.SwiftFunc {
	return func(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
		if err := named(a, "isoformat()", 2, isoParams); err != nil {
			return machine.Value{}, false, err
		}
		o := a.Arg(0).Instance()
		if o == nil || len(a.All()) != 1 {
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
		v, err := m.Str(string(s))
		return v, err == nil, err
	}
}

// momentDate is datetime.date().
func momentDate(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
	t := datesOf(m)
	o := t.isMoment(a.Arg(0))
	if o == nil {
		return no()
	}
	d, ok := dayOf(o)
	if !ok || d.Check() != nil {
		return no()
	}
	return newDate(m, t.date, d)
}

// twoMoments returns the wall clocks of two datetimes that have the same time
// zone, or none: then that does not count.
func twoMoments(m *machine.Machine, x, y machine.Value) (a, b int64, state comparable2) {
	t := datesOf(m)
	p, q := t.isMoment(x), t.isMoment(y)
	if p == nil || q == nil {
		return 0, 0, compareSlow
	}
	if !p.FieldAt(7, momentNames[7]).Is(q.FieldAt(7, momentNames[7])) {
		return 0, 0, compareSlow
	}
	a, ok1 := wallIn(p)
	b, ok2 := wallIn(q)
	if !ok1 || !ok2 {
		return 0, 0, compareSlow
	}
	return a, b, compareKnown
}

func equalMoments(m *machine.Machine, x, y machine.Value) (bool, bool, error) {
	a, b, state := twoMoments(m, x, y)
	return a == b, state == compareKnown, state.err()
}

func orderMoments(m *machine.Machine, x, y machine.Value) (int, bool, bool, error) {
	a, b, state := twoMoments(m, x, y)
	return cmp.Compare(a, b), true, state == compareKnown, state.err()
}

func hashMoment(m *machine.Machine, x machine.Value) (uint64, error) {
	us, ok := wallOf(x.Instance())
	if !ok {
		return 0, machine.ErrForeign
	}
	return machine.SpreadHash(uint64(us)), nil
}

// foldName is the attribute of a datetime that is 1 in the second of two hours
// of the same name; others are made without it here.
var foldName = machine.SharedName("fold")

// momentReplace is datetime.replace(...) of ints, of the first of two hours.
func momentReplace(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
	if err := named(a, "replace()", 9, momentParams); err != nil {
		return machine.Value{}, false, err
	}
	t := datesOf(m)
	o := t.isMoment(a.Arg(0))
	if o == nil || !m.PlainNew(o.Class()) {
		return no()
	}
	if fold := o.FieldAt(8, foldName); fold.Bound() && !(fold.IsInt() && fold.Int() == 0) {
		return no()
	}
	var values [8]machine.Value
	for i := range values {
		values[i] = o.FieldAt(i, momentNames[i])
	}
	if !replaced(values[:], momentNames[:], a) {
		return no()
	}
	d, ok1 := dayIn(values[:3])
	k, ok2 := clockIn(values[3:7])
	if !ok1 || !ok2 || !isZone(m, values[7]) {
		return no()
	}
	return newMoment(m, o.Class(), d, k, values[7])
}

// momentFormat is datetime.strftime(format) of a naive datetime.
func momentFormat(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
	o := datesOf(m).isMoment(a.Arg(0))
	if o == nil || !o.FieldAt(7, momentNames[7]).IsNone() {
		return no()
	}
	var values [7]machine.Value
	for i := range values {
		values[i] = o.FieldAt(i, momentNames[i])
	}
	d, ok1 := dayIn(values[:3])
	k, ok2 := clockIn(values[3:])
	if !ok1 || !ok2 {
		return no()
	}
	return formatted(m, a, calendar.Fields{Date: d, Clock: k})
}
