package machine

// FieldAt returns an attribute of the instance itself that is usually the one
// at i, or unbound.
func (o *Instance) FieldAt(i int, name *Str) Value {
	t := o.attrs()
	if i < len(t.entries) {
		if e := &t.entries[i]; e.key.o == &name.Object {
			return e.value
		}
	}
	if i = t.findStr(name); i >= 0 {
		return t.entries[i].value
	}
	return Value{}
}

// Begins reports whether the first attributes of the instance itself have these
// names and are these very values.
func (o *Instance) Begins(names []*Str, values []Value) bool {
	t := o.attrs()
	if len(t.entries) < len(names) || len(values) < len(names) {
		return false
	}
	for i, name := range names {
		if e := &t.entries[i]; e.key.o != &name.Object || e.value != values[i] {
			return false
		}
	}
	return true
}

// NewInstance makes an instance of c with the attributes names.
func (m *Machine) NewInstance(c *Class, names []*Str, values []Value) (Value, error) {
	room := max(2, len(names))
	if room == 3 {
		room = 4
	}
	if err := m.Alloc(InstanceBytes + room*entryBytes); err != nil {
		return Value{}, err
	}
	var o *Instance
	switch room {
	case 2:
		with := &instanceOf2{}
		o = &with.Instance
		o.own.entries = with.array[:len(names)]
		o.flags = roomy
	case 4:
		with := &instanceOf4{}
		o = &with.Instance
		o.own.entries = with.array[:len(names)]
		o.flags = roomy
	default:
		o = &Instance{}
		o.own.entries = make([]entry, len(names))
	}
	o.class = c
	for i, name := range names {
		o.own.entries[i] = entry{name.Ref(), values[i], name.tableHash()}
	}
	o.own.count = int32(len(names))
	return o.value(), nil
}

// PlainNew reports whether calling c does no more than its native __new__.
func (m *Machine) PlainNew(c *Class) bool {
	if c.meta != nil || c.abstract != nil {
		return false
	}
	fn, _ := m.Lookup(c, nameNew)
	init, _ := m.Lookup(c, nameInit)
	n := fn.native()
	return n != nil && n.method && !ownInit(init)
}
