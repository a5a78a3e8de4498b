package machine

import (
	"sync"
)

// registry holds the built-in objects: made once, by boot, and never written to
// again.
type registry struct {
	builtins   map[string]Value
	natives    map[string]Value // every native function and class by its id, for snapshots
	ids        map[*Object]string
	sealed     bool            // boot is over
	strs       map[string]*str // names that the machine compares by identity
	intrinsics map[string]Value
	modules    map[string]nativeModule
	unboxers   map[string]unboxer // by the kind of Boxed.Save
	prelude    *module
}

var known = &registry{
	builtins: map[string]Value{}, natives: map[string]Value{}, ids: map[*Object]string{}, strs: map[string]*str{},
	intrinsics: map[string]Value{}, modules: map[string]nativeModule{},
	unboxers: map[string]unboxer{},
}

// Boot makes the built-in objects. Link must not be called before.
var Boot = sync.OnceFunc(func() {
	known.names()
	defineTypes(known)
	defineBuiltins(known)
	defineModules(known)
	defineIntrinsics(known)
	definePrelude(known)
	defineWays(known)
	known.sealed = true
})

func (r *registry) names() {
	all := [][]*str{binaryNames, reflectedNames, inplaceNames, unaryNames, compareNames, {
		nameAppend, nameAwait, nameBool, nameBytes, nameCall, nameClassGetItem, nameContains, nameDelAttr, nameDelItem, nameDelete, nameDescriptorGet,
		nameDoc, nameEq, nameFloat, nameFormat, nameGetAttr, nameGetAttribute, nameGetItem, nameHash, nameIndex, nameInit, nameInitSubclass,
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
func (r *registry) str(s string) *str {
	if o, ok := r.strs[s]; ok {
		return o
	}
	o := newStr(s)
	if !r.sealed {
		r.strs[s] = o
	}
	return o
}

// knownStr returns the shared str of a name of the machine, or nil.
func knownStr(s string) *str { return known.strs[s] }

func builtin(name string) Value { return known.builtins[name] }

func builtinByName(name string) (Value, bool) {
	v, ok := known.builtins[name]
	return v, ok
}

// IsBuiltin reports whether name is a built-in.
func IsBuiltin(name string) bool {
	_, ok := known.builtins[name]
	return ok
}

func intrinsicValue(name string) Value { return known.intrinsics[name] }

func (m *Machine) intrinsic(name string) Value { return known.intrinsics[name] }

// identify gives a built-in object the id by which snapshots name it.
func (r *registry) identify(v Value, id string) {
	r.natives[id] = v
	r.ids[v.o] = id
}

// function defines a built-in function.
func (r *registry) function(name string, min, max int, fn NativeFunc) {
	v := (&Native{name: name, min: min, max: max, fn: fn, plain: true, id: name}).value()
	r.builtins[name] = v
	r.identify(v, name)
}

// functionKw defines a built-in function that takes keywords.
func (r *registry) functionKw(name string, min, max int, fn NativeFunc) {
	r.wordyKw(name, min, max, fn).wordy = false
}

// wordyKw is functionKw of a function that counts its arguments in a sentence.
func (r *registry) wordyKw(name string, min, max int, fn NativeFunc) *Native {
	n := &Native{name: name, min: min, max: max, fn: fn, keywords: true, wordy: true, plain: true, id: name}
	r.builtins[name] = n.value()
	r.identify(n.value(), name)
	return n
}

// staticIntrinsic defines a function that programs cannot name.
func (r *registry) staticIntrinsic(name string, fn NativeFunc) {
	v := (&Native{name: name, min: 0, max: -1, fn: fn, id: "$" + name, keywords: true}).value()
	r.intrinsics[name] = v
	r.identify(v, "$"+name)
}

// class makes a built-in class visible.
func (r *registry) class(c *class) {
	r.builtins[c.name] = c.ref()
	r.hiddenClass(c)
}

// hiddenClass is a built-in class without a name that programs can use.
func (r *registry) hiddenClass(c *class) { r.identify(c.ref(), "type "+c.name) }

// method defines a method of a built-in class; the counts include self.
func (r *registry) method(c *class, name string, min, max int, fn NativeFunc) *Native {
	switch c.layout {
	case kindException, kindDescriptor, kindClass, kindGenerator:
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
func guarded(c *class, name string, fn NativeFunc) NativeFunc {
	return func(m *Machine, a Args) (Value, error) {
		if !classOf(a.v[0]).isSubclass(c) {
			return Value{}, wrongReceiver(name, c, a.v[0])
		}
		return fn(m, a)
	}
}

// methodKw defines a method that takes keywords.
func (r *registry) methodKw(c *class, name string, min, max int, fn NativeFunc) {
	r.method(c, name, min, max, fn).keywords = true
}

func (r *registry) attr(c *class, name string, v Value) {
	s := r.str(name)
	if i := c.attrs.findStr(s); i >= 0 {
		c.attrs.entries[i].value = v
		return
	}
	c.attrs.insert(s.ref(), v, s.tableHash())
}

// property defines an attribute that is worked out when it is read.
func (r *registry) property(c *class, name string, get NativeFunc) {
	n := &Native{name: c.name + "." + name, min: 1, max: 1, fn: guarded(c, name, get), id: c.name + "." + name}
	d := &descriptor{what: propertyKind, get: n.value()}
	d.flags = shared
	r.attr(c, name, d.value())
	r.identify(d.value(), n.id)
	r.identify(n.value(), n.id+" getter")
}

// settable is a property that programs can set.
func (r *registry) settable(c *class, name string, get, set NativeFunc) {
	r.property(c, name, get)
	n := &Native{name: c.name + "." + name, min: 2, max: 2, fn: set, id: c.name + "." + name + " setter"}
	c.attrs.entries[c.attrs.findStr(r.str(name))].value.descriptor().set = n.value()
	r.identify(n.value(), n.id)
}

// classMethod defines a method that gets the class.
func (r *registry) classMethod(c *class, name string, min, max int, fn NativeFunc) {
	n := &Native{name: c.name + "." + name, min: min, max: max, fn: fn, id: c.name + "." + name, keywords: true}
	d := &descriptor{what: classMethodKind, get: n.value()}
	d.flags = shared
	r.attr(c, name, d.value())
	r.identify(d.value(), n.id)
	r.identify(n.value(), n.id+" function")
}

// staticMethod defines a function in the namespace of a class.
func (r *registry) staticMethod(c *class, name string, min, max int, fn NativeFunc) {
	n := &Native{name: name, min: min, max: max, fn: fn, id: c.name + "." + name, keywords: true}
	d := &descriptor{what: staticMethodKind, get: n.value()}
	d.flags = shared
	r.attr(c, name, d.value())
	r.identify(d.value(), n.id)
	r.identify(n.value(), n.id+" function")
}

// maker defines how calling a built-in class makes an instance; the first
// argument is the class.
func (r *registry) maker(c *class, min, max int, fn NativeFunc) {
	c.make = &Native{name: c.name, min: min + 1, max: max, fn: fn, keywords: true, maker: true, id: c.name + " maker"}
	if max >= 0 {
		c.make.max = max + 1
	}
	r.identify(c.make.value(), c.make.id)
}

// staticClass makes a built-in class.
func staticClass(name string, layout Kind, bases ...*class) *class {
	c := &class{name: name, qualName: name, bases: bases, layout: layout, plainSetAttr: true}
	c.flags = shared
	c.value()
	c.mro = []*class{c}
	if len(bases) == 1 {
		c.mro = append(c.mro, bases[0].mro...)
	}
	return c
}

// The built-in types.
var (
	objectType    = staticClass("object", kindInstance)
	typeType      = staticClass("type", kindClass, objectType)
	noneType      = final(staticClass("NoneType", kindNone, objectType))
	intType       = staticClass("int", kindInt, objectType)
	boolType      = final(staticClass("bool", kindBool, intType))
	floatType     = staticClass("float", kindFloat, objectType)
	strType       = staticClass("str", kindStr, objectType)
	bytesType     = staticClass("bytes", kindBytes, objectType)
	tupleType     = staticClass("tuple", kindTuple, objectType)
	listType      = staticClass("list", kindList, objectType)
	dictType      = staticClass("dict", kindDict, objectType)
	setType       = staticClass("set", kindSet, objectType)
	frozenSetType = staticClass("frozenset", kindFrozenSet, objectType)
	rangeType     = final(staticClass("range", kindRange, objectType))
	sliceType     = final(staticClass("slice", kindSlice, objectType))
	functionType  = final(staticClass("function", kindFunction, objectType))
	nativeType    = final(staticClass("builtin_function_or_method", kindNative, objectType))
	methodType    = final(staticClass("method", kindMethod, objectType))
	cellType      = final(staticClass("cell", kindCell, objectType))
	moduleType    = final(staticClass("module", kindModule, objectType))
	toolType      = final(staticClass("tool", kindTool, objectType))
	futureType    = final(staticClass("Future", kindFuture, objectType))
	taskType      = final(staticClass("Task", kindFuture, futureType))
	superType     = final(staticClass("super", kindSuper, objectType))
	generatorType = final(staticClass("generator", kindGenerator, objectType))
	coroutineType = final(staticClass("coroutine", kindGenerator, objectType))
	asyncGenType  = final(staticClass("async_generator", kindGenerator, objectType))
	ellipsisType  = final(staticClass("ellipsis", kindSingleton, objectType))
	notImplType   = final(staticClass("NotImplementedType", kindSingleton, objectType))
	fileType      = final(staticClass("File", kindHandle, objectType))
	dirType       = final(staticClass("Dir", kindHandle, objectType))
	frameType     = final(staticClass("DataFrame", kindHandle, objectType))
	propertyType  = staticClass("property", kindDescriptor, objectType)
	classMethType = final(staticClass("classmethod", kindDescriptor, objectType))
	staticMthType = final(staticClass("staticmethod", kindDescriptor, objectType))
)

func final(c *class) *class {
	c.final = true
	return c
}

var kindClasses = [kindCount]*class{
	kindNone: noneType, kindBool: boolType, kindInt: intType, kindFloat: floatType, kindBigInt: intType, kindStr: strType,
	kindBytes: bytesType, kindTuple: tupleType, kindList: listType, kindDict: dictType, kindSet: setType,
	kindFrozenSet: frozenSetType, kindRange: rangeType, kindSlice: sliceType, kindFunction: functionType,
	kindNative: nativeType, kindMethod: methodType, kindClass: typeType, kindSuper: superType, kindCell: cellType,
	kindModule: moduleType, kindTool: toolType, kindFuture: futureType,
}

var descriptorClasses = [...]*class{propertyKind: propertyType, classMethodKind: classMethType, staticMethodKind: staticMthType}

var viewClasses = map[iteratorKind]*class{
	iterKeys:   final(staticClass("dict_keys", kindView, objectType)),
	iterValues: final(staticClass("dict_values", kindView, objectType)),
	iterItems:  final(staticClass("dict_items", kindView, objectType)),
}

var iteratorTypes = func() (all [iterASCII + 1]*class) {
	names := map[iteratorKind]string{
		iterList: "list_iterator", iterTuple: "tuple_iterator", iterStr: "str_iterator", iterASCII: "str_ascii_iterator", iterBytes: "bytes_iterator",
		iterRange: "range_iterator", iterKeys: "dict_keyiterator", iterValues: "dict_valueiterator",
		iterItems: "dict_itemiterator", iterSet: "set_iterator", iterReversed: "list_reverseiterator",
		iterReversedKeys: "dict_reversekeyiterator", iterReversedValues: "dict_reversevalueiterator",
		iterReversedItems: "dict_reverseitemiterator", iterEnumerate: "enumerate", iterZip: "zip", iterDone: "iterator",
		iterRing: "_deque_iterator", iterRingBack: "_deque_reverse_iterator", iterChoices: "choices_iterator",
	}
	for k, name := range names {
		all[k] = final(staticClass(name, kindIter, objectType))
	}
	return all
}()

func (it *iterator) class() *class {
	if s := it.seq.str(); it.what == iterStr && s != nil && s.flat() {
		return iteratorTypes[iterASCII]
	}
	return iteratorTypes[it.what]
}

func (o *singleton) class() *class {
	if o.name == "Ellipsis" {
		return ellipsisType
	}
	return notImplType
}

func (g *generator) class() *class {
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
