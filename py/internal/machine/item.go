package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// item is x[key]. It returns errEntered when code of the program works it out.
func (m *Machine) item(x, key Value) (Value, error) {
	switch o := x.Self().(type) {
	case *List:
		return m.listItem(o, key)
	case *Tuple:
		return m.tupleItem(o, key)
	case *Dict:
		return m.dictItem(o, x, key)
	case *Str:
		return m.strItem(o, key)
	case *Bytes:
		return m.bytesItem(o, key)
	case *rangeObject:
		return m.rangeItem(o, key)
	case *Instance:
		return m.instanceItem(o, x, key)
	case *Class:
		return m.classItem(o, x, key)
	case *Opaque:
		if fn, ok := m.Lookup(o.class, nameGetItem); ok {
			return m.enter(fn, contStore, Value{}, x, key)
		}
	}
	return Value{}, raise.Type("'%s' object is not subscriptable", TypeName(x))
}

func (m *Machine) instanceItem(o *Instance, x, key Value) (Value, error) {
	fn, ok := m.Lookup(o.class, nameGetItem)
	if !ok {
		return Value{}, raise.Type("'%s' object is not subscriptable", TypeName(x))
	}
	if fn.Kind() != KindNative || !o.payload.Bound() {
		return m.enter(fn, contStore, Value{}, x, key)
	}
	d := o.payload.Dict()
	if d == nil {
		return m.item(o.payload, key)
	}
	return m.dictItem(d, x, key)
}

// dictItem is d[key]; x is d or an instance whose payload d is.
func (m *Machine) dictItem(d *Dict, x, key Value) (Value, error) {
	i, err := m.findKey(&d.table, key)
	if err == ErrForeign {
		return m.enter(m.Intrinsic("get_key"), contStore, Value{}, x, key)
	}
	if err != nil {
		return Value{}, err
	}
	if i >= 0 {
		return d.entries[i].value, nil
	}
	if r, ok := resolvedOf(key); ok {
		key = r.key
	}
	if x.Kind() == KindInstance {
		if fn, ok := m.Lookup(x.Instance().class, nameMissing); ok {
			return m.enter(fn, contStore, Value{}, x, key)
		}
	}
	return Value{}, m.keyError(key)
}

// keyError is a KeyError about key.
func (m *Machine) keyError(key Value) error {
	if r, ok := resolvedOf(key); ok {
		key = r.key
	}
	return &thrown{exception: m.newException("KeyError", key)}
}

// index returns key as an index; n is the length that negative ones count from.
func (m *Machine) index(key Value, what string) (int64, error) {
	key = Plain(key)
	switch key.Kind() {
	case KindInt, KindBool:
		return int64(key.n), nil
	case KindBigInt:
		return 0, raise.Index("cannot fit 'int' into an index-sized integer")
	}
	if what == "string" {
		return 0, raise.Type("string indices must be integers, not '%s'", TypeName(key))
	}
	return 0, raise.Type("%s indices must be integers or slices, not %s", what, TypeName(key))
}

// ForeignIndex reports whether key has an __index__ of the program.
func (m *Machine) ForeignIndex(key Value) bool {
	o := key.Instance()
	if o == nil || o.payload.Bound() {
		return false
	}
	_, ok := m.Lookup(o.class, nameIndex)
	return ok
}

// withIndex asks for item(x, key.__index__()).
func (m *Machine) withIndex(x, key Value) (Value, error) {
	return m.enter(m.Intrinsic("item_index"), contStore, Value{}, x, key)
}

func (m *Machine) tupleItem(t *Tuple, key Value) (Value, error) {
	if s := key.slice(); s != nil {
		start, step, n, err := m.sliceRange(s, len(t.items))
		if err == ErrForeign {
			return m.withIndex(t.ref(), key)
		}
		if err != nil {
			return Value{}, err
		}
		if n == len(t.items) && step == 1 {
			return keep(t.ref()), nil
		}
		items, err := m.sliced(t.items, start, step, n)
		if err != nil {
			return Value{}, err
		}
		return (&Tuple{items: items}).value(), nil
	}
	if m.ForeignIndex(key) {
		return m.withIndex(t.ref(), key)
	}
	i, err := m.index(key, "tuple")
	if err != nil {
		return Value{}, err
	}
	if i < 0 {
		i += int64(len(t.items))
	}
	if i < 0 || i >= int64(len(t.items)) {
		return Value{}, raise.Index("tuple index out of range")
	}
	return t.items[i], nil
}

func (m *Machine) strItem(s *Str, key Value) (Value, error) {
	if sl := key.slice(); sl != nil {
		start, step, n, err := m.sliceRange(sl, s.len())
		if err == ErrForeign {
			return m.withIndex(s.Ref(), key)
		}
		if err != nil {
			return Value{}, err
		}
		return m.strSlice(s, start, step, n)
	}
	if m.ForeignIndex(key) {
		return m.withIndex(s.Ref(), key)
	}
	i, err := m.index(key, "string")
	if err != nil {
		return Value{}, err
	}
	n := int64(s.len())
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		return Value{}, raise.Index("string index out of range")
	}
	if s.Flat() {
		return asciiStrs[s.s[i]&0x7f].Ref(), nil
	}
	lo, err := m.offset(s, int(i))
	if err != nil {
		return Value{}, err
	}
	if c := s.s[lo]; c < 0x80 {
		return asciiStrs[c].Ref(), nil
	}
	return m.character(s.s[lo:]), nil
}

func (m *Machine) strSlice(s *Str, start, step, n int) (Value, error) {
	if s.Flat() && step == 1 {
		if n == len(s.s) {
			return s.Ref(), nil
		}
		return m.CutStr(s.s[start : start+n])
	}
	if step == 1 && n > 0 {
		return m.cutRun(s, start, n)
	}
	out, err := text.Slice(m, s.text(), start, step, n)
	if err != nil {
		return Value{}, err
	}
	return m.CutStr(out)
}

// cutRun is n code points from start on of a str that is not flat.
func (m *Machine) cutRun(s *Str, start, n int) (Value, error) {
	if n == s.len() {
		return s.Ref(), nil
	}
	lo, err := m.offset(s, start)
	if err != nil {
		return Value{}, err
	}
	hi, err := m.offset(s, start+n)
	if err != nil {
		return Value{}, err
	}
	return m.CutStr(s.s[lo:hi])
}

func (m *Machine) bytesItem(b *Bytes, key Value) (Value, error) {
	if sl := key.slice(); sl != nil {
		start, step, n, err := m.sliceRange(sl, len(b.b))
		if err == ErrForeign {
			return m.withIndex(Value{o: &b.Object}, key)
		}
		if err != nil {
			return Value{}, err
		}
		out, err := text.Slice(m, b.text(), start, step, n)
		if err != nil {
			return Value{}, err
		}
		return m.Bytes(out)
	}
	if m.ForeignIndex(key) {
		return m.withIndex(Value{o: &b.Object}, key)
	}
	i, err := m.index(key, "byte")
	if err != nil {
		return Value{}, err
	}
	if i < 0 {
		i += int64(len(b.b))
	}
	if i < 0 || i >= int64(len(b.b)) {
		return Value{}, raise.Index("index out of range")
	}
	return Int(int64(b.b[i])), nil
}

func (m *Machine) rangeItem(r *rangeObject, key Value) (Value, error) {
	if sl := key.slice(); sl != nil {
		return m.rangeSlice(r, sl)
	}
	if m.ForeignIndex(key) {
		return m.withIndex(Value{o: &r.Object}, key)
	}
	if Plain(key).Kind() == KindBigInt {
		return Value{}, errRangeIndex
	}
	i, err := m.index(key, "range")
	if err != nil {
		return Value{}, err
	}
	if i < 0 {
		i += r.n
	}
	if i < 0 || i >= r.n {
		return Value{}, errRangeIndex
	}
	return Int(r.start + i*r.step), nil
}

// classItem is C[key]: a generic alias, unless the class or its metaclass says
// otherwise.
func (m *Machine) classItem(c *Class, x, key Value) (Value, error) {
	if c.meta != nil {
		if fn, ok := m.Lookup(c.meta, nameGetItem); ok {
			return m.enter(fn, contStore, Value{}, x, key)
		}
	}
	if fn, ok := m.Lookup(c, nameClassGetItem); ok {
		d := fn.descriptor()
		if d == nil || d.what == classMethodKind {
			if d != nil {
				fn = d.get
			}
			return m.enter(fn, contStore, Value{}, x, key)
		}
		return m.enter(d.get, contStore, Value{}, key)
	}
	for _, k := range c.mro {
		if k.isGeneric() {
			return m.newAlias(c, key)
		}
	}
	return Value{}, raise.Type("type '%s' is not subscriptable", c.name)
}

var errSliceStep = raise.Value("slice step cannot be zero")

// sliceRange resolves a slice for a sequence of n items: the first index, the
// step and the number of items. It returns errForeign when a bound has an
// __index__ of the program.
func (m *Machine) sliceRange(s *sliceObject, n int) (start, step, count int, err error) {
	return m.sliceBounds(s.start, s.stop, s.step, n)
}

func (m *Machine) sliceBounds(lo, hi, by Value, n int) (start, step, count int, err error) {
	st, err := m.sliceIndex(by, 1)
	if err != nil {
		return 0, 0, 0, err
	}
	if st == 0 {
		return 0, 0, 0, errSliceStep
	}
	first, last := int64(0), int64(n)
	if st < 0 {
		first, last = int64(n)-1, -1
	}
	begin, err := m.sliceEdge(lo, first, int64(n), st < 0)
	if err != nil {
		return 0, 0, 0, err
	}
	end, err := m.sliceEdge(hi, last, int64(n), st < 0)
	if err != nil {
		return 0, 0, 0, err
	}
	switch {
	case st > 0 && begin < end:
		count = int((end-begin-1)/st) + 1
	case st < 0 && begin > end:
		count = int((begin-end-1)/-st) + 1
	}
	if count == 0 {
		begin = max(0, min(begin, int64(n)))
		return int(begin), int(max(min(st, int64(n)+1), -int64(n)-1)), 0, nil
	}
	if count == 1 {
		st = 1
	}
	return int(begin), int(st), count, nil
}

// sliceEdge clamps one bound of a slice into the sequence.
func (m *Machine) sliceEdge(v Value, missing, n int64, down bool) (int64, error) {
	if v.IsNone() {
		return missing, nil
	}
	i, err := m.sliceIndex(v, 0)
	if err != nil {
		return 0, err
	}
	if i < 0 {
		i += n
	}
	low, high := int64(0), n
	if down {
		low, high = -1, n-1
	}
	return max(low, min(i, high)), nil
}

// sliceIndex is a bound of a slice as an int, cut to what any sequence could
// have.
func (m *Machine) sliceIndex(v Value, missing int64) (int64, error) {
	const far = 1 << 62
	v = Plain(v)
	switch v.Kind() {
	case KindNone:
		return missing, nil
	case KindInt, KindBool:
		return max(-far, min(int64(v.n), far)), nil
	case KindBigInt:
		return far * int64(v.big().v.Sign()), nil
	}
	if m.ForeignIndex(v) {
		return 0, ErrForeign
	}
	return 0, raise.Type("slice indices must be integers or None or have an __index__ method")
}

// itemSlice is x[lo:hi:by].
func (m *Machine) itemSlice(x, lo, hi, by Value) (Value, error) {
	switch o := x.Self().(type) {
	case *List:
		start, step, n, err := m.sliceBounds(lo, hi, by, len(o.items))
		if err == nil {
			items, err := m.sliced(o.items, start, step, n)
			if err != nil {
				return Value{}, err
			}
			return (&List{items: items}).Value(), nil
		}
		if err != ErrForeign {
			return Value{}, err
		}
	case *Str:
		start, step, n, err := m.sliceBounds(lo, hi, by, o.len())
		if err == nil {
			return m.strSlice(o, start, step, n)
		}
		if err != ErrForeign {
			return Value{}, err
		}
	}
	m.Spend(SliceBytes)
	return m.item(x, (&sliceObject{start: lo, stop: hi, step: by}).value())
}

// setItem does x[key] = v.
func (m *Machine) setItem(x, key, v Value) error {
	switch o := x.Self().(type) {
	case *Dict:
		return m.put(x, key, v)
	case *List:
		return m.setListItem(o, key, v)
	case *Instance, *Opaque:
		fn, ok := m.Lookup(ClassOf(x), nameSetItem)
		if ok && fn.Kind() == KindNative && Plain(x).Kind() != KindInstance {
			return m.setItem(Plain(x), key, v)
		}
		if ok {
			return m.discard(m.enter(fn, contDiscard, Value{}, x, key, v))
		}
	case *Class:
		if o.meta != nil {
			if fn, ok := m.Lookup(o.meta, nameSetItem); ok {
				return m.discard(m.enter(fn, contDiscard, Value{}, x, key, v))
			}
		}
	}
	return raise.Type("'%s' object does not support item assignment", TypeName(x))
}

// notAssignable is the error of assigning a value that is not iterable to a slice
// of a list.
func (m *Machine) notAssignable(s *sliceObject) error {
	switch by, err := m.sliceIndex(s.step, 1); {
	case err == nil && by == 0:
		return errSliceStep
	case err == nil && by == 1:
		return raise.Type("can only assign an iterable")
	}
	return raise.Type("must assign iterable to extended slice")
}

// deleteItem does del x[key].
func (m *Machine) deleteItem(x, key Value) error {
	switch o := x.Self().(type) {
	case *List:
		return m.deleteListItem(o, key)
	case *Dict:
		i, err := m.findKey(&o.table, key)
		if err == ErrForeign {
			return m.discard(m.enter(m.Intrinsic("delete_key"), contDiscard, Value{}, x, key))
		}
		if err != nil {
			return err
		}
		if i < 0 {
			return m.keyError(key)
		}
		o.remove(i)
		return nil
	case *Instance, *Opaque:
		fn, ok := m.Lookup(ClassOf(x), nameDelItem)
		if ok && fn.Kind() == KindNative && Plain(x).Kind() != KindInstance {
			return m.deleteItem(Plain(x), key)
		}
		if ok {
			return m.discard(m.enter(fn, contDiscard, Value{}, x, key))
		}
	}
	return raise.Type("'%s' object doesn't support item deletion", TypeName(x))
}

// NewTuple makes a tuple with a copy of items.
func (m *Machine) NewTuple(items []Value) (Value, error) {
	if len(items) == 0 {
		return emptyTuple, nil
	}
	if err := m.Alloc(TupleBytes + len(items)*ValueBytes); err != nil {
		return Value{}, err
	}
	if len(items) == 2 {
		return pairOf(items[0], items[1]), nil
	}
	t := tupleOf(len(items))
	//lint:ignore S1001 mostly a few, for which a call of copy costs more
	for i := range items {
		t.items[i] = items[i]
	}
	return t.value(), nil
}

var emptyTuple = func() Value {
	t := &Tuple{}
	t.flags = shared
	return t.value()
}()

// collectForeign asks for the items of x; deliverCollected completes the
// instruction before the pc of the frame on top with them.
func (m *Machine) collectForeign(x Value) error {
	if err := m.CheckIterable(x); err != nil {
		return m.notSpreadable(x, err)
	}
	return m.discard(m.enter(m.Intrinsic("collect"), contCollected, Value{}, x))
}

// notSpreadable is the error of *x where x is not iterable.
func (m *Machine) notSpreadable(x Value, err error) error {
	f := &m.frames[len(m.frames)-1]
	i := f.unit.instrs[f.pc-1]
	if i.Op() != code.OpExtend {
		return err
	}
	switch i.C() {
	case code.StarredItems:
		return raise.Type("Value after * must be an iterable, not %s", TypeName(x))
	case code.StarredArguments:
		if i.A() > 0 {
			return raise.Type("%s argument after * must be an iterable, not %s", m.callName(m.registers()[i.A()-1]), TypeName(x))
		}
	}
	return err
}

// CheckIterable refuses a value that is not iterable.
func (m *Machine) CheckIterable(x Value) error {
	if x.Kind() == KindGenerator && x.generator().word() == "generator" {
		return nil
	}
	c := ClassOf(x)
	fn, ok := m.Lookup(c, nameIter)
	if ok && !fn.IsNone() {
		return nil
	}
	if _, items := m.Lookup(c, nameGetItem); items && !ok && x.Kind() == KindInstance {
		return nil
	}
	return raise.Type("'%s' object is not iterable", TypeName(x))
}

func (m *Machine) updateSet(s, x Value) error {
	o := s.set()
	if o == nil {
		return ErrMalformed
	}
	items, ok, err := m.Collect(x)
	if err != nil {
		return err
	}
	if !ok {
		return m.collectForeign(x)
	}
	for i, v := range items {
		err := m.putKey(&o.table, v, None)
		if err == ErrForeign {
			rest, err := m.NewList(items[i:])
			if err != nil {
				return err
			}
			return m.discard(m.enter(m.Intrinsic("add_keys"), contDiscard, Value{}, s, rest))
		}
		if err != nil {
			return err
		}
		if err := m.Work(2 * WorkPerStep); err != nil {
			return err
		}
	}
	return nil
}
