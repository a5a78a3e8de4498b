package machine

import (
	"sync"
)

// Registry holds the built-in objects: made once, by boot, and never written to
// again.
type Registry struct {
	builtins   map[string]Value
	natives    map[string]Value // every native function and class by its id, for snapshots
	ids        map[*Object]string
	sealed     bool            // boot is over
	strs       map[string]*Str // names that the machine compares by identity
	intrinsics map[string]Value
	modules    map[string]nativeModule
	unboxers   map[string]unboxer // by the kind of Boxed.Save
	prelude    *ModuleObject
	ballast    []byte // see layBallast
}

var known = &Registry{
	builtins: map[string]Value{}, natives: map[string]Value{}, ids: map[*Object]string{}, strs: map[string]*Str{},
	intrinsics: map[string]Value{}, modules: map[string]nativeModule{},
	unboxers: map[string]unboxer{},
}

var booted sync.Once

// Boot makes the built-in objects, and has define register the native modules.
// Everything else of the package must be called after it; all calls but the
// first do nothing.
func Boot(define func(*Registry)) { booted.Do(func() { boot(define) }) }

func boot(define func(*Registry)) {
	known.names()
	defineTypes(known)
	defineBuiltins(known)
	defineDecimals(known)
	defineOwnModules(known)
	define(known)
	defineIntrinsics(known)
	definePrelude(known)
	defineWays(known)
	defineMethodTables()
	known.sealed = true
	known.layBallast()
}

func (r *Registry) names() {
	all := [][]*Str{binaryNames, reflectedNames, inplaceNames, unaryNames, compareNames, {
		nameAppend, nameAwait, nameBool, nameBytes, nameCall, nameClassGetItem, nameContains, nameDelAttr, nameDelItem, nameDelete, nameDescriptorGet,
		nameDoc, nameEq, nameFloat, nameFormat, nameGetAttr, nameGetItem, nameHash, nameIndex, nameInit, nameInitSubclass,
		nameInt, nameIter, namePatterns, nameKeys, nameLen, nameMissing, nameModule, nameNe, nameNew, nameNext, nameQualName, nameRepr, nameSend, nameSet,
		nameSetAttr, nameSetItem, nameSetName, nameStr, nameAiter, nameAnext,
	}}
	for _, list := range all {
		for _, s := range list {
			r.strs[s.s] = s
		}
	}
}

// str returns the shared str for a name that is known at boot.
func (r *Registry) str(s string) *Str {
	if o, ok := r.strs[s]; ok {
		return o
	}
	o := SharedStr(s)
	if !r.sealed {
		r.strs[s] = o
	}
	return o
}

// knownStr returns the shared str of a name of the machine, or nil.
func knownStr(s string) *Str { return known.strs[s] }

// Builtin returns the built-in of that name.
func Builtin(name string) Value { return known.builtins[name] }

func builtinByName(name string) (Value, bool) {
	v, ok := known.builtins[name]
	return v, ok
}

func intrinsicValue(name string) Value { return known.intrinsics[name] }

// Intrinsic returns a function of the prelude, or one that the prelude calls.
func (m *Machine) Intrinsic(name string) Value { return known.intrinsics[name] }

// identify gives a built-in object the id by which snapshots name it.
func (r *Registry) identify(v Value, id string) {
	r.natives[id] = v
	r.ids[v.o] = id
}

// function defines a built-in function.
func (r *Registry) function(name string, min, max int, fn NativeFunc) {
	v := (&Native{name: name, min: min, max: max, fn: fn, plain: true, id: name}).value()
	r.builtins[name] = v
	r.identify(v, name)
}

// functionKw defines a built-in function that takes keywords.
func (r *Registry) functionKw(name string, min, max int, fn NativeFunc) {
	r.wordyKw(name, min, max, fn).wordy = false
}

// wordyKw is functionKw of a function that counts its arguments in a sentence.
func (r *Registry) wordyKw(name string, min, max int, fn NativeFunc) *Native {
	n := &Native{name: name, min: min, max: max, fn: fn, keywords: true, wordy: true, plain: true, id: name}
	r.builtins[name] = n.value()
	r.identify(n.value(), name)
	return n
}

// Intrinsic defines a function that programs cannot name.
func (r *Registry) Intrinsic(name string, fn NativeFunc) {
	v := (&Native{name: name, min: 0, max: -1, fn: fn, id: "$" + name, keywords: true}).value()
	r.intrinsics[name] = v
	r.identify(v, "$"+name)
}

// class makes a built-in class visible.
func (r *Registry) class(c *Class) {
	r.builtins[c.name] = c.Ref()
	r.HiddenClass(c)
}

// HiddenClass is a built-in class without a name that programs can use.
func (r *Registry) HiddenClass(c *Class) { r.identify(c.Ref(), "type "+c.name) }

// method defines a method of a built-in class; the counts include self.
func (r *Registry) method(c *Class, name string, min, max int, fn NativeFunc) *Native {
	switch c.layout {
	case KindException, KindDescriptor, KindClass, KindGenerator:
		fn = guarded(c, name, fn)
	}
	n := &Native{name: c.name + "." + name, min: min, max: max, fn: fn, id: c.name + "." + name}
	v := n.value()
	r.attr(c, name, v)
	r.identify(v, n.id)
	return n
}

// guarded refuses receivers of other classes. The methods of data types look at
// their receivers themselves.
func guarded(c *Class, name string, fn NativeFunc) NativeFunc {
	return func(m *Machine, a Args) (Value, error) {
		if !ClassOf(a.v[0]).IsSubclass(c) {
			return Value{}, WrongReceiver(name, c, a.v[0])
		}
		return fn(m, a)
	}
}

// MethodKw defines a method that takes keywords.
func (r *Registry) MethodKw(c *Class, name string, min, max int, fn NativeFunc) {
	r.method(c, name, min, max, fn).keywords = true
}

func (r *Registry) attr(c *Class, name string, v Value) {
	s := r.str(name)
	if i := c.attrs.findStr(s); i >= 0 {
		c.attrs.entries[i].value = v
		return
	}
	c.attrs.insert(s.Ref(), v, s.tableHash())
}

// Property defines an attribute that is worked out when it is read.
func (r *Registry) Property(c *Class, name string, get NativeFunc) {
	n := &Native{name: c.name + "." + name, min: 1, max: 1, fn: guarded(c, name, get), id: c.name + "." + name}
	d := &descriptor{what: propertyKind, get: n.value()}
	d.flags = shared
	r.attr(c, name, d.value())
	r.identify(d.value(), n.id)
	r.identify(n.value(), n.id+" getter")
}

// settable is a property that programs can set.
func (r *Registry) settable(c *Class, name string, get, set NativeFunc) {
	r.Property(c, name, get)
	n := &Native{name: c.name + "." + name, min: 2, max: 2, fn: set, id: c.name + "." + name + " setter"}
	c.attrs.entries[c.attrs.findStr(r.str(name))].value.descriptor().set = n.value()
	r.identify(n.value(), n.id)
}

// classMethod defines a method that gets the class.
func (r *Registry) classMethod(c *Class, name string, min, max int, fn NativeFunc) {
	n := &Native{name: c.name + "." + name, min: min, max: max, fn: fn, id: c.name + "." + name, keywords: true}
	d := &descriptor{what: classMethodKind, get: n.value()}
	d.flags = shared
	r.attr(c, name, d.value())
	r.identify(d.value(), n.id)
	r.identify(n.value(), n.id+" function")
}

// staticMethod defines a function in the namespace of a class.
func (r *Registry) staticMethod(c *Class, name string, min, max int, fn NativeFunc) {
	n := &Native{name: name, min: min, max: max, fn: fn, id: c.name + "." + name, keywords: true}
	d := &descriptor{what: staticMethodKind, get: n.value()}
	d.flags = shared
	r.attr(c, name, d.value())
	r.identify(d.value(), n.id)
	r.identify(n.value(), n.id+" function")
}

// maker defines how calling a built-in class makes an instance; the first
// argument is the class.
func (r *Registry) maker(c *Class, min, max int, fn NativeFunc) {
	c.make = &Native{name: c.name, min: min + 1, max: max, fn: fn, keywords: true, maker: true, id: c.name + " maker"}
	if max >= 0 {
		c.make.max = max + 1
	}
	r.identify(c.make.value(), c.make.id)
}

// staticClass makes a built-in class.
func staticClass(name string, layout Kind, bases ...*Class) *Class {
	c := &Class{name: name, qualName: name, bases: bases, layout: layout, plainSetAttr: true}
	c.flags = shared
	c.value()
	c.mro = []*Class{c}
	if len(bases) == 1 {
		c.mro = append(c.mro, bases[0].mro...)
	}
	return c
}

// The built-in types.
var (
	objectType    = staticClass("object", KindInstance)
	typeType      = staticClass("type", KindClass, objectType)
	noneType      = final(staticClass("NoneType", KindNone, objectType))
	intType       = staticClass("int", KindInt, objectType)
	boolType      = final(staticClass("bool", KindBool, intType))
	floatType     = staticClass("float", KindFloat, objectType)
	strType       = staticClass("str", KindStr, objectType)
	bytesType     = staticClass("bytes", KindBytes, objectType)
	tupleType     = staticClass("tuple", KindTuple, objectType)
	listType      = staticClass("list", KindList, objectType)
	dictType      = staticClass("dict", KindDict, objectType)
	setType       = staticClass("set", KindSet, objectType)
	frozenSetType = staticClass("frozenset", KindFrozenSet, objectType)
	rangeType     = final(staticClass("range", KindRange, objectType))
	sliceType     = final(staticClass("slice", KindSlice, objectType))
	functionType  = final(staticClass("function", KindFunction, objectType))
	nativeType    = final(staticClass("builtin_function_or_method", KindNative, objectType))
	methodType    = final(staticClass("method", KindMethod, objectType))
	cellType      = final(staticClass("cell", KindCell, objectType))
	moduleType    = final(staticClass("module", KindModule, objectType))
	toolType      = final(staticClass("tool", KindTool, objectType))
	futureType    = final(staticClass("Future", KindFuture, objectType))
	taskType      = final(staticClass("Task", KindFuture, futureType))
	superType     = final(staticClass("super", KindSuper, objectType))
	generatorType = final(staticClass("generator", KindGenerator, objectType))
	coroutineType = final(staticClass("coroutine", KindGenerator, objectType))
	asyncGenType  = final(staticClass("async_generator", KindGenerator, objectType))
	ellipsisType  = final(staticClass("ellipsis", KindSingleton, objectType))
	notImplType   = final(staticClass("NotImplementedType", KindSingleton, objectType))
	fileType      = final(staticClass("File", KindHandle, objectType))
	dirType       = final(staticClass("Dir", KindHandle, objectType))
	frameType     = final(staticClass("DataFrame", KindHandle, objectType))
	propertyType  = staticClass("property", KindDescriptor, objectType)
	classMethType = final(staticClass("classmethod", KindDescriptor, objectType))
	staticMthType = final(staticClass("staticmethod", KindDescriptor, objectType))
)

func final(c *Class) *Class {
	c.final = true
	return c
}

var kindClasses = [KindCount]*Class{
	KindNone: noneType, KindBool: boolType, KindInt: intType, KindFloat: floatType, KindBigInt: intType, KindStr: strType,
	KindBytes: bytesType, KindTuple: tupleType, KindList: listType, KindDict: dictType, KindSet: setType,
	KindFrozenSet: frozenSetType, KindRange: rangeType, KindSlice: sliceType, KindFunction: functionType,
	KindNative: nativeType, KindMethod: methodType, KindClass: typeType, KindSuper: superType, KindCell: cellType,
	KindModule: moduleType, KindTool: toolType, KindFuture: futureType,
}

var descriptorClasses = [...]*Class{propertyKind: propertyType, classMethodKind: classMethType, staticMethodKind: staticMthType}

var viewClasses = map[iteratorKind]*Class{
	iterKeys:   final(staticClass("dict_keys", KindView, objectType)),
	iterValues: final(staticClass("dict_values", KindView, objectType)),
	iterItems:  final(staticClass("dict_items", KindView, objectType)),
}

var iteratorTypes = func() (all [iterASCII + 1]*Class) {
	names := map[iteratorKind]string{
		iterList: "list_iterator", iterTuple: "tuple_iterator", iterStr: "str_iterator", iterASCII: "str_ascii_iterator", iterBytes: "bytes_iterator",
		iterRange: "range_iterator", iterKeys: "dict_keyiterator", iterValues: "dict_valueiterator",
		iterItems: "dict_itemiterator", iterSet: "set_iterator", iterReversed: "list_reverseiterator",
		iterReversedKeys: "dict_reversekeyiterator", iterReversedValues: "dict_reversevalueiterator",
		iterReversedItems: "dict_reverseitemiterator", iterEnumerate: "enumerate", iterZip: "zip", iterDone: "iterator",
		iterRing: "_deque_iterator", iterRingBack: "_deque_reverse_iterator", iterChoices: "choices_iterator",
	}
	for k, name := range names {
		all[k] = final(staticClass(name, KindIter, objectType))
	}
	return all
}()

func (it *Iterator) class() *Class {
	if s := it.seq.Str(); it.what == iterStr && s != nil && s.Flat() {
		return iteratorTypes[iterASCII]
	}
	return iteratorTypes[it.what]
}

func (o *singleton) class() *Class {
	if o.name == "Ellipsis" {
		return ellipsisType
	}
	return notImplType
}

func (g *generator) class() *Class {
	if g.fn != nil && g.fn.flags&shared != 0 {
		if c := preludeIterators[g.unit.code.Name]; c != nil {
			return c
		}
	}
	switch g.word() {
	case "generator":
		return generatorType
	case "coroutine":
		return coroutineType
	}
	return asyncGenType
}

// NewClass makes the class of the Boxed objects of a native module.
func NewClass(name, qualName string) *Class {
	c := final(staticClass(name, KindOpaque, objectType))
	c.qualName = qualName
	return c
}

// NewExceptionClass makes a class of exceptions of a native module. The base is a
// built-in one.
func NewExceptionClass(name, qualName, base string) *Class {
	c := staticClass(name, KindException, exceptions[base])
	c.qualName = qualName
	c.dataDescriptors = true
	return c
}
