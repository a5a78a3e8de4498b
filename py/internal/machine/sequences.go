package machine

import (
	"slices"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// defineSequences defines list, tuple, range and slice.
func defineSequences(r *Registry) {
	defineList(r)
	defineTuple(r)
	defineRange(r)
	defineSlice(r)
}

func defineList(r *Registry) {
	r.maker(listType, 0, 1, listMake)
	r.MethodKw(listType, "__init__", 1, 2, listInit)
	r.method(listType, "append", 2, 2, onList("append", listAppend))
	r.method(listType, "extend", 2, 2, onList("extend", listExtend))
	r.method(listType, "insert", 3, 3, onList("insert", listInsert))
	r.method(listType, "remove", 2, 2, onList("remove", listRemove))
	r.method(listType, "pop", 1, 2, onList("pop", listPop))
	r.method(listType, "clear", 1, 1, onList("clear", listClear))
	r.method(listType, "index", 2, 4, onList("index", listIndex))
	r.method(listType, "count", 2, 2, onList("count", func(m *Machine, l *List, a Args) (Value, error) {
		return m.count(l.ref(), l.items, a.v[1])
	}))
	r.MethodKw(listType, "sort", 1, -1, onList("sort", listSortMethod))
	r.method(listType, "reverse", 1, 1, onList("reverse", listReverse))
	r.method(listType, "copy", 1, 1, onList("copy", func(m *Machine, l *List, a Args) (Value, error) {
		return m.listOf(l.items)
	}))
}

// onList makes a method of a function on lists.
func onList(name string, fn func(m *Machine, l *List, a Args) (Value, error)) NativeFunc {
	return func(m *Machine, a Args) (Value, error) {
		l := a.v[0].List()
		if l == nil {
			if l = Plain(a.v[0]).List(); l == nil {
				return Value{}, WrongReceiver(name, listType, a.v[0])
			}
		}
		return fn(m, l, a)
	}
}

// noNames refuses keyword arguments.
func (a Args) noNames(fn string) error {
	if a.Named() > 0 {
		return raise.Type("%s() takes no keyword arguments", fn)
	}
	return nil
}

// arg returns the argument that can be given at position i or by name, or
// unbound.
func (a Args) arg(i int, name string) Value {
	if v := a.At(i); v.Bound() {
		return v
	}
	return a.Name(name)
}

// wantIndex is v as an int of 64 bits, or errForeign when its __index__ is the
// program's.
func (m *Machine) wantIndex(v Value) (int64, error) {
	v = Plain(v)
	switch v.Kind() {
	case KindInt, KindBool:
		return int64(v.n), nil
	case KindBigInt:
		return 0, raise.Overflow("Python int too large to convert to C ssize_t")
	}
	if m.ForeignIndex(v) {
		return 0, ErrForeign
	}
	return 0, notInteger(v)
}

func notInteger(v Value) error {
	return raise.Type("'%s' object cannot be interpreted as an integer", TypeName(v))
}

// reindexed asks for a call of the built-in function or method of this id, with
// argument i as the int that its __index__ gives.
func (m *Machine) reindexed(id string, a Args, i int) (Value, error) {
	args, err := m.NewList(a.Positional())
	if err != nil {
		return Value{}, err
	}
	return m.Then(m.Intrinsic("with_index"), known.natives[id], args, Int(int64(i)))
}

// relisted asks for a call of the built-in function or method of this id, with
// argument i as a list of its items.
func (m *Machine) relisted(id string, a Args, i int) (Value, error) {
	if err := m.CheckIterable(a.v[i]); err != nil {
		return Value{}, err
	}
	return m.listed(known.natives[id], a, i)
}

// listOf makes a list with a copy of many items.
func (m *Machine) listOf(items []Value) (Value, error) {
	if err := m.Work(len(items)); err != nil {
		return Value{}, err
	}
	return m.NewList(items)
}

// items returns a slice of the items of v that the caller may keep; ok is false
// when code of the program has to give them.
func (m *Machine) items(v Value) (items []Value, ok bool, err error) {
	switch o := v.Self().(type) {
	case *rangeObject:
		items, err = m.rangeItems(o)
		return items, true, err
	case *List, *Tuple:
		items, _, _ = m.Collect(v)
		if err := m.Alloc(len(items) * ValueBytes); err != nil {
			return nil, true, err
		}
		if err := m.Work(len(items)); err != nil {
			return nil, true, err
		}
		return slices.Clone(items), true, nil
	}
	return m.Collect(v)
}

// rangeItems returns the ints of a range.
func (m *Machine) rangeItems(o *rangeObject) ([]Value, error) {
	if o.n > 1<<40 {
		return nil, m.limit(MemoryLimit)
	}
	if err := m.Alloc(int(o.n) * ValueBytes); err != nil {
		return nil, err
	}
	items := make([]Value, o.n)
	n := o.start
	for rest := items; len(rest) > 0; {
		part := rest[:min(len(rest), chunk)]
		for i := range part {
			part[i] = Int(n)
			n += o.step
		}
		rest = rest[len(part):]
		if err := m.Work(2 * len(part)); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// listMake is list(iterable=()).
func listMake(m *Machine, a Args) (Value, error) {
	if err := a.noNames("list"); err != nil {
		return Value{}, err
	}
	m.Spend(ListBytes)
	l := &List{}
	if a.Len() == 1 {
		return l.Value(), nil
	}
	items, ok, err := m.items(a.v[1])
	if err != nil {
		return Value{}, err
	}
	if !ok {
		return m.relisted("list maker", a, 1)
	}
	l.items = items
	return l.Value(), nil
}

// listInit is list.__init__, which fills instances of subclasses.
func listInit(m *Machine, a Args) (Value, error) {
	l := Plain(a.v[0]).List()
	if l == nil {
		return Value{}, WrongReceiver("__init__", listType, a.v[0])
	}
	if err := a.noNames("list"); err != nil {
		return Value{}, err
	}
	if a.Len() == 1 {
		l.items = nil
		return None, nil
	}
	items, ok, err := m.items(a.v[1])
	if err != nil {
		return Value{}, err
	}
	if !ok {
		return m.relisted("list.__init__", a, 1)
	}
	l.items = items
	return None, nil
}

func listAppend(m *Machine, l *List, a Args) (Value, error) {
	if len(l.items) == cap(l.items) {
		if err := m.GrowList(l, 1); err != nil {
			return Value{}, err
		}
	}
	l.items = append(l.items, a.v[1])
	return None, nil
}

func listExtend(m *Machine, l *List, a Args) (Value, error) {
	items, ok, err := m.Collect(a.v[1])
	if err != nil {
		return Value{}, err
	}
	if !ok {
		return m.relisted("list.extend", a, 1)
	}
	return None, m.Extend(l, items)
}

func listInsert(m *Machine, l *List, a Args) (Value, error) {
	i, err := m.wantIndex(a.v[1])
	if err == ErrForeign {
		return m.reindexed("list.insert", a, 1)
	}
	if err != nil {
		return Value{}, err
	}
	n := int64(len(l.items))
	if i < 0 {
		i = max(0, i+n)
	}
	i = min(i, n)
	if err := m.GrowList(l, 1); err != nil {
		return Value{}, err
	}
	if err := m.Work(int(n-i) / 4); err != nil {
		return Value{}, err
	}
	l.items = slices.Insert(l.items, int(i), a.v[2])
	return None, nil
}

func listRemove(m *Machine, l *List, a Args) (Value, error) {
	i, err := m.search(l.items, a.v[1])
	if err == ErrForeign {
		return m.Then(m.Intrinsic("list_remove"), l.ref(), a.v[1])
	}
	if err != nil {
		return Value{}, err
	}
	if i < 0 {
		return Value{}, raise.Value("list.remove(x): x not in list")
	}
	return None, m.removeAt(l, i)
}

func listPop(m *Machine, l *List, a Args) (Value, error) {
	i := int64(-1)
	if a.Len() == 2 {
		var err error
		if i, err = m.wantIndex(a.v[1]); err == ErrForeign {
			return m.reindexed("list.pop", a, 1)
		} else if err != nil {
			return Value{}, err
		}
	}
	n := int64(len(l.items))
	if n == 0 {
		return Value{}, raise.Index("pop from empty list")
	}
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		return Value{}, raise.Index("pop index out of range")
	}
	v := l.items[i]
	return v, m.removeAt(l, int(i))
}

func listClear(m *Machine, l *List, a Args) (Value, error) {
	l.items = nil
	return None, nil
}

func listIndex(m *Machine, l *List, a Args) (Value, error) {
	i, err := m.indexOf(l.ref(), l.items, a)
	if err == ErrForeign {
		return m.indexForeign("list.index", l.ref(), a)
	}
	if err != nil {
		return Value{}, err
	}
	if i >= 0 {
		return Int(int64(i)), nil
	}
	text, err := m.ReprNative(a.v[1])
	if err == ErrForeign {
		return m.Then(m.Intrinsic("not_in_list"), a.v[1])
	}
	if err != nil {
		return Value{}, err
	}
	return Value{}, raise.Value("%s is not in list", text)
}

// indexOf searches items for a.v[1] between the bounds that a.v[2] and a.v[3]
// give.
func (m *Machine) indexOf(seq Value, items []Value, a Args) (int, error) {
	start, stop, err := m.searchBounds(a, len(items))
	if err != nil || start >= stop {
		return -1, err
	}
	i, err := m.search(items[start:stop], a.v[1])
	if i >= 0 {
		i += start
	}
	return i, err
}

// searchBounds fits the arguments start and stop of index to n items.
func (m *Machine) searchBounds(a Args, n int) (start, stop int, err error) {
	bounds := [2]int64{0, int64(n)}
	for i := range bounds {
		v := Plain(a.At(i + 2))
		if !v.Bound() {
			continue
		}
		if !IsIntegral(v) && !m.ForeignIndex(v) {
			return 0, 0, raise.Type("slice indices must be integers or have an __index__ method")
		}
		if bounds[i], err = m.sliceEdge(v, 0, int64(n), false); err != nil {
			return 0, 0, err
		}
	}
	return int(bounds[0]), int(bounds[1]), nil
}

// indexForeign is index() when code of the program has a say: in what the bounds
// are, or in what equals what.
func (m *Machine) indexForeign(id string, seq Value, a Args) (Value, error) {
	for i := 2; i < a.Len(); i++ {
		if m.ForeignIndex(a.v[i]) {
			return m.reindexed(id, a, i)
		}
	}
	n, err := m.length(seq)
	if err != nil {
		return Value{}, err
	}
	start, stop, err := m.searchBounds(a, n)
	if err != nil {
		return Value{}, err
	}
	return m.Then(m.Intrinsic("list_index"), seq, a.v[1], Int(int64(start)), Int(int64(stop)))
}

// count is how many of the items of seq equal v.
func (m *Machine) count(seq Value, items []Value, v Value) (Value, error) {
	n := int64(0)
	for i, item := range items {
		same := item.Is(v)
		if !same {
			var err error
			if same, err = m.equal(item, v, 0); err == ErrForeign {
				return m.Then(m.Intrinsic("count_of"), seq, v)
			} else if err != nil {
				return Value{}, err
			}
		}
		if same {
			n++
		}
		if i&63 == 63 {
			if err := m.Work(64 * WorkPerStep / 2); err != nil {
				return Value{}, err
			}
		}
	}
	return Int(n), nil
}

func listSortMethod(m *Machine, l *List, a Args) (Value, error) {
	if a.Len() > 1 {
		return Value{}, raise.Type("sort() takes no positional arguments")
	}
	return listSort(m, a)
}

func listReverse(m *Machine, l *List, a Args) (Value, error) {
	slices.Reverse(l.items)
	return None, m.Work(len(l.items))
}
