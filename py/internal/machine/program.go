package machine

import (
	"math/big"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/tool"
)

// Program is a compiled program that any number of instances can run concurrently.
type Program struct {
	Main   *Module
	Inputs []string // the first globals
	Tools  []*tool.Tool
	Plain  bool    // a call of a tool waits unless the code awaits it, and what is no call may be awaited
	asks   bool    // what the code does not define, it asks its host for
	values []Value // of the tools
	sum    sum
}

// Module is the code of a module, ready to run: constants are values, which
// all instances share.
type Module struct {
	name   string
	hidden bool // its frames are left out of tracebacks
	code   *code.Module
	units  []*unit
	slots  map[string]int // of globals; nil until a module of this code is imported
	strs   map[string]*Str
	sum    sum
	first  int       // the index of the first unit; see Extend
	main   int       // the unit that runs the module
	feeds  []*Module // the code that a session was given; nil but in a session
}

// Link makes code runnable.
func Link(mod *code.Module, inputs []string, tools []*tool.Tool) *Program {
	p := &Program{Main: link(mod, false), Inputs: inputs, Tools: tools}
	for _, t := range tools {
		p.values = append(p.values, newTool(t))
	}
	return p
}

// awaits reports whether the code awaits outside of any function, as only code
// for a loop that runs already can.
func (mod *Module) awaits() bool {
	return slices.ContainsFunc(mod.body().instrs, func(in code.Instr) bool { return in.Op() == code.OpAwaitTop })
}

func link(mod *code.Module, hidden bool) *Module {
	l := &linker{mod: &Module{name: mod.Name, hidden: hidden, code: mod}}
	l.mod.units = make([]*unit, len(mod.Codes))
	units := make([]unit, len(mod.Codes))
	for i, c := range mod.Codes {
		l.mod.units[i] = l.unit(&units[i], c)
	}
	l.mod.strs = l.strs
	return l.mod
}

// linker turns constants into values. Equal strings of a module become one
// str, so that names are mostly found by identity.
type linker struct {
	mod  *Module
	strs map[string]*Str
}

func (l *linker) unit(u *unit, c *code.Code) *unit {
	*u = unit{
		code: c, instrs: c.Instrs, regs: int32(c.Regs), locals: int32(c.Locals), pos: int32(c.Pos), mod: l.mod,
		weight: 1,
		async:  ^c.Flags&(code.Generator|code.Coroutine) == 0,
		simple: c.KwOnly == 0 && c.Flags&(code.VarArgs|code.VarKw|code.Generator|code.Coroutine) == 0,
	}
	if l.mod.hidden {
		u.weight = 0
	}
	if len(c.Params) > 0 {
		u.params = make([]*Str, len(c.Params))
		for i, p := range c.Params {
			u.params[i] = l.str(p)
		}
	}
	if len(c.Consts) > 0 {
		u.consts = make([]Value, len(c.Consts))
		for i, k := range c.Consts {
			u.consts[i] = l.constant(k)
		}
	}
	return u
}

func (l *linker) constant(k any) Value {
	switch k := k.(type) {
	case nil:
		return None
	case bool:
		return Bool(k)
	case int64:
		return Int(k)
	case float64:
		return Float(k)
	case string:
		return l.str(k).Ref()
	case *big.Int:
		o := &bigInt{v: k}
		o.flags = shared
		return o.value()
	case []byte:
		o := &Bytes{b: string(k)}
		o.flags = shared
		return o.value()
	case code.Tuple:
		if len(k) == 0 {
			return emptyTuple
		}
		t := &Tuple{items: make([]Value, len(k))}
		t.flags = shared
		for i := range k {
			t.items[i] = l.constant(k[i])
		}
		return t.value()
	case *code.Code:
		return Int(int64(k.Index))
	case code.Builtin:
		return Builtin(string(k))
	case code.Intrinsic:
		return intrinsicValue(string(k))
	}
	return ellipsis
}

func (l *linker) str(s string) *Str {
	if o := knownStr(s); o != nil {
		return o
	}
	if o, ok := l.strs[s]; ok {
		return o
	}
	if l.strs == nil {
		l.strs = map[string]*Str{}
	}
	o := SharedStr(s)
	l.strs[s] = o
	return o
}

// unitOf returns the unit that the constant k stands for.
func (mod *Module) unitOf(k Value) (*unit, bool) {
	i := k.n - uint64(mod.first)
	if !k.IsInt() || i >= uint64(len(mod.units)) {
		return nil, false
	}
	return mod.units[i], true
}

// ModuleObject is a module of an instance.
type ModuleObject struct {
	Object
	name    string
	code    *Module // or nil for a native module
	globals []Value
	attrs   table // of a native module
}

func (o *ModuleObject) value() Value { o.kind, o.self = KindModule, o; return Value{o: &o.Object} }

func (o *ModuleObject) ref() Value {
	if o == nil {
		return Value{}
	}
	return Value{o: &o.Object}
}

// attr returns a name that the module defines. The private names of a bundled
// module are its own: they lead to natives that programs must not have.
func (o *ModuleObject) attr(name *Str) (Value, error) {
	if strings.HasPrefix(name.s, "_") && name.s != "__name__" {
		return Value{}, raise.Attribute("module '%s' has no attribute '%s'", o.name, name.s)
	}
	return o.Member(name)
}

// Member is attr for the modules themselves.
func (o *ModuleObject) Member(name *Str) (Value, error) {
	if o.code == nil {
		if i := o.attrs.findStr(name); i >= 0 {
			return o.attrs.entries[i].value, nil
		}
	} else if i, ok := o.code.slots[name.s]; ok && o.globals[i].Bound() {
		return o.globals[i], nil
	}
	if name.s == "__name__" {
		return SharedStr(o.name).Ref(), nil
	}
	return Value{}, raise.Attribute("module '%s' has no attribute '%s'", o.name, name.s)
}

// globalFallback returns the built-in whose name an unbound global has.
func (m *Machine) globalFallback(mod *ModuleObject, slot int) (Value, error) {
	name := mod.code.code.Globals[slot]
	if v, ok := builtinByName(name); ok {
		return v, nil
	}
	if name == "__name__" {
		return SharedStr("__main__").Ref(), nil
	}
	if v, ok := m.systemName("builtins", name); ok {
		return v, nil
	}
	if m.program.asks && mod == m.main {
		if m.calls() {
			return newHostFunction(name, ""), nil
		}
		return m.askHost(AskName, name, Args{}, contStore, Value{})
	}
	return Value{}, m.unboundGlobal(mod, slot)
}

func (m *Machine) unboundGlobal(mod *ModuleObject, slot int) error {
	name := mod.code.code.Globals[slot]
	return m.detailed(raise.New("NameError", "name '%s' is not defined", name), member{"name", m.Message(name)})
}

func (m *Machine) unboundLocal(u *unit, reg uint8) error {
	if int(reg) >= len(u.code.LocalNames) {
		return ErrMalformed
	}
	if u.code.Flags&code.Main != 0 {
		name := u.code.LocalNames[reg]
		return m.detailed(raise.New("NameError", "name '%s' is not defined", name), member{"name", m.Message(name)})
	}
	return raise.New("UnboundLocalError", "cannot access local variable '%s' where it is not associated with a value",
		u.code.LocalNames[reg])
}

func (m *Machine) unboundFree(u *unit, i int) error {
	return raise.New("NameError",
		"cannot access free variable '%s' where it is not associated with a value in enclosing scope", u.code.Captures[i].Name)
}
