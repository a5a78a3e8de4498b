package machine

import "github.com/glovebox-dev/glovebox/py/internal/raise"

// A class that namedtuple makes has a __new__ of Go: a method of tupleNew whose
// self says what the fields are: their names, their defaults, and a function of
// Python for calls that do not fit, which knows what to complain of.

// The natives behind the attributes of named tuples.
var tupleNew, itemGet Value

func defineRecords(mod *moduleMaker) {
	n := &Native{name: "tuple_new", min: 2, max: -1, keywords: true, fn: tupleNewNative, id: mod.name + " tuple_new"}
	tupleNew = n.value()
	mod.r.identify(tupleNew, n.id)
	mod.counted("tuple_new", 3, 3, func(m *Machine, a Args) (Value, error) {
		spec, err := m.newTupleCopy(a.v)
		if err != nil {
			return Value{}, err
		}
		m.spend(methodBytes)
		return (&method{fn: tupleNew, self: spec}).value(), nil
	})
}

// fieldsOf reads what tuple_new was given; ok is false in a snapshot that
// nobody has taken.
func fieldsOf(spec Value) (names *tuple, defaults *dict, slow Value, ok bool) {
	t := spec.tuple()
	if t == nil || len(t.items) != 3 {
		return nil, nil, Value{}, false
	}
	names, defaults = t.items[0].tuple(), t.items[1].dict()
	return names, defaults, t.items[2], names != nil && defaults != nil
}

func tupleNewNative(m *Machine, a Args) (Value, error) {
	c := a.v[1].class()
	if c == nil || a.len() < 2 {
		return Value{}, raise.Type("tuple.__new__(X): X is not a type object (%s)", typeName(a.v[1]))
	}
	return m.newRecord(a.v[0], c, Args{a.v[2:], a.names})
}

// newRecord makes an instance of a class of named tuples.
func (m *Machine) newRecord(spec Value, c *class, a Args) (Value, error) {
	names, defaults, slow, ok := fieldsOf(spec)
	if !ok {
		return Value{}, errCorrupt
	}
	if c.layout != kindTuple || c.flags&shared != 0 {
		return Value{}, raise.Type("tuple.__new__(%s): %s is not a subtype of tuple", c.name, c.name)
	}
	n := len(names.items)
	if err := m.Alloc(instanceBytes + tupleBytes + n*valueBytes); err != nil {
		return Value{}, err
	}
	t := tupleOf(n)
	copy(t.items, a.positional())
	if a.names != nil || a.len() != n {
		if a.len() > n || !fillFields(t.items, names, defaults, a) {
			m.tail = tailCall{fn: slow, args: append([]Value{c.ref()}, a.v...), names: a.names}
			return Value{}, errTail
		}
	}
	o := &instance{class: c, payload: t.value()}
	return o.value(), nil
}

// tupleOf makes a tuple with room for n items, which the caller has paid for.
func tupleOf(n int) *tuple {
	if n <= 2 {
		t := &smallTuple{}
		t.items = t.array[:n:n]
		return &t.tuple
	}
	return &tuple{items: make([]Value, n)}
}

// fillFields fills what the positional arguments left by those with names and
// by defaults. It reports false when that cannot be done.
func fillFields(items []Value, names *tuple, defaults *dict, a Args) bool {
	for i := range a.named() {
		at := -1
		for k, name := range names.items {
			if name.is(a.names.items[i]) || sameStr(name, a.names.items[i]) {
				at = k
				break
			}
		}
		if at < 0 || items[at].bound() {
			return false
		}
		items[at] = a.v[a.len()+i]
	}
	for i := range items {
		if items[i].bound() {
			continue
		}
		name := names.items[i].str()
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
	a, b := v.str(), w.str()
	return a != nil && b != nil && a.s == b.s
}

// isTupleNew reports whether a __new__ is that of a named tuple.
func isTupleNew(fn Value) bool {
	o := fn.method()
	return o != nil && o.fn.o == tupleNew.o
}

// itemOf is item i of the tuple v, for an attribute.
func itemOf(v, i Value) (Value, error) {
	t := plain(v).tuple()
	if t == nil || i.n >= uint64(len(t.items)) {
		return Value{}, raise.Index("tuple index out of range")
	}
	return t.items[i.n], nil
}
