package machine

import (
	"slices"
	"strings"
	"sync"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/lib"
)

// nativeModule fills a module that is written in Go.
type nativeModule func(r *Registry, define func(name string, v Value))

// bundled caches the linked code of the modules that are written in Python.
var bundled sync.Map // of string to *Module

// bundledCode returns the code of a bundled module.
func bundledCode(name string) (*Module, bool) {
	if mod, ok := bundled.Load(name); ok {
		return mod.(*Module), true
	}
	source, ok := lib.Source(name)
	if !ok {
		return nil, false
	}
	mod := link(compileBundled("<"+name+">", source, nil), true)
	mod.slots = make(map[string]int, len(mod.code.Globals))
	for i, g := range mod.code.Globals {
		mod.slots[g] = i
	}
	actual, _ := bundled.LoadOrStore(name, mod)
	return actual.(*Module), true
}

// importModule returns a module, running its body when this is its first
// import.
func (m *Machine) importModule(name *Str) (Value, error) {
	if name == nil {
		return Value{}, ErrMalformed
	}
	if mod, ok := m.modules[name.s]; ok {
		return mod.ref(), nil
	}
	f := &m.frames[len(m.frames)-1]
	private := len(name.s) > 0 && name.s[0] == '_'
	if private && !f.unit.mod.hidden {
		return Value{}, noModule(name.s)
	}
	if fill, ok := known.modules[name.s]; ok {
		return m.importNative(name.s, fill), nil
	}
	code, ok := bundledCode(name.s)
	if !ok && m.host.AskModules && !f.unit.mod.hidden && !isKnown(name.s) {
		return m.hostModule("load", name.Ref())
	}
	if !ok {
		return Value{}, noModule(name.s)
	}
	return m.runModule(name.s, code)
}

// isKnown reports whether a module is bundled, or one within it would be.
func isKnown(name string) bool {
	top, _, _ := strings.Cut(name, ".")
	_, native := known.modules[top]
	return native || isBundled(top)
}

func noModule(name string) error {
	return raise.New("ModuleNotFoundError", "No module named '%s'", name)
}

func (m *Machine) importNative(name string, fill nativeModule) Value {
	mod := &ModuleObject{name: name}
	mod.value()
	fill(known, func(attr string, v Value) {
		s := SharedStr(attr)
		mod.attrs.insert(s.Ref(), v, s.tableHash())
	})
	m.keepModule(name, mod)
	return mod.ref()
}

func (m *Machine) keepModule(name string, mod *ModuleObject) {
	m.Spend(dictBytes + len(mod.globals)*ValueBytes + mod.attrs.bytes())
	if m.modules == nil {
		m.modules = map[string]*ModuleObject{}
	}
	m.modules[name] = mod
}

// runModule enters the body of a bundled module.
func (m *Machine) runModule(name string, code *Module) (Value, error) {
	mod := &ModuleObject{name: name, code: code, globals: make([]Value, len(code.code.Globals))}
	mod.value()
	m.keepModule(name, mod)
	f := &m.frames[len(m.frames)-1]
	base := int(f.base) + int(f.unit.regs) + 1
	u := code.units[0]
	if err := m.push(u, nil, mod, base, contExtra, mod.ref()); err != nil {
		return Value{}, err
	}
	clear(m.stack[base : base+int(u.locals)])
	return Value{}, errEntered
}

// importName is from module import name.
func (m *Machine) importName(v Value, name *Str) (Value, error) {
	if o := v.Instance(); o != nil && name != nil && m.of(o, hostedModule, "module") {
		return m.hostModule("name_of", v, name.Ref())
	}
	mod := v.module()
	if mod == nil || name == nil {
		return Value{}, ErrMalformed
	}
	if v, ok := m.systemName(mod.name, name.s); ok {
		return v, nil
	}
	found, err := mod.attr(name)
	if m.frames[len(m.frames)-1].unit.mod.hidden {
		found, err = mod.Member(name)
	}
	if err == nil {
		return found, nil
	}
	if sub, ok := lib.Source(mod.name + "." + name.s); ok && sub != "" {
		return m.importModule(SharedStr(mod.name + "." + name.s))
	}
	return Value{}, raise.New("ImportError", "cannot import name '%s' from '%s'", name.s, mod.name)
}

// moduleAttr is mod.name; a bundled module inside of another is imported when
// it is asked for.
func (m *Machine) moduleAttr(mod *ModuleObject, name *Str) (Value, error) {
	v, err := m.moduleMember(mod, name)
	if err == nil {
		return v, nil
	}
	if _, ok := lib.Source(mod.name + "." + name.s); ok {
		return m.importModule(SharedStr(mod.name + "." + name.s))
	}
	return Value{}, err
}

// moduleMember is moduleAttr of what is imported already.
func (m *Machine) moduleMember(mod *ModuleObject, name *Str) (Value, error) {
	if v, ok := m.systemName(mod.name, name.s); ok {
		return v, nil
	}
	v, err := mod.attr(name)
	if err != nil {
		if inner, ok := m.modules[mod.name+"."+name.s]; ok {
			return inner.ref(), nil
		}
	}
	return v, err
}

// libException finds an exception class of a bundled module by "module.Class".
func (m *Machine) libException(name string) *Class {
	for i := range name {
		if name[i] != '.' {
			continue
		}
		if mod, ok := m.modules[name[:i]]; ok {
			if v, err := mod.attr(SharedStr(name[i+1:])); err == nil {
				return v.Class()
			}
		}
	}
	return nil
}

// ModuleMembers returns the public names of a bundled module, in alphabetical
// order.
func ModuleMembers(name string) ([]string, bool) {
	var names []string
	if fill, ok := known.modules[name]; ok {
		fill(known, func(attr string, _ Value) { names = append(names, attr) })
	} else if mod, ok := bundledCode(name); ok {
		for name := range mod.code.Binds() {
			names = append(names, name)
		}
	} else {
		return nil, false
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name[0] == '_' })
	slices.Sort(names)
	return slices.Compact(names), true
}
