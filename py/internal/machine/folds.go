package machine

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

func extremeBuiltin(m *Machine, a Args, name string, largest bool) (Value, error) {
	if err := a.Only(name, "key", "default"); err != nil {
		return Value{}, err
	}
	e := extremeOf{m: m, name: name, largest: largest, key: a.Name("key"), fallback: a.Name("default")}
	if !e.key.Bound() {
		e.key = None
	}
	if a.Len() == 1 {
		return e.among(a.v[0])
	}
	if e.fallback.Bound() {
		return Value{}, raise.Type("Cannot specify a default for %s() with multiple positional arguments", name)
	}
	if a.Len() <= fewArguments && e.key.IsNone() {
		if best, err := e.plain(a.Positional()); err != ErrForeign {
			return best, err
		}
	}
	l, err := m.NewList(a.Positional())
	if err != nil {
		return Value{}, err
	}
	return e.among(l)
}

// fewArguments is how many are compared without a look at the limits.
const fewArguments = 64

// plain is the extreme of a few arguments. The error is ErrForeign when code of
// the program must compare them.
func (e *extremeOf) plain(args []Value) (Value, error) {
	if err := e.m.Work(len(args) * WorkPerStep); err != nil {
		return Value{}, err
	}
	best := args[0]
	for _, v := range args[1:] {
		better, err := e.better(v, best)
		if err != nil {
			return Value{}, err
		}
		if better {
			best = v
		}
	}
	return best, nil
}

// extremeOf is a call of max or min.
type extremeOf struct {
	m             *Machine
	name          string
	largest       bool
	key, fallback Value
}

// among returns the extreme of an iterable, one item after the other.
func (e *extremeOf) among(items Value) (Value, error) {
	it := e.m.Iterate(items)
	if it == nil {
		if err := e.m.CheckIterable(items); err != nil {
			return Value{}, err
		}
	}
	if it != nil && e.key.IsNone() {
		return e.native(it)
	}
	fallback := emptyTuple
	if e.fallback.Bound() {
		var err error
		if fallback, err = e.m.NewTuple([]Value{e.fallback}); err != nil {
			return Value{}, err
		}
	}
	return e.m.Then(e.m.Intrinsic("extreme"), items, e.key, Bool(e.largest), fallback, SharedStr(e.name).Ref())
}

// native is the extreme of items as they are.
func (e *extremeOf) native(it *Iterator) (Value, error) {
	m := e.m
	best, ok, err := it.Next(m)
	if err != nil {
		return Value{}, err
	}
	if !ok && e.fallback.Bound() {
		return e.fallback, nil
	}
	if !ok {
		return Value{}, raise.Value("%s() arg is an empty sequence", e.name)
	}
	for i := 1; ; i++ {
		v, ok, err := it.Next(m)
		if err != nil || !ok {
			return best, err
		}
		better, err := e.better(v, best)
		if err == ErrForeign {
			return m.Then(m.Intrinsic("extreme_rest"), best, v, it.Value(), Bool(e.largest))
		}
		if err != nil {
			return Value{}, err
		}
		if better {
			best = v
		}
		if i&63 == 0 {
			if err := m.Work(64 * WorkPerStep); err != nil {
				return Value{}, err
			}
		}
	}
}

func (e *extremeOf) better(v, best Value) (bool, error) {
	op := compareLt
	if e.largest {
		op = compareGt
	}
	if v.IsInt() && best.IsInt() {
		return compareInts(op, v.Int(), best.Int()), nil
	}
	return e.m.compareNative(op, v, best, 0)
}

func sumBuiltin(m *Machine, a Args) (Value, error) {
	if err := a.Only("sum", "start"); err != nil {
		return Value{}, err
	}
	total := a.At(1)
	if v := a.Name("start"); v.Bound() {
		total = v
	}
	if !total.Bound() {
		total = Int(0)
	}
	switch total.Kind() {
	case KindStr:
		return Value{}, raise.Type("sum() can't sum strings [use ''.join(seq) instead]")
	case KindBytes:
		return Value{}, raise.Type("sum() can't sum bytes [use b''.join(seq) instead]")
	}
	it := m.Iterate(a.v[0])
	if it == nil {
		if err := m.CheckIterable(a.v[0]); err != nil {
			return Value{}, err
		}
		return m.Then(m.Intrinsic("sum_of"), a.v[0], total)
	}
	return m.sum(it, total)
}

func (m *Machine) sum(it *Iterator, total Value) (Value, error) {
	for i := 1; ; i++ {
		v, ok, err := it.Next(m)
		if err != nil || !ok {
			return total, err
		}
		if v.IsInt() && total.IsInt() {
			if n, ok := num.Add(total.Int(), v.Int()); ok {
				total = Int(n)
				if i&63 == 0 {
					if err := m.Work(64 * WorkPerStep / 2); err != nil {
						return Value{}, err
					}
				}
				continue
			}
		}
		next, err := m.binaryNative(opAdd, total, v)
		if err == ErrNotImplemented {
			return m.sumForeign(total, v, it)
		}
		if err != nil {
			return Value{}, err
		}
		total = next
		if err := m.Work(2 * WorkPerStep); err != nil {
			return Value{}, err
		}
	}
}

// sumForeign continues a sum in which code of the program adds.
func (m *Machine) sumForeign(total, v Value, it *Iterator) (Value, error) {
	if it.o().self == nil {
		m.Spend(IteratorBytes)
		it.Value()
	}
	return m.Then(m.Intrinsic("sum_rest"), total, v, Value{o: &it.Object})
}

func anyAll(m *Machine, a Args, foreign string, want bool) (Value, error) {
	it := m.Iterate(a.v[0])
	if it == nil {
		if err := m.CheckIterable(a.v[0]); err != nil {
			return Value{}, err
		}
		return m.Then(m.Intrinsic(foreign), a.v[0])
	}
	for {
		v, ok, err := it.Next(m)
		if err != nil {
			return Value{}, err
		}
		if !ok {
			return Bool(!want), nil
		}
		if v.Kind() == KindInstance || v.Kind() == KindOpaque {
			return m.Then(m.Intrinsic(strings.Replace(foreign, "_of", "_rest", 1)), v, it.Value())
		}
		yes, err := m.truth(v, contStore)
		if err != nil {
			return Value{}, err
		}
		if yes == want {
			return Bool(want), nil
		}
		if err := m.Work(2 * WorkPerStep); err != nil {
			return Value{}, err
		}
	}
}
