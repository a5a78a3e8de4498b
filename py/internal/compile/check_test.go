package compile

import (
	"fmt"

	"github.com/glovebox-dev/glovebox/py/internal/code"
)

// effect is what an instruction does to registers.
type effect struct {
	reads, writes []int
	ends          bool // the next instruction is not reached
	killsFrom     int  // registers from here on are lost; -1 for none
}

func run(from, n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = from + i
	}
	return list
}

// effectOf says what registers the instruction at pc uses, and so documents the
// operands of every opcode a second time.
func effectOf(k *code.Code, pc int) effect {
	i := k.Instrs[pc]
	a, b, c := int(i.A()), int(i.B()), int(i.C())
	e := effect{killsFrom: -1}
	rw := func(w []int, r ...int) effect { e.reads, e.writes = r, w; return e }
	one := func(r int) []int { return []int{r} }
	op := i.Op()
	switch {
	case op >= code.OpAdd && op <= code.OpIBitXor, op >= code.OpEq && op <= code.OpNotIn:
		return rw(one(a), b, c)
	case op >= code.OpAddI && op <= code.OpNot:
		return rw(one(a), b)
	case op >= code.OpTestEq && op <= code.OpTestNotIn:
		return rw(nil, a, b)
	}
	switch op {
	case code.OpMove, code.OpCell, code.OpFormat, code.OpConvert, code.OpListToTuple, code.OpItemI, code.OpItemK,
		code.OpAttr, code.OpSpecial, code.OpYield, code.OpAwaitable, code.OpAwaitTop, code.OpImportName,
		code.OpIter, code.OpAsyncIter, code.OpAsyncNext:
		return rw(one(a), b)
	case code.OpConst, code.OpConstX, code.OpSmall, code.OpGlobal, code.OpFree, code.OpClassName, code.OpEmptyCell,
		code.OpUnbind, code.OpImport:
		return rw(one(a))
	case code.OpSetGlobal, code.OpSetFree, code.OpSetClassName, code.OpTest, code.OpTestNone, code.OpDeleteAttr, code.OpCheckAttr,
		code.OpTestEqI, code.OpTestNotEqI, code.OpTestLtI, code.OpTestLtEI, code.OpTestGtI, code.OpTestGtEI,
		code.OpTestEqK, code.OpTestNotEqK, code.OpTestBound, code.OpCheckLocal, code.OpDeleteCell, code.OpAsFuture:
		return rw(nil, a)
	case code.OpDeleteGlobal, code.OpDeleteFree, code.OpDeleteClassName, code.OpJump, code.OpLoopRange:
		return e
	case code.OpNewCell:
		return rw(one(a), a)
	case code.OpSetCell, code.OpAppend, code.OpAddToSet, code.OpExtend, code.OpUpdateSet, code.OpMerge, code.OpDeleteItem, code.OpSetAttr:
		return rw(nil, a, b)
	case code.OpPut, code.OpSetItem, code.OpMergeArgs:
		return rw(nil, a, b, c)
	case code.OpSetItemK:
		return rw(nil, a, c)
	case code.OpForIter:
		return rw(one(b), a)
	case code.OpForPair:
		return rw(run(b, 2), a)
	case code.OpForRange:
		return rw(one(b), run(a, 3)...)
	case code.OpRangeIter:
		return rw(nil, run(a, 3)...)
	case code.OpList, code.OpTuple, code.OpSet, code.OpJoin:
		return rw(one(a), run(b, c)...)
	case code.OpDict:
		return rw(one(a), run(b, 2*c)...)
	case code.OpFormatSpec, code.OpItem, code.OpMatchExcept:
		return rw(one(a), b, c)
	case code.OpSlice:
		return rw(one(a), run(b, 3)...)
	case code.OpItemSlice:
		return rw(one(a), append(run(c, 3), b)...)
	case code.OpUnpack:
		return rw(run(a, c), b)
	case code.OpUnpackStar:
		return rw(run(a, c+1+int(k.Instrs[pc+1])), b)
	case code.OpCall, code.OpCallKw, code.OpCallMethod, code.OpCallMethodKw:
		e.killsFrom = a
		return rw(one(c), run(a, b+1)...)
	case code.OpCallEx:
		e.killsFrom = a
		return rw(one(c), run(a, 3)...)
	case code.OpCallSuper:
		return rw(one(c), a, b)
	case code.OpFunction:
		var r []int
		if c&1 != 0 {
			r = append(r, a+1)
		}
		if c&2 != 0 {
			r = append(r, a+2)
		}
		for _, p := range k.Consts[k.Instrs[pc+1]].(*code.Code).Captures {
			if p.Local {
				r = append(r, p.Index)
			}
		}
		return rw(one(a), r...)
	case code.OpDelegate:
		return rw(one(c), a, b)
	case code.OpReturn, code.OpReraise:
		e.ends = true
		return rw(nil, a)
	case code.OpReturnNone:
		e.ends = true
		return e
	case code.OpRaise:
		e.ends = true
		if c == 1 {
			return rw(nil, a, b)
		}
		return rw(nil, a)
	case code.OpEndExcept:
		return rw(one(a), a)
	}
	panic(fmt.Sprintf("no effect for %v", op))
}

// checkModule verifies everything that the machine relies on.
func checkModule(m *code.Module) error {
	if len(m.Codes) == 0 || m.Codes[0] != m.Main {
		return fmt.Errorf("the first code is not Main")
	}
	for i, k := range m.Codes {
		if k.Index != i {
			return fmt.Errorf("%s: index %d, not %d", k.QualName, k.Index, i)
		}
		if err := checkCode(m, k); err != nil {
			return fmt.Errorf("%s: %w", k.QualName, err)
		}
	}
	return nil
}

func checkCode(m *code.Module, k *code.Code) error {
	if k.Regs > code.MaxRegs || k.Locals > k.Regs || len(k.LocalNames) != k.Locals || len(k.Params) > k.Locals {
		return fmt.Errorf("%d registers, %d locals, %d names", k.Regs, k.Locals, len(k.LocalNames))
	}
	if len(k.Tops) != len(k.Instrs) {
		return fmt.Errorf("%d tops for %d instructions", len(k.Tops), len(k.Instrs))
	}
	starts := make([]bool, len(k.Instrs)+1)
	for pc := 0; pc < len(k.Instrs); pc += k.Instrs[pc].Op().Length() {
		if op := k.Instrs[pc].Op(); op == code.OpInvalid || op >= code.OpCount {
			return fmt.Errorf("%d: no instruction", pc)
		}
		starts[pc] = true
	}
	for i, h := range k.Handlers {
		if h.Start >= h.End || int(h.End) > len(k.Instrs) || !starts[h.Start] || !starts[h.Target] || int(h.Reg) < k.Locals {
			return fmt.Errorf("handler %d: %+v", i, h)
		}
	}
	f := &flow{m: m, k: k, starts: starts, live: make([]*regSet, len(k.Instrs))}
	return f.check()
}

// flow finds the temporaries that certainly hold a value at each instruction.
type flow struct {
	m      *code.Module
	k      *code.Code
	starts []bool
	live   []*regSet
	todo   []int
}

func (f *flow) check() error {
	var all regSet
	for r := range f.k.Locals {
		all.add(r)
	}
	f.reach(0, all)
	for len(f.todo) > 0 {
		pc := f.todo[len(f.todo)-1]
		f.todo = f.todo[:len(f.todo)-1]
		if err := f.step(pc); err != nil {
			return fmt.Errorf("%d %v: %w", pc, f.k.Instrs[pc].Op(), err)
		}
	}
	return nil
}

func (f *flow) reach(pc int, live regSet) {
	top := int(f.k.Tops[pc])
	for r := top; r < 256; r++ {
		live.remove(r)
	}
	old := f.live[pc]
	if old == nil {
		f.live[pc] = &live
		f.todo = append(f.todo, pc)
		return
	}
	before := *old
	old.intersect(&live)
	if *old != before {
		f.todo = append(f.todo, pc)
	}
}

func (f *flow) step(pc int) error {
	k := f.k
	i := k.Instrs[pc]
	e := effectOf(k, pc)
	live := *f.live[pc]
	for _, r := range e.reads {
		if !live.has(r) || r >= int(k.Tops[pc]) {
			return fmt.Errorf("reads R%d, which holds nothing (top %d)", r, k.Tops[pc])
		}
	}
	for _, h := range k.Handlers {
		if pc >= int(h.Start) && pc < int(h.End) {
			in := live
			in.add(int(h.Reg))
			if int(k.Tops[h.Target]) <= int(h.Reg) {
				return fmt.Errorf("handler's register %d is above its top", h.Reg)
			}
			f.reach(int(h.Target), in)
		}
	}
	if e.killsFrom >= 0 {
		for r := e.killsFrom; r < 256; r++ {
			live.remove(r)
		}
	}
	for _, r := range e.writes {
		if r >= k.Regs {
			return fmt.Errorf("writes R%d of %d", r, k.Regs)
		}
		live.add(r)
	}
	if e.ends {
		return nil
	}
	return f.successors(pc, i, live)
}

func (f *flow) successors(pc int, i code.Instr, live regSet) error {
	k := f.k
	var next []int
	length := i.Op().Length()
	switch {
	case i.Op() == code.OpJump || i.Op() == code.OpLoopRange:
		next = []int{pc + 1 + i.Offset()}
	case i.Op().IsTest():
		if k.Instrs[pc+1].Op() != code.OpJump {
			return fmt.Errorf("a test without a jump")
		}
		next = []int{pc + 2, pc + 2 + k.Instrs[pc+1].Offset()}
	case i.Op() == code.OpClassName:
		next = []int{pc + 1, pc + 1 + k.Instrs[pc+1].Op().Length()}
	default:
		next = []int{pc + length}
	}
	for _, n := range next {
		if n < 0 || n >= len(k.Instrs) || !f.starts[n] {
			return fmt.Errorf("leads to %d, which is no instruction", n)
		}
		f.reach(n, live)
	}
	return f.checkOperands(pc, i)
}

// checkOperands checks constants, slots and captures.
func (f *flow) checkOperands(pc int, i code.Instr) error {
	k := f.k
	bad := func(n, limit int) error {
		if n < 0 || n >= limit {
			return fmt.Errorf("operand %d of %d", n, limit)
		}
		return nil
	}
	switch i.Op() {
	case code.OpConst, code.OpClassName, code.OpSetClassName, code.OpDeleteClassName:
		return bad(i.K(), len(k.Consts))
	case code.OpGlobal, code.OpSetGlobal, code.OpDeleteGlobal:
		return bad(i.K(), len(f.m.Globals))
	case code.OpFree, code.OpSetFree, code.OpDeleteFree:
		return bad(i.K(), len(k.Captures))
	case code.OpAddK, code.OpSubK, code.OpMulK, code.OpDivK, code.OpIMulK, code.OpIAddK, code.OpItemK:
		return bad(int(i.C()), len(k.Consts))
	case code.OpTestEqK, code.OpTestNotEqK, code.OpSetItemK:
		return bad(int(i.B()), len(k.Consts))
	case code.OpConstX, code.OpAttr, code.OpSetAttr, code.OpDeleteAttr, code.OpCheckAttr, code.OpSpecial,
		code.OpCallKw, code.OpCallMethod, code.OpFunction, code.OpImport, code.OpImportName:
		return bad(int(k.Instrs[pc+1]), len(k.Consts))
	}
	return nil
}
