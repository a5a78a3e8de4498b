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
	switch o := v.self().(type) {
	case nil:
		return hashPlain(v)
	case *str:
		return o.tableHash(), nil
	case *bigInt:
		m.budget -= int64(o.v.BitLen() / (64 * workPerStep))
		if f, err := num.ToFloat(o.v); err == nil && num.CompareFloatBig(o.v, f) == 0 {
			return mix(math.Float64bits(f)), nil
		}
		return mix(uint64(num.HashBig(o.v))), nil
	case *bytesObject:
		m.look(4 * len(o.b))
		return hashString(o.b) ^ 0x5bd1e995, nil
	case *tuple:
		return m.hashItems(o.items, depth)
	case *set:
		if v.kind() == kindFrozenSet {
			return m.hashSet(o), nil
		}
	case *instance:
		return m.hashInstance(o, v, depth)
	case *rangeObject:
		h := mix(uint64(o.n))
		if o.n > 0 {
			h = mix(h ^ uint64(o.start))
		}
		if o.n > 1 {
			h = mix(h ^ uint64(o.step))
		}
		return h, nil
	case *method:
		a, err := m.hashOf(o.fn, depth+1)
		if err != nil {
			return 0, err
		}
		return mix(a ^ identity(o.self)), nil
	case *class:
		if o.meta != nil {
			if fn, ok := m.lookup(o.meta, nameHash); ok && fn.kind() != kindNative {
				return 0, errForeign
			}
		}
		return identity(v), nil
	case *list, *dict, *sliceObject, *view:
	default:
		return identity(v), nil
	}
	return 0, raise.Type("unhashable type: '%s'", typeName(v))
}

// identity is a hash for objects that equal only themselves. Objects have no
// stable address to hash and no room for a number, so those of one kind and
// class share a hash unless they carry a serial.
func identity(v Value) uint64 {
	switch o := v.self().(type) {
	case *instance:
		return mix(o.serial)
	case *class:
		return hashString(o.qualName)
	case *function:
		return hashString(o.code.code.QualName) ^ mix(o.serial)
	case *Native:
		return hashString(o.name)
	case *future:
		return mix(o.id)
	}
	return mix(uint64(v.kind()))
}

func hashPlain(v Value) (uint64, error) {
	switch v.kind() {
	case kindNone:
		return mix(0x4e6f6e65), nil
	case kindFloat:
		f := v.float()
		if f == math.Trunc(f) && f >= -(1<<63) && f < 1<<63 {
			return mix(uint64(int64(f))), nil
		}
		return mix(v.n), nil
	}
	return mix(v.n), nil
}

func (m *Machine) hashItems(items []Value, depth int) (uint64, error) {
	if depth > nesting {
		return 0, raise.New("RecursionError", "maximum recursion depth exceeded")
	}
	if err := m.Work(len(items) * workPerStep); err != nil {
		return 0, err
	}
	h := mix(uint64(len(items)))
	for _, v := range items {
		n, err := m.hashOf(v, depth+1)
		if err != nil {
			return 0, err
		}
		h = mix(h ^ n)
	}
	return h, nil
}

func (m *Machine) hashSet(s *set) uint64 {
	m.look(len(s.entries) * 4 * valueBytes)
	h := uint64(s.live())
	for i := s.next(0); i >= 0; i = s.next(i + 1) {
		h += mix(s.entries[i].hash)
	}
	return mix(h)
}

func (m *Machine) hashInstance(o *instance, v Value, depth int) (uint64, error) {
	fn, ok := m.lookup(o.class, nameHash)
	if !ok {
		return m.serialHash(o), nil
	}
	if fn.isNone() {
		return 0, raise.Type("unhashable type: '%s'", o.class.typeName())
	}
	if fn.kind() != kindNative {
		return 0, errForeign
	}
	if eq, ok := m.lookup(o.class, nameEq); ok && eq.kind() == kindFunction && m.definesEqFirst(o.class) {
		return 0, raise.Type("unhashable type: '%s'", o.class.typeName())
	}
	if ops := fn.native().ops; ops != nil {
		return ops.hash(m, v)
	}
	if o.payload.bound() && o.class.layout != kindException {
		return m.hashOf(o.payload, depth+1)
	}
	return m.serialHash(o), nil
}

// definesEqFirst reports whether, going up the classes, __eq__ comes before any
// __hash__: such a class has no hash.
func (m *Machine) definesEqFirst(c *class) bool {
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
func (m *Machine) serialHash(o *instance) uint64 {
	if o.serial == 0 {
		m.serials++
		o.serial = m.serials
	}
	return mix(o.serial)
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
		if k.is(key) {
			return true, nil
		}
		m.budget--
		return m.equal(k, key, 0)
	})
}

// findMember is findKey for sets, where a set stands for its frozen twin.
func (m *Machine) findMember(t *table, key Value) (int, error) {
	if key.kind() == kindSet {
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
	if r.index >= len(t.entries) || r.index >= 0 && !t.entries[r.index].key.bound() {
		return -1
	}
	return r.index
}

func resolvedOf(v Value) (*resolved, bool) {
	o := v.opaque()
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
		if err := m.Work(len(t.entries) * workPerStep); err != nil {
			return err
		}
	}
	t.insert(key, value, hash)
	return nil
}

// setStr stores v in d under the str s.
func (m *Machine) setStr(d *dict, s *str, v Value) error { return m.putKey(&d.table, s.ref(), v) }

// set stores v in d under a key that needs no code of the program.
func (m *Machine) set(d *dict, key, v Value) error { return m.putKey(&d.table, key, v) }

func (m *Machine) newDict() *dict {
	m.spend(dictBytes)
	d := &dict{}
	d.value()
	return d
}

func (m *Machine) newSet() *set {
	m.spend(dictBytes)
	s := &set{}
	s.value(false)
	return s
}

// dictDisplay makes a dict of keys and values in turns.
func (m *Machine) dictDisplay(items []Value) (Value, error) {
	d := m.newDict()
	if n := len(items) / 2; n > 0 {
		if err := m.Alloc(n*entryBytes + slotCount(n)*slotBytes); err != nil {
			return Value{}, err
		}
		d.resize(n)
	}
	for i := 0; i < len(items); i += 2 {
		err := m.putKey(&d.table, items[i], items[i+1])
		if err == errForeign {
			return m.foreignDict(items)
		}
		if err != nil {
			return Value{}, err
		}
	}
	return d.ref(), nil
}

func (m *Machine) foreignDict(items []Value) (Value, error) {
	l, err := m.newListCopy(items)
	if err != nil {
		return Value{}, err
	}
	return m.enter(m.intrinsic("dict_display"), contStore, Value{}, l)
}

func (m *Machine) setDisplay(items []Value) (Value, error) {
	s := m.newSet()
	for _, v := range items {
		err := m.putKey(&s.table, v, None)
		if err == errForeign {
			l, err := m.newListCopy(items)
			if err != nil {
				return Value{}, err
			}
			return m.enter(m.intrinsic("set_display"), contStore, Value{}, l)
		}
		if err != nil {
			return Value{}, err
		}
	}
	return s.ref(), nil
}

func (o *dict) ref() Value  { return Value{o: &o.Object} }
func (o *set) ref() Value   { return Value{o: &o.Object} }
func (o *list) ref() Value  { return Value{o: &o.Object} }
func (o *tuple) ref() Value { return Value{o: &o.Object} }

// put is the Put instruction.
func (m *Machine) put(d, key, v Value) error {
	dd := d.dict()
	if dd == nil {
		return errCorrupt
	}
	err := m.putKey(&dd.table, key, v)
	if err == errForeign {
		return m.discard(m.enter(m.intrinsic("set_key"), contDiscard, Value{}, d, key, v))
	}
	return err
}

func (m *Machine) addToSet(s, v Value) error {
	ss := s.set()
	if ss == nil {
		return errCorrupt
	}
	err := m.putKey(&ss.table, v, None)
	if err == errForeign {
		return m.discard(m.enter(m.intrinsic("add_key"), contDiscard, Value{}, s, v))
	}
	return err
}

// merge is {**x}: d is updated by the mapping x.
func (m *Machine) merge(d, x Value) error {
	dd, src := d.dict(), plain(x).dict()
	if dd == nil {
		return errCorrupt
	}
	if src == nil {
		if !m.isMapping(x) {
			return raise.Type("'%s' object is not a mapping", typeName(x))
		}
		return m.discard(m.enter(m.intrinsic("merge"), contDiscard, Value{}, d, x))
	}
	for i := src.next(0); i >= 0; i = src.next(i + 1) {
		e := &src.entries[i]
		err := m.putEntry(&dd.table, e)
		if err == errForeign {
			return m.discard(m.enter(m.intrinsic("merge"), contDiscard, Value{}, d, x))
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
	if err := m.Work(4 * workPerStep); err != nil {
		return err
	}
	t.insert(key, value, hash)
	return nil
}

func (m *Machine) isMapping(v Value) bool {
	_, ok := m.lookup(classOf(v), nameKeys)
	return ok
}

// mergeArgs is f(**x): the keywords x go into d.
func (m *Machine) mergeArgs(d, x, fn Value) error {
	dd, src := d.dict(), plain(x).dict()
	if dd == nil {
		return errCorrupt
	}
	if src == nil {
		if !m.isMapping(x) {
			return raise.Type("%s argument after ** must be a mapping, not %s", m.callName(fn), typeName(x))
		}
		return m.discard(m.enter(m.intrinsic("merge_args"), contDiscard, Value{}, d, x, fn))
	}
	for i := src.next(0); i >= 0; i = src.next(i + 1) {
		s := src.entries[i].key.str()
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
	switch o := fn.self().(type) {
	case *function:
		return "__main__." + o.code.code.QualName + "()"
	case *method:
		return m.callName(o.fn)
	case *Native:
		return o.name + "()"
	case *class:
		if o.flags&shared != 0 {
			return o.name + "()"
		}
		return "__main__." + o.qualName + "()"
	}
	return typeName(fn) + " object"
}
