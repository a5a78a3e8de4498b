package machine

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// instantiate calls the class c with the n arguments at base. When again is
// true, the call that it wants instead is in m.tail.
func (m *Machine) instantiate(c *class, base, n int, names *tuple, cont continuation, extra Value) (v Value, again bool, err error) {
	if c.meta != nil {
		if fn, ok := m.lookup(c.meta, nameCall); ok && fn.kind() == kindFunction {
			return m.tailAll(fn, c.ref(), base, n, names)
		}
	}
	if c.flags&shared != 0 && c.layout != kindException {
		return m.makeNative(c, base, n, names)
	}
	if c.abstract != nil {
		return Value{}, false, abstractError(c)
	}
	init, _ := m.lookup(c, nameInit)
	if fn, ok := m.lookup(c, nameNew); ok && !isNativeNew(fn) {
		return m.constructed(c, base, n, names)
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
	switch init.kind() {
	case kindFunction:
		m.stack[base-1] = obj
		if cont != contStore {
			return m.constructed(c, base, n, names)
		}
		v, err = m.callFunction(init.function(), base-1, n+1, names, contInit, obj)
		return v, false, err
	case kindNative:
		m.stack[base-1] = obj
		_, err = m.callNative(init.native(), base-1, n+1, names)
		if err == errTail { // __init__ goes on as code of the program
			t := m.tail
			t.cont, t.extra = contExtra, obj
			m.tail = t
			return Value{}, true, nil
		}
		return obj, false, err
	}
	return obj, false, nil
}

func isNativeNew(fn Value) bool {
	if d := fn.descriptor(); d != nil {
		fn = d.get
	}
	return fn.kind() == kindNative
}

// constructed asks for the general way to make an instance: cls.__new__, then
// __init__.
func (m *Machine) constructed(c *class, base, n int, names *tuple) (Value, bool, error) {
	return m.tailAll(m.intrinsic("construct"), c.ref(), base, n, names)
}

// tailAll asks for fn(first, arguments...).
func (m *Machine) tailAll(fn, first Value, base, n int, names *tuple) (Value, bool, error) {
	args := make([]Value, 0, n+1)
	args = append(args, first)
	args = append(args, m.stack[base:base+n]...)
	m.tail = tailCall{fn: fn, args: args, names: names}
	return Value{}, true, nil
}

// makeNative makes an instance of a built-in type.
func (m *Machine) makeNative(c *class, base, n int, names *tuple) (Value, bool, error) {
	if c.make == nil {
		return Value{}, false, raise.Type("cannot create '%s' instances", c.name)
	}
	m.stack[base-1] = c.ref()
	v, err := m.callNative(c.make, base-1, n+1, names)
	if err == errTail {
		return Value{}, true, nil
	}
	return v, false, err
}

// newInstance makes a bare instance of a class of the program. init is the
// class's __init__.
func (m *Machine) newInstance(c *class, a Args, init Value) (*instance, error) {
	if err := m.Alloc(instanceBytes); err != nil {
		return nil, err
	}
	o := &instance{class: c}
	switch c.layout {
	case kindInstance:
		if (init.kind() != kindFunction) && len(a.v) > 0 && !m.hasNew(c) {
			return nil, raise.Type("%s() takes no arguments", c.name)
		}
	case kindException:
		args, err := m.newTupleCopy(a.positional())
		if err != nil {
			return nil, err
		}
		if init.kind() == kindNative && a.named() > 0 {
			return nil, raise.Type("%s() takes no keyword arguments", c.name)
		}
		o.payload = args
	case kindList, kindDict, kindSet:
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

func (m *Machine) hasNew(c *class) bool {
	fn, ok := m.lookup(c, nameNew)
	return ok && !isNativeNew(fn)
}

func (m *Machine) emptyPayload(c *class) (Value, error) {
	switch c.layout {
	case kindList:
		return m.newListCopy(nil)
	case kindDict:
		return m.newDict().ref(), nil
	}
	return m.newSet().ref(), nil
}

// makePayload makes the built-in part of an instance of a subclass of an
// immutable type from the arguments of the call.
func (m *Machine) makePayload(c *class, a Args) (Value, error) {
	if c.make == nil {
		return Value{}, raise.Type("cannot create '%s' instances", c.name)
	}
	v := append([]Value{c.nativeBase().ref()}, a.v...)
	args := Args{v, a.names}
	if err := c.make.check(args); err != nil {
		return Value{}, err
	}
	return c.make.fn(m, args)
}

// nativeBase is the built-in type that a class derives from.
func (c *class) nativeBase() *class {
	for _, k := range c.mro {
		if k.flags&shared != 0 {
			return k
		}
	}
	return objectType
}

func abstractError(c *class) error {
	return raise.Type("Can't instantiate abstract class %s with abstract method%s %s",
		c.name, plural(len(c.abstract)), strings.Join(c.abstract, ", "))
}
