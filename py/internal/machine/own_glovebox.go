package machine

import (
	"math"

	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// defineGlovebox defines the module _glovebox: what the bundled modules that
// are written in Python need to know of classes and objects, and that programs
// must not. Only bundled modules can import it.
func defineGlovebox(r *Registry) {
	r.Module("_glovebox", func(mod *ModuleBuilder) {
		defineGloveboxClasses(mod)
		defineGloveboxObjects(mod)
		defineGloveboxHost(mod)
		defineItemProperty(mod)
		mod.Define("GenericAlias", genericAliasType.Ref())
		mod.Define("UnionType", unionType.Ref())
		mod.Define("mappingproxy", proxyType.Ref())
		defineFields(mod)
		defineSignature(mod)
	})
}

func defineGloveboxClasses(mod *ModuleBuilder) {
	mod.onClass("class_own", 1, func(m *Machine, c *Class, a Args) (Value, error) {
		t, err := m.cloneTable(&c.attrs)
		if err != nil {
			return Value{}, err
		}
		return (&Dict{table: t}).value(), nil
	})
	mod.onClass("class_annotations", 1, func(m *Machine, c *Class, a Args) (Value, error) {
		if i := c.attrs.findStr(known.str("__annotations__")); i >= 0 {
			if d := c.attrs.entries[i].value.Dict(); d != nil {
				return m.copyDict(d)
			}
		}
		return m.NewDict().Ref(), nil
	})
	mod.onClass("class_get", 3, func(m *Machine, c *Class, a Args) (Value, error) {
		name, err := attrStr(a.v[1])
		if err != nil {
			return Value{}, err
		}
		if v, ok := c.find(name); ok {
			return v, nil
		}
		return a.v[2], nil
	})
	mod.onClass("class_set", 3, func(m *Machine, c *Class, a Args) (Value, error) {
		name, err := attrStr(a.v[1])
		if err != nil {
			return Value{}, err
		}
		return None, m.setClassAttr(c, name, a.v[2])
	})
	mod.onClass("class_bases", 1, func(m *Machine, c *Class, a Args) (Value, error) { return m.classTuple(c.bases) })
	mod.onClass("class_mro", 1, func(m *Machine, c *Class, a Args) (Value, error) { return m.classTuple(c.mro) })
	mod.onClass("class_set_abstract", 2, classSetAbstract)
	mod.onClass("class_register", 2, classRegister)
	mod.Counted("new_class", 3, 4, func(m *Machine, a Args) (Value, error) {
		meta := OrNone(a.At(3))
		if meta.IsNone() {
			meta = typeType.Ref()
		}
		return m.Then(m.Intrinsic("new_type"), meta, a.v[0], a.v[1], a.v[2], m.NewDict().Ref())
	})
	mod.onClass("new_object", 1, func(m *Machine, c *Class, a Args) (Value, error) {
		if c.flags&shared != 0 && c != objectType {
			return Value{}, raise.Type("object.__new__(%s) is not safe, use %s.__new__()", c.name, c.name)
		}
		if c.abstract != nil {
			return Value{}, abstractError(c)
		}
		o, err := m.newInstance(c, Args{}, Value{})
		if err != nil {
			return Value{}, err
		}
		return o.value(), nil
	})
}

// onClass defines a function whose first argument is a class.
func (mod *ModuleBuilder) onClass(name string, args int, fn func(m *Machine, c *Class, a Args) (Value, error)) {
	mod.Counted(name, args, args, func(m *Machine, a Args) (Value, error) {
		c := a.v[0].Class()
		if c == nil {
			return Value{}, raise.Type("a class is required, not '%s'", TypeName(a.v[0]))
		}
		return fn(m, c, a)
	})
}

func attrStr(v Value) (*Str, error) {
	return WantStr(v, "attribute name must be string, not '%s'", TypeName(v))
}

func (m *Machine) classTuple(list []*Class) (Value, error) {
	values := make([]Value, len(list))
	for i, c := range list {
		values[i] = c.Ref()
	}
	return m.NewTuple(values)
}

// classSetAbstract refuses instances of the class from now on, if names are
// given.
func classSetAbstract(m *Machine, c *Class, a Args) (Value, error) {
	t := a.v[1].Tuple()
	if t == nil || c.flags&shared != 0 {
		return Value{}, raise.Type("a class of the program and a tuple of names are required")
	}
	if err := m.Alloc(len(t.items) * ValueBytes); err != nil {
		return Value{}, err
	}
	c.abstract = nil
	for _, v := range t.items {
		name, err := attrStr(v)
		if err != nil {
			return Value{}, err
		}
		c.abstract = append(c.abstract, name.s)
	}
	return None, m.setClassAttr(c, known.str("__abstractmethods__"), a.v[1])
}

// classRegister makes isinstance and issubclass take other for a subclass of c
// and of those that c inherits from.
func classRegister(m *Machine, c *Class, a Args) (Value, error) {
	other := a.v[1].Class()
	if other == nil {
		return Value{}, raise.Type("Can only register classes")
	}
	if err := m.Alloc(len(c.mro) * ValueBytes); err != nil {
		return Value{}, err
	}
	for _, base := range c.mro {
		if base.flags&shared == 0 {
			base.virtual = append(base.virtual, other)
		}
	}
	if flags, ok := c.find(namePatterns); ok && other.flags&shared == 0 {
		return None, m.setClassAttr(other, namePatterns, flags)
	}
	return None, nil
}

// countsAs is isSubclass, registered classes included.
func (c *Class) countsAs(d *Class) bool {
	if c.IsSubclass(d) {
		return true
	}
	for _, v := range d.virtual {
		if c.IsSubclass(v) {
			return true
		}
	}
	return false
}

func defineGloveboxObjects(mod *ModuleBuilder) {
	mod.Counted("object_own", 1, 1, func(m *Machine, a Args) (Value, error) {
		t, err := m.cloneTable(ownAttrs(a.v[0]))
		if err != nil {
			return Value{}, err
		}
		return (&Dict{table: t}).value(), nil
	})
	mod.Counted("object_get", 3, 3, func(m *Machine, a Args) (Value, error) {
		name, err := attrStr(a.v[1])
		if err != nil {
			return Value{}, err
		}
		t := ownAttrs(a.v[0])
		if i := t.findStr(name); i >= 0 {
			return t.entries[i].value, nil
		}
		return a.v[2], nil
	})
	mod.Counted("object_set", 3, 3, func(m *Machine, a Args) (Value, error) { return None, m.setOwn(a.v[0], a.v[1], a.v[2]) })
	mod.Counted("object_fill", 3, 3, objectFill)
	mod.Counted("object_del", 2, 2, func(m *Machine, a Args) (Value, error) {
		name, err := attrStr(a.v[1])
		if err != nil {
			return Value{}, err
		}
		o := a.v[0].Instance()
		if o == nil || o.attrs().findStr(name) < 0 {
			return Value{}, m.keyError(a.v[1])
		}
		o.attrs().remove(o.attrs().findStr(name))
		return None, nil
	})
	mod.Counted("handled", 0, 0, func(m *Machine, a Args) (Value, error) { return m.handled(), nil })
	mod.Counted("caller", 1, 1, func(m *Machine, a Args) (Value, error) { return m.caller(a.v[0].Int()) })
	mod.Counted("type_of", 1, 1, func(m *Machine, a Args) (Value, error) {
		if _, err := attrStr(a.v[0]); err != nil {
			return Value{}, err
		}
		return m.Then(m.Intrinsic("type_of"), a.v[0])
	})
	mod.Counted("is_atomic", 1, 1, func(m *Machine, a Args) (Value, error) { return Bool(a.v[0].Kind() != KindInstance), nil })
	mod.Counted("identity", 1, 1, func(m *Machine, a Args) (Value, error) { return m.identityOf(a.v[0]) })
}

// ownAttrs is the table of the attributes of an object itself.
func ownAttrs(v Value) *table {
	switch o := v.Self().(type) {
	case *Instance:
		return o.attrs()
	case *function:
		if o.attrs != nil {
			return o.attrs
		}
	}
	return &table{}
}

// setOwn sets an attribute of an object past __setattr__ and descriptors.
func (m *Machine) setOwn(v, name, x Value) error {
	n, err := attrStr(name)
	if err != nil {
		return err
	}
	switch o := v.Self().(type) {
	case *Instance:
		return m.storeAttr(o.attrs(), n, x)
	case *function:
		return m.setFunctionAttr(o, n, x)
	}
	return m.noAttr(v, n)
}

func objectFill(m *Machine, a Args) (Value, error) {
	names, ok1, err1 := m.Collect(a.v[1])
	values, ok2, err2 := m.Collect(a.v[2])
	switch {
	case err1 != nil:
		return Value{}, err1
	case err2 != nil:
		return Value{}, err2
	case !ok1 || !ok2:
		return Value{}, raise.Type("names and values must be sequences")
	}
	for i := 0; i < len(names) && i < len(values); i++ {
		if err := m.setOwn(a.v[0], names[i], values[i]); err != nil {
			return Value{}, err
		}
	}
	return None, nil
}

// identityOf returns a number that no other object of this instance has, had or
// will have. Objects have no room for one, but for instances; those of others
// are kept until a trace finds that the object is gone.
func (m *Machine) identityOf(v Value) (Value, error) {
	o := v.Instance()
	if o != nil {
		m.serialHash(o)
		return Int(int64(o.serial)), nil
	}
	if n, ok := m.contentIdentity(v); ok {
		return Int(n), nil
	}
	id, ok := m.identities[v.o]
	if ok {
		return Int(int64(id)), nil
	}
	if err := m.Alloc(identityBytes); err != nil {
		return Value{}, err
	}
	if m.identities == nil {
		m.identities = map[*Object]uint64{}
	}
	m.serials++
	m.identities[v.o] = m.serials
	return Int(int64(m.serials)), nil
}

// contentIdentity is the number of a value that is what it holds, and of what
// all instances share: it is negative. ok is false for all others.
func (m *Machine) contentIdentity(v Value) (n int64, ok bool) {
	switch o := v.Self().(type) {
	case nil:
		return -1 - int64(v.n>>1), true
	case *Str:
		m.look(len(o.s))
		return -1 - num.HashString(hashKey, o.s)>>1&math.MaxInt64, true
	case *Bytes:
		m.look(len(o.b))
		return -1 - num.HashString(hashKey, "b"+o.b)>>1&math.MaxInt64, true
	case *bigInt:
		return -1 - num.HashBig(o.v)>>1&math.MaxInt64, true
	case *toolObject:
		return -1 - num.HashString(hashKey, "tool "+o.decl.Name)>>1&math.MaxInt64, true
	}
	if id, ok := known.ids[v.o]; ok {
		return -1 - num.HashString(hashKey, "known "+id)>>1&math.MaxInt64, true
	}
	return 0, false
}

// identityBytes is what an entry of identities takes.
const identityBytes = 48

// forgetIdentities drops the numbers of objects that the trace did not reach.
func (m *Machine) forgetIdentities(t *tracer) {
	for o := range m.identities {
		if o.flags&shared == 0 && o.mark != t.epoch {
			delete(m.identities, o)
		}
	}
	t.bytes += int64(len(m.identities)) * identityBytes
	t.visited += int64(len(m.identities)) * WorkPerStep
}

// defineItemProperty defines item_property(i): an attribute that is item i of
// a tuple.
func defineItemProperty(mod *ModuleBuilder) {
	itemGet = mod.hidden("item", 2, func(m *Machine, a Args) (Value, error) { return itemOf(a.v[1], a.v[0]) })
	set := mod.hidden("item_set", 2, func(m *Machine, a Args) (Value, error) {
		return Value{}, raise.Attribute("can't set attribute")
	})
	del := mod.hidden("item_del", 1, func(m *Machine, a Args) (Value, error) {
		return Value{}, raise.Attribute("can't delete attribute")
	})
	mod.Counted("item_property", 1, 1, func(m *Machine, a Args) (Value, error) {
		if !a.v[0].IsInt() {
			return Value{}, raise.Type("an index is required, not '%s'", TypeName(a.v[0]))
		}
		m.Spend(2*SliceBytes + methodBytes)
		item := &method{fn: itemGet, self: a.v[0]}
		return (&descriptor{what: propertyKind, get: item.value(), set: set, del: del, doc: None}).value(), nil
	})
}

func defineGloveboxHost(mod *ModuleBuilder) {
	mod.Counted("output", 2, 2, func(m *Machine, a Args) (Value, error) {
		s, err := WantStr(Plain(a.v[0]), "output is text")
		if err != nil {
			return Value{}, err
		}
		if OptionalTruth(a.v[1], false) {
			return None, m.printError(s.s)
		}
		return None, m.print(s.s)
	})
	mod.Counted("asks_clock", 0, 0, func(m *Machine, a Args) (Value, error) { return Bool(m.host.AskClock), nil })
	mod.Counted("clock", 0, 0, func(m *Machine, a Args) (Value, error) {
		if m.host.AskClock {
			return None, nil
		}
		now, err := m.Now()
		if err != nil {
			return Value{}, err
		}
		return Int(now.UnixMicro()), nil
	})
	mod.Counted("seed", 0, 0, func(m *Machine, a Args) (Value, error) {
		if m.host.Seed == nil {
			return None, nil
		}
		return m.Import(m.host.Seed)
	})
	mod.Counted("entropy", 1, 1, func(m *Machine, a Args) (Value, error) {
		n := a.v[0].Int()
		if !a.v[0].IsInt() || n < 0 || n > maxEntropy {
			return Value{}, raise.Value("between 0 and %d bytes can be had", maxEntropy)
		}
		if m.host.AskEntropy {
			return None, nil
		}
		if m.host.Entropy == nil {
			return Value{}, raise.Runtime("no source of randomness is granted to this program; give random.seed() a value")
		}
		if err := m.Work(int(n)); err != nil {
			return Value{}, err
		}
		b := make([]byte, n)
		if err := m.host.Entropy(b); err != nil {
			return Value{}, raise.Runtime("the host's source of randomness failed")
		}
		return m.Bytes(string(b))
	})
}

// maxEntropy is how many bytes a program can have from the host in one call.
const maxEntropy = 4096
