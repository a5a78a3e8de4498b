package machine

// The __init__ of a dataclass that only stores its arguments is a function of
// Python that captures fill_fields, and what that has to know of the fields. It
// calls fill_fields(self, fields, args, keywords), which stores them and returns
// True, or returns False with nothing done. A call of that __init__ comes here
// at once, without a tuple and a dict of its arguments.

// mostFilled is how many fields are filled here.
const mostFilled = 16

var fillFieldsNative *Native

func defineFill(mod *ModuleBuilder) {
	fillFieldsNative = mod.Counted("fill_fields", 4, 4, func(m *Machine, a Args) (Value, error) {
		args, keywords := a.v[2].Tuple(), a.v[3].Dict()
		if args == nil || keywords == nil || keywords.Len() > fewNames {
			return False, nil
		}
		f, ok := readInitFields(a.v[1], a.v[0])
		if !ok || !f.take(args.items) {
			return False, nil
		}
		for i := keywords.Next(0); i >= 0; i = keywords.Next(i + 1) {
			if !f.name(keywords.entries[i].key, keywords.entries[i].value) {
				return False, nil
			}
		}
		return f.store(m)
	})
}

// filled makes the call of an __init__ with the n arguments at base, if that is
// one that fill_fields can do; else it returns no value.
func (m *Machine) filled(f *function, base, n int, names *Tuple) (Value, error) {
	if !f.code.mod.hidden || len(f.cells) < 2 || f.cells[0].v.native() != fillFieldsNative || n == 0 {
		return Value{}, nil
	}
	named := 0
	if names != nil {
		named = len(names.items)
	}
	fields, ok := readInitFields(f.cells[1].v, m.stack[base])
	if !ok || !fields.take(m.stack[base+1:base+n-named]) {
		return Value{}, nil
	}
	for i := range named {
		if !fields.name(names.items[i], m.stack[base+n-named+i]) {
			return Value{}, nil
		}
	}
	held, inNative, nativeBase := m.argsEnd, m.inNative, m.nativeBase
	m.inNative, m.nativeBase, m.argsEnd = true, m.mem, max(held, base+n)
	done, err := fields.store(m)
	m.inNative, m.nativeBase, m.argsEnd = inNative, nativeBase, held
	if done.Is(False) {
		return Value{}, err
	}
	return None, err
}

// initFields are the fields of one object on their way.
type initFields struct {
	object     *Instance
	names      []Value
	positional int
	defaults   []Value // for each name; missing where there is none
	factories  []Value // for each name a class, or None
	missing    Value
	values     [mostFilled]Value
}

// readInitFields reads (class or None, names, how many are positional, defaults,
// factories, what stands for no default) for an object. A class is the only one
// that an object may be of.
func readInitFields(spec, object Value) (f initFields, ok bool) {
	t, o := spec.Tuple(), object.Instance()
	if t == nil || len(t.items) != 6 || o == nil {
		return f, false
	}
	if c := t.items[0].Class(); c != nil && c != o.class {
		return f, false
	}
	names, defaults, factories := t.items[1].Tuple(), t.items[3].Tuple(), t.items[4].Tuple()
	if names == nil || defaults == nil || factories == nil || !t.items[2].IsInt() {
		return f, false
	}
	n := len(names.items)
	if n > mostFilled || len(defaults.items) != n || len(factories.items) != n || t.items[2].n > uint64(n) {
		return f, false
	}
	f.object, f.names, f.positional = o, names.items, int(t.items[2].n)
	f.defaults, f.factories, f.missing = defaults.items, factories.items, t.items[5]
	return f, true
}

// take gives the first fields their values.
func (f *initFields) take(args []Value) bool {
	if len(args) > f.positional {
		return false
	}
	copy(f.values[:], args)
	return true
}

// name gives a field its value.
func (f *initFields) name(name, v Value) bool {
	for i := range f.names {
		if f.names[i].Is(name) || sameStr(f.names[i], name) {
			if f.values[i].Bound() {
				return false
			}
			f.values[i] = v
			return true
		}
	}
	return false
}

// store sets the attributes, if all have a value.
func (f *initFields) store(m *Machine) (Value, error) {
	for i := range f.names {
		if f.names[i].Str() == nil || isReflected(f.names[i].Str().s) {
			return False, nil
		}
		if !f.values[i].Bound() && f.factories[i].IsNone() {
			if f.defaults[i].Is(f.missing) {
				return False, nil
			}
			f.values[i] = f.defaults[i]
		} else if !f.values[i].Bound() && !isEmptyFactory(f.factories[i]) {
			return False, nil
		}
	}
	if err := m.Work(len(f.names) * WorkPerStep); err != nil {
		return Value{}, err
	}
	for i := range f.names {
		if !f.values[i].Bound() {
			v, err := m.emptyOf(f.factories[i].Class())
			if err != nil {
				return Value{}, err
			}
			f.values[i] = v
		}
		if err := m.storeField(f.object, f.names[i].Str(), f.values[i]); err != nil {
			return Value{}, err
		}
	}
	return True, nil
}

func (m *Machine) storeField(o *Instance, name *Str, v Value) error {
	if at := o.attrs().findStr(name); at >= 0 {
		o.attrs().entries[at].value = v
		return nil
	}
	return m.addAttr(o, name, v)
}

// isEmptyFactory reports whether a call of it only makes an empty container.
func isEmptyFactory(v Value) bool {
	c := v.Class()
	return c == listType || c == dictType || c == setType
}

func (m *Machine) emptyOf(c *Class) (Value, error) {
	switch c {
	case listType:
		return m.NewList(nil)
	case dictType:
		return m.NewDict().Ref(), nil
	}
	return m.NewSet().ref(), nil
}
