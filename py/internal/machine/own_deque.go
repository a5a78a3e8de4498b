package machine

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// The class deque is one of lib/collections.py; its usual methods are the
// functions here, which find the ring in an attribute of the instance.

// ringName is the attribute that holds the ring.
var ringName = known.str("_ring")

// defineCollections defines the module _collections, on which the module
// collections stands.
func defineCollections(r *Registry) {
	r.HiddenClass(ringType)
	r.Unboxer(ringKind, loadRing)
	r.Module("_collections", func(mod *ModuleBuilder) {
		mod.onRing("append", 2, 2, func(m *Machine, r *ring, a Args) (Value, error) { return None, r.append(m, a.v[1]) })
		mod.onRing("appendleft", 2, 2, func(m *Machine, r *ring, a Args) (Value, error) { return None, r.appendLeft(m, a.v[1]) })
		mod.onRing("pop", 1, 1, func(m *Machine, r *ring, a Args) (Value, error) { return r.pop(m) })
		mod.onRing("popleft", 1, 1, func(m *Machine, r *ring, a Args) (Value, error) { return r.popLeft(m) })
		mod.onRing("clear", 1, 1, func(m *Machine, r *ring, a Args) (Value, error) { r.clear(); return None, nil })
		mod.onRing("reverse", 1, 1, func(m *Machine, r *ring, a Args) (Value, error) { return None, r.reverse(m) })
		mod.onRing("rotate", 1, 2, ringRotate)
		mod.onRing("insert", 3, 3, ringInsert)
		mod.onRing("__len__", 1, 1, func(m *Machine, r *ring, a Args) (Value, error) { return Int(int64(r.n)), nil })
		mod.onRing("maxlen", 1, 1, ringMaxlen)
		defineRingItems(mod)
		defineRingInit(mod)
		defineRecords(mod)
	})
}

// onRing defines a method of deque, in the module by its name without
// underscores; the counts include self.
func (mod *ModuleBuilder) onRing(name string, min, max int, fn func(m *Machine, r *ring, a Args) (Value, error)) *Native {
	n := &Native{name: "deque." + name, min: min, max: max, method: true, id: mod.name + "." + name}
	n.fn = func(m *Machine, a Args) (Value, error) {
		r, err := m.ringIn(name, a.v[0])
		if err != nil {
			return Value{}, err
		}
		return fn(m, r, a)
	}
	mod.r.identify(n.value(), n.id)
	mod.Define(strings.Trim(name, "_"), n.value())
	return n
}

// ringOf returns the ring of a deque, or nil: for other values, and for a deque
// that has not been filled yet.
func ringOf(v Value) *ring {
	o := v.Instance()
	if o == nil || o.attrs().Len() == 0 {
		return nil
	}
	i := o.attrs().findStr(ringName)
	if i < 0 {
		return nil
	}
	if box := o.attrs().entries[i].value.Opaque(); box != nil {
		r, _ := box.box.(*ring)
		return r
	}
	return nil
}

// ringIn is ringOf of what must be a deque: one that has no ring gets it.
func (m *Machine) ringIn(name string, v Value) (*ring, error) {
	if r := ringOf(v); r != nil {
		return r, nil
	}
	if !isDeque(v) {
		return nil, raise.Type("descriptor '%s' for 'collections.deque' objects doesn't apply to a '%s' object", name, TypeName(v))
	}
	r := &ring{most: -1}
	box, err := m.NewBoxed(ringType, r)
	if err != nil {
		return nil, err
	}
	return r, m.addAttr(v.Instance(), ringName, box)
}

// isDeque reports whether v is of the class deque or of one that derives from
// it.
func isDeque(v Value) bool {
	o := v.Instance()
	if o == nil {
		return false
	}
	init := known.natives["_collections.__init__"]
	for _, c := range o.class.mro {
		if i := c.attrs.findStr(nameInit); i >= 0 && c.attrs.entries[i].value.Is(init) {
			return true
		}
	}
	return false
}

// defineRingInit defines what fills a deque.
func defineRingInit(mod *ModuleBuilder) {
	init := mod.onRing("__init__", 1, -1, ringInit)
	init.keywords = true
	for _, side := range []struct {
		name string
		add  func(r *ring, m *Machine, v Value) error
		one  string
	}{{"extend", (*ring).append, "_collections.append"}, {"extendleft", (*ring).appendLeft, "_collections.appendleft"}} {
		mod.onRing(side.name, 2, 2, func(m *Machine, r *ring, a Args) (Value, error) {
			return m.ringFill(r, a.v[0], a.v[1], side.add, side.one)
		})
	}
}

// ringInit is __init__(iterable=(), maxlen=None).
func ringInit(m *Machine, r *ring, a Args) (Value, error) {
	if n := len(a.v) - 1; n > 2 {
		return Value{}, raise.Type("deque() takes at most 2 arguments (%d given)", n)
	}
	if err := a.Only("deque", "iterable", "maxlen"); err != nil {
		return Value{}, err
	}
	b, err := Args{a.v[1:], a.names}.Bind("deque", 0, "iterable", "maxlen")
	if err != nil {
		return Value{}, err
	}
	most := int64(-1)
	if v := Plain(b[1]); v.Bound() && !v.IsNone() {
		if !IsIntegral(v) {
			return Value{}, raise.Type("an integer is required")
		}
		if most, err = m.OptionalInt(v, 0); err != nil {
			return Value{}, err
		}
		if most < 0 {
			return Value{}, raise.Value("maxlen must be non-negative")
		}
	}
	r.clear()
	r.most = most
	if !b[0].Bound() {
		return None, nil
	}
	return m.ringFill(r, a.v[0], b[0], (*ring).append, "_collections.append")
}

// ringFill adds the items of an iterable. Those that code of the program gives
// are added by the prelude, through the function one.
func (m *Machine) ringFill(r *ring, self, from Value, add func(r *ring, m *Machine, v Value) error, one string) (Value, error) {
	if ringOf(from) == r {
		items, err := r.items(m)
		if err != nil {
			return Value{}, err
		}
		from = (&List{items: items}).Value()
	}
	it := m.Iterate(from)
	if it == nil {
		if err := m.CheckIterable(from); err != nil {
			return Value{}, err
		}
		return m.Then(m.Intrinsic("fill"), known.natives[one], self, from)
	}
	for {
		v, more, err := it.Next(m)
		if err != nil || !more {
			return None, err
		}
		if err := m.Work(2 * WorkPerStep); err != nil {
			return Value{}, err
		}
		if err := add(r, m, v); err != nil {
			return Value{}, err
		}
	}
}

func ringMaxlen(m *Machine, r *ring, a Args) (Value, error) {
	if r.most < 0 {
		return None, nil
	}
	return Int(r.most), nil
}

func ringRotate(m *Machine, r *ring, a Args) (Value, error) {
	k := int64(1)
	if v := a.At(1); v.Bound() {
		var err error
		if k, err = m.wantIndex(v); err == ErrForeign {
			return m.reindexed("_collections.rotate", a, 1)
		} else if err != nil {
			return Value{}, err
		}
	}
	return None, r.rotate(m, k)
}

func ringInsert(m *Machine, r *ring, a Args) (Value, error) {
	if r.most >= 0 && int64(r.n) >= r.most {
		return Value{}, raise.Index("deque already at its maximum size")
	}
	i, err := m.wantIndex(a.v[1])
	if err == ErrForeign {
		return m.reindexed("_collections.insert", a, 1)
	}
	if err != nil {
		return Value{}, err
	}
	if i < 0 {
		i += int64(r.n)
	}
	return None, r.insert(m, int(max(0, min(i, int64(r.n)))), a.v[2])
}

// defineRingItems defines what reads and writes items by their index, and what
// goes over all of them.
func defineRingItems(mod *ModuleBuilder) {
	mod.onRing("__getitem__", 2, 2, func(m *Machine, r *ring, a Args) (Value, error) {
		i, err := m.ringIndex(r, a.v[1])
		if err == ErrForeign {
			return m.reindexed("_collections.__getitem__", a, 1)
		}
		if err != nil {
			return Value{}, err
		}
		return r.at(i), nil
	})
	mod.onRing("__setitem__", 3, 3, func(m *Machine, r *ring, a Args) (Value, error) {
		i, err := m.ringIndex(r, a.v[1])
		if err == ErrForeign {
			return m.reindexed("_collections.__setitem__", a, 1)
		}
		if err != nil {
			return Value{}, err
		}
		*r.place(i) = a.v[2]
		return None, nil
	})
	mod.onRing("__delitem__", 2, 2, func(m *Machine, r *ring, a Args) (Value, error) {
		i, err := m.ringIndex(r, a.v[1])
		if err == ErrForeign {
			return m.reindexed("_collections.__delitem__", a, 1)
		}
		if err != nil {
			return Value{}, err
		}
		return None, r.remove(m, i)
	})
	mod.onRing("__iter__", 1, 1, func(m *Machine, r *ring, a Args) (Value, error) {
		m.Spend(IteratorBytes)
		return m.ringIterator(a.v[0], r).Value(), nil
	})
	mod.onRing("__reversed__", 1, 1, func(m *Machine, r *ring, a Args) (Value, error) {
		m.Spend(IteratorBytes)
		return (&Iterator{what: iterRingBack, seq: ringValue(a.v[0]), pos: int64(r.n) - 1, end: r.changes}).Value(), nil
	})
	mod.onRing("items", 1, 1, func(m *Machine, r *ring, a Args) (Value, error) {
		items, err := r.items(m)
		return (&List{items: items}).Value(), err
	})
}

// ringIndex is the index of an item that exists.
func (m *Machine) ringIndex(r *ring, key Value) (int, error) {
	k := Plain(key)
	switch {
	case k.IsInt() || k.Kind() == KindBool:
	case k.Kind() == KindBigInt:
		return 0, raise.Index("cannot fit 'int' into an index-sized integer")
	case m.ForeignIndex(k):
		return 0, ErrForeign
	default:
		return 0, raise.Type("sequence index must be integer, not '%s'", TypeName(key))
	}
	i := int64(k.n)
	if i < 0 {
		i += int64(r.n)
	}
	if i < 0 || i >= int64(r.n) {
		return 0, raise.Index("deque index out of range")
	}
	return int(i), nil
}

// ringValue is the object that holds the ring of a deque.
func ringValue(v Value) Value {
	o := v.Instance()
	return o.attrs().entries[o.attrs().findStr(ringName)].value
}

// ringIterator goes over the items of a deque.
func (m *Machine) ringIterator(v Value, r *ring) *Iterator {
	return &Iterator{what: iterRing, seq: ringValue(v), end: r.changes}
}

var errRingChanged = raise.Runtime("deque mutated during iteration")

// nextInRing is next of an iterator over a deque.
func (it *Iterator) nextInRing() (Value, bool, error) {
	box := it.seq.Opaque()
	if box == nil {
		return Value{}, false, nil
	}
	r, ok := box.box.(*ring)
	if !ok {
		return Value{}, false, ErrMalformed
	}
	if it.end != r.changes {
		return Value{}, false, errRingChanged
	}
	if it.pos < 0 || it.pos >= int64(r.n) {
		return Value{}, false, nil
	}
	v := r.at(int(it.pos))
	if it.what == iterRing {
		it.pos++
	} else {
		it.pos--
	}
	return v, true, nil
}
