package machine

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// attr returns v.name. It returns errEntered when a property or __getattr__ of
// the program works it out.
func (m *Machine) attr(v, name Value) (Value, error) {
	n := name.Str()
	if n == nil {
		return Value{}, ErrMalformed
	}
	switch o := v.Self().(type) {
	case *Instance:
		return m.instanceAttr(o, v, n)
	case *Class:
		return m.classAttr(o, n)
	case *ModuleObject:
		return m.moduleAttr(o, n)
	case *superObject:
		return m.superAttr(o, n)
	case *function:
		if found, ok := o.attr(n); ok {
			return found, nil
		}
		if n.s == "__annotations__" {
			return m.enter(m.Intrinsic("annotations_of"), contStore, Value{}, v)
		}
	case *method:
		if found, ok := o.attr(n); ok {
			return found, nil
		}
		if n.s == "__annotations__" && o.fn.Kind() == KindFunction {
			return m.attr(o.fn, name)
		}
	case *Native:
		if found, ok := o.attr(n); ok {
			return found, nil
		}
	case *toolObject:
		if found, ok := o.attr(n); ok {
			return found, nil
		}
	case *generator:
		if found, ok := o.attr(n); ok {
			return found, nil
		}
	case *Opaque:
		if a := v.alias(); a != nil {
			if found, own, err := m.aliasAttr(a, n); own {
				return found, err
			}
		}
	}
	c := ClassOf(v)
	if c != nil {
		if found, ok := m.Lookup(c, n); ok {
			return m.bindAttr(found, v, c)
		}
	}
	return Value{}, m.noAttr(v, n)
}

func (m *Machine) noAttr(v Value, name *Str) error {
	return m.detailed(noAttrError(v, name), member{"name", name.Ref()}, member{"obj", v})
}

func noAttrError(v Value, name *Str) error {
	if o := v.Class(); o != nil {
		return raise.Attribute("type object '%s' has no attribute '%s'", o.typeName(), name.s)
	}
	if o := v.module(); o != nil {
		return raise.Attribute("module '%s' has no attribute '%s'", o.name, name.s)
	}
	return raise.Attribute("'%s' object has no attribute '%s'", TypeName(v), name.s)
}

func (m *Machine) instanceAttr(o *Instance, v Value, name *Str) (Value, error) {
	found, ok := m.Lookup(o.class, name)
	if ok && isDataDescriptor(found) {
		return m.bindAttr(found, v, o.class)
	}
	if i := o.attrs().findStr(name); i >= 0 {
		return o.attrs().entries[i].value, nil
	}
	if ok {
		return m.bindAttr(found, v, o.class)
	}
	if o.class.getAttr {
		if fn, ok := m.Lookup(o.class, nameGetAttr); ok {
			return m.enter(fn, contStore, Value{}, v, name.Ref())
		}
	}
	return Value{}, m.noAttr(v, name)
}

// bindAttr returns what an attribute found in the class c of v becomes.
func (m *Machine) bindAttr(found, v Value, c *Class) (Value, error) {
	switch o := found.Self().(type) {
	case *Native:
		if o.free() {
			return found, nil
		}
		m.Spend(methodBytes)
		return (&method{fn: found, self: v}).value(), nil
	case *function:
		m.Spend(methodBytes)
		return (&method{fn: found, self: v}).value(), nil
	case *descriptor:
		return m.bindDescriptor(o, v, c)
	case *Instance:
		if get, ok := m.Lookup(o.class, nameDescriptorGet); ok {
			return m.enter(get, contStore, Value{}, found, v, c.Ref())
		}
	}
	return found, nil
}

func (m *Machine) bindDescriptor(d *descriptor, v Value, c *Class) (Value, error) {
	switch d.what {
	case classMethodKind:
		m.Spend(methodBytes)
		return (&method{fn: d.get, self: c.Ref()}).value(), nil
	case staticMethodKind:
		return d.get, nil
	}
	if g := d.get.method(); g != nil && g.fn.o == itemGet.o {
		return itemOf(v, g.self)
	}
	if !d.get.Bound() || d.get.IsNone() {
		return Value{}, raise.Attribute("property%s of '%s' object has no getter", c.nameOf(d), c.name)
	}
	return m.enter(d.get, contStore, Value{}, v)
}

// nameOf returns the name of a property as messages show it, with a space
// before it.
func (c *Class) nameOf(d *descriptor) string {
	for _, k := range c.mro {
		for i := range k.attrs.entries {
			if e := &k.attrs.entries[i]; e.value.descriptor() == d && e.key.Str() != nil {
				return " '" + e.key.Str().s + "'"
			}
		}
	}
	return ""
}

func (m *Machine) classAttr(c *Class, name *Str) (Value, error) {
	if strings.HasPrefix(name.s, "__") {
		if v, ok, err := m.classReflection(c, name.s); ok || err != nil {
			return v, err
		}
	}
	if c.meta != nil {
		if found, ok := m.Lookup(c.meta, name); ok && isDataDescriptor(found) {
			return m.bindAttr(found, c.Ref(), c.meta)
		}
	}
	if found, ok := m.Lookup(c, name); ok {
		switch o := found.Self().(type) {
		case *descriptor:
			switch o.what {
			case classMethodKind:
				m.Spend(methodBytes)
				return (&method{fn: o.get, self: c.Ref()}).value(), nil
			case staticMethodKind:
				return o.get, nil
			}
		case *Instance:
			if get, ok := m.Lookup(o.class, nameDescriptorGet); ok {
				return m.enter(get, contStore, Value{}, found, None, c.Ref())
			}
		}
		if v, ok := c.special(name); ok && found.Kind() == KindDescriptor {
			return v, nil
		}
		return found, nil
	}
	if v, ok := c.special(name); ok {
		return v, nil
	}
	meta := c.meta
	if meta == nil {
		meta = typeType
	}
	if found, ok := m.Lookup(meta, name); ok {
		return m.bindAttr(found, c.Ref(), meta)
	}
	if fn, ok := m.Lookup(meta, nameGetAttr); ok {
		return m.enter(fn, contStore, Value{}, c.Ref(), name.Ref())
	}
	return Value{}, m.noAttr(c.Ref(), name)
}

// special returns the few attributes that every class has.
func (c *Class) special(name *Str) (Value, bool) {
	switch name.s {
	case "__name__":
		return SharedStr(c.name).Ref(), true
	case "__qualname__":
		return SharedStr(c.qualName).Ref(), true
	case "__doc__":
		return None, true
	case "__module__":
		return SharedStr(c.module()).Ref(), true
	}
	return Value{}, false
}

// module is the module that a class shows.
func (c *Class) module() string {
	if i := c.attrs.findStr(nameModule); i >= 0 {
		if s := c.attrs.entries[i].value.Str(); s != nil {
			return s.s
		}
	}
	if c.flags&shared == 0 {
		return "__main__"
	}
	if module, ok := strings.CutSuffix(c.qualName, "."+c.name); ok {
		return module
	}
	return "builtins"
}

// attr returns the attributes that functions have.
func (f *function) attr(name *Str) (Value, bool) {
	if f.attrs != nil {
		if i := f.attrs.findStr(name); i >= 0 {
			return f.attrs.entries[i].value, true
		}
	}
	switch name.s {
	case "__name__":
		return SharedStr(f.title()).Ref(), true
	case "__qualname__":
		return SharedStr(f.qualName()).Ref(), true
	case "__module__":
		return SharedStr(f.globals.name).Ref(), true
	case "__doc__":
		if f.doc.Bound() {
			return f.doc, true
		}
		if f.code.code.HasDoc {
			return SharedStr(f.code.code.Doc).Ref(), true
		}
		return None, true
	}
	return Value{}, false
}

// attr returns the attributes that a method has from its function.
func (o *method) attr(name *Str) (Value, bool) {
	if name.s == "__self__" || name.s == "__func__" {
		return Value{}, false
	}
	switch f := o.fn.Self().(type) {
	case *function:
		return f.attr(name)
	case *Native:
		return f.attr(name)
	}
	return Value{}, false
}

// attr returns the attributes that native functions have.
func (n *Native) attr(name *Str) (Value, bool) {
	switch name.s {
	case "__name__":
		return SharedStr(n.name[strings.LastIndexByte(n.name, '.')+1:]).Ref(), true
	case "__qualname__":
		return SharedStr(n.name).Ref(), true
	case "__module__":
		return SharedStr(n.home()).Ref(), true
	case "__doc__":
		return None, true
	}
	return Value{}, false
}

// home is the module that a native function shows.
func (n *Native) home() string {
	if n.module != "" {
		return n.module
	}
	return "builtins"
}

// attr returns the attributes that a tool has in common with functions.
func (t *toolObject) attr(name *Str) (Value, bool) {
	switch name.s {
	case "__name__", "__qualname__":
		return SharedStr(t.decl.Name).Ref(), true
	case "__module__":
		return SharedStr("__main__").Ref(), true
	case "__doc__":
		if t.decl.Doc == "" {
			return None, true
		}
		return SharedStr(t.decl.Doc).Ref(), true
	}
	return Value{}, false
}

// attr returns the names that a generator has from its function.
func (g *generator) attr(name *Str) (Value, bool) {
	if g.fn == nil || name.s != "__name__" && name.s != "__qualname__" {
		return Value{}, false
	}
	return g.fn.attr(name)
}

func (f *function) title() string {
	if f.name != nil {
		return f.name.s
	}
	return f.code.code.Name
}

func (f *function) qualName() string {
	if f.qual != nil {
		return f.qual.s
	}
	return f.code.code.QualName
}

// checkAttr raises AttributeError when v certainly has no attribute name.
func (m *Machine) checkAttr(v, name Value) error {
	if n := name.Str(); !m.mayHave(v, n) {
		return m.noAttr(v, n)
	}
	return nil
}

// mayHave reports whether v has an attribute name, or may get one from code.
func (m *Machine) mayHave(v Value, name *Str) bool {
	switch o := v.Self().(type) {
	case *Instance:
		_, ok := m.Lookup(o.class, name)
		return ok || o.attrs().findStr(name) >= 0 || o.class.getAttr
	case *Class, *ModuleObject, *superObject, *function:
		return true
	}
	if c := ClassOf(v); c != nil {
		_, ok := m.Lookup(c, name)
		return ok
	}
	return false
}

// special returns a method that is looked up in the type only, bound to v. how
// chooses the words of the error.
func (m *Machine) special(v, name Value, how uint8) (Value, error) {
	n := name.Str()
	if n == nil {
		return Value{}, ErrMalformed
	}
	c := ClassOf(v)
	if c != nil {
		if found, ok := m.Lookup(c, n); ok {
			return m.bindAttr(found, v, c)
		}
	}
	switch how {
	case 1:
		missed := ""
		if n.s == "__exit__" {
			missed = " (missed __exit__ method)"
		}
		return Value{}, raise.Type("'%s' object does not support the context manager protocol%s", TypeName(v), missed)
	case 2:
		return Value{}, raise.Type("'%s' object does not support the asynchronous context manager protocol", TypeName(v))
	}
	return Value{}, m.noAttr(v, n)
}

// newFunction makes the function of OpFunction.
func (m *Machine) newFunction(u *unit, k int, f *frame, r *[window]Value, a, flags uint8) (Value, error) {
	c, ok := u.mod.unitOf(u.consts[k])
	if !ok {
		return Value{}, ErrMalformed
	}
	captures := c.code.Captures
	m.Spend(functionBytes + len(captures)*8)
	fn := &function{code: c, globals: f.mod}
	if flags&1 != 0 {
		if t := r[a+1].Tuple(); t != nil {
			fn.defaults = t.items
		}
	}
	if flags&2 != 0 {
		fn.kwDefaults = r[a+2].Dict()
	}
	if len(captures) > 0 {
		fn.cells = make([]*cell, len(captures))
	}
	for i, capture := range captures {
		fn.cells[i] = m.captured(capture, f, r)
		if fn.cells[i] == nil {
			return Value{}, ErrMalformed
		}
	}
	return fn.value(), nil
}

func (m *Machine) captured(c code.Capture, f *frame, r *[window]Value) *cell {
	if c.Local {
		return r[uint8(c.Index)].cell()
	}
	if c.Index >= len(f.fn.cells) {
		return nil
	}
	return f.fn.cells[c.Index]
}
