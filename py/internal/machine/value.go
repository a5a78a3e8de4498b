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
	kindUnbound Kind = iota
	kindNone
	kindBool
	kindInt
	kindFloat
	kindBigInt
	kindStr
	kindBytes
	kindTuple
	kindList
	kindDict
	kindSet
	kindFrozenSet
	kindRange
	kindSlice
	kindSingleton // Ellipsis, NotImplemented
	kindIter
	kindView
	kindFunction
	kindNative
	kindMethod
	kindClass
	kindInstance
	kindDescriptor // property, classmethod, staticmethod
	kindSuper
	kindCell
	kindGenerator
	kindModule
	kindTool
	kindFuture
	kindException // only as a layout: exceptions are instances
	kindHandle
	kindOpaque
	kindCount
)

type objectFlags uint8

// shared marks immutable objects that belong to a program or to the package.
// Several instances may use them at once, so nothing writes to them, and they
// are not charged to any instance.
const shared objectFlags = 1

// roomy marks instances that have room for attributes beside them.
const roomy objectFlags = 2

// The tags of values without an object.
var (
	noneTag  = Object{kind: kindNone, flags: shared}
	boolTag  = Object{kind: kindBool, flags: shared}
	intTag   = Object{kind: kindInt, flags: shared}
	floatTag = Object{kind: kindFloat, flags: shared}
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

func (v Value) kind() Kind {
	if v.o == nil {
		return kindUnbound
	}
	return v.o.kind
}

func (v Value) bound() bool    { return v.o != nil }
func (v Value) isInt() bool    { return v.o == &intTag }
func (v Value) isFloat() bool  { return v.o == &floatTag }
func (v Value) isNone() bool   { return v.o == &noneTag }
func (v Value) int() int64     { return int64(v.n) }
func (v Value) float() float64 { return floatFrom(v.n) }

// is reports whether both are the same object.
func (v Value) is(w Value) bool { return v.o == w.o && v.n == w.n }

// big is an int beyond 64 bits.
type bigInt struct {
	Object
	v *big.Int
}

// str is a string, in WTF-8.
type str struct {
	Object
	s      string
	hash   uint32 // 0 until it is needed
	length int32  // code points; -1 until it is needed
}

type bytesObject struct {
	Object
	b string
}

type tuple struct {
	Object
	items []Value // never written to
}

// smallTuple is a tuple with its items beside it, in one allocation.
type smallTuple struct {
	tuple
	array [2]Value
}

type list struct {
	Object
	items []Value
}

type dict struct {
	Object
	table
}

// set is a set or, by its kind, a frozenset. The values of its table are unused.
type set struct {
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
	globals    *module
	defaults   []Value // of the last positional parameters
	kwDefaults *dict   // or nil
	cells      []*cell
	name, qual *str // __name__ and __qualname__, when set by functools.wraps and its like
	doc        Value
	attrs      *table // what the program set on it, or nil
	space      *dict  // what __dict__ gave, or nil: then attrs is its table
	serial     uint64 // its hash
}

// method is a function with its first argument.
type method struct {
	Object
	fn   Value
	self Value
}

// instance is an object of a class that the program or a bundled module
// defines, or an exception.
type instance struct {
	Object
	class   *class
	own     table      // its attributes, unless its space has them
	rare    *rarity    // or nil
	payload Value      // the native part of subclasses of built-in types; the args of an exception
	trouble *traceback // of exceptions
	serial  uint64     // its hash, once it is needed
}

// rarity is what few instances have. It is kept apart because instances come in
// such numbers that each word of them counts.
type rarity struct {
	space *dict  // what __dict__ gave, or nil
	given uint64 // what its own __hash__ gave last, see hashGiven
}

// attrs returns the attributes of the instance itself.
func (o *instance) attrs() *table {
	if o.rare != nil && o.rare.space != nil {
		return &o.rare.space.table
	}
	return &o.own
}

// space is what __dict__ gave, or nil.
func (o *instance) space() *dict {
	if o.rare == nil {
		return nil
	}
	return o.rare.space
}

// given is what its own __hash__ gave last.
func (o *instance) given() uint64 {
	if o.rare == nil {
		return 0
	}
	return o.rare.given
}

// rarity returns the rare part of o, to write to.
func (m *Machine) rarity(o *instance) *rarity {
	if o.rare == nil {
		m.spend(rarityBytes)
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
	class *class // after which the search begins
	self  Value
	start *class // the class of self
}

// handle is an opaque reference to a File, Dir or DataFrame.
type handle struct {
	Object
	ref any // api.File, api.Dir or api.DataFrame
}

// opaque is an object of a native module, such as a compiled pattern.
type opaque struct {
	Object
	class *class
	box   Boxed
}

// The constructors give an object its identity. They do not charge: callers
// that run for a program use the methods of Machine.

func (o *bigInt) value() Value      { o.kind, o.self = kindBigInt, o; return Value{o: &o.Object} }
func (o *str) value() Value         { o.kind, o.self = kindStr, o; return Value{o: &o.Object} }
func (o *bytesObject) value() Value { o.kind, o.self = kindBytes, o; return Value{o: &o.Object} }
func (o *tuple) value() Value       { o.kind, o.self = kindTuple, o; return Value{o: &o.Object} }
func (o *list) value() Value        { o.kind, o.self = kindList, o; return Value{o: &o.Object} }
func (o *dict) value() Value        { o.kind, o.self = kindDict, o; return Value{o: &o.Object} }
func (o *rangeObject) value() Value { o.kind, o.self = kindRange, o; return Value{o: &o.Object} }
func (o *sliceObject) value() Value { o.kind, o.self = kindSlice, o; return Value{o: &o.Object} }
func (o *singleton) value() Value   { o.kind, o.self = kindSingleton, o; return Value{o: &o.Object} }
func (o *cell) value() Value        { o.kind, o.self = kindCell, o; return Value{o: &o.Object} }
func (o *function) value() Value    { o.kind, o.self = kindFunction, o; return Value{o: &o.Object} }
func (o *method) value() Value      { o.kind, o.Object.self = kindMethod, o; return Value{o: &o.Object} }
func (o *instance) value() Value    { o.kind, o.self = kindInstance, o; return Value{o: &o.Object} }
func (o *descriptor) value() Value  { o.kind, o.self = kindDescriptor, o; return Value{o: &o.Object} }
func (o *superObject) value() Value { o.kind, o.Object.self = kindSuper, o; return Value{o: &o.Object} }
func (o *handle) value() Value      { o.kind, o.self = kindHandle, o; return Value{o: &o.Object} }
func (o *opaque) value() Value      { o.kind, o.self = kindOpaque, o; return Value{o: &o.Object} }

func (o *set) value(frozen bool) Value {
	o.kind, o.self = kindSet, o
	if frozen {
		o.kind = kindFrozenSet
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
func (v Value) str() *str {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*str)
	return o
}
func (v Value) bytes() *bytesObject {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*bytesObject)
	return o
}
func (v Value) tuple() *tuple {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*tuple)
	return o
}
func (v Value) list() *list {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*list)
	return o
}
func (v Value) dict() *dict {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*dict)
	return o
}
func (v Value) set() *set {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*set)
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
func (v Value) class() *class {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*class)
	return o
}
func (v Value) instance() *instance {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*instance)
	return o
}
func (v Value) iter() *iterator {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*iterator)
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
func (v Value) opaque() *opaque {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*opaque)
	return o
}

func (v Value) view() *view {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*view)
	return o
}

func (v Value) module() *module {
	if v.o == nil {
		return nil
	}
	o, _ := v.o.self.(*module)
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
