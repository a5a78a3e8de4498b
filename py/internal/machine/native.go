package machine

import (
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// This file and native_module.go are what a module that is written in Go works
// with, beside the values themselves. Package modules uses it; see the package
// comment there for how a module is made.

// State is what a native module remembers for one program, such as the patterns
// that it compiled. Snapshots leave it out: it must be possible to find it
// again.
type State interface {
	// Size is what it takes, in bytes, without the values that Each visits.
	Size() int
	// Each visits the values that it keeps.
	Each(visit func(Value))
}

// StateKey says which state of a program is meant.
type StateKey struct {
	at  int
	new func() State
}

// maxStates is how many native modules may have a state.
const maxStates = 4

var stateKeys int

// NewState makes the key of a state; it is for package variables.
func NewState(make func() State) StateKey {
	stateKeys++
	return StateKey{stateKeys - 1, make}
}

// Of returns the state of a program, which it makes when there is none.
func (k StateKey) Of(m *Machine) State {
	s := m.states[k.at]
	if s == nil {
		s = k.new()
		m.states[k.at] = s
	}
	return s
}

// SharedName returns the shared str of a name that the machine or a module
// looks up, so that comparing it is comparing addresses. It is for package
// variables and for use during boot.
func SharedName(name string) *Str { return known.str(name) }

// NativeByID returns a function of a native module by "module.name".
func NativeByID(id string) Value { return known.natives[id] }

// SavedBytes makes a bytes object without payment, for Boxed.Save.
func SavedBytes(b string) Value { return (&Bytes{b: b}).value() }

// SavedStr makes a str without payment, for Boxed.Save.
func SavedStr(s string) Value { return (&Str{s: s, length: -1}).value() }

// SavedTuple makes a tuple without payment, for Boxed.Save.
func SavedTuple(items []Value) Value { return TupleWith(items) }

// TupleWith makes a tuple that keeps items, for which the caller has paid.
func TupleWith(items []Value) Value { return (&Tuple{items: items}).value() }

// BigInt returns an int beyond 64 bits, which must not be written to, or nil.
func (v Value) BigInt() *big.Int {
	if o := v.big(); o != nil {
		return o.v
	}
	return nil
}

// Text returns the text of the str, in WTF-8.
func (o *Str) Text() string { return o.s }

// Data returns the bytes.
func (o *Bytes) Data() string { return o.b }

// Items returns the items, which must not be written to.
func (o *Tuple) Items() []Value { return o.items }

// Items returns the items; it is valid until the list changes.
func (o *List) Items() []Value { return o.items }

// Add appends v, for which growList made room.
func (o *List) Add(v Value) { o.items = append(o.items, v) }

// Entry returns the key and the value at i, which is one of next.
func (o *Dict) Entry(i int) (key, value Value) { return o.entries[i].key, o.entries[i].value }

// ValueAt returns the value at i.
func (o *Dict) ValueAt(i int) Value { return o.entries[i].value }

// PutAt stores v at i, where there is a key.
func (o *Dict) PutAt(i int, v Value) { o.entries[i].value = v }

// PlaceOf looks at one key after the other for the very object, and returns
// where it is or -1; it is for dicts of a few.
func (o *Dict) PlaceOf(key Value) int {
	for i := range o.entries {
		if o.entries[i].key.o == key.o {
			return i
		}
	}
	return -1
}

// AddItem adds v to s, when that needs no code of the program.
func (m *Machine) AddItem(s *Set, v Value) error { return m.putKey(&s.table, v, None) }

// FrozenSet makes a frozenset of names that all programs share, known by id.
func (r *Registry) FrozenSet(id string, names []string) Value {
	s := &Set{}
	s.flags = shared
	for _, name := range names {
		o := SharedStr(name)
		s.insert(o.Ref(), None, o.tableHash())
	}
	v := s.Value(true)
	r.identify(v, id)
	return v
}

// Box returns the content of the object.
func (o *Opaque) Box() Boxed { return o.box }

// Class returns the class of the instance.
func (o *Instance) Class() *Class { return o.class }

// NewException makes an exception, for which the caller has paid.
func NewException(c *Class, args ...Value) *Instance {
	o := &Instance{class: c}
	if args != nil {
		o.payload = TupleWith(args)
	}
	o.value()
	return o
}

// SetArgs sets args of an exception to a tuple.
func (o *Instance) SetArgs(args Value) { o.payload = args }

// Raise returns the error that raises the exception.
func (o *Instance) Raise() error { return &thrown{exception: o.value()} }

// Ordinary reports whether c is a class of Python without a built-in base, of
// which there may be instances.
func (c *Class) Ordinary() bool {
	return c.layout == KindInstance && c.flags&shared == 0 && c.abstract == nil
}

// Generic makes c a class that takes brackets, and returns it.
func (c *Class) Generic() *Class {
	c.brackets = true
	return c
}

// BuiltInBase reports whether instances of c have a built-in part.
func (c *Class) BuiltInBase() bool { return c.layout != KindInstance }

// Imported returns a module that the program has imported, or nil.
func (m *Machine) Imported(name string) *ModuleObject { return m.modules[name] }

// Slot returns the number of a global variable of the module.
func (mod *ModuleObject) Slot(name string) (int, bool) {
	i, ok := mod.code.slots[name]
	return i, ok
}

// Global returns the global variable of that number.
func (mod *ModuleObject) Global(slot int) Value { return mod.globals[slot] }

// All returns the arguments: the positional ones, then one for each name.
func (a Args) All() []Value { return a.v }

// Arg returns argument i of All.
func (a Args) Arg(i int) Value { return a.v[i] }

// NameAt returns the name of the named argument i.
func (a Args) NameAt(i int) *Str { return a.names.items[i].Str() }

// Rest returns the arguments without the first.
func (a Args) Rest() Args { return Args{a.v[1:], a.names} }

// Keywords returns the names as a tuple, or None.
func (a Args) Keywords() Value {
	if a.names == nil {
		return None
	}
	return a.names.ref()
}

// Multiply is x * y of built-in types; the error is errNotImplemented when they
// have no answer.
func (m *Machine) Multiply(x, y Value) (Value, error) { return m.binaryNative(opMul, x, y) }

// ParseInt makes an int of decimal digits, as many as there are.
func (m *Machine) ParseInt(digits string) (Value, error) {
	return m.fromText(text.ParseInt(m, text.Str{S: digits, Flat: true}, 10))
}

// Name returns the name of the module.
func (mod *ModuleBuilder) Name() string { return mod.name }

// Identify gives a value of the module that snapshots may meet its id.
func (mod *ModuleBuilder) Identify(v Value, id string) { mod.r.identify(v, id) }

// PaidInt makes an int of what a function has paid for.
func (m *Machine) PaidInt(n *big.Int, err error) (Value, error) {
	if err != nil {
		return Value{}, err
	}
	return m.BigInt(n), nil
}
