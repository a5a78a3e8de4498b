package compile

import (
	"math"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// resolve says where a name is found from here.
func (u *unit) resolve(name string) ref {
	for s := u.scope; ; s = s.parent {
		if s.kind == moduleScope {
			return u.c.resolveGlobal(name)
		}
		sym := s.lookup(name)
		if sym != nil && sym.ref.kind != unresolved {
			return sym.ref
		}
		if s.kind == comprehensionScope {
			if s.parent.kind == classScope {
				return u.resolveOutside(s.parent.parent, name)
			}
			continue
		}
		return u.resolveHere(s, sym, name)
	}
}

// resolveHere resolves a name that the unit's own scope doesn't hold in a
// register.
func (u *unit) resolveHere(s *scope, sym *symbol, name string) ref {
	var r ref
	switch {
	case sym != nil && sym.flags&global != 0:
		r = u.c.resolveGlobal(name)
	case s.kind == classScope && sym != nil && sym.flags&(bound|nonlocal) == bound:
		r = ref{kind: className}
	default:
		r = u.resolveOutside(s.parent, name)
	}
	if sym != nil {
		sym.ref = r
	}
	return r
}

// resolveOutside resolves a name that belongs to a scope around the unit's.
func (u *unit) resolveOutside(s *scope, name string) ref {
	for ; s.kind != moduleScope; s = s.parent {
		if s.kind == classScope {
			if name == "__class__" && s.classCell > 0 {
				return ref{kind: free, index: u.captureIndex(name)}
			}
			continue
		}
		sym := s.lookup(name)
		if sym == nil {
			continue
		}
		if sym.flags&global != 0 {
			break
		}
		if sym.isLocal() {
			return ref{kind: free, index: u.captureIndex(name)}
		}
	}
	return u.c.resolveGlobal(name)
}

// resolveGlobal resolves a name of the module: what nothing binds is a built-in
// or, when the program runs, an error.
func (c *compiler) resolveGlobal(name string) ref {
	sym := c.top.note(name, 0)
	if sym.ref.kind != unresolved {
		return sym.ref
	}
	if c.isBuiltin(name) {
		sym.ref = ref{kind: builtin}
		return sym.ref
	}
	sym.ref = c.newSlot(name)
	return sym.ref
}

func (c *compiler) isBuiltin(name string) bool {
	return c.options.Builtin != nil && c.options.Builtin(name)
}

// isBuiltin says whether a name certainly means the built-in.
func (u *unit) isBuiltin(e syntax.Expr, name string) bool {
	n, ok := e.(*syntax.Name)
	return ok && n.ID == name && u.resolve(name).kind == builtin
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
	for s := u.scope; ; s = s.parent {
		if s.kind == classScope {
			if name == "__class__" && s.classCell > 0 {
				return code.Capture{Name: name, Local: true, Index: s.classCell}
			}
			break
		}
		if sym := s.lookup(name); sym != nil && sym.ref.kind == cell {
			return code.Capture{Name: name, Local: true, Index: sym.ref.index}
		}
		if s.kind != comprehensionScope {
			break
		}
	}
	return code.Capture{Name: name, Index: u.captureIndex(name)}
}

// load reads a name into dst.
func (u *unit) load(e *syntax.Name, dst int) {
	name := u.scope.mangle(e.ID)
	r := u.resolve(name)
	if r.kind == local {
		u.checkLocal(r.index)
		u.move(dst, r.index)
		return
	}
	u.at(e.Start)
	switch r.kind {
	case cell:
		u.emit(code.OpCell, dst, r.index, 0)
	case className:
		u.emitWide(code.OpClassName, dst, u.nameOperand(name, e.Start))
		u.loadOutside(u.c.resolveGlobal(name), name, dst)
	default:
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
	r := u.resolve(u.scope.mangle(n.ID))
	return r, r.kind == local
}

// storeName binds a name to the value in a register.
func (u *unit) storeName(name string, at syntax.Pos, src int) {
	name = u.scope.mangle(name)
	r := u.resolve(name)
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
	name = u.scope.mangle(name)
	r := u.resolve(name)
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
