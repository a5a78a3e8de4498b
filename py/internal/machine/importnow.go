package machine

import "github.com/glovebox-dev/glovebox/py/internal/raise"

// Some values enter a program by code of bundled modules. It runs to its end
// while the program does not run: before it starts, or while it waits, in a
// frame above those of the program.

// importNow imports a bundled module.
func (m *Machine) importNow(name string) (*ModuleObject, error) {
	if mod, ok := m.modules[name]; ok {
		return mod, nil
	}
	code, ok := bundledCode(name)
	if !ok {
		return nil, ErrMalformed
	}
	mod := &ModuleObject{name: name, code: code, globals: make([]Value, len(code.code.Globals))}
	mod.value()
	m.keepModule(name, mod)
	if _, err := m.runNow(code.units[0], nil, mod); err != nil {
		return nil, err
	}
	return mod, nil
}

// callNow calls a function of the prelude that takes one argument. It calls
// methods of bundled classes in turn.
func (m *Machine) callNow(name string, arg Value) (Value, error) {
	if err := m.ownHashes(); err != nil {
		return Value{}, err
	}
	fn := m.Intrinsic(name).function()
	if fn == nil {
		return Value{}, ErrMalformed
	}
	return m.runNow(fn.code, fn, fn.globals, arg)
}

// ownHashes makes sure that the program did not put methods of its own into
// the classes of what enters: these could wait, and no answer would come.
func (m *Machine) ownHashes() error {
	for module, classes := range map[string][]string{
		"datetime": {"date", "time", "datetime", "timedelta", "timezone"}, "decimal": {"Decimal"}, "uuid": {"UUID"},
	} {
		mod, ok := m.modules[module]
		if !ok {
			continue
		}
		for _, name := range classes {
			v, err := mod.attr(SharedStr(name))
			if err != nil || v.Class() == nil || !m.bundledMethod(v.Class(), nameHash) || !m.bundledMethod(v.Class(), nameEq) {
				return raise.Type("the program changed %s.%s, so that none can enter as the key of a dict or into a set", module, name)
			}
		}
	}
	return nil
}

func (m *Machine) bundledMethod(c *Class, name *Str) bool {
	v, ok := m.Lookup(c, name)
	if f := v.function(); f != nil {
		return f.code.mod.hidden
	}
	return ok && v.Kind() == KindNative
}

// runNow runs code to its end.
func (m *Machine) runNow(u *unit, fn *function, mod *ModuleObject, args ...Value) (Value, error) {
	base := 1
	if n := len(m.frames); n > 0 {
		base = int(m.frames[n-1].base+m.frames[n-1].unit.regs) + 1
	}
	dst, result := m.dst, m.result
	m.resumedAt = now()
	if err := m.push(u, fn, mod, base, contFinish, Value{}); err != nil {
		return Value{}, err
	}
	clear(m.stack[base : base+int(u.locals)])
	copy(m.stack[base:], args)
	err := m.loop()
	made := m.result
	m.elapsed += now() - m.resumedAt
	m.dst, m.result = dst, result
	m.clearDead()
	if err != errDone {
		return Value{}, err
	}
	return made, nil
}
