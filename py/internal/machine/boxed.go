package machine

// Boxed is the content of an object of a native module: a compiled pattern, the
// state of a generator of random numbers.
type Boxed interface {
	// Size is what it takes, in bytes, without the values that Each visits.
	Size() int
	// Each visits the values that it holds.
	Each(visit func(Value))
	// Save returns what Load of the kind's module needs to make it again.
	Save() (kind string, fields []Value)
}

// NewBoxed makes an object of a native class.
func (m *Machine) NewBoxed(c *Class, b Boxed) (Value, error) {
	if err := m.Alloc(opaqueBytes + b.Size()); err != nil {
		return Value{}, err
	}
	return (&Opaque{class: c, box: b}).value(), nil
}

// unboxer makes the content of an object again from what Save gave. The fields
// may come from a snapshot that anyone has written.
type unboxer func(m *Machine, fields []Value) (Boxed, error)

// Unboxer defines how snapshots load the boxes of a kind.
func (r *Registry) Unboxer(kind string, load unboxer) { r.unboxers[kind] = load }
