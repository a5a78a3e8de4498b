package machine

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// attr returns v.name. It returns errEntered when a property or __getattr__ of
// the program works it out.
func (m *Machine) attr(v, name Value) (Value, error) {
	n := name.str()
	if n == nil {
		return Value{}, errCorrupt
	}
	switch o := v.self().(type) {
	case *instance:
		return m.instanceAttr(o, v, n)
	case *class:
		return m.classAttr(o, n)
	case *module:
		return m.moduleAttr(o, n)
	case *superObject:
		return m.superAttr(o, n)
	case *function:
		if found, ok := o.attr(n); ok {
			return found, nil
		}
		if n.s == "__annotations__" {
			return m.enter(m.intrinsic("annotations_of"), contStore, Value{}, v)
		}
	case *method:
		if found, ok := o.attr(n); ok {
			return found, nil
		}
		if n.s == "__annotations__" && o.fn.kind() == kindFunction {
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
	case *opaque:
		if a := v.alias(); a != nil {
			if found, own, err := m.aliasAttr(a, n); own {
				return found, err
			}
		}
	}
	c := classOf(v)
	if c != nil {
		if found, ok := m.lookup(c, n); ok {
			return m.bindAttr(found, v, c)
		}
	}
	return Value{}, m.noAttr(v, n)
}

func (m *Machine) noAttr(v Value, name *str) error {
	return m.detailed(noAttrError(v, name), member{"name", name.ref()}, member{"obj", v})
}

func noAttrError(v Value, name *str) error {
	if o := v.class(); o != nil {
		return raise.Attribute("type object '%s' has no attribute '%s'", o.typeName(), name.s)
	}
	if o := v.module(); o != nil {
		return raise.Attribute("module '%s' has no attribute '%s'", o.name, name.s)
	}
	return raise.Attribute("'%s' object has no attribute '%s'", typeName(v), name.s)
}

func (m *Machine) instanceAttr(o *instance, v Value, name *str) (Value, error) {
	found, ok := m.lookup(o.class, name)
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
		if fn, ok := m.lookup(o.class, nameGetAttr); ok {
			return m.enter(fn, contStore, Value{}, v, name.ref())
		}
	}
	return Value{}, m.noAttr(v, name)
}

// bindAttr returns what an attribute found in the class c of v becomes.
func (m *Machine) bindAttr(found, v Value, c *class) (Value, error) {
	switch o := found.self().(type) {
	case *Native:
		if o.free() {
			return found, nil
		}
		m.spend(methodBytes)
		return (&method{fn: found, self: v}).value(), nil
	case *function:
		m.spend(methodBytes)
		return (&method{fn: found, self: v}).value(), nil
	case *descriptor:
		return m.bindDescriptor(o, v, c)
	case *instance:
		if get, ok := m.lookup(o.class, nameDescriptorGet); ok {
			return m.enter(get, contStore, Value{}, found, v, c.ref())
		}
	}
	return found, nil
}

func (m *Machine) bindDescriptor(d *descriptor, v Value, c *class) (Value, error) {
	switch d.what {
	case classMethodKind:
		m.spend(methodBytes)
		return (&method{fn: d.get, self: c.ref()}).value(), nil
	case staticMethodKind:
		return d.get, nil
	}
	if g := d.get.method(); g != nil && g.fn.o == itemGet.o {
		return itemOf(v, g.self)
	}
	if !d.get.bound() || d.get.isNone() {
		return Value{}, raise.Attribute("property%s of '%s' object has no getter", c.nameOf(d), c.name)
	}
	return m.enter(d.get, contStore, Value{}, v)
}

// nameOf returns the name of a property as messages show it, with a space
// before it.
func (c *class) nameOf(d *descriptor) string {
	for _, k := range c.mro {
		for i := range k.attrs.entries {
			if e := &k.attrs.entries[i]; e.value.descriptor() == d && e.key.str() != nil {
				return " '" + e.key.str().s + "'"
			}
		}
	}
	return ""
}

func (m *Machine) classAttr(c *class, name *str) (Value, error) {
	if strings.HasPrefix(name.s, "__") {
		if v, ok, err := m.classReflection(c, name.s); ok || err != nil {
			return v, err
		}
	}
	if c.meta != nil {
		if found, ok := m.lookup(c.meta, name); ok && isDataDescriptor(found) {
			return m.bindAttr(found, c.ref(), c.meta)
		}
	}
	if found, ok := m.lookup(c, name); ok {
		switch o := found.self().(type) {
		case *descriptor:
			switch o.what {
			case classMethodKind:
				m.spend(methodBytes)
				return (&method{fn: o.get, self: c.ref()}).value(), nil
			case staticMethodKind:
				return o.get, nil
			}
		case *instance:
			if get, ok := m.lookup(o.class, nameDescriptorGet); ok {
				return m.enter(get, contStore, Value{}, found, None, c.ref())
			}
		}
		if v, ok := c.special(name); ok && found.kind() == kindDescriptor {
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
	if found, ok := m.lookup(meta, name); ok {
		return m.bindAttr(found, c.ref(), meta)
	}
	if fn, ok := m.lookup(meta, nameGetAttr); ok {
		return m.enter(fn, contStore, Value{}, c.ref(), name.ref())
	}
	return Value{}, m.noAttr(c.ref(), name)
}

// special returns the few attributes that every class has.
func (c *class) special(name *str) (Value, bool) {
	switch name.s {
	case "__name__":
		return newStr(c.name).ref(), true
	case "__qualname__":
		return newStr(c.qualName).ref(), true
	case "__doc__":
		return None, true
	case "__module__":
		return newStr(c.module()).ref(), true
	}
	return Value{}, false
}

// module is the module that a class shows.
func (c *class) module() string {
	if i := c.attrs.findStr(nameModule); i >= 0 {
		if s := c.attrs.entries[i].value.str(); s != nil {
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
func (f *function) attr(name *str) (Value, bool) {
	if f.attrs != nil {
		if i := f.attrs.findStr(name); i >= 0 {
			return f.attrs.entries[i].value, true
		}
	}
	switch name.s {
	case "__name__":
		return newStr(f.title()).ref(), true
	case "__qualname__":
		return newStr(f.qualName()).ref(), true
	case "__module__":
		return newStr(f.globals.name).ref(), true
	case "__doc__":
		if f.doc.bound() {
			return f.doc, true
		}
		if f.code.code.HasDoc {
			return newStr(f.code.code.Doc).ref(), true
		}
		return None, true
	}
	return Value{}, false
}

// attr returns the attributes that a method has from its function.
func (o *method) attr(name *str) (Value, bool) {
	if name.s == "__self__" || name.s == "__func__" {
		return Value{}, false
	}
	switch f := o.fn.self().(type) {
	case *function:
		return f.attr(name)
	case *Native:
		return f.attr(name)
	}
	return Value{}, false
}

// attr returns the attributes that native functions have.
func (n *Native) attr(name *str) (Value, bool) {
	switch name.s {
	case "__name__":
		return newStr(n.name[strings.LastIndexByte(n.name, '.')+1:]).ref(), true
	case "__qualname__":
		return newStr(n.name).ref(), true
	case "__module__":
		return newStr(n.home()).ref(), true
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
func (t *toolObject) attr(name *str) (Value, bool) {
	switch name.s {
	case "__name__", "__qualname__":
		return newStr(t.decl.Name).ref(), true
	case "__module__":
		return newStr("__main__").ref(), true
	case "__doc__":
		if t.decl.Doc == "" {
			return None, true
		}
		return newStr(t.decl.Doc).ref(), true
	}
	return Value{}, false
}

// attr returns the names that a generator has from its function.
func (g *generator) attr(name *str) (Value, bool) {
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

// setAttr does v.name = x.
func (m *Machine) setAttr(v, name, x Value) error {
	n := name.str()
	if n == nil {
		return errCorrupt
	}
	switch o := v.self().(type) {
	case *instance:
		if !o.class.plainSetAttr {
			if fn, ok := m.lookup(o.class, nameSetAttr); ok {
				return m.discard(m.enter(fn, contDiscard, Value{}, v, name, x))
			}
		}
		return m.setInstanceAttr(o, v, n, x)
	case *class:
		if o.meta != nil {
			if fn, ok := m.lookup(o.meta, nameSetAttr); ok && fn.kind() == kindFunction {
				return m.discard(m.enter(fn, contDiscard, Value{}, v, name, x))
			}
		}
		return m.setClassAttr(o, n, x)
	case *function:
		return m.setFunctionAttr(o, n, x)
	case *module:
		return m.setStream(o, n, x)
	}
	if c := classOf(v); c != nil {
		if _, ok := m.lookup(c, n); ok {
			return raise.Attribute("'%s' object attribute '%s' is read-only", c.name, n.s)
		}
	}
	return m.noAttr(v, n)
}

// discard turns the outcome of a call whose value nobody wants into an error.
func (m *Machine) discard(_ Value, err error) error { return err }

// setInstanceAttr is object.__setattr__.
func (m *Machine) setInstanceAttr(o *instance, v Value, name *str, x Value) error {
	if o.class.dataDescriptors {
		if found, ok := m.lookup(o.class, name); ok && isDataDescriptor(found) {
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
		set, ok := m.lookup(classOf(found), nameSet)
		if !ok {
			return raise.Attribute("__set__")
		}
		return m.discard(m.enter(set, contDiscard, Value{}, found, v, x))
	}
	if !d.set.bound() || d.set.isNone() {
		c := classOf(v)
		return raise.Attribute("property%s of '%s' object has no setter", c.nameOf(d), c.name)
	}
	return m.discard(m.enter(d.set, contDiscard, Value{}, v, x))
}

func (m *Machine) storeAttr(t *table, name *str, x Value) error {
	if i := t.findStr(name); i >= 0 {
		t.entries[i].value = x
		return nil
	}
	if n := t.growth(); n > 0 {
		if err := m.Alloc(n); err != nil {
			return err
		}
	}
	t.insert(name.ref(), x, name.tableHash())
	return nil
}

func (m *Machine) setClassAttr(c *class, name *str, x Value) error {
	if c.flags&shared != 0 {
		return raise.Type("cannot set '%s' attribute of immutable type '%s'", name.s, c.name)
	}
	if name.s == "__name__" {
		if s := x.str(); s != nil {
			c.name = s.s
			return nil
		}
	}
	if name.s == "__qualname__" {
		if s := x.str(); s != nil {
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

func (m *Machine) classChanged(c *class) {
	m.classes++
	c.settle()
}

func (m *Machine) setFunctionAttr(f *function, name *str, x Value) error {
	if f.flags&shared != 0 {
		return raise.Attribute("'function' object has no attribute '%s'", name.s)
	}
	switch name.s {
	case "__name__", "__qualname__":
		s := x.str()
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
	n := name.str()
	if n == nil {
		return errCorrupt
	}
	switch o := v.self().(type) {
	case *instance:
		if fn, ok := m.lookup(o.class, nameDelAttr); ok && !fn.is(known.natives["object.__delattr__"]) {
			return m.discard(m.enter(fn, contDiscard, Value{}, v, name))
		}
		return m.deleteInstanceAttr(o, v, n)
	case *class:
		if o.meta != nil {
			if fn, ok := m.lookup(o.meta, nameDelAttr); ok && fn.kind() == kindFunction {
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

func (m *Machine) deleteClassAttr(c *class, name *str) error {
	i := c.attrs.findStr(name)
	if i < 0 || c.flags&shared != 0 {
		return m.noAttr(c.ref(), name)
	}
	c.attrs.remove(i)
	m.classChanged(c)
	return nil
}

func (m *Machine) deleteInstanceAttr(o *instance, v Value, name *str) error {
	if found, ok := m.lookup(o.class, name); ok && isDataDescriptor(found) {
		d := found.descriptor()
		if d == nil {
			return m.deleteDescriptor(found, v)
		}
		return m.deleteProperty(d, v)
	}
	i := o.attrs().findStr(name)
	if i < 0 {
		return raise.Attribute("'%s' object has no attribute '%s'", typeName(v), name.s)
	}
	o.attrs().remove(i)
	return nil
}

func (m *Machine) deleteProperty(d *descriptor, v Value) error {
	if !d.del.bound() || d.del.isNone() {
		c := classOf(v)
		return raise.Attribute("property%s of '%s' object has no deleter", c.nameOf(d), c.name)
	}
	return m.discard(m.enter(d.del, contDiscard, Value{}, v))
}

func (m *Machine) deleteDescriptor(found, v Value) error {
	del, ok := m.lookup(classOf(found), nameDelete)
	if !ok {
		return raise.Attribute("__delete__")
	}
	return m.discard(m.enter(del, contDiscard, Value{}, found, v))
}

// checkAttr raises AttributeError when v certainly has no attribute name.
func (m *Machine) checkAttr(v, name Value) error {
	if n := name.str(); !m.mayHave(v, n) {
		return m.noAttr(v, n)
	}
	return nil
}

// mayHave reports whether v has an attribute name, or may get one from code.
func (m *Machine) mayHave(v Value, name *str) bool {
	switch o := v.self().(type) {
	case *instance:
		_, ok := m.lookup(o.class, name)
		return ok || o.attrs().findStr(name) >= 0 || o.class.getAttr
	case *class, *module, *superObject, *function:
		return true
	}
	if c := classOf(v); c != nil {
		_, ok := m.lookup(c, name)
		return ok
	}
	return false
}

// special returns a method that is looked up in the type only, bound to v. how
// chooses the words of the error.
func (m *Machine) special(v, name Value, how uint8) (Value, error) {
	n := name.str()
	if n == nil {
		return Value{}, errCorrupt
	}
	c := classOf(v)
	if c != nil {
		if found, ok := m.lookup(c, n); ok {
			return m.bindAttr(found, v, c)
		}
	}
	switch how {
	case 1:
		missed := ""
		if n.s == "__exit__" {
			missed = " (missed __exit__ method)"
		}
		return Value{}, raise.Type("'%s' object does not support the context manager protocol%s", typeName(v), missed)
	case 2:
		return Value{}, raise.Type("'%s' object does not support the asynchronous context manager protocol", typeName(v))
	}
	return Value{}, m.noAttr(v, n)
}

// newSuper returns super() of a method.
func (m *Machine) newSuper(c, self Value) (Value, error) {
	after := c.class()
	if after == nil {
		return Value{}, raise.Runtime("super(): __class__ cell not found")
	}
	start := classOf(self)
	if o := self.class(); o != nil && o.isSubclass(after) {
		start = o
	}
	if start == nil || !start.isSubclass(after) {
		return Value{}, raise.Type("super(type, obj): obj must be an instance or subtype of type")
	}
	m.spend(methodBytes)
	return (&superObject{class: after, self: self, start: start}).value(), nil
}

func (m *Machine) superAttr(s *superObject, name *str) (Value, error) {
	found := false
	for _, k := range s.start.mro {
		if !found {
			found = k == s.class
			continue
		}
		i := k.attrs.findStr(name)
		if i < 0 {
			continue
		}
		v := k.attrs.entries[i].value
		if s.self.class() == s.start {
			if d := v.descriptor(); d != nil && d.what == classMethodKind {
				return (&method{fn: d.get, self: s.start.ref()}).value(), nil
			}
			if d := v.descriptor(); d != nil && d.what == staticMethodKind {
				return d.get, nil
			}
			if s.self.class().isSubclass(typeType) || s.start.meta != nil && k == typeType {
				return m.bindAttr(v, s.self, s.start)
			}
			return v, nil
		}
		return m.bindAttr(v, s.self, s.start)
	}
	return Value{}, raise.Attribute("'super' object has no attribute '%s'", name.s)
}

// method returns the function that super().name of an instance calls, or nil.
func (s *superObject) method(name *str) *function {
	if s.self.class() != nil {
		return nil
	}
	mro := s.start.mro
	for i := range mro {
		if mro[i] == s.class {
			mro = mro[i+1:]
			break
		}
	}
	for _, k := range mro {
		if i := k.attrs.findStr(name); i >= 0 {
			return k.attrs.entries[i].value.function()
		}
	}
	return nil
}

// superQuick is superAttr when no code of the program can have a say, else
// errForeign.
func (m *Machine) superQuick(s *superObject, name *str) (Value, error) {
	found := false
	for _, k := range s.start.mro {
		if !found {
			found = k == s.class
			continue
		}
		if i := k.attrs.findStr(name); i >= 0 {
			if worksOut(k.attrs.entries[i].value) {
				return Value{}, errForeign
			}
			break
		}
	}
	return m.superAttr(s, name)
}

// newFunction makes the function of OpFunction.
func (m *Machine) newFunction(u *unit, k int, f *frame, r *[window]Value, a, flags uint8) (Value, error) {
	c, ok := u.mod.unitOf(u.consts[k])
	if !ok {
		return Value{}, errCorrupt
	}
	captures := c.code.Captures
	m.spend(functionBytes + len(captures)*8)
	fn := &function{code: c, globals: f.mod}
	if flags&1 != 0 {
		if t := r[a+1].tuple(); t != nil {
			fn.defaults = t.items
		}
	}
	if flags&2 != 0 {
		fn.kwDefaults = r[a+2].dict()
	}
	if len(captures) > 0 {
		fn.cells = make([]*cell, len(captures))
	}
	for i, capture := range captures {
		fn.cells[i] = m.captured(capture, f, r)
		if fn.cells[i] == nil {
			return Value{}, errCorrupt
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
