package machine

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// instantiate calls the class c with the n arguments at base. When again is
// true, the call that it wants instead is in m.tail.
func (m *Machine) instantiate(c *Class, base, n int, names *Tuple, cont continuation) (v Value, again bool, err error) {
	if c.meta != nil {
		if fn, ok := m.Lookup(c.meta, nameCall); ok && fn.Kind() == KindFunction {
			return m.tailAll(fn, c.Ref(), base, n, names)
		}
	}
	if c.flags&shared != 0 && c.layout != KindException {
		return m.makeNative(c, base, n, names)
	}
	if c.abstract != nil {
		return Value{}, false, abstractError(c)
	}
	init, _ := m.Lookup(c, nameInit)
	if fn, ok := m.Lookup(c, nameNew); ok && !isNativeNew(fn) {
		if ownInit(init) || !isSwiftNew(fn) {
			return m.constructed(c, base, n, names)
		}
		v, err = m.swiftNew(fn, c, base, n, names)
		if err == errTail {
			return Value{}, true, nil
		}
		return v, false, err
	}
	o, err := m.newInstance(c, Args{m.stack[base : base+n], names}, init)
	if err == errTail {
		m.tail = tailCall{}
		return m.constructed(c, base, n, names)
	}
	if err != nil {
		return Value{}, false, err
	}
	obj := o.value()
	if cont != contStore && init.Bound() {
		return m.constructed(c, base, n, names)
	}
	switch init.Kind() {
	case KindFunction:
		m.stack[base-1] = obj
		v, err = m.callFunction(init.function(), base-1, n+1, names, contInit, obj)
		return v, false, err
	case KindNative:
		m.stack[base-1] = obj
		entered := len(m.frames)
		_, err = m.callNative(init.native(), base-1, n+1, names)
		switch err {
		case errTail: // __init__ continues as code of the program
			m.tail.cont, m.tail.extra = contExtra, obj
			return Value{}, true, nil
		case errEntered:
			err = m.redirect(entered, contExtra, obj)
		}
		return obj, false, err
	}
	return obj, false, nil
}

// ownInit reports whether an __init__ is of the program or of a bundled module.
func ownInit(init Value) bool {
	n := init.native()
	return init.Kind() == KindFunction || n != nil && n.method
}

// isNativeNew reports whether a __new__ is that of a built-in class.
func isNativeNew(fn Value) bool {
	if d := fn.descriptor(); d != nil {
		fn = d.get
	}
	return isBuiltIn(fn)
}

// isSwiftNew reports whether a __new__ is that of a class of a bundled module,
// written in Go.
func isSwiftNew(fn Value) bool { return isTupleNew(fn) || fn.Kind() == KindNative }

// swiftNew calls it with the n arguments at base.
func (m *Machine) swiftNew(fn Value, c *Class, base, n int, names *Tuple) (Value, error) {
	if o := fn.method(); o != nil {
		return m.newRecord(o.self, c, Args{m.stack[base : base+n], names})
	}
	m.stack[base-1] = c.Ref()
	return m.callNative(fn.native(), base-1, n+1, names)
}

// constructed asks for the general way to make an instance: cls.__new__, then
// __init__.
func (m *Machine) constructed(c *Class, base, n int, names *Tuple) (Value, bool, error) {
	return m.tailAll(m.Intrinsic("construct"), c.Ref(), base, n, names)
}

// tailAll asks for fn(first, arguments...).
func (m *Machine) tailAll(fn, first Value, base, n int, names *Tuple) (Value, bool, error) {
	args := make([]Value, 0, n+1)
	args = append(args, first)
	args = append(args, m.stack[base:base+n]...)
	m.tail = tailCall{fn: fn, args: args, names: names}
	return Value{}, true, nil
}

// makeNative makes an instance of a built-in type.
func (m *Machine) makeNative(c *Class, base, n int, names *Tuple) (Value, bool, error) {
	if c.make == nil {
		return Value{}, false, raise.Type("cannot create '%s' instances", c.name)
	}
	m.stack[base-1] = c.Ref()
	v, err := m.callNative(c.make, base-1, n+1, names)
	if err == errTail {
		return Value{}, true, nil
	}
	return v, false, err
}

// newInstance makes a bare instance of a class of the program. init is the
// class's __init__.
func (m *Machine) newInstance(c *Class, a Args, init Value) (*Instance, error) {
	if err := m.Alloc(InstanceBytes); err != nil {
		return nil, err
	}
	o := m.bareInstance(c)
	switch c.layout {
	case KindInstance:
		if !ownInit(init) && len(a.v) > 0 && !m.hasNew(c) {
			return nil, raise.Type("%s() takes no arguments", c.name)
		}
	case KindException:
		args, err := m.NewTuple(a.Positional())
		if err != nil {
			return nil, err
		}
		if init.Kind() == KindNative && a.Named() > 0 {
			if err := m.exceptionDetails(o, a); err != nil {
				return nil, err
			}
		}
		o.payload = args
		if c.IsSubclass(excBaseGroup) {
			if err := m.newGroup(o, a); err != nil {
				return nil, err
			}
		}
	case KindList, KindDict, KindSet:
		payload, err := m.emptyPayload(c)
		if err != nil {
			return nil, err
		}
		o.payload = payload
	default:
		payload, err := m.makePayload(c, a)
		if err != nil {
			return nil, err
		}
		o.payload = payload
	}
	return o, nil
}

// roomy are instances with the room for their attributes beside them, in one
// allocation.
type (
	instanceOf2 struct {
		Instance
		array [2]entry
	}
	instanceOf4 struct {
		Instance
		array [4]entry
	}
)

// bareInstance makes an instance of c with room for as many attributes as
// others had. The caller has paid instanceBytes.
func (m *Machine) bareInstance(c *Class) *Instance {
	var o *Instance
	switch c.room {
	case 0:
		return &Instance{class: c}
	case 1, 2:
		with := &instanceOf2{}
		o = &with.Instance
		o.own.entries = with.array[:0]
	default:
		with := &instanceOf4{}
		o = &with.Instance
		o.own.entries = with.array[:0]
	}
	m.Spend(cap(o.own.entries) * entryBytes)
	o.class, o.flags = c, roomy
	return o
}

// maxRoom is the most attributes that an instance is given room for beforehand.
const maxRoom = 4

// addAttr stores an attribute that o does not have yet.
func (m *Machine) addAttr(o *Instance, name *Str, x Value) error {
	if isReflected(name.s) {
		return m.setReflected(o, name.s, x)
	}
	if n := o.attrs().growth(); n > 0 {
		if err := m.Alloc(n); err != nil {
			return err
		}
	}
	o.attrs().insert(name.Ref(), x, name.tableHash())
	if c := o.class; c.room < o.attrs().Len() && o.attrs().Len() <= maxRoom && c.flags&shared == 0 {
		c.room = o.attrs().Len()
	}
	return nil
}

// initOf returns the __init__ of a class whose instances are made by nothing
// but a call of it with positional arguments, or nil.
func (m *Machine) initOf(c *Class) *function {
	if c.flags&shared != 0 { // other instances use it at this moment
		return nil
	}
	if c.initEpoch == m.classes+1 {
		return c.init
	}
	c.init, c.initEpoch = nil, m.classes+1
	if c.meta != nil || c.layout != KindInstance || m.hasNew(c) {
		return nil
	}
	init, _ := m.Lookup(c, nameInit)
	if f := init.function(); f != nil && f.code.simple {
		c.init = f
	}
	return c.init
}

// construct makes an instance of the class at m.stack[at] by init, which takes
// the instance and the arguments above.
func (m *Machine) construct(c *Class, init *function, at int) error {
	if err := m.Alloc(InstanceBytes); err != nil {
		return err
	}
	obj := m.bareInstance(c).value()
	m.stack[at] = obj
	u := init.code
	if err := m.push(u, init, init.globals, at, contInit, obj); err != nil {
		return err
	}
	for n := at + int(u.pos); n < at+int(u.locals); n++ {
		m.stack[n] = Value{}
	}
	return nil
}

func (m *Machine) hasNew(c *Class) bool {
	fn, ok := m.Lookup(c, nameNew)
	return ok && !isNativeNew(fn)
}

func (m *Machine) emptyPayload(c *Class) (Value, error) {
	switch c.layout {
	case KindList:
		return m.NewList(nil)
	case KindDict:
		return m.NewDict().Ref(), nil
	}
	return m.NewSet().ref(), nil
}

// makePayload makes the built-in part of an instance of a subclass of an
// immutable type from the arguments of the call.
func (m *Machine) makePayload(c *Class, a Args) (Value, error) {
	if c.make == nil {
		return Value{}, raise.Type("cannot create '%s' instances", c.name)
	}
	v := append([]Value{c.nativeBase().Ref()}, a.v...)
	args := Args{v, a.names}
	if err := c.make.check(args); err != nil {
		return Value{}, err
	}
	return c.make.fn(m, args)
}

// nativeBase is the built-in type that a class derives from.
func (c *Class) nativeBase() *Class {
	for _, k := range c.mro {
		if k.flags&shared != 0 {
			return k
		}
	}
	return objectType
}

func abstractError(c *Class) error {
	return raise.Type("Can't instantiate abstract class %s with abstract method%s %s",
		c.name, plural(len(c.abstract)), strings.Join(c.abstract, ", "))
}
