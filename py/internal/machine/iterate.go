package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// Iterator is an iterator of the machine: one that needs no code of the
// program to continue.
type Iterator struct {
	Object
	what  iteratorKind
	depth uint16  // of the iterators within
	moves uint32  // of the table it goes over, when pos was right
	seq   Value   // what it goes over
	inner []Value // the iterators of enumerate and zip
	pos   int64   // of the next item; of the next number for a range
	end   int64   // the length of seq when that must not change; what is left of a range
	step  int64
}

type iteratorKind uint8

const (
	iterList iteratorKind = iota
	iterTuple
	iterStr
	iterBytes
	iterRange
	iterKeys
	iterValues
	iterItems
	iterSet
	iterReversed // of a list, tuple, str or bytes, by index; of a str by byte
	iterReversedKeys
	iterReversedValues
	iterReversedItems
	iterEnumerate
	iterZip
	iterRing     // of a deque
	iterRingBack // the same from its end
	iterChoices  // of itertools
	iterDone
	iterASCII // not a kind of its own: the class of iterStr over ASCII
)

// Value gives the iterator its identity and returns it.
func (o *Iterator) Value() Value { o.kind, o.self = KindIter, o; return Value{o: &o.Object} }

// view is what dict.keys(), values() and items() return.
type view struct {
	Object
	what iteratorKind // iterKeys, iterValues or iterItems
	of   Value        // a dict
}

func (o *view) value() Value { o.kind, o.self = KindView, o; return Value{o: &o.Object} }

// Iterate returns an iterator over v when v needs no code of the program for
// it, otherwise nil.
func (m *Machine) Iterate(v Value) *Iterator {
	switch o := v.Self().(type) {
	case *List:
		return &Iterator{what: iterList, seq: v}
	case *Tuple:
		return &Iterator{what: iterTuple, seq: v}
	case *Str:
		return &Iterator{what: iterStr, seq: v}
	case *Bytes:
		return &Iterator{what: iterBytes, seq: v}
	case *rangeObject:
		return &Iterator{what: iterRange, seq: v, pos: o.start, end: o.n, step: o.step}
	case *Dict:
		return &Iterator{what: iterKeys, seq: v, end: int64(o.Len()), moves: o.moves()}
	case *view:
		d := o.of.Dict()
		return &Iterator{what: o.what, seq: o.of, end: int64(d.Len()), moves: d.moves()}
	case *Set:
		return &Iterator{what: iterSet, seq: v, end: int64(o.Len()), moves: o.moves()}
	case *Iterator:
		return o
	case *Instance:
		if r := ringOf(v); r != nil {
			if fn, ok := m.Lookup(o.class, nameIter); ok && fn.Kind() == KindNative {
				return m.ringIterator(v, r)
			}
		}
		if o.payload.Bound() && o.class.layout != KindException {
			if fn, ok := m.Lookup(o.class, nameIter); ok && fn.Kind() == KindNative {
				return m.Iterate(o.payload)
			}
		}
	}
	return nil
}

// iter is iter(v): an iterator of the machine, or what __iter__ returns.
func (m *Machine) iter(v Value) (Value, error) {
	if it := m.Iterate(v); it != nil {
		if it.o() == v.o {
			return v, nil
		}
		m.Spend(IteratorBytes)
		return it.Value(), nil
	}
	if g := v.generator(); g != nil && g.word() == "generator" {
		return v, nil
	}
	c := ClassOf(v)
	fn, ok := m.Lookup(c, nameIter)
	if ok && !fn.IsNone() {
		return m.enter(m.Intrinsic("iter_of"), contStore, Value{}, v)
	}
	if _, items := m.Lookup(c, nameGetItem); items && !ok && v.Kind() == KindInstance {
		return m.enter(m.Intrinsic("iter_items"), contStore, Value{}, v)
	}
	return Value{}, raise.Type("'%s' object is not iterable", TypeName(v))
}

func (o *Iterator) o() *Object { return &o.Object }

// forNext starts the next round of a loop over an iterator that is not the
// machine's. It returns nil at the end, or errEntered.
func (m *Machine) forNext(it Value) error {
	if g := it.generator(); g != nil {
		if g.state == generatorFinished {
			return nil
		}
		return m.resume(g, None, contFor, Value{})
	}
	fn, ok := m.Lookup(ClassOf(it), nameNext)
	if !ok {
		return raise.Type("'%s' object is not an iterator", TypeName(it))
	}
	f := &m.frames[len(m.frames)-1]
	dst := m.dst
	v, err := m.enter(fn, contForCall, Value{}, it)
	if err == nil { // a native __next__
		err = m.deliverItem(dst, v)
		if err == nil {
			err = errEntered
		}
		return err
	}
	if t, ok := err.(*thrown); ok && m.isException(t.exception, excStopIteration) && &m.frames[len(m.frames)-1] == f {
		return nil
	}
	if r, ok := err.(*raise.Error); ok && r.Class == "StopIteration" {
		return nil
	}
	return err
}

var errChanged = raise.Runtime("dictionary changed size during iteration")
var errKeysChanged = raise.Runtime("dictionary keys changed during iteration")
var errSetChanged = raise.Runtime("Set changed size during iteration")

// Next returns the next item; ok is false at the end.
func (it *Iterator) Next(m *Machine) (v Value, ok bool, err error) {
	switch it.what {
	case iterList:
		l := it.seq.List()
		if uint64(it.pos) < uint64(len(l.items)) {
			it.pos++
			return l.items[it.pos-1], true, nil
		}
		it.close()
		return Value{}, false, nil
	case iterTuple:
		t := it.seq.Tuple()
		if uint64(it.pos) < uint64(len(t.items)) {
			it.pos++
			return t.items[it.pos-1], true, nil
		}
		return Value{}, false, nil
	case iterRange:
		if it.end <= 0 {
			return Value{}, false, nil
		}
		n := it.pos
		it.pos += it.step
		it.end--
		return Int(n), true, nil
	case iterStr:
		return it.nextRune(m)
	case iterKeys, iterValues, iterItems:
		return it.nextEntry(m)
	}
	return it.nextRare(m)
}

// close makes an exhausted iterator stay exhausted.
func (it *Iterator) close() {
	it.what = iterDone
	it.seq = Value{}
}

func (it *Iterator) nextRune(m *Machine) (Value, bool, error) {
	s := it.seq.Str().s
	if it.pos >= int64(len(s)) {
		return Value{}, false, nil
	}
	c := s[it.pos]
	if c < 0x80 {
		it.pos++
		return asciiStrs[c].Ref(), true, nil
	}
	v := m.character(s[it.pos:])
	it.pos += int64(len(v.Str().s))
	return v, true, nil
}

func (it *Iterator) nextEntry(m *Machine) (Value, bool, error) {
	d := it.seq.Dict()
	if int64(d.Len()) != it.end {
		return Value{}, false, errChanged
	}
	if it.moves != d.moves() && !it.follow(&d.table) {
		return Value{}, false, errKeysChanged
	}
	i := d.Next(int(it.pos))
	if i < 0 {
		return Value{}, false, nil
	}
	if it.step >= it.end {
		return Value{}, false, errKeysChanged
	}
	it.reach(m, &d.table, i)
	it.step++
	e := &d.entries[i]
	switch it.what {
	case iterKeys:
		return e.key, true, nil
	case iterValues:
		return e.value, true, nil
	}
	return m.Pair(e.key, e.value), true, nil
}

// reach goes beyond entry i and pays for a long gap before it.
func (it *Iterator) reach(m *Machine, t *table, i int) {
	if gap := int64(i) - it.pos; gap > 8 && it.pos > 0 {
		m.budget -= gap / 2
	}
	it.pos = int64(i) + 1
	t.top = max(t.top, uint32(i)+1)
}

func (it *Iterator) nextRare(m *Machine) (Value, bool, error) {
	switch it.what {
	case iterBytes:
		b := it.seq.Bytes().b
		if it.pos >= int64(len(b)) {
			return Value{}, false, nil
		}
		it.pos++
		return Int(int64(b[it.pos-1])), true, nil
	case iterSet:
		s := it.seq.set()
		if int64(s.Len()) != it.end {
			return Value{}, false, errSetChanged
		}
		if it.moves != s.moves() && !it.follow(&s.table) {
			return Value{}, false, errSetChanged
		}
		i := s.Next(int(it.pos))
		if i < 0 {
			return Value{}, false, nil
		}
		if it.step >= it.end {
			return Value{}, false, errSetChanged
		}
		it.reach(m, &s.table, i)
		it.step++
		return s.entries[i].key, true, nil
	case iterReversed:
		return it.nextReversed(m)
	case iterReversedKeys, iterReversedValues, iterReversedItems:
		return it.previousEntry(m)
	case iterEnumerate:
		v, ok, err := it.inner[0].iter().Next(m)
		if !ok || err != nil {
			return Value{}, false, err
		}
		it.pos++
		return m.Pair(Int(it.pos-1), v), true, nil
	case iterZip:
		return it.nextZip(m)
	case iterRing, iterRingBack:
		return it.nextInRing()
	case iterChoices:
		return it.nextChoice(m)
	}
	return Value{}, false, nil
}

func (it *Iterator) nextReversed(m *Machine) (Value, bool, error) {
	if it.pos < 0 {
		return Value{}, false, nil
	}
	var items []Value
	switch o := it.seq.Self().(type) {
	case *List:
		items = o.items
	case *Tuple:
		items = o.items
	case *Bytes:
		if it.pos >= int64(len(o.b)) {
			return Value{}, false, ErrMalformed
		}
		it.pos--
		return Int(int64(o.b[it.pos+1])), true, nil
	case *Str:
		if it.pos >= int64(len(o.s)) {
			return Value{}, false, ErrMalformed
		}
		_, n := text.DecodeLastRune(o.s[:it.pos+1])
		it.pos -= int64(n)
		return m.character(o.s[it.pos+1:]), true, nil
	}
	if it.pos >= int64(len(items)) {
		it.pos = -1
		return Value{}, false, nil
	}
	it.pos--
	return items[it.pos+1], true, nil
}

func (it *Iterator) previousEntry(m *Machine) (Value, bool, error) {
	d := it.seq.Dict()
	if int64(d.Len()) != it.end {
		return Value{}, false, errChanged
	}
	if it.moves != d.moves() && !it.follow(&d.table) {
		return Value{}, false, errKeysChanged
	}
	for it.pos >= int64(len(d.entries)) {
		it.pos = int64(len(d.entries)) - 1
	}
	for it.pos >= 0 && !d.entries[it.pos].key.Bound() {
		it.pos--
		m.budget--
	}
	if it.pos < 0 {
		return Value{}, false, nil
	}
	e := &d.entries[it.pos]
	it.pos--
	switch it.what {
	case iterReversedKeys:
		return e.key, true, nil
	case iterReversedValues:
		return e.value, true, nil
	}
	return m.Pair(e.key, e.value), true, nil
}

func (it *Iterator) nextZip(m *Machine) (Value, bool, error) {
	if len(it.inner) == 0 {
		return Value{}, false, nil
	}
	m.Spend(TupleBytes + len(it.inner)*ValueBytes)
	t := tupleOf(len(it.inner))
	ok, err := it.fillZip(m, t.items)
	if !ok || err != nil {
		return Value{}, false, err
	}
	return t.value(), true, nil
}

// fillZip puts the next item of each iterator of a zip into items.
func (it *Iterator) fillZip(m *Machine, items []Value) (bool, error) {
	for i := range it.inner {
		v, ok, err := it.inner[i].iter().Next(m)
		if err != nil {
			return false, err
		}
		if !ok {
			return false, it.checkStrict(m, i)
		}
		items[i] = v
	}
	return true, nil
}

// checkStrict complains about iterables of different length when zip was asked
// to; step is 1 then.
func (it *Iterator) checkStrict(m *Machine, ended int) error {
	if it.step == 0 {
		return nil
	}
	before := "argument 1"
	if ended > 1 {
		before = "arguments 1-" + itoa(ended)
	}
	if ended > 0 {
		return raise.Value("zip() argument %d is shorter than %s", ended+1, before)
	}
	for i := 1; i < len(it.inner); i++ {
		_, ok, err := it.inner[i].iter().Next(m)
		if err != nil {
			return err
		}
		if ok {
			before = "argument 1"
			if i > 1 {
				before = "arguments 1-" + itoa(i)
			}
			return raise.Value("zip() argument %d is longer than %s", i+1, before)
		}
	}
	return nil
}

// nextPair puts the two items of the next item into a and b, without making a
// tuple where it can.
func (it *Iterator) nextPair(m *Machine, a, b *Value) (bool, error) {
	switch {
	case it.what == iterItems:
		d := it.seq.Dict()
		if int64(d.Len()) != it.end {
			return false, errChanged
		}
		if it.moves != d.moves() && !it.follow(&d.table) {
			return false, errKeysChanged
		}
		i := d.Next(int(it.pos))
		if i < 0 {
			return false, nil
		}
		if it.step >= it.end {
			return false, errKeysChanged
		}
		it.reach(m, &d.table, i)
		it.step++
		*a, *b = d.entries[i].key, d.entries[i].value
		return true, nil
	case it.what == iterEnumerate:
		v, ok, err := it.inner[0].iter().Next(m)
		if !ok || err != nil {
			return false, err
		}
		*a, *b = Int(it.pos), v
		it.pos++
		return true, nil
	case it.what == iterZip && len(it.inner) == 2 && it.step == 0:
		x, ok, err := it.inner[0].iter().Next(m)
		if !ok || err != nil {
			return false, err
		}
		y, ok, err := it.inner[1].iter().Next(m)
		if !ok || err != nil {
			return false, err
		}
		*a, *b = x, y
		return true, nil
	}
	v, ok, err := it.Next(m)
	if !ok || err != nil {
		return false, err
	}
	if t := v.Tuple(); t != nil && len(t.items) == 2 {
		*a, *b = t.items[0], t.items[1]
		return true, nil
	}
	f := &m.frames[len(m.frames)-1]
	i := f.unit.instrs[f.pc-1]
	m.dst = i.B()
	return true, m.unpack(v, 2, -1, int(f.base)+int(i.B()))
}

// loose reports whether items of the iterator are tuples of n that fill can
// give without the tuple. A tuple that a program takes apart at once it cannot
// see.
func (it *Iterator) loose(n int) bool {
	switch it.what {
	case iterChoices:
		c, err := it.choices()
		return err == nil && c.length() == n && n > 0
	case iterZip:
		return len(it.inner) == n && 0 < n && n <= mostLoose
	}
	return false
}

// mostLoose is how many iterators a zip may have to be loose.
const mostLoose = 8

// fill puts what the next item is made of into items, whose length is loose. At
// the end it leaves them as they are.
func (it *Iterator) fill(m *Machine, items []Value) (bool, error) {
	if it.what == iterZip {
		var held [mostLoose]Value
		ok, err := it.fillZip(m, held[:len(items)])
		if ok {
			copy(items, held[:])
		}
		return ok, err
	}
	c, err := it.choices()
	if err != nil || !c.advance(m) {
		return false, err
	}
	return true, c.fill(m, items)
}

// nextLone is Next for a loop that reads nothing but items of what it gets. When
// last, what it got before, is a tuple that was made for it, that is filled again.
func (it *Iterator) nextLone(m *Machine, last Value) (Value, bool, error) {
	if t := last.Tuple(); t != nil && t.flags&lone != 0 && it.loose(len(t.items)) {
		ok, err := it.fill(m, t.items)
		return last, ok, err
	}
	v, ok, err := it.Next(m)
	if t := v.Tuple(); t != nil && it.loose(len(t.items)) {
		t.flags |= lone
	}
	return v, ok, err
}

// keep returns v for someone who may keep it.
func keep(v Value) Value {
	if v.o != nil && v.o.flags&lone != 0 {
		v.o.flags &^= lone
	}
	return v
}

// Pair makes a tuple of two.
func (m *Machine) Pair(a, b Value) Value {
	m.Spend(TupleBytes + 2*ValueBytes)
	return pairOf(a, b)
}

// Collect returns the items of an iterable of the machine; ok is false when it
// needs code of the program. The slice may be the storage of v itself and must
// not be kept or written to.
func (m *Machine) Collect(v Value) (items []Value, ok bool, err error) {
	switch o := v.Self().(type) {
	case *List:
		return o.items, true, nil
	case *Tuple:
		return o.items, true, nil
	}
	it := m.Iterate(v)
	if it == nil {
		return nil, false, nil
	}
	if n := it.hint(); n > 0 {
		if err := m.Alloc(n * ValueBytes); err != nil {
			return nil, true, err
		}
		items = make([]Value, 0, n)
	}
	for {
		v, more, err := it.Next(m)
		if err != nil || !more {
			return items, true, err
		}
		if len(items) == cap(items) {
			if err := m.Alloc(max(8, cap(items)) * ValueBytes); err != nil {
				return nil, true, err
			}
		}
		if err := m.Work(2 * WorkPerStep); err != nil {
			return nil, true, err
		}
		items = append(items, v)
	}
}

// hint is the number of items that are left, or 0 when it is not known.
func (it *Iterator) hint() int {
	switch it.what {
	case iterList:
		return max(0, len(it.seq.List().items)-int(it.pos))
	case iterRange:
		return int(min(it.end, 1<<40))
	case iterKeys, iterValues, iterItems, iterSet:
		return int(it.end)
	case iterStr:
		return max(0, it.seq.Str().len()-int(it.pos))
	case iterBytes:
		return max(0, len(it.seq.Bytes().b)-int(it.pos))
	case iterEnumerate:
		return it.inner[0].iter().hint()
	case iterZip:
		if len(it.inner) == 0 {
			return 0
		}
		n := it.inner[0].iter().hint()
		for _, v := range it.inner[1:] {
			n = min(n, v.iter().hint())
		}
		return n
	}
	return 0
}

// listed asks for a call of fn with its arguments, argument i as a list of its
// items, which code of the program has to give.
func (m *Machine) listed(fn Value, a Args, i int) (Value, error) {
	args, err := m.NewList(a.v)
	if err != nil {
		return Value{}, err
	}
	names := None
	if a.names != nil {
		names = Value{o: &a.names.Object}
	}
	return m.Then(m.Intrinsic("with_list"), fn, Int(int64(i)), args, names)
}

// unpack puts n items of v into the stack at base, and, unless after is
// negative, a list of the middle ones and after last ones.
func (m *Machine) unpack(v Value, n, after, base int) error {
	items, ok, err := m.collectFew(v, n, after)
	if err != nil {
		return err
	}
	if !ok {
		return m.unpackForeign(v, n, after)
	}
	if after < 0 {
		if len(items) < n {
			return raise.Value("not enough values to unpack (expected %d, got %d)", n, len(items))
		}
		if len(items) > n {
			return raise.Value("too many values to unpack (expected %d)", n)
		}
		copy(m.stack[base:], items)
		return nil
	}
	if len(items) < n+after {
		return raise.Value("not enough values to unpack (expected at least %d, got %d)", n+after, len(items))
	}
	middle, err := m.NewList(items[n : len(items)-after])
	if err != nil {
		return err
	}
	copy(m.stack[base:], items[:n])
	m.stack[base+n] = middle
	copy(m.stack[base+n+1:], items[len(items)-after:])
	return nil
}

// collectFew is collect, but stops when unpack knows enough.
func (m *Machine) collectFew(v Value, n, after int) ([]Value, bool, error) {
	if after >= 0 {
		return m.Collect(v)
	}
	switch o := v.Self().(type) {
	case *List:
		return o.items, true, nil
	case *Tuple:
		return o.items, true, nil
	}
	it := m.Iterate(v)
	if it == nil {
		return nil, false, nil
	}
	items := make([]Value, 0, n+1)
	for len(items) <= n {
		v, more, err := it.Next(m)
		if err != nil || !more {
			return items, true, err
		}
		items = append(items, v)
	}
	return items, true, nil
}

func (m *Machine) unpackForeign(v Value, n, after int) error {
	if v.generator() == nil {
		_, ok := m.Lookup(ClassOf(v), nameIter)
		_, items := m.Lookup(ClassOf(v), nameGetItem)
		if !ok && (!items || v.Kind() != KindInstance) {
			return raise.Type("cannot unpack non-iterable %s object", TypeName(v))
		}
	}
	if after < 0 {
		return m.discard(m.enter(m.Intrinsic("collect_few"), contCollected, Value{}, v, Int(int64(n))))
	}
	return m.discard(m.enter(m.Intrinsic("collect"), contCollected, Value{}, v))
}
