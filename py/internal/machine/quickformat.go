package machine

import (
	"strconv"

	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// specSlots is how many parsed format specs an instance keeps.
const specSlots = 16

// parsedSpec is a format spec of the program and what it means.
type parsedSpec struct {
	of   *Str
	spec text.Spec
}

// parsedSpec returns the meaning of a spec that is a constant of the program,
// or nil.
func (m *Machine) parsedSpec(s *Str) *text.Spec {
	if s.flags&shared == 0 || s.s == "" {
		return nil
	}
	if m.specs == nil {
		m.specs = new([specSlots]parsedSpec)
	}
	slot := &m.specs[s.tableHash()%specSlots]
	if slot.of == s {
		return &slot.spec
	}
	if len(s.s) > quickArgument {
		return nil
	}
	spec, err := text.ParseSpec(s.s, "")
	if err != nil {
		return nil
	}
	*slot = parsedSpec{s, spec}
	return &slot.spec
}

// formatQuick is format(v, spec) of short strs, ints and floats by the specs
// that most programs use. It returns no value for everything else.
func (m *Machine) formatQuick(v Value, s *Str) Value {
	spec := m.parsedSpec(s)
	if spec == nil {
		return Value{}
	}
	var buffer [quickBytes + text.ShortResult]byte
	b, ok := buffer[:0], false
	switch v.Kind() {
	case KindInt:
		b, ok = spec.AppendInt(b, v.Int())
	case KindFloat:
		m.look(quickBytes)
		b, ok = spec.AppendFloat(b, v.Float())
	case KindStr:
		if o := v.Str(); len(o.s) <= quickBytes && o.Flat() {
			b, ok = spec.AppendStr(b, o.s)
		}
	}
	if !ok {
		return Value{}
	}
	return m.ascii(b)
}

// smallInts are the strs of the ints below their number.
var smallInts = func() (all [1000]*Str) {
	for i := range all {
		all[i] = SharedStr(strconv.Itoa(i))
	}
	return all
}()

// smallInt returns the str that all instances share for the text of a small
// int, or nil.
func smallInt(s string) *Str {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil || n >= uint64(len(smallInts)) || smallInts[n].s != s {
		return nil
	}
	return smallInts[n]
}

// intStr is str of an int.
func (m *Machine) intStr(n int64) Value {
	if uint64(n) < uint64(len(smallInts)) {
		return smallInts[n].Ref()
	}
	var buffer [20]byte
	return m.ascii(strconv.AppendInt(buffer[:0], n, 10))
}
