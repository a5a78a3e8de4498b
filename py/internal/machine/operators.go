package machine

import (
	"math"
	"slices"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// sequenceOp is x op y where x is a str, bytes, list or tuple.
func (m *Machine) sequenceOp(op binaryOp, x, y Value) (Value, error) {
	switch op {
	case opAdd:
		return m.concatenate(x, y)
	case opMul:
		return m.repeated(x, y)
	case opMod:
		if x.Kind() == KindStr || x.Kind() == KindBytes {
			return m.percent(x, y)
		}
	}
	return Value{}, ErrNotImplemented
}

func (m *Machine) concatenate(x, y Value) (Value, error) {
	switch a := x.Self().(type) {
	case *Str:
		if b := Plain(y).Str(); b != nil {
			return m.concat(a, b)
		}
	case *List:
		if b := Plain(y).List(); b != nil {
			items, err := m.joined(a.items, b.items)
			if err != nil {
				return Value{}, err
			}
			return (&List{items: items}).Value(), nil
		}
	case *Tuple:
		if b := Plain(y).Tuple(); b != nil {
			items, err := m.joined(a.items, b.items)
			if err != nil {
				return Value{}, err
			}
			return (&Tuple{items: items}).value(), nil
		}
	case *Bytes:
		if b := Plain(y).Bytes(); b != nil {
			if err := m.Work((len(a.b) + len(b.b)) / 16); err != nil {
				return Value{}, err
			}
			if err := m.Alloc(bytesBytes + len(a.b) + len(b.b)); err != nil {
				return Value{}, err
			}
			return (&Bytes{b: a.b + b.b}).value(), nil
		}
	}
	return Value{}, ErrNotImplemented
}

func (m *Machine) joined(a, b []Value) ([]Value, error) {
	n := len(a) + len(b)
	if err := m.Alloc(ListBytes + n*ValueBytes); err != nil {
		return nil, err
	}
	if err := m.Work(n); err != nil {
		return nil, err
	}
	out := make([]Value, 0, n)
	return append(append(out, a...), b...), nil
}

// repeated is seq * n.
func (m *Machine) repeated(seq, count Value) (Value, error) {
	if !isSequence(seq) || !IsIntegral(Plain(count)) {
		return Value{}, ErrNotImplemented
	}
	n, err := m.repeatCount(Plain(count))
	if err != nil {
		return Value{}, err
	}
	switch o := seq.Self().(type) {
	case *Str:
		s, err := m.Repeat(o.s, n)
		if err != nil {
			return Value{}, err
		}
		return m.Str(s)
	case *Bytes:
		s, err := m.Repeat(o.b, n)
		if err != nil {
			return Value{}, err
		}
		return m.Bytes(s)
	case *List:
		items, err := m.repeatItems(o.items, n)
		if err != nil {
			return Value{}, err
		}
		return (&List{items: items}).Value(), nil
	case *Tuple:
		items, err := m.repeatItems(o.items, n)
		if err != nil {
			return Value{}, err
		}
		return (&Tuple{items: items}).value(), nil
	}
	return Value{}, ErrNotImplemented
}

func (m *Machine) repeatCount(v Value) (int64, error) {
	if v.big() != nil {
		return 0, raise.Overflow("cannot fit 'int' into an index-sized integer")
	}
	return max(0, int64(v.n)), nil
}

func (m *Machine) repeatItems(items []Value, n int64) ([]Value, error) {
	if len(items) == 0 || n == 0 {
		m.Spend(ListBytes)
		return nil, nil
	}
	if n > math.MaxInt32*8/int64(len(items)) {
		return nil, m.limit(MemoryLimit)
	}
	size := int(n) * len(items)
	if err := m.Alloc(ListBytes + size*ValueBytes); err != nil {
		return nil, err
	}
	if err := m.Work(size); err != nil {
		return nil, err
	}
	return slices.Repeat(items, int(n)), nil
}

func (m *Machine) repeatList(l *List, count Value) error {
	n, err := m.repeatCount(count)
	if err != nil {
		return err
	}
	items, err := m.repeatItems(l.items, n)
	if err != nil {
		return err
	}
	l.items = items
	return nil
}

// inplaceExtend is list += y.
func (m *Machine) inplaceExtend(x, y Value) (Value, error) {
	items, ok, err := m.Collect(y)
	if err != nil {
		return Value{}, err
	}
	if ok {
		return x, m.Extend(x.List(), items)
	}
	if err := m.CheckIterable(y); err != nil {
		return Value{}, err
	}
	return m.enter(m.Intrinsic("list_iadd"), contStore, Value{}, x, y)
}

// setOf returns a set, or a view as a set; nil for other values.
func (m *Machine) setOf(v Value) (*Set, error) {
	if s := Plain(v).set(); s != nil {
		return s, nil
	}
	w := v.view()
	if w == nil || w.what == iterValues {
		return nil, nil
	}
	s := m.NewSet()
	d := w.of.Dict()
	for i := d.Next(0); i >= 0; i = d.Next(i + 1) {
		e := &d.entries[i]
		key := e.key
		if w.what == iterItems {
			key = m.Pair(e.key, e.value)
		}
		if err := m.putKey(&s.table, key, None); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// setOp is x op y where x is a set, frozenset, dict or view. It returns
// errEntered when code of the program decides which keys are equal.
func (m *Machine) setOp(op binaryOp, x, y Value) (Value, error) {
	v, err := m.setOpNative(op, x, y)
	if err == ErrForeign {
		return m.enter(m.Intrinsic("set_operate"), contStore, Value{}, SharedStr(op.String()).Ref(), x, y)
	}
	return v, err
}

func (m *Machine) setOpNative(op binaryOp, x, y Value) (Value, error) {
	if x.Kind() == KindDict {
		if op != opBitOr || Plain(y).Dict() == nil {
			return Value{}, ErrNotImplemented
		}
		return m.mergedDicts(x.Dict(), Plain(y).Dict())
	}
	switch op {
	case opBitOr, opBitAnd, opSub, opBitXor:
	default:
		return Value{}, ErrNotImplemented
	}
	a, err := m.setOf(x)
	if err != nil || a == nil {
		return Value{}, orNotImplemented(err)
	}
	b, err := m.setOf(y)
	if err != nil {
		return Value{}, err
	}
	if b == nil {
		if x.Kind() != KindView {
			return Value{}, ErrNotImplemented
		}
		if b, err = m.setFrom(y); err != nil {
			return Value{}, err
		}
		if b == nil {
			return Value{}, m.ForeignIterable(y)
		}
	}
	out, err := m.combine(op, a, b)
	if err != nil {
		return Value{}, err
	}
	return out.Value(x.Kind() == KindFrozenSet), nil
}

// setFrom makes a set of the items of a built-in iterable, or nil.
func (m *Machine) setFrom(v Value) (*Set, error) {
	items, ok, err := m.Collect(v)
	if err != nil || !ok {
		return nil, err
	}
	s := m.NewSet()
	for _, item := range items {
		if err := m.putKey(&s.table, item, None); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// combine is a op b of sets.
func (m *Machine) combine(op binaryOp, a, b *Set) (*Set, error) {
	out := m.NewSet()
	if err := m.Work((len(a.entries) + len(b.entries)) * 4); err != nil {
		return nil, err
	}
	for i := a.Next(0); i >= 0; i = a.Next(i + 1) {
		e := &a.entries[i]
		if op != opBitOr {
			j, err := m.findHash(&b.table, e.key, e.hash)
			if err != nil {
				return nil, err
			}
			if (j >= 0) != (op == opBitAnd) {
				continue
			}
			if j >= 0 && b.Len() <= a.Len() { // CPython goes over the smaller set
				e = &b.entries[j]
			}
		}
		if err := m.putEntry(&out.table, e); err != nil {
			return nil, err
		}
	}
	if op != opBitOr && op != opBitXor {
		return out, nil
	}
	for i := b.Next(0); i >= 0; i = b.Next(i + 1) {
		e := &b.entries[i]
		if op == opBitXor {
			j, err := m.findHash(&a.table, e.key, e.hash)
			if err != nil {
				return nil, err
			}
			if j >= 0 {
				continue
			}
		}
		if err := m.putEntry(&out.table, e); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (m *Machine) inplaceSet(op binaryOp, x, y Value) (Value, bool, error) {
	switch op {
	case opBitOr, opBitAnd, opSub, opBitXor:
	default:
		return Value{}, false, nil
	}
	b := Plain(y).set()
	if b == nil {
		return Value{}, false, nil
	}
	a := x.set()
	out, err := m.combine(op, a, b)
	if err == ErrForeign {
		v, err := m.enter(m.Intrinsic("set_operate_in"), contStore, Value{}, SharedStr(op.String()).Ref(), x, y)
		return v, true, err
	}
	if err != nil {
		return Value{}, true, err
	}
	a.replace(out.table)
	return x, true, nil
}

func (m *Machine) mergedDicts(a, b *Dict) (Value, error) {
	if err := m.Alloc(dictBytes + a.cloneBytes()); err != nil {
		return Value{}, err
	}
	d := &Dict{table: a.table.clone()}
	return d.value(), m.mergeTable(&d.table, &b.table)
}

func (m *Machine) inplaceMerge(x, y Value) (Value, error) {
	if src := Plain(y).Dict(); src != nil {
		if err := m.mergeTable(&x.Dict().table, &src.table); err != ErrForeign {
			return x, err
		}
	}
	return m.enter(m.Intrinsic("dict_ior"), contStore, Value{}, x, y)
}

func (m *Machine) containsBytes(b *Bytes, v Value) (bool, error) {
	if k := Plain(v).Kind(); k != KindBytes && k != KindBigInt && !IsIntegral(Plain(v)) {
		return false, raise.Type("a bytes-like object is required, not '%s'", TypeName(v))
	}
	sub, err := m.needle(b.text(), v)
	if err != nil {
		return false, err
	}
	return text.Contains(m, b.b, sub)
}

func (m *Machine) containsRange(r *rangeObject, v Value) (bool, error) {
	var n int64
	switch v.Kind() {
	case KindInt, KindBool:
		n = int64(v.n)
	case KindFloat:
		f := v.Float()
		if f != math.Trunc(f) || f < -1<<63 || f >= 1<<63 {
			return false, nil
		}
		n = int64(f)
	case KindInstance, KindOpaque:
		return false, ErrForeign
	default:
		return false, nil
	}
	_, ok := r.placeOf(n)
	return ok, nil
}

// placeOf is the index of n; ok is false if the range does not have it. The
// distance from the start may need all 64 bits.
func (o *rangeObject) placeOf(n int64) (i int64, ok bool) {
	distance := uint64(n) - uint64(o.start)
	if o.step < 0 {
		distance = -distance
	}
	if n != o.start && (n > o.start) != (o.step > 0) || distance%magnitude(o.step) != 0 {
		return 0, false
	}
	distance /= magnitude(o.step)
	return int64(distance), distance < uint64(o.n)
}

func (m *Machine) containsView(w *view, v Value) (bool, error) {
	d := w.of.Dict()
	switch w.what {
	case iterKeys:
		i, err := m.findKey(&d.table, v)
		return i >= 0, err
	case iterItems:
		t := v.Tuple()
		if t == nil || len(t.items) != 2 {
			return false, nil
		}
		i, err := m.findKey(&d.table, t.items[0])
		if err != nil || i < 0 {
			return false, err
		}
		if d.entries[i].value.Is(t.items[1]) {
			return true, nil
		}
		return m.equal(d.entries[i].value, t.items[1], 0)
	}
	for i := d.Next(0); i >= 0; i = d.Next(i + 1) {
		if d.entries[i].value.Is(v) {
			return true, nil
		}
		same, err := m.equal(d.entries[i].value, v, 0)
		if err != nil || same {
			return same, err
		}
		if err := m.Work(WorkPerStep); err != nil {
			return false, err
		}
	}
	return false, nil
}

var errRangeStep = raise.Value("range() arg 3 must not be zero")

// rangeLen is the number of items of a range.
func rangeLen(start, stop, step int64) (int64, error) {
	var n uint64
	switch {
	case step == 0:
		return 0, errRangeStep
	case step > 0 && start < stop:
		n = (uint64(stop)-uint64(start)-1)/uint64(step) + 1
	case step < 0 && start > stop:
		n = (uint64(start)-uint64(stop)-1)/uint64(-step) + 1
	}
	if n > math.MaxInt64 {
		return 0, raise.Overflow("Python int too large to convert to C ssize_t")
	}
	return int64(n), nil
}

// rangeIter prepares a loop over a range: R[a] is the next number, R[a+1] how
// many are left, R[a+2] the step.
func (m *Machine) rangeIter(start, stop, step Value, r *[window]Value, a uint8) error {
	var bounds [3]int64
	for i, v := range [3]Value{start, stop, step} {
		v = Plain(v)
		switch v.Kind() {
		case KindInt, KindBool:
			bounds[i] = int64(v.n)
		case KindBigInt:
			return errRangeWide
		default:
			return raise.Type("'%s' object cannot be interpreted as an integer", TypeName(v))
		}
	}
	n, err := rangeLen(bounds[0], bounds[1], bounds[2])
	if err != nil {
		return err
	}
	r[a], r[a+1], r[a+2] = Int(bounds[0]), Int(n), Int(bounds[2])
	return nil
}
