package machine

import (
	"math"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Programs may see the class of an object, its attributes and its names. Nothing
// here leads to code, frames, globals of others or modules.

func defineReflection(r *Registry) {
	r.settable(objectType, "__class__", func(m *Machine, a Args) (Value, error) { return ClassOf(a.v[0]).Ref(), nil },
		func(m *Machine, a Args) (Value, error) {
			if o := a.v[0].Instance(); o != nil {
				return None, m.setReflected(o, "__class__", a.v[1])
			}
			return Value{}, raise.Type("__class__ assignment only supported for mutable types or ModuleType subclasses")
		})
	r.settable(objectType, "__dict__", func(m *Machine, a Args) (Value, error) { return m.space(a.v[0]) },
		func(m *Machine, a Args) (Value, error) {
			if o := a.v[0].Instance(); o != nil {
				return None, m.setReflected(o, "__dict__", a.v[1])
			}
			return Value{}, raise.Attribute("attribute '__dict__' of '%s' objects is not writable", TypeName(a.v[0]))
		})
	r.attr(objectType, "__doc__", None)
	r.method(typeType, "__subclasses__", 1, 1, func(m *Machine, a Args) (Value, error) {
		return m.classList(a.v[0].Class().subclasses)
	})
	r.function("vars", 0, 1, func(m *Machine, a Args) (Value, error) {
		if a.Len() == 0 {
			return Value{}, raise.Type("vars() needs an argument here")
		}
		if c := a.v[0].Class(); c != nil {
			return m.newProxy(&c.attrs)
		}
		v, err := m.space(a.v[0])
		if isAttributeError(err) {
			return Value{}, raise.Type("vars() argument must have __dict__ attribute")
		}
		return v, err
	})
	r.function("dir", 0, 1, dirBuiltin)
	r.function("id", 1, 1, func(m *Machine, a Args) (Value, error) {
		n, err := m.identityOf(a.v[0])
		if err != nil {
			return Value{}, err
		}
		if n.Int() < 0 {
			return Int(math.MinInt64 ^ n.Int()), nil
		}
		return Int(n.Int() << 4), nil
	})
	r.function("globals", 0, 0, func(m *Machine, a Args) (Value, error) {
		d := m.NewDict()
		if err := m.eachGlobal(func(name string, v Value) error { return m.setStr(d, SharedStr(name), v) }); err != nil {
			return Value{}, err
		}
		return m.NewBoxed(proxyType, &proxy{d.Ref()})
	})
	r.Intrinsic("_unproxied", func(m *Machine, a Args) (Value, error) {
		if o := a.v[0].Opaque(); o != nil && o.class == proxyType {
			return o.box.(*proxy).of, nil
		}
		return a.v[0], nil
	})
}

// space is v.__dict__: the attributes of an instance as a dict, which the
// instance shares.
func (m *Machine) space(v Value) (Value, error) {
	switch o := v.Self().(type) {
	case *Instance:
		if o.class.slotted || strings.Contains(o.class.typeName(), ".") { // which CPython has in C
			break
		}
		if o.space() == nil {
			m.rarity(o).space = m.NewDict()
			m.moveAttrs(o)
		}
		return o.space().Ref(), nil
	case *function:
		if o.flags&shared != 0 {
			break
		}
		if o.space == nil {
			o.space = m.NewDict()
			o.space.table = *ownAttrs(v)
			o.attrs = &o.space.table
		}
		return o.space.Ref(), nil
	}
	return Value{}, m.noAttr(v, known.str("__dict__"))
}

// moveAttrs gives the attributes of o to its space, but for the details of
// exceptions.
func (m *Machine) moveAttrs(o *Instance) {
	if o.class.layout != KindException {
		o.space().table, o.own = o.own, table{}
		return
	}
	own := o.own
	o.own = table{}
	for i := own.Next(0); i >= 0; i = own.Next(i + 1) {
		e := &own.entries[i]
		to := &o.space().table
		if strings.HasPrefix(e.key.Str().s, detailPrefix) {
			to = &o.own
		}
		m.Spend(to.growth())
		to.insert(e.key, e.value, e.hash)
	}
}

// setReflected sets __dict__ or __class__ of an instance.
func (m *Machine) setReflected(o *Instance, name string, x Value) error {
	if name == "__dict__" {
		d := x.Dict()
		if d == nil {
			return raise.Type("__dict__ must be set to a dictionary, not a '%s'", TypeName(x))
		}
		m.rarity(o).space, o.own = d, table{}
		return nil
	}
	c := x.Class()
	if c == nil {
		return raise.Type("__class__ must be set to a class, not '%s' object", TypeName(x))
	}
	if c.flags&shared != 0 || o.class.flags&shared != 0 || c.layout != KindInstance || o.class.layout != KindInstance ||
		c.slotted != o.class.slotted {
		return raise.Type("__class__ assignment only supported for mutable types or ModuleType subclasses")
	}
	o.class = c
	return nil
}

// isReflected reports whether a name is one that setReflected sets.
func isReflected(name string) bool { return name == "__dict__" || name == "__class__" }

// classReflection returns the attributes that every class has of its own, even
// if it inherits others.
func (m *Machine) classReflection(c *Class, name string) (v Value, ok bool, err error) {
	switch name {
	case "__class__":
		return ClassOf(c.Ref()).Ref(), true, nil
	case "__dict__":
		v, err = m.newProxy(&c.attrs)
	case "__mro__":
		v, err = m.classTuple(c.mro)
	case "__bases__":
		v, err = m.classTuple(c.bases)
	case "__base__":
		if len(c.bases) == 0 {
			return None, true, nil
		}
		return c.bases[0].Ref(), true, nil
	case "__module__":
		return SharedStr(c.module()).Ref(), true, nil
	case "__annotations__":
		if i := c.attrs.findStr(known.str(name)); i >= 0 {
			return c.attrs.entries[i].value, true, nil
		}
		if c.flags&shared != 0 {
			return Value{}, false, nil
		}
		d := m.NewDict().Ref()
		return d, true, m.setClassAttr(c, known.str(name), d)
	default:
		return Value{}, false, nil
	}
	return v, true, err
}

// dirBuiltin is dir(x): the names of attributes that x certainly has.
func dirBuiltin(m *Machine, a Args) (Value, error) {
	seen := map[string]bool{}
	if a.Len() == 0 {
		if err := m.eachGlobal(func(name string, _ Value) error { seen[name] = true; return nil }); err != nil {
			return Value{}, err
		}
		return m.sortedNames(seen)
	}
	if fn, ok := m.Lookup(ClassOf(a.v[0]), known.str("__dir__")); ok {
		return m.Then(m.Intrinsic("dir_by"), fn, a.v[0])
	}
	add := func(t *table) {
		for i := t.Next(0); i >= 0; i = t.Next(i + 1) {
			if s := t.entries[i].key.Str(); s != nil && !strings.HasPrefix(s.s, detailPrefix) {
				seen[s.s] = true
			}
		}
	}
	classes := ClassOf(a.v[0])
	switch o := a.v[0].Self().(type) {
	case *ModuleObject:
		return m.dirModule(o)
	case *Class:
		classes = o
	default:
		add(ownAttrs(a.v[0]))
	}
	for _, c := range classes.mro {
		if err := m.Work(len(c.attrs.entries) * WorkPerStep); err != nil {
			return Value{}, err
		}
		add(&c.attrs)
	}
	return m.sortedNames(seen)
}

func (m *Machine) dirModule(o *ModuleObject) (Value, error) {
	seen := map[string]bool{}
	names := []string{}
	if o.code != nil {
		names = o.code.code.Globals
	}
	for i := o.attrs.Next(0); i >= 0; i = o.attrs.Next(i + 1) {
		names = append(names, o.attrs.entries[i].key.Str().s)
	}
	for _, name := range names {
		if _, err := o.attr(SharedStr(name)); err == nil {
			seen[name] = true
		}
	}
	return m.sortedNames(seen)
}

func (m *Machine) sortedNames(seen map[string]bool) (Value, error) {
	names := make([]string, 0, len(seen))
	for name := range seen {
		names = append(names, name)
	}
	slices.Sort(names)
	items := make([]Value, len(names))
	for i, name := range names {
		items[i] = m.Message(name)
	}
	return m.NewList(items)
}

// eachGlobal visits the global names of the program that have a value. Those
// that no function uses are in registers of the frame of the module.
func (m *Machine) eachGlobal(visit func(name string, v Value) error) error {
	for _, f := range m.frames[:min(1, len(m.frames))] {
		if f.unit.code.Flags&code.Main == 0 {
			continue
		}
		for i, name := range f.unit.code.LocalNames {
			if v := m.stack[int(f.base)+i]; v.Bound() && v.Kind() != KindCell {
				if err := visit(name, keep(v)); err != nil {
					return err
				}
			}
		}
	}
	for i, name := range m.main.code.code.Globals {
		if v := m.main.globals[i]; v.Bound() {
			if err := visit(name, v); err != nil {
				return err
			}
		}
	}
	return m.Work(len(m.main.globals) * WorkPerStep)
}
