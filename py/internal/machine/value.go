package machine

import (
	"math/big"
)

// Value is any value of a program. None, bools, floats and ints of 64 bits are
// held in the Value itself: o then points to the tag of their kind and n is the
// payload. Every other value is an object on the heap.
//
// The zero Value is no value: an unbound variable.
type Value struct {
	o *Object
	n uint64
}

// Object is what every heap object begins with.
type Object struct {
	kind  Kind
	flags objectFlags
	room  uint8  // of a str, see roomOf
	mark  uint32 // the trace that last reached the object
	self  any    // the object itself, by its own type
}

// Kind is the representation of a value.
type Kind uint8

// The kinds of values.
const (
	KindUnbound Kind = iota
	KindNone
	KindBool
	KindInt
	KindFloat
	KindBigInt
	KindStr
	KindBytes
	KindTuple
	KindList
	KindDict
	KindSet
	KindFrozenSet
	KindRange
	KindSlice
	KindSingleton // Ellipsis, NotImplemented
	KindIter
	KindView
	KindFunction
	KindNative
	KindMethod
	KindClass
	KindInstance
	KindDescriptor // property, classmethod, staticmethod
	KindSuper
	KindCell
	KindGenerator
	KindModule
	KindTool
	KindFuture
	KindException // only as a layout: exceptions are instances
	KindHandle
	KindOpaque
	KindCount
)

type objectFlags uint8

// shared marks immutable objects that belong to a program or to the package.
// Several instances may use them concurrently, so nothing writes to them, and they
// are not charged to any instance.
const shared objectFlags = 1

// roomy marks instances that have room for attributes beside them.
const roomy objectFlags = 2

// lone marks a tuple that nothing but the variable of a loop holds.
const lone objectFlags = 4

// The tags of values without an object.
var (
	noneTag  = Object{kind: KindNone, flags: shared}
	boolTag  = Object{kind: KindBool, flags: shared}
	intTag   = Object{kind: KindInt, flags: shared}
	floatTag = Object{kind: KindFloat, flags: shared}
)

// None, True and False.
var (
	None  = Value{o: &noneTag}
	False = Value{&boolTag, 0}
	True  = Value{&boolTag, 1}
)

// Int returns an int.
func Int(n int64) Value { return Value{&intTag, uint64(n)} }

// Float returns a float.
func Float(f float64) Value { return Value{&floatTag, floatBits(f)} }

// Bool returns True or False.
func Bool(b bool) Value {
	if b {
		return True
	}
	return False
}

// Kind returns the representation of v.
func (v Value) Kind() Kind {
	if v.o == nil {
		return KindUnbound
	}
	return v.o.kind
}

// Bound reports whether v is a value at all.
func (v Value) Bound() bool { return v.o != nil }

// IsInt reports whether v is an int of 64 bits.
func (v Value) IsInt() bool { return v.o == &intTag }

// IsFloat reports whether v is a float.
func (v Value) IsFloat() bool { return v.o == &floatTag }

// IsNone reports whether v is None.
func (v Value) IsNone() bool { return v.o == &noneTag }

// Int returns an int of 64 bits, or 0 or 1 for a bool.
func (v Value) Int() int64 { return int64(v.n) }

// Float returns a float.
func (v Value) Float() float64 { return floatFrom(v.n) }

// Is reports whether both are the same object.
func (v Value) Is(w Value) bool { return v.o == w.o && v.n == w.n }

// big is an int beyond 64 bits.
type bigInt struct {
	Object
	v *big.Int
}

// Str is a string, in WTF-8.
type Str struct {
	Object
	s      string
	hash   uint32 // 0 until it is needed
	length int32  // code points; -1 until it is needed
}

// Bytes is a bytes object.
type Bytes struct {
	Object
	b string
}

// Tuple is a tuple.
type Tuple struct {
	Object
	items []Value // never written to
}

// List is a list.
type List struct {
	Object
	items []Value
}

// Dict is a dict.
type Dict struct {
	Object
	table
}

// Set is a set or, by its kind, a frozenset. The values of its table are unused.
type Set struct {
	Object
	table
}

type rangeObject struct {
	Object
	start, stop, step int64
	n                 int64 // length
}

type sliceObject struct {
	Object
	start, stop, step Value
}

type singleton struct {
	Object
	name string
}

type cell struct {
	Object
	v Value
}

// function is a function that the program defines.
type function struct {
	Object
	code       *unit
	globals    *ModuleObject
	defaults   []Value // of the last positional parameters
	kwDefaults *Dict   // or nil
	cells      []*cell
	name, qual *Str // __name__ and __qualname__, when set by functools.wraps and its like
	doc        Value
	attrs      *table // what the program set on it, or nil
	space      *Dict  // what __dict__ gave, or nil: then attrs is its table
	serial     uint64 // its hash
}

// method is a function with its first argument.
type method struct {
	Object
	fn   Value
	self Value
}

// Instance is an object of a class that the program or a bundled module
// defines, or an exception.
type Instance struct {
	Object
	class   *Class
	own     table      // its attributes, unless its space has them
	rare    *rarity    // or nil
	payload Value      // the native part of subclasses of built-in types; the args of an exception
	trouble *traceback // of exceptions
	serial  uint64     // its hash, once it is needed
}

// rarity is what few instances have. It is kept apart because instances come in
// such numbers that each word of them counts.
type rarity struct {
	space *Dict  // what __dict__ gave, or nil
	given uint64 // what its own __hash__ gave last, see hashGiven
}

// attrs returns the attributes of the instance itself.
func (o *Instance) attrs() *table {
	if o.rare != nil && o.rare.space != nil {
		return &o.rare.space.table
	}
	return &o.own
}

// space is what __dict__ gave, or nil.
func (o *Instance) space() *Dict {
	if o.rare == nil {
		return nil
	}
	return o.rare.space
}

// given is what its own __hash__ gave last.
func (o *Instance) given() uint64 {
	if o.rare == nil {
		return 0
	}
	return o.rare.given
}

// rarity returns the rare part of o, to write to.
func (m *Machine) rarity(o *Instance) *rarity {
	if o.rare == nil {
		m.Spend(rarityBytes)
		o.rare = &rarity{}
	}
	return o.rare
}

type descriptorKind uint8

const (
	propertyKind descriptorKind = iota
	classMethodKind
	staticMethodKind
)

// descriptor is a property, classmethod or staticmethod.
type descriptor struct {
	Object
	what          descriptorKind
	get, set, del Value // get is the function of the other two
	doc           Value
}

type superObject struct {
	Object
	class *Class // after which the search begins
	self  Value
	start *Class // the class of self
}

// handle is an opaque reference to a File, Dir or DataFrame.
type handle struct {
	Object
	ref any // value.File, value.Dir or value.DataFrame
}

// Opaque is an object of a native module, such as a compiled pattern.
type Opaque struct {
	Object
	class *Class
	box   Boxed
}

// The constructors give an object its identity. They do not charge: callers
// that run for a program use the methods of Machine.

func (o *bigInt) value() Value      { o.kind, o.self = KindBigInt, o; return Value{o: &o.Object} }
func (o *Str) value() Value         { o.kind, o.self = KindStr, o; return Value{o: &o.Object} }
func (o *Bytes) value() Value       { o.kind, o.self = KindBytes, o; return Value{o: &o.Object} }
func (o *Tuple) value() Value       { o.kind, o.self = KindTuple, o; return Value{o: &o.Object} }
func (o *Dict) value() Value        { o.kind, o.self = KindDict, o; return Value{o: &o.Object} }
func (o *rangeObject) value() Value { o.kind, o.self = KindRange, o; return Value{o: &o.Object} }
func (o *sliceObject) value() Value { o.kind, o.self = KindSlice, o; return Value{o: &o.Object} }
func (o *singleton) value() Value   { o.kind, o.self = KindSingleton, o; return Value{o: &o.Object} }
func (o *cell) value() Value        { o.kind, o.self = KindCell, o; return Value{o: &o.Object} }
func (o *function) value() Value    { o.kind, o.self = KindFunction, o; return Value{o: &o.Object} }
func (o *method) value() Value      { o.kind, o.Object.self = KindMethod, o; return Value{o: &o.Object} }
func (o *Instance) value() Value    { o.kind, o.self = KindInstance, o; return Value{o: &o.Object} }
func (o *descriptor) value() Value  { o.kind, o.self = KindDescriptor, o; return Value{o: &o.Object} }
func (o *superObject) value() Value { o.kind, o.Object.self = KindSuper, o; return Value{o: &o.Object} }
func (o *handle) value() Value      { o.kind, o.self = KindHandle, o; return Value{o: &o.Object} }
func (o *Opaque) value() Value      { o.kind, o.self = KindOpaque, o; return Value{o: &o.Object} }

// Value gives the list its identity and returns it.
func (o *List) Value() Value { o.kind, o.self = KindList, o; return Value{o: &o.Object} }

// Value gives the set its identity and returns it.
func (o *Set) Value(frozen bool) Value {
	o.kind, o.self = KindSet, o
	if frozen {
		o.kind = KindFrozenSet
	}
	return Value{o: &o.Object}
}

// The accessors return nil when the value is of another kind.

func (v Value) big() *bigInt {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*bigInt)
	return o
}

// Str returns the str that v is, or nil.
func (v Value) Str() *Str {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*Str)
	return o
}

// Bytes returns the bytes object that v is, or nil.
func (v Value) Bytes() *Bytes {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*Bytes)
	return o
}

// Tuple returns the tuple that v is, or nil.
func (v Value) Tuple() *Tuple {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*Tuple)
	return o
}

// List returns the list that v is, or nil.
func (v Value) List() *List {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*List)
	return o
}

// Dict returns the dict that v is, or nil.
func (v Value) Dict() *Dict {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*Dict)
	return o
}
func (v Value) set() *Set {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*Set)
	return o
}
func (v Value) rangeOf() *rangeObject {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*rangeObject)
	return o
}
func (v Value) slice() *sliceObject {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*sliceObject)
	return o
}
func (v Value) cell() *cell {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*cell)
	return o
}
func (v Value) function() *function {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*function)
	return o
}
func (v Value) method() *method {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*method)
	return o
}

// Class returns the class that v is, or nil.
func (v Value) Class() *Class {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*Class)
	return o
}

// Instance returns the instance that v is, or nil.
func (v Value) Instance() *Instance {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*Instance)
	return o
}
func (v Value) iter() *Iterator {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*Iterator)
	return o
}
func (v Value) generator() *generator {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*generator)
	return o
}
func (v Value) native() *Native {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*Native)
	return o
}

// Opaque returns the object of a native module that v is, or nil.
func (v Value) Opaque() *Opaque {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*Opaque)
	return o
}

func (v Value) view() *view {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*view)
	return o
}

func (v Value) module() *ModuleObject {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*ModuleObject)
	return o
}

func (v Value) descriptor() *descriptor {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*descriptor)
	return o
}

func (v Value) future() *future {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*future)
	return o
}

func (v Value) tool() *toolObject {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*toolObject)
	return o
}

var (
	ellipsis       = staticSingleton("Ellipsis")
	notImplemented = staticSingleton("NotImplemented")
)

func staticSingleton(name string) Value {
	o := &singleton{name: name}
	o.flags = shared
	return o.value()
}
