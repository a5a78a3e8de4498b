package machine

import (
	"math"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// The classes of iterators that a program can name, and of those that
// generators of the prelude stand for.
var (
	mapType      = final(staticClass("map", KindGenerator, objectType))
	filterType   = final(staticClass("filter", KindGenerator, objectType))
	reversedType = final(staticClass("reversed", KindGenerator, objectType))
)

// preludeIterators are the classes that the generators of these functions of
// the prelude show.
var preludeIterators = map[string]*Class{
	"map_one": mapType, "map_many": mapType, "filter_items": filterType, "zip_items": iteratorTypes[iterZip],
	"enumerate_items": iteratorTypes[iterEnumerate], "reversed_items": reversedType,
}

func defineIterators(r *Registry) {
	for _, c := range iteratorTypes {
		r.iteratorMethods(c)
	}
	for _, c := range []*Class{mapType, filterType, reversedType} {
		r.class(c)
		r.iteratorMethods(c)
	}
	r.class(iteratorTypes[iterEnumerate])
	r.class(iteratorTypes[iterZip])
	r.maker(iteratorTypes[iterEnumerate], 0, -1, enumerateMake)
	r.maker(iteratorTypes[iterZip], 0, -1, zipMake)
	r.maker(mapType, 0, -1, mapMake)
	r.maker(filterType, 2, 2, filterMake)
	r.maker(reversedType, 1, 1, reversedMake)
}

// iteratorMethods defines __next__ and __iter__.
func (r *Registry) iteratorMethods(c *Class) {
	r.method(c, "__next__", 1, 1, func(m *Machine, a Args) (Value, error) {
		if ClassOf(a.v[0]) != c {
			return Value{}, WrongReceiver("__next__", c, a.v[0])
		}
		return nextBuiltin(m, a)
	})
	r.method(c, "__iter__", 1, 1, func(m *Machine, a Args) (Value, error) { return a.v[0], nil })
}

// iteratorOf is iter(v) when that needs no code of the program, otherwise unbound.
func (m *Machine) iteratorOf(v Value) Value {
	it := m.Iterate(v)
	if it == nil {
		return Value{}
	}
	if it.self == nil {
		m.Spend(IteratorBytes)
		it.Value()
	}
	return Value{o: &it.Object}
}

// allIterators is iteratorOf of several values; ok is false when one of them,
// or so deep a nest of iterators that Go could not recurse into it, is left to
// the prelude. depth is that of an iterator over all.
func (m *Machine) allIterators(values []Value) (its []Value, depth uint16, ok bool, err error) {
	if err := m.Alloc(len(values) * ValueBytes); err != nil {
		return nil, 0, false, err
	}
	for _, v := range values {
		it := m.iteratorOf(v)
		if !it.Bound() {
			return nil, 0, false, m.CheckIterable(v)
		}
		depth = max(depth, it.iter().depth+1)
		its = append(its, it)
	}
	return its, depth, depth <= nesting, nil
}

// enumerateMake is enumerate(iterable, start=0).
func enumerateMake(m *Machine, a Args) (Value, error) {
	if err := a.Only("enumerate", "iterable", "start"); err != nil {
		return Value{}, err
	}
	if n := len(a.v) - 1; n > 2 {
		return Value{}, raise.Type("enumerate() takes at most 2 arguments (%d given)", n)
	}
	v, start := a.arg(1, "iterable"), a.arg(2, "start")
	if !v.Bound() {
		return Value{}, raise.Type("enumerate() missing required argument 'iterable'")
	}
	if !start.Bound() {
		start = Int(0)
	}
	its, depth, ok, err := m.allIterators([]Value{v})
	if err != nil {
		return Value{}, err
	}
	if start = Plain(start); start.Kind() == KindBool {
		start = Int(int64(start.n))
	}
	if !IsIntegral(start) && !m.ForeignIndex(start) {
		return Value{}, notInteger(start)
	}
	if n := int64(start.n); !ok || !start.IsInt() || n > math.MaxInt64/2 {
		return m.Then(m.Intrinsic("enumerate_new"), v, start)
	}
	m.Spend(IteratorBytes)
	return (&Iterator{what: iterEnumerate, inner: its, pos: start.Int(), depth: depth}).Value(), nil
}

// zipMake is zip(*iterables, strict=False).
func zipMake(m *Machine, a Args) (Value, error) {
	if err := a.Only("zip", "strict"); err != nil {
		return Value{}, err
	}
	strict := a.Name("strict")
	if !strict.Bound() {
		strict = False
	}
	its, depth, ok, err := m.allIterators(a.Positional()[1:])
	if err != nil {
		return Value{}, err
	}
	if !ok || strict.Kind() != KindBool {
		return m.thenAll("zip_new", a.Positional()[1:], strict)
	}
	m.Spend(IteratorBytes)
	return (&Iterator{what: iterZip, inner: its, step: int64(strict.n), depth: depth}).Value(), nil
}

// thenAll asks for a call of a function of the prelude with a list of values
// and another argument.
func (m *Machine) thenAll(name string, values []Value, last Value) (Value, error) {
	l, err := m.NewList(values)
	if err != nil {
		return Value{}, err
	}
	return m.Then(m.Intrinsic(name), l, last)
}

// mapMake is map(function, *iterables).
func mapMake(m *Machine, a Args) (Value, error) {
	if err := a.noNames("map"); err != nil {
		return Value{}, err
	}
	if a.Len() < 3 {
		return Value{}, raise.Type("map() must have at least two arguments.")
	}
	for _, v := range a.v[2:] {
		if err := m.CheckIterable(v); err != nil {
			return Value{}, err
		}
	}
	return m.thenAll("map_new", a.v[2:], a.v[1])
}

// filterMake is filter(function, iterable).
func filterMake(m *Machine, a Args) (Value, error) {
	if err := a.noNames("filter"); err != nil {
		return Value{}, err
	}
	if err := m.CheckIterable(a.v[2]); err != nil {
		return Value{}, err
	}
	return m.Then(m.Intrinsic("filter_new"), a.v[1], a.v[2])
}

// reversedMake is reversed(sequence).
func reversedMake(m *Machine, a Args) (Value, error) {
	if err := a.noNames("reversed"); err != nil {
		return Value{}, err
	}
	v := a.v[1]
	if HasMethods(v) {
		return m.reversedInstance(v)
	}
	it := reversedIterator(v)
	if it == nil {
		return Value{}, notReversible(v)
	}
	m.Spend(IteratorBytes)
	return it.Value(), nil
}

func notReversible(v Value) error { return raise.Type("'%s' object is not reversible", TypeName(v)) }

// reversedIterator returns an iterator over a built-in value from its end, or
// nil.
func reversedIterator(v Value) *Iterator {
	switch o := v.Self().(type) {
	case *List:
		return &Iterator{what: iterReversed, seq: v, pos: int64(len(o.items)) - 1}
	case *Tuple:
		return &Iterator{what: iterReversed, seq: v, pos: int64(len(o.items)) - 1}
	case *Str:
		return &Iterator{what: iterReversed, seq: v, pos: int64(len(o.s)) - 1}
	case *Bytes:
		return &Iterator{what: iterReversed, seq: v, pos: int64(len(o.b)) - 1}
	case *rangeObject:
		return o.reversed()
	case *Dict:
		return reversedEntries(o, iterReversedKeys)
	case *view:
		d := o.of.Dict()
		what := map[iteratorKind]iteratorKind{iterKeys: iterReversedKeys, iterValues: iterReversedValues, iterItems: iterReversedItems}
		return reversedEntries(d, what[o.what])
	}
	return nil
}

// reversedInstance goes by __reversed__, or by __len__ and __getitem__.
func (m *Machine) reversedInstance(v Value) (Value, error) {
	c := ClassOf(v)
	fn, ok := m.Lookup(c, known.str("__reversed__"))
	if ok && fn.IsNone() {
		return Value{}, notReversible(v)
	}
	if ok {
		return m.Then(fn, v)
	}
	_, sized := m.Lookup(c, nameLen)
	_, items := m.Lookup(c, nameGetItem)
	if !sized || !items || Plain(v).set() != nil {
		return Value{}, notReversible(v)
	}
	return m.Then(m.Intrinsic("reversed_new"), v)
}
