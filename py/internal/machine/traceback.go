package machine

// tracebackType is the class of the __traceback__ of an exception. An object of
// it is made when it is asked for.
var tracebackType = final(staticClass("traceback", KindInstance, objectType))

func defineTracebacks(r *Registry) {
	r.HiddenClass(tracebackType)
	r.Property(exceptions["BaseException"], "__traceback__", func(m *Machine, a Args) (Value, error) {
		return m.tracebackOf(a.v[0].Instance())
	})
}

// handled is the exception that an except clause of the frames is dealing with,
// or None.
func (m *Machine) handled() Value {
	for i := len(m.frames) - 1; i >= 0; i-- {
		if v := m.handling(&m.frames[i]); m.isException(v, excBase) {
			return v
		}
	}
	return None
}

// tracebackOf makes the list of places that an exception has passed, the
// outermost first, as the objects of CPython link them.
func (m *Machine) tracebackOf(o *Instance) (Value, error) {
	next := None
	if o.trouble == nil {
		return next, nil
	}
	for _, l := range o.trouble.lines {
		place, err := m.placeOf(l)
		if err != nil {
			return Value{}, err
		}
		t, err := m.newInstance(tracebackType, Args{}, Value{})
		if err != nil {
			return Value{}, err
		}
		v := t.value()
		for _, attr := range []member{{"tb_lineno", Int(int64(l.line))}, {"tb_next", next}, {"_place", place}} {
			if err := m.setOwn(v, SharedStr(attr.name).Ref(), attr.v); err != nil {
				return Value{}, err
			}
		}
		next = v
	}
	return next, nil
}

// placeOf is a line of a traceback as a tuple of the name of the source, the
// line, the name of the function and the text.
func (m *Machine) placeOf(l traceLine) (Value, error) {
	mod := l.unit.mod
	return m.NewTuple([]Value{
		m.Message(mod.code.Name), Int(int64(l.line)), m.Message(l.unit.code.Name), m.Message(mod.line(int(l.line))),
	})
}

// caller is the place of the n-th function of the program from the top, as a
// tuple of the name of the source, the line and the name of the function.
func (m *Machine) caller(n int64) (Value, error) {
	for i := len(m.frames) - 1; i >= 0; i-- {
		f := &m.frames[i]
		if f.unit.mod.hidden {
			continue
		}
		if n--; n > 0 && i > 0 {
			continue
		}
		line := f.unit.code.Line(int(f.pc) - 1)
		return m.NewTuple([]Value{m.Message(f.unit.mod.code.Name), Int(int64(line)), m.Message(f.unit.code.Name)})
	}
	return m.NewTuple([]Value{m.Message(""), Int(0), m.Message("")})
}
