package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

func (m *Machine) listItem(l *List, key Value) (Value, error) {
	if s := key.slice(); s != nil {
		start, step, n, err := m.sliceRange(s, len(l.items))
		if err == ErrForeign {
			return m.withIndex(l.ref(), key)
		}
		if err != nil {
			return Value{}, err
		}
		items, err := m.sliced(l.items, start, step, n)
		if err != nil {
			return Value{}, err
		}
		return (&List{items: items}).Value(), nil
	}
	if m.ForeignIndex(key) {
		return m.withIndex(l.ref(), key)
	}
	i, err := m.index(key, "list")
	if err != nil {
		return Value{}, err
	}
	if i < 0 {
		i += int64(len(l.items))
	}
	if i < 0 || i >= int64(len(l.items)) {
		return Value{}, raise.Index("list index out of range")
	}
	return l.items[i], nil
}

func (m *Machine) sliced(items []Value, start, step, n int) ([]Value, error) {
	if err := m.Alloc(ListBytes + n*ValueBytes); err != nil {
		return nil, err
	}
	if err := m.Work(n); err != nil {
		return nil, err
	}
	out := make([]Value, n)
	if step == 1 {
		copy(out, items[start:])
		return out, nil
	}
	for i := range out {
		out[i] = items[start+i*step]
	}
	return out, nil
}

func (m *Machine) setListItem(l *List, key, v Value) error {
	if s := key.slice(); s != nil {
		return m.setListSlice(l, s, v)
	}
	if m.ForeignIndex(key) {
		return m.discard(m.enter(m.Intrinsic("set_item_index"), contDiscard, Value{}, l.ref(), key, v))
	}
	i, err := m.index(key, "list")
	if err != nil {
		return err
	}
	if i < 0 {
		i += int64(len(l.items))
	}
	if i < 0 || i >= int64(len(l.items)) {
		return raise.Index("list assignment index out of range")
	}
	l.items[i] = v
	return nil
}

func (m *Machine) setListSlice(l *List, s *sliceObject, v Value) error {
	items, ok, err := m.Collect(v)
	if err != nil {
		return err
	}
	if !ok {
		if m.CheckIterable(v) != nil {
			return m.notAssignable(s)
		}
		return m.discard(m.enter(m.Intrinsic("set_slice"), contDiscard, Value{}, l.ref(), s.value(), v))
	}
	start, step, n, err := m.sliceRange(s, len(l.items))
	if err == ErrForeign {
		return m.discard(m.enter(m.Intrinsic("set_item_index"), contDiscard, Value{}, l.ref(), s.value(), v))
	}
	if err != nil {
		return err
	}
	if by, _ := m.sliceIndex(s.step, 1); by != 1 {
		if len(items) != n {
			return raise.Value("attempt to assign sequence of size %d to extended slice of size %d", len(items), n)
		}
		if err := m.Alloc(len(items) * ValueBytes); err != nil {
			return err
		}
		items = append([]Value(nil), items...) // they may be those of the list itself
		for i, item := range items {
			l.items[start+i*step] = item
		}
		return nil
	}
	return m.splice(l, start, n, items)
}

// splice replaces n items at start by others.
func (m *Machine) splice(l *List, start, n int, items []Value) error {
	size := len(l.items) - n + len(items)
	if err := m.Alloc(size * ValueBytes); err != nil {
		return err
	}
	if err := m.Work(size); err != nil {
		return err
	}
	out := make([]Value, 0, size)
	out = append(out, l.items[:start]...)
	out = append(out, items...)
	l.items = append(out, l.items[start+n:]...)
	return nil
}

func (m *Machine) deleteListItem(l *List, key Value) error {
	if s := key.slice(); s != nil {
		start, step, n, err := m.sliceRange(s, len(l.items))
		if err == ErrForeign {
			return m.discard(m.enter(m.Intrinsic("delete_item_index"), contDiscard, Value{}, l.ref(), key))
		}
		if err != nil || n == 0 {
			return err
		}
		if step == 1 {
			return m.splice(l, start, n, nil)
		}
		return m.deleteStep(l, start, step, n)
	}
	if m.ForeignIndex(key) {
		return m.discard(m.enter(m.Intrinsic("delete_item_index"), contDiscard, Value{}, l.ref(), key))
	}
	i, err := m.index(key, "list")
	if err != nil {
		return err
	}
	if i < 0 {
		i += int64(len(l.items))
	}
	if i < 0 || i >= int64(len(l.items)) {
		return raise.Index("list assignment index out of range")
	}
	return m.removeAt(l, int(i))
}

func (m *Machine) deleteStep(l *List, start, step, n int) error {
	gone := make(map[int]bool, n)
	if err := m.Alloc(n*16 + len(l.items)*ValueBytes); err != nil {
		return err
	}
	for i := range n {
		gone[start+i*step] = true
	}
	out := make([]Value, 0, len(l.items)-n)
	for i, v := range l.items {
		if !gone[i] {
			out = append(out, v)
		}
	}
	l.items = out
	return m.Work(len(l.items) + 20*n)
}

// removeAt takes item i out of a list.
func (m *Machine) removeAt(l *List, i int) error {
	if err := m.Work((len(l.items) - i) / 4); err != nil {
		return err
	}
	copy(l.items[i:], l.items[i+1:])
	l.items[len(l.items)-1] = Value{}
	l.items = l.items[:len(l.items)-1]
	return nil
}

// NewList makes a list with a copy of items.
func (m *Machine) NewList(items []Value) (Value, error) {
	if err := m.Alloc(ListBytes + len(items)*ValueBytes); err != nil {
		return Value{}, err
	}
	l := &List{}
	if len(items) > 0 {
		l.items = make([]Value, len(items))
		copy(l.items, items)
	}
	return l.Value(), nil
}

// GrowList makes room for n more items.
func (m *Machine) GrowList(l *List, n int) error {
	if len(l.items)+n <= cap(l.items) {
		return nil
	}
	size := max(4, len(l.items)+n, 2*cap(l.items))
	if cap(l.items) > 1<<16 {
		size = max(len(l.items)+n, cap(l.items)+cap(l.items)/4)
	}
	if err := m.Alloc(size * ValueBytes); err != nil {
		return err
	}
	if err := m.Work(len(l.items)); err != nil {
		return err
	}
	items := make([]Value, len(l.items), size)
	copy(items, l.items)
	l.items = items
	return nil
}

// extend is [*x]: the items of x go to the end of the list l.
func (m *Machine) extend(l, x Value) error {
	o := l.List()
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
	return m.Extend(o, items)
}

// Extend pays for items and appends them to l.
func (m *Machine) Extend(l *List, items []Value) error {
	if err := m.GrowList(l, len(items)); err != nil {
		return err
	}
	if err := m.Work(len(items)); err != nil {
		return err
	}
	l.items = append(l.items, items...)
	return nil
}
