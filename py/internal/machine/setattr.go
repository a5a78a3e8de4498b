package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// setAttr does v.name = x.
func (m *Machine) setAttr(v, name, x Value) error {
	n := name.Str()
	if n == nil {
		return ErrMalformed
	}
	switch o := v.Self().(type) {
	case *Instance:
		if !o.class.plainSetAttr {
			if fn, ok := m.Lookup(o.class, nameSetAttr); ok {
				return m.discard(m.enter(fn, contDiscard, Value{}, v, name, x))
			}
		}
		return m.setInstanceAttr(o, v, n, x)
	case *Class:
		if o.meta != nil {
			if fn, ok := m.Lookup(o.meta, nameSetAttr); ok && fn.Kind() == KindFunction {
				return m.discard(m.enter(fn, contDiscard, Value{}, v, name, x))
			}
		}
		return m.setClassAttr(o, n, x)
	case *function:
		return m.setFunctionAttr(o, n, x)
	case *ModuleObject:
		return m.setStream(o, n, x)
	}
	if c := ClassOf(v); c != nil {
		if _, ok := m.Lookup(c, n); ok {
			return raise.Attribute("'%s' object attribute '%s' is read-only", c.name, n.s)
		}
	}
	return m.noAttr(v, n)
}

// discard drops the value of a call and keeps its error.
func (m *Machine) discard(_ Value, err error) error { return err }

// setInstanceAttr is object.__setattr__.
func (m *Machine) setInstanceAttr(o *Instance, v Value, name *Str, x Value) error {
	if o.class.dataDescriptors {
		if found, ok := m.Lookup(o.class, name); ok && isDataDescriptor(found) {
			return m.setDescriptor(found, v, x)
		}
	}
	if isReflected(name.s) {
		return m.setReflected(o, name.s, x)
	}
	if o.class.slotted {
		if err := m.checkSlot(o, v, name); err != nil {
			return err
		}
	}
	return m.storeAttr(o.attrs(), name, x)
}

func (m *Machine) setDescriptor(found, v, x Value) error {
	d := found.descriptor()
	if d == nil {
		set, ok := m.Lookup(ClassOf(found), nameSet)
		if !ok {
			return raise.Attribute("__set__")
		}
		return m.discard(m.enter(set, contDiscard, Value{}, found, v, x))
	}
	if !d.set.Bound() || d.set.IsNone() {
		c := ClassOf(v)
		return raise.Attribute("property%s of '%s' object has no setter", c.nameOf(d), c.name)
	}
	return m.discard(m.enter(d.set, contDiscard, Value{}, v, x))
}

func (m *Machine) storeAttr(t *table, name *Str, x Value) error {
	if i := t.findStr(name); i >= 0 {
		t.entries[i].value = x
		return nil
	}
	if n := t.growth(); n > 0 {
		if err := m.Alloc(n); err != nil {
			return err
		}
	}
	t.insert(name.Ref(), x, name.tableHash())
	return nil
}

func (m *Machine) setClassAttr(c *Class, name *Str, x Value) error {
	if c.flags&shared != 0 {
		return raise.Type("cannot set '%s' attribute of immutable type '%s'", name.s, c.name)
	}
	if name.s == "__name__" {
		if s := x.Str(); s != nil {
			c.name = s.s
			return nil
		}
	}
	if name.s == "__qualname__" {
		if s := x.Str(); s != nil {
			c.qualName = s.s
			return nil
		}
	}
	switch name.s {
	case "__class__", "__dict__", "__mro__", "__bases__", "__base__":
		return raise.Type("attribute '%s' of '%s' objects is not writable", name.s, "type")
	}
	if err := m.storeAttr(&c.attrs, name, x); err != nil {
		return err
	}
	m.classChanged(c)
	return nil
}

func (m *Machine) classChanged(c *Class) {
	m.classes++
	c.settle()
}

func (m *Machine) setFunctionAttr(f *function, name *Str, x Value) error {
	if f.flags&shared != 0 {
		return raise.Attribute("'function' object has no attribute '%s'", name.s)
	}
	switch name.s {
	case "__name__", "__qualname__":
		s := x.Str()
		if s == nil {
			return raise.Type("%s must be set to a string object", name.s)
		}
		if name.s == "__name__" {
			f.name = s
		} else {
			f.qual = s
		}
		return nil
	case "__doc__":
		f.doc = x
		return nil
	}
	if f.attrs == nil {
		f.attrs = &table{}
	}
	if isReflected(name.s) {
		return raise.Type("attribute '%s' of 'function' objects is not writable", name.s)
	}
	return m.storeAttr(f.attrs, name, x)
}

// deleteAttr does del v.name.
func (m *Machine) deleteAttr(v, name Value) error {
	n := name.Str()
	if n == nil {
		return ErrMalformed
	}
	switch o := v.Self().(type) {
	case *Instance:
		if fn, ok := m.Lookup(o.class, nameDelAttr); ok && !fn.Is(known.natives["object.__delattr__"]) {
			return m.discard(m.enter(fn, contDiscard, Value{}, v, name))
		}
		return m.deleteInstanceAttr(o, v, n)
	case *Class:
		if o.meta != nil {
			if fn, ok := m.Lookup(o.meta, nameDelAttr); ok && fn.Kind() == KindFunction {
				return m.discard(m.enter(fn, contDiscard, Value{}, v, name))
			}
		}
		return m.deleteClassAttr(o, n)
	case *function:
		if o.attrs != nil {
			if i := o.attrs.findStr(n); i >= 0 {
				o.attrs.remove(i)
				return nil
			}
		}
	}
	return m.noAttr(v, n)
}

func (m *Machine) deleteClassAttr(c *Class, name *Str) error {
	i := c.attrs.findStr(name)
	if i < 0 || c.flags&shared != 0 {
		return m.noAttr(c.Ref(), name)
	}
	c.attrs.remove(i)
	m.classChanged(c)
	return nil
}

func (m *Machine) deleteInstanceAttr(o *Instance, v Value, name *Str) error {
	if found, ok := m.Lookup(o.class, name); ok && isDataDescriptor(found) {
		d := found.descriptor()
		if d == nil {
			return m.deleteDescriptor(found, v)
		}
		return m.deleteProperty(d, v)
	}
	i := o.attrs().findStr(name)
	if i < 0 {
		return raise.Attribute("'%s' object has no attribute '%s'", TypeName(v), name.s)
	}
	o.attrs().remove(i)
	return nil
}

func (m *Machine) deleteProperty(d *descriptor, v Value) error {
	if !d.del.Bound() || d.del.IsNone() {
		c := ClassOf(v)
		return raise.Attribute("property%s of '%s' object has no deleter", c.nameOf(d), c.name)
	}
	return m.discard(m.enter(d.del, contDiscard, Value{}, v))
}

func (m *Machine) deleteDescriptor(found, v Value) error {
	del, ok := m.Lookup(ClassOf(found), nameDelete)
	if !ok {
		return raise.Attribute("__delete__")
	}
	return m.discard(m.enter(del, contDiscard, Value{}, found, v))
}
