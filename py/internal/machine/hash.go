package machine

import (
	"math"

	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// hashOf returns the hash under which tables keep a key. Equal keys have equal
// hashes. It is seeded and differs from what hash() returns. It returns
// errForeign when the key's class has a __hash__ of the program.
func (m *Machine) hashOf(v Value, depth int) (uint64, error) {
	switch o := v.Self().(type) {
	case nil:
		return hashPlain(v)
	case *Str:
		return o.tableHash(), nil
	case *bigInt:
		m.budget -= int64(o.v.BitLen() / (64 * WorkPerStep))
		if f, err := num.ToFloat(o.v); err == nil && num.CompareFloatBig(o.v, f) == 0 {
			return SpreadHash(math.Float64bits(f)), nil
		}
		return SpreadHash(uint64(num.HashBig(o.v))), nil
	case *Bytes:
		m.look(4 * len(o.b))
		return hashString(o.b) ^ 0x5bd1e995, nil
	case *Tuple:
		return m.hashItems(o.items, depth)
	case *Set:
		if v.Kind() == KindFrozenSet {
			return m.hashSet(o), nil
		}
	case *Instance:
		return m.hashInstance(o, v, depth)
	case *rangeObject:
		h := SpreadHash(uint64(o.n))
		if o.n > 0 {
			h = SpreadHash(h ^ uint64(o.start))
		}
		if o.n > 1 {
			h = SpreadHash(h ^ uint64(o.step))
		}
		return h, nil
	case *method:
		a, err := m.hashOf(o.fn, depth+1)
		if err != nil {
			return 0, err
		}
		return SpreadHash(a ^ identity(o.self)), nil
	case *Class:
		if o.meta != nil {
			if fn, ok := m.Lookup(o.meta, nameHash); ok && fn.Kind() != KindNative {
				return 0, ErrForeign
			}
		}
		return identity(v), nil
	case *List, *Dict, *sliceObject, *view:
	default:
		return identity(v), nil
	}
	return 0, raise.Type("unhashable type: '%s'", TypeName(v))
}

// identity is a hash for objects that equal only themselves. Objects have no
// stable address to hash and no room for a number, so those of one kind and
// class share a hash unless they carry a serial.
func identity(v Value) uint64 {
	switch o := v.Self().(type) {
	case *Instance:
		return SpreadHash(o.serial)
	case *Class:
		return hashString(o.qualName)
	case *function:
		return hashString(o.code.code.QualName) ^ SpreadHash(o.serial)
	case *Native:
		return hashString(o.name)
	case *future:
		return SpreadHash(o.id)
	}
	return SpreadHash(uint64(v.Kind()))
}

func hashPlain(v Value) (uint64, error) {
	switch v.Kind() {
	case KindNone:
		return SpreadHash(0x4e6f6e65), nil
	case KindFloat:
		f := v.Float()
		if f == math.Trunc(f) && f >= -(1<<63) && f < 1<<63 {
			return SpreadHash(uint64(int64(f))), nil
		}
		return SpreadHash(v.n), nil
	}
	return SpreadHash(v.n), nil
}

func (m *Machine) hashItems(items []Value, depth int) (uint64, error) {
	if depth > nesting {
		return 0, raise.New("RecursionError", "maximum recursion depth exceeded")
	}
	if err := m.Work(len(items) * WorkPerStep); err != nil {
		return 0, err
	}
	h := SpreadHash(uint64(len(items)))
	for _, v := range items {
		n, err := m.hashOf(v, depth+1)
		if err != nil {
			return 0, err
		}
		h = SpreadHash(h ^ n)
	}
	return h, nil
}

func (m *Machine) hashSet(s *Set) uint64 {
	m.look(len(s.entries) * 4 * ValueBytes)
	h := uint64(s.Len())
	for i := s.Next(0); i >= 0; i = s.Next(i + 1) {
		h += SpreadHash(s.entries[i].hash)
	}
	return SpreadHash(h)
}

func (m *Machine) hashInstance(o *Instance, v Value, depth int) (uint64, error) {
	fn, ok := m.Lookup(o.class, nameHash)
	if !ok {
		return m.serialHash(o), nil
	}
	if fn.IsNone() {
		return 0, raise.Type("unhashable type: '%s'", o.class.typeName())
	}
	if fn.Kind() != KindNative {
		return 0, ErrForeign
	}
	if eq, ok := m.Lookup(o.class, nameEq); ok && eq.Kind() == KindFunction && m.definesEqFirst(o.class) {
		return 0, raise.Type("unhashable type: '%s'", o.class.typeName())
	}
	if ops := fn.native().ops; ops != nil {
		return ops.Hash(m, v)
	}
	if o.payload.Bound() && o.class.layout != KindException {
		return m.hashOf(o.payload, depth+1)
	}
	return m.serialHash(o), nil
}

// definesEqFirst reports whether, going up the classes, __eq__ comes before any
// __hash__: such a class has no hash.
func (m *Machine) definesEqFirst(c *Class) bool {
	for _, k := range c.mro {
		if k.attrs.findStr(nameHash) >= 0 {
			return false
		}
		if k.attrs.findStr(nameEq) >= 0 {
			return true
		}
	}
	return false
}

// serialHash gives an instance a number the first time that it is hashed.
func (m *Machine) serialHash(o *Instance) uint64 {
	if o.serial == 0 {
		m.serials++
		o.serial = m.serials
	}
	return SpreadHash(o.serial)
}

// findKey returns the index of key in the table, or -1.
func (m *Machine) findKey(t *table, key Value) (int, error) {
	if i, sure := t.findQuick(key); sure {
		return i, nil
	}
	if k, ok := resolvedOf(key); ok {
		return k.at(t), nil
	}
	hash, err := m.hashOf(key, 0)
	if err != nil {
		return -1, err
	}
	return m.findHash(t, key, hash)
}

func (m *Machine) findHash(t *table, key Value, hash uint64) (int, error) {
	return t.find(hash, func(k Value) (bool, error) {
		if k.Is(key) {
			return true, nil
		}
		m.budget--
		return m.equal(k, key, 0)
	})
}

// findMember is findKey for sets, where a set stands for its frozen twin.
func (m *Machine) findMember(t *table, key Value) (int, error) {
	if key.Kind() == KindSet {
		return m.findHash(t, key, m.hashSet(key.set()))
	}
	return m.findKey(t, key)
}

// resolved is a key whose hash and place were worked out by code of the
// program. The intrinsics pass it in the place of the key.
type resolved struct {
	key   Value
	hash  uint64
	index int // of the equal entry, or -1
}

// Size, Each and the other methods make it a Boxed value. It never lives longer
// than the call that it is made for, which is of a native function: no snapshot
// has one.
func (r *resolved) Size() int               { return 48 }
func (r *resolved) Each(visit func(Value))  { visit(r.key) }
func (r *resolved) Save() (string, []Value) { return "", nil }

// at is where the equal entry is in t, or -1.
func (r *resolved) at(t *table) int {
	if r.index >= len(t.entries) || r.index >= 0 && !t.entries[r.index].key.Bound() {
		return -1
	}
	return r.index
}

func resolvedOf(v Value) (*resolved, bool) {
	o := v.Opaque()
	if o == nil {
		return nil, false
	}
	r, ok := o.box.(*resolved)
	return r, ok
}

// holdsResolved reports whether the frame on top is about to pass on a resolved
// key.
func (m *Machine) holdsResolved() bool {
	f := &m.frames[len(m.frames)-1]
	for _, v := range m.stack[f.base:][:f.unit.regs] {
		if _, ok := resolvedOf(v); ok {
			return true
		}
	}
	return false
}

// putKey stores value under key.
func (m *Machine) putKey(t *table, key, value Value) error {
	if i, sure := t.findQuick(key); i >= 0 {
		t.entries[i].value = value
		return nil
	} else if sure {
		return m.insertKey(t, key, value, quickHash(key))
	}
	if r, ok := resolvedOf(key); ok {
		return m.putAt(t, r.key, value, r.hash, r.at(t))
	}
	hash, err := m.hashOf(key, 0)
	if err != nil {
		return err
	}
	i, err := m.findHash(t, key, hash)
	if err != nil {
		return err
	}
	return m.putAt(t, key, value, hash, i)
}

// putAt stores value under key, whose entry is i, or -1 when there is none.
func (m *Machine) putAt(t *table, key, value Value, hash uint64, i int) error {
	if i >= 0 {
		t.entries[i].value = value
		return nil
	}
	return m.insertKey(t, key, value, hash)
}

// insertKey pays for a new entry and makes it.
func (m *Machine) insertKey(t *table, key, value Value, hash uint64) error {
	if n := t.growth(); n > 0 {
		if err := m.Alloc(n); err != nil {
			return err
		}
		if err := m.Work(len(t.entries) * WorkPerStep); err != nil {
			return err
		}
	}
	t.insert(key, value, hash)
	return nil
}

// setStr stores v in d under the str s.
func (m *Machine) setStr(d *Dict, s *Str, v Value) error { return m.putKey(&d.table, s.Ref(), v) }

// SetItem stores v in d under a key that needs no code of the program.
func (m *Machine) SetItem(d *Dict, key, v Value) error { return m.putKey(&d.table, key, v) }

// NewDict pays for an empty dict and makes it.
func (m *Machine) NewDict() *Dict {
	m.Spend(dictBytes)
	d := &Dict{}
	d.value()
	return d
}

// NewSet pays for an empty set and makes it.
func (m *Machine) NewSet() *Set {
	m.Spend(dictBytes)
	s := &Set{}
	s.Value(false)
	return s
}

// dictDisplay makes a dict of keys and values in turns.
func (m *Machine) dictDisplay(items []Value) (Value, error) {
	d := m.NewDict()
	if n := len(items) / 2; n > 0 {
		if err := m.Alloc(n*entryBytes + slotCount(n)*slotBytes); err != nil {
			return Value{}, err
		}
		d.resize(n)
	}
	for i := 0; i < len(items); i += 2 {
		err := m.putKey(&d.table, items[i], items[i+1])
		if err == ErrForeign {
			return m.foreignDict(items)
		}
		if err != nil {
			return Value{}, err
		}
	}
	return d.Ref(), nil
}

func (m *Machine) foreignDict(items []Value) (Value, error) {
	l, err := m.NewList(items)
	if err != nil {
		return Value{}, err
	}
	return m.enter(m.Intrinsic("dict_display"), contStore, Value{}, l)
}

func (m *Machine) setDisplay(items []Value) (Value, error) {
	s := m.NewSet()
	for _, v := range items {
		err := m.putKey(&s.table, v, None)
		if err == ErrForeign {
			l, err := m.NewList(items)
			if err != nil {
				return Value{}, err
			}
			return m.enter(m.Intrinsic("set_display"), contStore, Value{}, l)
		}
		if err != nil {
			return Value{}, err
		}
	}
	return s.ref(), nil
}

// Ref returns the dict as a Value.
func (o *Dict) Ref() Value  { return Value{o: &o.Object} }
func (o *Set) ref() Value   { return Value{o: &o.Object} }
func (o *List) ref() Value  { return Value{o: &o.Object} }
func (o *Tuple) ref() Value { return Value{o: &o.Object} }

// put is the Put instruction.
func (m *Machine) put(d, key, v Value) error {
	dd := d.Dict()
	if dd == nil {
		return ErrMalformed
	}
	err := m.putKey(&dd.table, key, v)
	if err == ErrForeign {
		return m.discard(m.enter(m.Intrinsic("set_key"), contDiscard, Value{}, d, key, v))
	}
	return err
}

func (m *Machine) addToSet(s, v Value) error {
	ss := s.set()
	if ss == nil {
		return ErrMalformed
	}
	err := m.putKey(&ss.table, v, None)
	if err == ErrForeign {
		return m.discard(m.enter(m.Intrinsic("add_key"), contDiscard, Value{}, s, v))
	}
	return err
}

// merge is {**x}: d is updated by the mapping x.
func (m *Machine) merge(d, x Value) error {
	dd, src := d.Dict(), Plain(x).Dict()
	if dd == nil {
		return ErrMalformed
	}
	if src == nil {
		if !m.isMapping(x) {
			return raise.Type("'%s' object is not a mapping", TypeName(x))
		}
		return m.discard(m.enter(m.Intrinsic("merge"), contDiscard, Value{}, d, x))
	}
	for i := src.Next(0); i >= 0; i = src.Next(i + 1) {
		e := &src.entries[i]
		err := m.putEntry(&dd.table, e)
		if err == ErrForeign {
			return m.discard(m.enter(m.Intrinsic("merge"), contDiscard, Value{}, d, x))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// putEntry is putKey for a key of another table, whose hash is known.
func (m *Machine) putEntry(t *table, e *entry) error {
	key, value, hash := e.key, e.value, e.hash
	i, err := m.findHash(t, key, hash)
	if err != nil {
		return err
	}
	if i >= 0 {
		t.entries[i].value = value
		return nil
	}
	if n := t.growth(); n > 0 {
		if err := m.Alloc(n); err != nil {
			return err
		}
	}
	if err := m.Work(4 * WorkPerStep); err != nil {
		return err
	}
	t.insert(key, value, hash)
	return nil
}

func (m *Machine) isMapping(v Value) bool {
	_, ok := m.Lookup(ClassOf(v), nameKeys)
	return ok
}

// mergeArgs is f(**x): the keywords x go into d.
func (m *Machine) mergeArgs(d, x, fn Value) error {
	dd, src := d.Dict(), Plain(x).Dict()
	if dd == nil {
		return ErrMalformed
	}
	if src == nil {
		if !m.isMapping(x) {
			return raise.Type("%s argument after ** must be a mapping, not %s", m.callName(fn), TypeName(x))
		}
		return m.discard(m.enter(m.Intrinsic("merge_args"), contDiscard, Value{}, d, x, fn))
	}
	for i := src.Next(0); i >= 0; i = src.Next(i + 1) {
		s := src.entries[i].key.Str()
		if s == nil {
			return raise.Type("keywords must be strings")
		}
		if dd.findStr(s) >= 0 {
			return raise.Type("%s got multiple values for keyword argument '%s'", m.callName(fn), s.s)
		}
		if err := m.setStr(dd, s, src.entries[i].value); err != nil {
			return err
		}
	}
	return nil
}

// callName is a callable as messages about its arguments write it.
func (m *Machine) callName(fn Value) string {
	switch o := fn.Self().(type) {
	case *function:
		return "__main__." + o.code.code.QualName + "()"
	case *method:
		return m.callName(o.fn)
	case *Native:
		return o.name + "()"
	case *Class:
		if o.flags&shared != 0 {
			return o.name + "()"
		}
		return "__main__." + o.qualName + "()"
	}
	return TypeName(fn) + " object"
}
