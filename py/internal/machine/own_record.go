package machine

import "github.com/glovebox-dev/glovebox/py/internal/raise"

// A class that namedtuple makes has a __new__ of Go: a method of tupleNew whose
// self says what the fields are: their names, their defaults, and a function of
// Python for calls that do not fit, which knows what to complain of.

// The natives behind the attributes of named tuples.
var tupleNew, itemGet Value

func defineRecords(mod *ModuleBuilder) {
	n := &Native{name: "tuple_new", min: 2, max: -1, keywords: true, fn: tupleNewNative, id: mod.name + " tuple_new"}
	tupleNew = n.value()
	mod.r.identify(tupleNew, n.id)
	mod.Counted("tuple_new", 3, 3, func(m *Machine, a Args) (Value, error) {
		spec, err := m.NewTuple(a.v)
		if err != nil {
			return Value{}, err
		}
		m.Spend(methodBytes)
		return (&method{fn: tupleNew, self: spec}).value(), nil
	})
}

// fieldsOf reads the arguments of tuple_new; ok is false in a forged snapshot.
func fieldsOf(spec Value) (names *Tuple, defaults *Dict, slow Value, ok bool) {
	t := spec.Tuple()
	if t == nil || len(t.items) != 3 {
		return nil, nil, Value{}, false
	}
	names, defaults = t.items[0].Tuple(), t.items[1].Dict()
	return names, defaults, t.items[2], names != nil && defaults != nil
}

func tupleNewNative(m *Machine, a Args) (Value, error) {
	c := a.v[1].Class()
	if c == nil || a.Len() < 2 {
		return Value{}, raise.Type("tuple.__new__(X): X is not a type object (%s)", TypeName(a.v[1]))
	}
	return m.newRecord(a.v[0], c, Args{a.v[2:], a.names})
}

// newRecord makes an instance of a class of named tuples.
func (m *Machine) newRecord(spec Value, c *Class, a Args) (Value, error) {
	names, defaults, slow, ok := fieldsOf(spec)
	if !ok {
		return Value{}, ErrMalformed
	}
	if c.layout != KindTuple || c.flags&shared != 0 {
		return Value{}, raise.Type("tuple.__new__(%s): %s is not a subtype of tuple", c.name, c.name)
	}
	n := len(names.items)
	if err := m.Alloc(InstanceBytes + TupleBytes + n*ValueBytes); err != nil {
		return Value{}, err
	}
	t := tupleOf(n)
	copy(t.items, a.Positional())
	if a.names != nil || a.Len() != n {
		if a.Len() > n || !fillFields(t.items, names, defaults, a) {
			m.tail = tailCall{fn: slow, args: append([]Value{c.Ref()}, a.v...), names: a.names}
			return Value{}, errTail
		}
	}
	o := &Instance{class: c, payload: t.value()}
	return o.value(), nil
}

// fillFields fills what the positional arguments left by those with names and
// by defaults. It reports false when that cannot be done.
func fillFields(items []Value, names *Tuple, defaults *Dict, a Args) bool {
	for i := range a.Named() {
		at := -1
		for k, name := range names.items {
			if name.Is(a.names.items[i]) || sameStr(name, a.names.items[i]) {
				at = k
				break
			}
		}
		if at < 0 || items[at].Bound() {
			return false
		}
		items[at] = a.v[a.Len()+i]
	}
	for i := range items {
		if items[i].Bound() {
			continue
		}
		name := names.items[i].Str()
		if name == nil {
			return false
		}
		at := defaults.findStr(name)
		if at < 0 {
			return false
		}
		items[i] = defaults.entries[at].value
	}
	return true
}

func sameStr(v, w Value) bool {
	a, b := v.Str(), w.Str()
	return a != nil && b != nil && a.s == b.s
}

// isTupleNew reports whether a __new__ is that of a named tuple.
func isTupleNew(fn Value) bool {
	o := fn.method()
	return o != nil && o.fn.o == tupleNew.o
}

// itemOf is item i of the tuple v, for an attribute.
func itemOf(v, i Value) (Value, error) {
	t := Plain(v).Tuple()
	if t == nil || i.n >= uint64(len(t.items)) {
		return Value{}, raise.Index("tuple index out of range")
	}
	return t.items[i.n], nil
}
