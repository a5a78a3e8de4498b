package compile

import (
	"slices"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/resolve"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// maxInstrs is the number of instructions that a program may have: every jump
// fits, and with statements, whose ends are repeated at every way out, can't
// make much code of a short source.
const maxInstrs = 8_000_000

// unit is a unit of code that is being made.
type unit struct {
	c           *compiler
	parent      *unit
	code        *code.Code
	scope       *resolve.Scope // the innermost: the unit's own, or that of a comprehension inside it
	instrs      []code.Instr
	tops        []uint8
	lines       []code.LineAt
	handlers    []code.Handler
	handling    []code.Handling
	pool        constPool
	blocks      []*block
	annotations int // of a class body: the register of the dict of annotations
	named       int // named registers
	top         int // the next free temporary
	regs        int // registers used so far
	line        int // of the instructions that come
	lastLine    int // of the last instruction
	bound       regSet
	taken       regSet // named registers that are read other than for an item
	loops       []int  // the ForIters into named registers
	dead        bool   // nothing leads to the next instruction
	start       syntax.Pos
}

// regSet is a set of registers.
type regSet [4]uint64

func (s *regSet) has(r int) bool { return s[r>>6&3]&(1<<(r&63)) != 0 }
func (s *regSet) add(r int)      { s[r>>6&3] |= 1 << (r & 63) }
func (s *regSet) remove(r int)   { s[r>>6&3] &^= 1 << (r & 63) }

func (s *regSet) intersect(o *regSet) {
	for i := range s {
		s[i] &= o[i]
	}
}

func (s *regSet) union(o *regSet) {
	for i := range s {
		s[i] |= o[i]
	}
}

// begin begins a unit with a scope of its own.
func (c *compiler) begin(parent *unit, s *resolve.Scope, name string, at syntax.Pos) *unit {
	u := c.buffers()
	u.c, u.parent, u.scope, u.start = c, parent, s, at
	u.code = &code.Code{Name: name, Index: len(c.out.Codes), LocalNames: s.Frame.Names, Locals: len(s.Frame.Names)}
	if parent == nil {
		c.out.Main = u.code
		c.out.Codes = make([]*code.Code, 0, 1+len(c.names.Scopes))
	} else {
		u.code.QualName = parent.qualify(name)
	}
	c.out.Codes = append(c.out.Codes, u.code)
	u.named = len(s.Frame.Names)
	u.top, u.regs = u.named, u.named
	if u.named > maxNamed {
		c.fail(at, "too many local variables in one function (limit %d)", maxNamed)
	}
	if parent != nil {
		u.prepareLocals()
	}
	return u
}

// maxNamed is the number of named registers of a unit; the rest is for
// temporaries.
const maxNamed = 200

// buffers returns an empty unit, with the buffers of a finished one if there is
// one.
func (c *compiler) buffers() *unit {
	if n := len(c.spare); n > 0 {
		u := c.spare[n-1]
		c.spare = c.spare[:n-1]
		*u = unit{instrs: u.instrs[:0], tops: u.tops[:0], lines: u.lines[:0], blocks: u.blocks[:0], loops: u.loops[:0],
			pool: constPool{values: u.pool.values[:0]}}
		return u
	}
	return &unit{instrs: make([]code.Instr, 0, 64), tops: make([]uint8, 0, 64), lines: make([]code.LineAt, 0, 16)}
}

// prepareLocals makes the cells of captured variables, and marks the parameters
// as bound.
func (u *unit) prepareLocals() {
	s := u.scope
	if s.ClassCell > 0 {
		u.emit(code.OpEmptyCell, s.ClassCell, 0, 0)
	}
	if s.Kind == resolve.ClassScope {
		return
	}
	symbols := s.Symbols()
	for i := range symbols {
		sym := &symbols[i]
		if sym.Has(resolve.Parameter) && !sym.Has(resolve.Unbinds) {
			u.bound.add(int(sym.Index))
		}
		if sym.Kind == resolve.Cell {
			u.newCell(sym)
		}
	}
}

func (u *unit) newCell(sym *resolve.Symbol) {
	op := code.OpEmptyCell
	if sym.Has(resolve.Parameter) {
		op = code.OpNewCell
	}
	u.emit(op, int(sym.Index), 0, 0)
}

// finish completes the code of the unit.
func (u *unit) finish() {
	if !u.dead {
		u.emit(code.OpReturnNone, 0, 0, 0)
	}
	u.markLoops()
	k := u.code
	k.Regs = u.regs
	k.Instrs = slices.Clone(u.instrs)
	k.Tops = slices.Clone(u.tops)
	k.Lines = slices.Clone(u.lines)
	k.Consts = slices.Clone(u.pool.values)
	k.Handlers, k.Handling = u.handlers, u.handling
	u.c.spare = append(u.c.spare, u)
}

// qualify returns the qualified name of something that is defined in the unit.
func (u *unit) qualify(name string) string {
	k := u.code
	switch {
	case k.Flags&code.Main != 0:
		return name
	case k.Flags&code.ClassBody != 0, k.Name == "<genexpr>":
		return k.QualName + "." + name
	}
	if sym := u.scope.Lookup(name); sym != nil && sym.Has(resolve.AsGlobal) {
		return name
	}
	return k.QualName + ".<locals>." + name
}

// emit adds an instruction.
func (u *unit) emit(op code.Op, a, b, c int) {
	u.add(code.Make(op, uint8(a), uint8(b), uint8(c)))
}

// callee notes that the name that was just read is called.
func (u *unit) callee(fn syntax.Expr) {
	if _, ok := fn.(*syntax.Name); !ok || len(u.code.Spots) == 0 {
		return
	}
	if last := &u.code.Spots[len(u.code.Spots)-1]; int(last.PC) == len(u.instrs)-1 {
		last.Callee = true
	}
}

// emitWide adds an instruction with a 16-bit operand.
func (u *unit) emitWide(op code.Op, a, k int) {
	u.add(code.MakeWide(op, uint8(a), uint16(k)))
}

// word adds the data of the instruction before it.
func (u *unit) word(w int) { u.add(code.Instr(w)) }

func (u *unit) add(i code.Instr) {
	if u.line != u.lastLine {
		u.lastLine = u.line
		u.lines = append(u.lines, code.LineAt{PC: int32(len(u.instrs)), Line: int32(u.line)})
	}
	if u.c.size++; u.c.size > maxInstrs {
		u.c.fail(u.start, "the program is too long")
	}
	u.instrs = append(u.instrs, i)
	u.tops = append(u.tops, uint8(u.top))
}

// at says from which place the next instructions come.
func (u *unit) at(p syntax.Pos) {
	c := u.c
	if p < c.lineFrom || p >= c.lineTo {
		c.line, c.lineFrom, c.lineTo = c.file.LineAt(p)
	}
	u.line = c.line
}

// alloc returns a new temporary.
func (u *unit) alloc() int {
	r := u.top
	u.reserve(r)
	return min(r, code.MaxRegs-1)
}

// reserve makes register r the last one in use, unless later ones are.
func (u *unit) reserve(r int) {
	if r < u.top {
		return
	}
	u.top = r + 1
	if u.top > u.regs {
		u.regs = u.top
	}
	if u.top > code.MaxRegs {
		u.c.fail(u.start, "expression is too deeply nested")
		u.top = u.named
	}
}

// isTemp says whether a register is a temporary.
func (u *unit) isTemp(r int) bool { return r >= u.named }

// work returns a temporary in which a value is built that goes to dst: dst
// itself, unless a half-built value could be seen there.
func (u *unit) work(dst int) int {
	if !u.isTemp(dst) {
		return u.alloc()
	}
	u.reserve(dst)
	return dst
}

// move copies a register, if it is another one.
func (u *unit) move(dst, src int) {
	if dst != src {
		u.emit(code.OpMove, dst, src, 0)
	}
}
