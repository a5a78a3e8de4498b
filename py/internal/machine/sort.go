package machine

import (
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// sortNative is _sort(items, keys or None, reverse): a new list with the items
// in the order of their keys. Keys that code of the program compares are left
// to merge_sort of the prelude.
func sortNative(m *Machine, a Args) (Value, error) {
	l := a.v[0].list()
	keys := l.items
	if k := a.v[1].list(); k != nil {
		keys = k.items
	}
	if len(keys) != len(l.items) {
		return Value{}, errCorrupt
	}
	order, err := m.sortedOrder(keys, a.v[2].n != 0)
	if err == errForeign {
		kl, err := m.newListCopy(keys)
		if err != nil {
			return Value{}, err
		}
		return m.then(m.intrinsic("merge_sort"), a.v[0], kl, a.v[2])
	}
	if err != nil {
		return Value{}, err
	}
	if err := m.Alloc(listBytes + len(order)*valueBytes); err != nil {
		return Value{}, err
	}
	out := make([]Value, len(order))
	for i := range order {
		out[i] = l.items[order[i].at]
	}
	return (&list{items: out}).value(), nil
}

// ranked is a key and where it was.
type ranked struct {
	key Value
	at  int
}

// sortedOrder sorts keys stably.
func (m *Machine) sortedOrder(keys []Value, reverse bool) ([]ranked, error) {
	if err := m.Alloc(len(keys) * 24); err != nil {
		return nil, err
	}
	order := make([]ranked, len(keys))
	for i, k := range keys {
		order[i] = ranked{k, i}
	}
	if err := m.sortRanked(order, reverse); err != nil {
		return nil, err
	}
	return order, nil
}

// sortRanked sorts in the way that suits the kind that all keys have in common.
func (m *Machine) sortRanked(order []ranked, reverse bool) error {
	sign := 1
	if reverse {
		sign = -1
	}
	var compare func(a, b ranked) int
	switch uniform(order) {
	case kindInt:
		compare = func(a, b ranked) int {
			switch {
			case int64(a.key.n) < int64(b.key.n):
				return -sign
			case int64(a.key.n) > int64(b.key.n):
				return sign
			}
			return a.at - b.at
		}
	case kindStr:
		compare = func(a, b ranked) int {
			if c := strings.Compare(a.key.str().s, b.key.str().s); c != 0 {
				return sign * c
			}
			return a.at - b.at
		}
	default:
		return m.sortAny(order, sign)
	}
	return m.sortChunks(order, slices.SortFunc[[]ranked], compare)
}

// uniform returns the kind that all keys have, or kindUnbound.
func uniform(order []ranked) Kind {
	if len(order) == 0 {
		return kindInt
	}
	k := order[0].key.kind()
	for i := range order {
		if order[i].key.kind() != k {
			return kindUnbound
		}
	}
	return k
}

// sortAny sorts by the general comparison. Python asks only whether one key is
// less than another, so equal and unordered keys keep their order.
func (m *Machine) sortAny(order []ranked, sign int) (failed error) {
	less := func(x, y Value) bool {
		if failed != nil {
			return false
		}
		yes, err := m.compareNative(compareLt, x, y, 0)
		if err != nil {
			failed = err
		}
		return yes
	}
	err := m.sortChunks(order, slices.SortStableFunc[[]ranked], func(a, b ranked) int {
		if sign < 0 {
			a, b = b, a
		}
		if less(a.key, b.key) {
			return -1
		}
		return 1
	})
	if failed != nil {
		return failed
	}
	return err
}

// chunk is how many items are sorted between two looks at the limits.
const chunk = 4096

// sortChunks is a stable sort: chunks by the library, then merges of them, with
// a look at the limits in between.
func (m *Machine) sortChunks(order []ranked, sort func([]ranked, func(a, b ranked) int), compare func(a, b ranked) int) error {
	if sortedAlready(order, compare) {
		return m.Work(len(order) * 4)
	}
	for lo := 0; lo < len(order); lo += chunk {
		hi := min(lo+chunk, len(order))
		if err := m.Work((hi - lo) * 4 * bitLen(hi-lo)); err != nil {
			return err
		}
		sort(order[lo:hi], compare)
	}
	if len(order) <= chunk {
		return nil
	}
	if err := m.Alloc(len(order) * 24); err != nil {
		return err
	}
	spare := make([]ranked, len(order))
	for width := chunk; width < len(order); width *= 2 {
		for lo := 0; lo < len(order); lo += 2 * width {
			mid, hi := min(lo+width, len(order)), min(lo+2*width, len(order))
			if err := m.merge2(spare[lo:lo:hi], order[lo:mid], order[mid:hi], compare); err != nil {
				return err
			}
		}
		copy(order, spare)
	}
	return nil
}

func sortedAlready(order []ranked, compare func(a, b ranked) int) bool {
	for i := 1; i < len(order); i++ {
		if compare(order[i], order[i-1]) < 0 {
			return false
		}
	}
	return true
}

func bitLen(n int) int {
	k := 0
	for ; n > 0; n >>= 1 {
		k++
	}
	return k
}

// merge2 merges two sorted runs into out.
func (m *Machine) merge2(out, a, b []ranked, compare func(a, b ranked) int) error {
	for len(a) > 0 && len(b) > 0 {
		if len(out)%chunk == 0 {
			if err := m.Work(chunk * 8); err != nil {
				return err
			}
		}
		if compare(b[0], a[0]) < 0 {
			out, b = append(out, b[0]), b[1:]
		} else {
			out, a = append(out, a[0]), a[1:]
		}
	}
	out = append(out, a...)
	append2(out, b)
	return nil
}

// append2 copies the rest of a run behind out, whose storage has room.
func append2(out, rest []ranked) { copy(out[len(out):cap(out)], rest) }

// sortedBuiltin is sorted(iterable, *, key=None, reverse=False).
func sortedBuiltin(m *Machine, a Args) (Value, error) {
	key, reverse, err := m.sortOptions("sorted", a)
	if err != nil {
		return Value{}, err
	}
	items, ok, err := m.collect(a.v[0])
	if err != nil {
		return Value{}, err
	}
	if !ok {
		if err := m.checkIterable(a.v[0]); err != nil {
			return Value{}, err
		}
		return m.listed(builtin("sorted"), a, 0)
	}
	l, err := m.newListCopy(items)
	if err != nil {
		return Value{}, err
	}
	return m.sortWith(l, key, reverse)
}

// sortWith sorts the fresh list l.
func (m *Machine) sortWith(l, key, reverse Value) (Value, error) {
	if key.isNone() {
		return sortNative(m, Args{v: []Value{l, None, reverse}})
	}
	return m.then(m.intrinsic("sorted_list"), l, key, reverse)
}

func (m *Machine) sortOptions(name string, a Args) (key, reverse Value, err error) {
	key, reverse = None, False
	if a.names == nil {
		return key, reverse, nil
	}
	for i, n := range a.names.items {
		v := a.v[a.len()+i]
		switch n.str().s {
		case "key":
			key = v
		case "reverse":
			yes, err := m.truth(v, contStore)
			if err != nil {
				return key, reverse, err
			}
			reverse = Bool(yes)
		default:
			return key, reverse, raise.Type("'%s' is an invalid keyword argument for %s()", n.str().s, "sort")
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
	l := plain(a.v[0]).list()
	if key.isNone() {
		order, err := m.sortedOrder(l.items, reverse.n != 0)
		if err == nil {
			for i := range order {
				l.items[i] = order[i].key
			}
			return None, nil
		}
		if err != errForeign {
			return Value{}, err
		}
	}
	return m.then(m.intrinsic("sort_in_place"), l.ref(), key, reverse)
}
