package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// sortNative is _sort(items, keys or None, reverse): a new list with the items
// in the order of their keys. Keys that code of the program compares are left
// to merge_sort of the prelude.
func sortNative(m *Machine, a Args) (Value, error) {
	l := a.v[0].List()
	keys := l.items
	if k := a.v[1].List(); k != nil {
		keys = k.items
	} else if out, err := m.sortedInts(l, a.v[2].n != 0); out.Bound() || err != nil {
		return out, err
	}
	if len(keys) != len(l.items) {
		return Value{}, ErrMalformed
	}
	order, err := m.SortedOrder(keys, a.v[2].n != 0)
	if err == ErrForeign {
		kl, err := m.NewList(keys)
		if err != nil {
			return Value{}, err
		}
		return m.Then(m.Intrinsic("merge_sort"), a.v[0], kl, a.v[2])
	}
	if err != nil {
		return Value{}, err
	}
	if err := m.Alloc(ListBytes + len(order)*ValueBytes); err != nil {
		return Value{}, err
	}
	out := make([]Value, len(order))
	for i := range order {
		out[i] = l.items[order[i].At]
	}
	return (&List{items: out}).Value(), nil
}

// sortedInts is a new list with the ints of l in order, or nothing when there is
// something else in l.
func (m *Machine) sortedInts(l *List, reverse bool) (Value, error) {
	if len(l.items) == 0 || !l.items[0].IsInt() {
		return Value{}, nil
	}
	out, err := m.NewList(l.items)
	if err != nil {
		return Value{}, err
	}
	if done, err := m.sortInts(out.List().items, reverse); !done || err != nil {
		return Value{}, err
	}
	return out, nil
}

// Ranked is a key and where it was.
type Ranked struct {
	key Value
	At  int
}

// SortedOrder sorts keys stably.
func (m *Machine) SortedOrder(keys []Value, reverse bool) ([]Ranked, error) {
	if err := m.Alloc(len(keys) * 24); err != nil {
		return nil, err
	}
	order := make([]Ranked, len(keys))
	for i, k := range keys {
		order[i] = Ranked{k, i}
	}
	if err := m.sortRanked(order, reverse); err != nil {
		return nil, err
	}
	return order, nil
}

// sortRanked sorts in the way that suits the kind that all keys have in common.
func (m *Machine) sortRanked(order []Ranked, reverse bool) error {
	var before func(b, a *Ranked) bool
	switch uniform(order) {
	case KindInt:
		before = func(b, a *Ranked) bool { return int64(b.key.n) < int64(a.key.n) }
		if reverse {
			before = func(b, a *Ranked) bool { return int64(b.key.n) > int64(a.key.n) }
		}
	case KindFloat:
		before = func(b, a *Ranked) bool { return b.key.Float() < a.key.Float() }
		if reverse {
			before = func(b, a *Ranked) bool { return b.key.Float() > a.key.Float() }
		}
	case KindStr:
		before = func(b, a *Ranked) bool { return m.orderStrs(b.key, a.key) < 0 }
		if reverse {
			before = func(b, a *Ranked) bool { return m.orderStrs(b.key, a.key) > 0 }
		}
	default:
		return m.sortAny(order, reverse)
	}
	return m.mergeSort(order, before)
}

// uniform returns the kind that all keys have, or kindUnbound.
func uniform(order []Ranked) Kind {
	if len(order) == 0 {
		return KindInt
	}
	k := order[0].key.Kind()
	for i := range order {
		if order[i].key.Kind() != k {
			return KindUnbound
		}
	}
	return k
}

// sortAny sorts by the general comparison. Python asks only whether one key is
// less than another, so equal and unordered keys keep their order.
func (m *Machine) sortAny(order []Ranked, reverse bool) (failed error) {
	ops := m.commonOps(order)
	err := m.mergeSort(order, func(b, a *Ranked) bool {
		if failed != nil {
			return false
		}
		x, y := b.key, a.key
		if reverse {
			x, y = y, x
		}
		less, err := m.less(ops, x, y)
		failed = err
		return less && err == nil
	})
	if failed != nil {
		return failed
	}
	return err
}

// commonOps are those of the class that all keys have in common, or nil.
func (m *Machine) commonOps(order []Ranked) *ValueOps {
	first := order[0].key.Instance()
	if first == nil {
		return nil
	}
	for i := range order {
		if o := order[i].key.Instance(); o == nil || o.class != first.class {
			return nil
		}
	}
	return m.opsOf(order[0].key, compareNames[compareLt])
}

// less is x < y, where ops are those of both or nil.
func (m *Machine) less(ops *ValueOps, x, y Value) (bool, error) {
	if ops != nil {
		if c, ordered, known, err := ops.Order(m, x, y); known || err != nil {
			return ordered && c < 0, err
		}
	}
	return m.compareNative(compareLt, x, y, 0)
}

// runLength is how many items are sorted by insertion before runs are merged.
const runLength = 16

// chunk is how many items are merged between two looks at the limits.
const chunk = 4096

// mergeSort is a stable sort, n log n in every shape and linear for what is
// sorted already. before says whether b has to come before a, which is behind
// it now.
func (m *Machine) mergeSort(order []Ranked, before func(b, a *Ranked) bool) error {
	if sorted, err := m.sortedAlready(order, before); sorted || err != nil {
		return err
	}
	for lo := 0; lo < len(order); lo += runLength {
		if err := m.insertionSort(order[lo:min(lo+runLength, len(order))], before); err != nil {
			return err
		}
	}
	if err := m.Work(len(order) * 2 * runLength); err != nil {
		return err
	}
	if len(order) <= runLength {
		return nil
	}
	if err := m.Alloc(len(order) * 24); err != nil {
		return err
	}
	from, to := order, make([]Ranked, len(order))
	for width := runLength; width < len(order); width *= 2 {
		for lo := 0; lo < len(order); lo += 2 * width {
			mid, hi := min(lo+width, len(order)), min(lo+2*width, len(order))
			if err := m.merge2(to[lo:hi], from[lo:mid], from[mid:hi], before); err != nil {
				return err
			}
		}
		from, to = to, from
	}
	copy(order, from)
	return nil
}

func (m *Machine) sortedAlready(order []Ranked, before func(b, a *Ranked) bool) (bool, error) {
	for i := 1; i < len(order); i++ {
		if before(&order[i], &order[i-1]) {
			return false, nil
		}
		if err := m.due(); err != nil {
			return false, err
		}
	}
	return true, m.Work(len(order) * 4)
}

func (m *Machine) insertionSort(order []Ranked, before func(b, a *Ranked) bool) error {
	for i := 1; i < len(order); i++ {
		if err := m.due(); err != nil { // one comparison of long strings can take a while
			return err
		}
		item := order[i]
		j := i
		for ; j > 0 && before(&item, &order[j-1]); j-- {
			order[j] = order[j-1]
		}
		order[j] = item
	}
	return nil
}

// merge2 merges two sorted runs into out, which has room for both.
func (m *Machine) merge2(out, a, b []Ranked, before func(b, a *Ranked) bool) error {
	if len(b) == 0 || len(a) > 0 && !before(&b[0], &a[len(a)-1]) { // in order as they are
		copy(out[copy(out, a):], b)
		return m.Work(len(out))
	}
	n := 0
	for len(a) > 0 && len(b) > 0 {
		if n%chunk == 0 {
			if err := m.Work(min(chunk, len(out)) * 8); err != nil {
				return err
			}
		}
		if err := m.due(); err != nil {
			return err
		}
		if before(&b[0], &a[0]) {
			out[n], b = b[0], b[1:]
		} else {
			out[n], a = a[0], a[1:]
		}
		n++
	}
	n += copy(out[n:], a)
	copy(out[n:], b)
	return nil
}

// sortedBuiltin is sorted(iterable, *, key=None, reverse=False).
func sortedBuiltin(m *Machine, a Args) (Value, error) {
	if a.Len() != 1 {
		return Value{}, raise.Type("sorted expected 1 argument, got %d", a.Len())
	}
	key, reverse, err := m.sortOptions("sorted", a)
	if err != nil {
		return Value{}, err
	}
	items, ok, err := m.Collect(a.v[0])
	if err != nil {
		return Value{}, err
	}
	if !ok {
		if err := m.CheckIterable(a.v[0]); err != nil {
			return Value{}, err
		}
		return m.listed(Builtin("sorted"), a, 0)
	}
	l, err := m.NewList(items)
	if err != nil {
		return Value{}, err
	}
	return m.sortWith(l, key, reverse)
}

// sortWith sorts the fresh list l.
func (m *Machine) sortWith(l, key, reverse Value) (Value, error) {
	if key.IsNone() {
		return sortNative(m, Args{v: []Value{l, None, reverse}})
	}
	return m.Then(m.Intrinsic("sorted_list"), l, key, reverse)
}

func (m *Machine) sortOptions(name string, a Args) (key, reverse Value, err error) {
	key, reverse = None, False
	if a.names == nil {
		return key, reverse, nil
	}
	for i, n := range a.names.items {
		v := a.v[a.Len()+i]
		switch n.Str().s {
		case "key":
			key = v
		case "reverse":
			if !IsIntegral(Plain(v)) && v.Kind() != KindInstance {
				return key, reverse, notInteger(v)
			}
			yes, err := m.truth(v, contStore)
			if err != nil {
				return key, reverse, err
			}
			reverse = Bool(yes)
		default:
			return key, reverse, raise.Type("'%s' is an invalid keyword argument for %s()", n.Str().s, "sort")
		}
	}
	return key, reverse, nil
}

// listSort is list.sort(*, key=None, reverse=False).
func listSort(m *Machine, a Args) (Value, error) {
	key, reverse, err := m.sortOptions("sort", a)
	if err != nil {
		return Value{}, err
	}
	l := Plain(a.v[0]).List()
	if key.IsNone() {
		if done, err := m.sortInts(l.items, reverse.n != 0); done || err != nil {
			return None, err
		}
		order, err := m.SortedOrder(l.items, reverse.n != 0)
		if err == nil {
			for i := range order {
				l.items[i] = order[i].key
			}
			return None, nil
		}
		if err != ErrForeign {
			return Value{}, err
		}
	}
	return m.Then(m.Intrinsic("sort_in_place"), l.ref(), key, reverse)
}
