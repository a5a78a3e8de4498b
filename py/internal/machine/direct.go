package machine

// The functions of this file call the operators and comparisons of classes of
// the program without the detours that other operands need. They give no answer
// where those may matter.

// ownOperator is an operation on an instance by the method of its class; ok is
// false when something else may have a say.
func (m *Machine) ownOperator(o operation) (v Value, ok bool, err error) {
	x := o.x.Instance()
	if x == nil || x.class.flags&shared != 0 {
		return v, false, nil
	}
	switch y := o.y.Instance(); {
	case y != nil && y.class != x.class, y == nil && (maySay(o.y) || !m.atOperator()):
		return v, false, nil
	}
	fn, _ := m.Lookup(x.class, binaryNames[o.op])
	switch f := fn.Self().(type) {
	case *function:
		if f.code.takesTwo() {
			return v, true, m.enterPair(f, contBinary, o.x, o.y)
		}
	case *Native:
		if f.method {
			v, err = m.callPair(f, o.x, o.y)
			if err == nil && v.Is(notImplemented) {
				v, err = m.reflected(o)
			}
			return v, true, err
		}
	}
	return v, false, nil
}

// callPair is enter of a native function with two arguments, for contBinary.
func (m *Machine) callPair(f *Native, x, y Value) (Value, error) {
	top := &m.frames[len(m.frames)-1]
	base := int(top.base) + int(top.unit.regs) + 1
	held := m.argsEnd
	m.stack[base], m.stack[base+1] = x, y
	m.asFuture = false
	v, err := m.callFor(f, base, 2, nil, contBinary, Value{})
	if err == errTail {
		fn, n, names, cont, extra := m.placeTail(base, contBinary, Value{})
		v, err = m.call(fn, base, n, names, cont, extra)
	}
	m.argsEnd = held
	return v, err
}

// ownComparison is x op y of instances of one class by its method, which it
// enters; ok is false when something else may have a say.
func (m *Machine) ownComparison(op compareOp, x, y Value, cont continuation) (ok bool, err error) {
	a, b := x.Instance(), y.Instance()
	if a == nil || b == nil || a.class != b.class || a.class.flags&shared != 0 || op == compareNotEq {
		return false, nil
	}
	fn, _ := m.Lookup(a.class, compareNames[op])
	f := fn.function()
	if f == nil || !f.code.takesTwo() {
		return false, nil
	}
	direct, ok := m.atComparison(cont)
	if !ok {
		return false, nil
	}
	return true, m.enterPair(f, direct, x, y)
}

// takesTwo reports whether a call with two arguments needs nothing but a frame.
func (u *unit) takesTwo() bool { return u.simple && u.pos == 2 }

// enterPair is enter of a function that takes two.
func (m *Machine) enterPair(f *function, cont continuation, x, y Value) error {
	u := f.code
	top := &m.frames[len(m.frames)-1]
	base := int(top.base) + int(top.unit.regs) + 1
	held := m.argsEnd
	m.stack[base], m.stack[base+1] = x, y
	m.asFuture, m.argsEnd = false, max(held, base+2)
	err := m.push(u, f, f.globals, base, cont, Value{})
	m.argsEnd = held
	if err != nil {
		return err
	}
	rest := m.stack[base+2 : base+int(u.locals)]
	for i := range rest { // a few values: a call of clear costs more
		rest[i] = Value{}
	}
	return errEntered
}
