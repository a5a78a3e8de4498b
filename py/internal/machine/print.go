package machine

import "github.com/glovebox-dev/glovebox/py/internal/raise"

func printBuiltin(m *Machine, a Args) (Value, error) {
	sep, err := printText(a, "sep", " ")
	if err != nil {
		return Value{}, err
	}
	end, err := printText(a, "end", "\n")
	if err != nil {
		return Value{}, err
	}
	if err := a.Only("print", "sep", "end", "flush", "file"); err != nil {
		return Value{}, err
	}
	pos := a.Positional()
	if to := m.printsTo(a.Name("file")); to.Bound() {
		l, err := m.NewList(pos)
		if err != nil {
			return Value{}, err
		}
		return m.Then(m.Intrinsic("print_to"), to, l, m.Message(sep), m.Message(end), orFalse(a.Name("flush")))
	}
	parts := make([]string, len(pos))
	for i, v := range pos {
		s, err := m.strNative(v)
		if err == ErrForeign {
			l, err := m.NewList(pos)
			if err != nil {
				return Value{}, err
			}
			return m.Then(m.Intrinsic("print_each"), l, m.Message(sep), m.Message(end))
		}
		if err != nil {
			return Value{}, err
		}
		parts[i] = s
	}
	return None, m.printParts(parts, sep, end)
}

// printText is an argument of print that is a str or None.
func printText(a Args, name, missing string) (string, error) {
	v := a.Name(name)
	if !v.Bound() || v.IsNone() {
		return missing, nil
	}
	s := v.Str()
	if s == nil {
		return "", raise.Type("%s must be None or a string, not %s", name, TypeName(v))
	}
	return s.s, nil
}

func orFalse(v Value) Value {
	if !v.Bound() {
		return False
	}
	return v
}

func (m *Machine) printParts(parts []string, sep, end string) error {
	for i, s := range parts {
		if i > 0 {
			if err := m.print(sep); err != nil {
				return err
			}
		}
		if err := m.print(s); err != nil {
			return err
		}
	}
	return m.print(end)
}

// printsTo returns the object that print writes to, or an unbound value for the
// output of the program.
func (m *Machine) printsTo(file Value) Value {
	if file.Bound() && !file.IsNone() {
		return file
	}
	sys, ok := m.modules["sys"]
	if !ok {
		return Value{}
	}
	now, err := sys.Member(known.str("stdout"))
	if err != nil {
		return Value{}
	}
	if own, err := sys.Member(known.str("_stdout")); err != nil || own.Is(now) {
		return Value{}
	}
	return now
}

// setStream is sys.stdout = x and sys.stderr = x, the only attributes of
// modules that programs can set.
func (m *Machine) setStream(mod *ModuleObject, name *Str, x Value) error {
	if mod.name == "sys" && (name.s == "stdout" || name.s == "stderr") {
		if slot, ok := mod.code.slots[name.s]; ok {
			mod.globals[slot] = x
			return nil
		}
	}
	return raise.Attribute("attributes of module '%s' cannot be set", mod.name)
}
