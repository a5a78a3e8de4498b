package compile

import (
	"math"
	"slices"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/resolve"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// ref says where the value of a name is.
type ref struct {
	kind   refKind
	loose  bool // a local that something unbinds
	walrus bool // a local that an expression binds
	index  int
}

type refKind uint8

const (
	unplaced refKind = iota
	local            // in register index
	cell             // in the cell in register index
	free             // in captured cell index
	globalSlot
	builtin
	className // in the namespace of the class body
)

// placeGlobals gives the names that the module binds their slots, or registers
// when no other unit needs them.
func (c *compiler) placeGlobals() {
	symbols := c.names.Module.Symbols()
	withBuiltins := len(symbols) + len(symbols)/4
	c.globals = slices.Grow(c.room.globals[:0], withBuiltins)[:len(symbols)]
	c.out.Globals = slices.Grow(c.out.Globals, len(symbols))
	for _, name := range c.options.Predeclared {
		c.globals[c.names.Global(name)] = c.newSlot(name)
	}
	for i := range symbols {
		sym := &symbols[i]
		switch {
		case !sym.Has(resolve.Bound) || c.globals[i].kind != unplaced:
		case c.options.Private && !sym.Has(resolve.Nested) && len(c.names.Module.Frame.Names) < maxModuleLocals && !c.isBuiltin(sym.Name):
			c.globals[i] = localRef(sym, c.names.Module.Frame.Add(sym.Name))
		default:
			c.globals[i] = c.newSlot(sym.Name)
		}
	}
}

// maxModuleLocals is the number of named registers of a module.
const maxModuleLocals = 120

func localRef(sym *resolve.Symbol, register int) ref {
	return ref{kind: local, index: register, loose: sym.Has(resolve.Unbinds), walrus: sym.Has(resolve.Walrus)}
}

// newSlot adds a global.
func (c *compiler) newSlot(name string) ref {
	c.out.Globals = append(c.out.Globals, name)
	if len(c.out.Globals) > math.MaxUint16 {
		c.fail(0, "too many global names")
	}
	return ref{kind: globalSlot, index: len(c.out.Globals) - 1}
}

func (c *compiler) isBuiltin(name string) bool {
	return c.options.Builtin != nil && c.options.Builtin(name)
}

// find says where a name is found from here. It has to be mangled.
func (u *unit) find(name string) ref {
	if u.scope.Kind == resolve.ModuleScope {
		return u.c.placeGlobal(u.c.names.Global(name))
	}
	sym := u.scope.Lookup(name)
	if sym == nil {
		return u.c.placeGlobal(u.c.names.Global(name))
	}
	switch sym.Kind {
	case resolve.Local:
		return localRef(sym.Var, int(sym.Index))
	case resolve.Cell:
		return ref{kind: cell, index: int(sym.Index)}
	case resolve.Free:
		return ref{kind: free, index: u.captureIndex(name)}
	case resolve.ClassName:
		return ref{kind: className}
	}
	return u.c.placeGlobal(int(sym.Index))
}

// placeGlobal says where a name of the module is found, given by its index.
func (c *compiler) placeGlobal(i int) ref {
	if i < len(c.globals) && c.globals[i].kind != unplaced {
		return c.globals[i]
	}
	return c.placeUnbound(i)
}

// placeUnbound places a name that nothing binds: it is a built-in or, when the
// program runs, an error.
func (c *compiler) placeUnbound(i int) ref {
	for len(c.globals) <= i {
		c.globals = append(c.globals, ref{})
	}
	sym := &c.names.Module.Symbols()[i]
	if sym.Kind == resolve.Builtin {
		c.globals[i] = ref{kind: builtin}
	} else {
		c.globals[i] = c.newSlot(sym.Name)
	}
	return c.globals[i]
}

// isBuiltin says whether a name certainly means the built-in.
func (u *unit) isBuiltin(e syntax.Expr, name string) bool {
	n, ok := e.(*syntax.Name)
	return ok && n.ID == name && u.find(name).kind == builtin
}

// captureIndex returns the index of the unit's captured cell for a variable of
// a scope around it.
func (u *unit) captureIndex(name string) int {
	for i := range u.code.Captures {
		if u.code.Captures[i].Name == name {
			return i
		}
	}
	u.code.Captures = append(u.code.Captures, code.Capture{Name: name})
	if len(u.code.Captures) > maxCaptures {
		u.c.fail(u.start, "too many captured variables in one function (limit %d)", maxCaptures)
	}
	return len(u.code.Captures) - 1
}

// maxCaptures is the number of variables that a function may capture. The list
// is searched from its beginning.
const maxCaptures = 200

// settleCaptures says where the cells are that a function captures when this
// unit makes it.
func (u *unit) settleCaptures(k *code.Code) {
	for i := range k.Captures {
		k.Captures[i] = u.capture(k.Captures[i].Name)
	}
}

func (u *unit) capture(name string) code.Capture {
	if s := u.scope.Unit(); name == "__class__" && s.ClassCell > 0 {
		return code.Capture{Name: name, Local: true, Index: s.ClassCell}
	}
	if sym := u.scope.Lookup(name); sym != nil && sym.Kind == resolve.Cell {
		return code.Capture{Name: name, Local: true, Index: int(sym.Index)}
	}
	return code.Capture{Name: name, Index: u.captureIndex(name)}
}

// load reads a name into dst.
func (u *unit) load(e *syntax.Name, dst int) {
	name := u.scope.Mangle(e.ID)
	r := u.find(name)
	if r.kind == local {
		u.checkLocal(r.index)
		u.taken.add(r.index)
		u.move(dst, r.index)
		return
	}
	u.at(e.Start)
	switch r.kind {
	case cell:
		u.emit(code.OpCell, dst, r.index, 0)
	case className:
		u.emitWide(code.OpClassName, dst, u.nameOperand(name, e.Start))
		u.loadOutside(u.c.placeGlobal(u.c.names.Global(name)), name, dst)
	default:
		u.spot(e.Start, e.Start+syntax.Pos(len(e.ID)))
		u.loadOutside(r, name, dst)
	}
}

// loadOutside reads a name of another unit, in one instruction.
func (u *unit) loadOutside(r ref, name string, dst int) {
	switch r.kind {
	case free:
		u.emitWide(code.OpFree, dst, r.index)
	case globalSlot:
		u.emitWide(code.OpGlobal, dst, r.index)
	case builtin:
		u.constTo(code.Builtin(name), dst)
	}
}

// nameOperand returns the constant of a name for a 16-bit operand.
func (u *unit) nameOperand(name string, at syntax.Pos) int {
	k := u.pool.name(name)
	if k > math.MaxUint16 {
		u.c.fail(at, "too many constants in one class")
	}
	return k
}

// checkLocal makes sure that a local is bound, unless that is certain.
func (u *unit) checkLocal(r int) {
	if !u.bound.has(r) {
		u.emit(code.OpCheckLocal, r, 0, 0)
	}
}

// localOf returns where a name is found that lives in a register.
func (u *unit) localOf(e syntax.Expr) (ref, bool) {
	n, ok := e.(*syntax.Name)
	if !ok {
		return ref{}, false
	}
	r := u.find(u.scope.Mangle(n.ID))
	return r, r.kind == local
}

// storeName binds a name to the value in a register.
func (u *unit) storeName(name string, at syntax.Pos, src int) {
	name = u.scope.Mangle(name)
	r := u.find(name)
	switch r.kind {
	case local:
		u.move(r.index, src)
		u.bindLocal(r)
	case cell:
		u.emit(code.OpSetCell, r.index, src, 0)
	case free:
		u.emitWide(code.OpSetFree, src, r.index)
	case globalSlot:
		u.emitWide(code.OpSetGlobal, src, r.index)
	case className:
		u.at(at)
		u.emitWide(code.OpSetClassName, src, u.nameOperand(name, at))
	}
}

// bindLocal notes that a local is bound from here on, unless something may
// unbind it.
func (u *unit) bindLocal(r ref) {
	if !r.loose {
		u.bound.add(r.index)
	}
}

// deleteName unbinds a name; it is an error when it isn't bound.
func (u *unit) deleteName(name string, at syntax.Pos) {
	name = u.scope.Mangle(name)
	r := u.find(name)
	u.at(at)
	switch r.kind {
	case local:
		u.checkLocal(r.index)
		u.emit(code.OpUnbind, r.index, 0, 0)
		u.bound.remove(r.index)
	case cell:
		u.emit(code.OpDeleteCell, r.index, 0, 0)
	case free:
		u.emitWide(code.OpDeleteFree, 0, r.index)
	case globalSlot:
		u.emitWide(code.OpDeleteGlobal, 0, r.index)
	case className:
		u.emitWide(code.OpDeleteClassName, 0, u.nameOperand(name, at))
	}
}
