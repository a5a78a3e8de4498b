package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// contains is v in seq. When code of the program decides, it returns errEntered
// and the answer goes where cont says.
func (m *Machine) contains(seq, v Value, cont continuation) (bool, error) {
	yes, err := m.containsNative(seq, v)
	if err != ErrForeign {
		return yes, err
	}
	if k := seq.Kind(); k == KindInstance || k == KindClass || k == KindOpaque {
		if fn, ok := m.Lookup(ClassOf(seq), nameContains); ok && (fn.Kind() != KindNative || k == KindOpaque) {
			r, err := m.enter(fn, cont, Value{}, seq, v)
			if err != nil {
				return false, err
			}
			return m.truth(r, cont)
		}
	}
	if isTable(Plain(seq)) {
		r, err := m.enter(m.Intrinsic("contains_key"), cont, Value{}, Plain(seq), v)
		return r.n != 0, err
	}
	if m.CheckIterable(seq) != nil {
		return false, raise.Type("argument of type '%s' is not iterable", TypeName(seq))
	}
	r, err := m.enter(m.Intrinsic("contains"), cont, Value{}, seq, v)
	return r.n != 0, err
}

func isTable(v Value) bool {
	switch v.Kind() {
	case KindDict, KindSet, KindFrozenSet:
		return true
	case KindView:
		return v.view().what == iterKeys
	}
	return false
}

func (m *Machine) containsNative(seq, v Value) (bool, error) {
	switch o := seq.Self().(type) {
	case *Dict:
		i, err := m.findKey(&o.table, v)
		return i >= 0, err
	case *Set:
		i, err := m.findMember(&o.table, v)
		return i >= 0, err
	case *List:
		i, err := m.search(o.items, v)
		return i >= 0, err
	case *Tuple:
		i, err := m.search(o.items, v)
		return i >= 0, err
	case *Str:
		s := Plain(v).Str()
		if s == nil {
			return false, raise.Type("'in <string>' requires string as left operand, not %s", TypeName(v))
		}
		return text.Contains(m, o.s, s.s)
	case *Bytes:
		return m.containsBytes(o, v)
	case *rangeObject:
		return m.containsRange(o, v)
	case *view:
		return m.containsView(o, v)
	case *Instance:
		if o.payload.Bound() && o.class.layout != KindException {
			if fn, ok := m.Lookup(o.class, nameContains); ok && fn.Kind() == KindNative {
				return m.containsNative(o.payload, v)
			}
		}
		return false, ErrForeign
	case *Opaque:
		if _, ok := m.Lookup(o.class, nameContains); ok {
			return false, ErrForeign
		}
	}
	it := m.Iterate(seq)
	if it == nil {
		return false, m.notIterable(seq)
	}
	for {
		item, ok, err := it.Next(m)
		if err != nil || !ok {
			return false, err
		}
		if item.Is(v) {
			return true, nil
		}
		same, err := m.equal(item, v, 0)
		if err != nil || same {
			return same, err
		}
		if err := m.Work(WorkPerStep); err != nil {
			return false, err
		}
	}
}

// notIterable decides whether code of the program can iterate over v.
func (m *Machine) notIterable(v Value) error {
	if v.Kind() == KindGenerator || v.Kind() == KindInstance {
		return ErrForeign
	}
	if c := v.Class(); c != nil && c.meta != nil {
		return ErrForeign
	}
	return raise.Type("argument of type '%s' is not iterable", TypeName(v))
}

// search returns the index of the first item that equals v, or -1.
func (m *Machine) search(items []Value, v Value) (int, error) {
	for i := 0; i < len(items); i++ {
		if items[i].Is(v) {
			return i, nil
		}
		same, err := m.equal(items[i], v, 0)
		if err != nil {
			return -1, err
		}
		if same {
			return i, nil
		}
		if i&63 == 63 {
			if err := m.Work(64 * WorkPerStep / 2); err != nil {
				return -1, err
			}
		}
	}
	return -1, nil
}
