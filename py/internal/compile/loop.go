package compile

import (
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// iteration is a loop over an iterable whose state is in registers.
type iteration struct {
	kind iterationKind
	it   int // the first register
}

type iterationKind uint8

const (
	overIterator iterationKind = iota
	overRange
	overAsync
)

// iterate prepares a loop over the value of an expression.
func (u *unit) iterate(e syntax.Expr, async bool) iteration {
	if args, ok := u.rangeArgs(e); ok && !async {
		return u.iterateRange(args, e.Pos())
	}
	it := u.top
	if l, ok := e.(*syntax.List); ok && !async {
		if t, ok := u.foldTuple(l.Items, foldDepth); ok {
			u.constTo(t, it)
			u.alloc()
			u.emit(code.OpIter, it, it, 0)
			return iteration{kind: overIterator, it: it}
		}
	}
	r := u.operand(e, nil)
	u.top = it
	u.reserve(it)
	u.at(e.Pos())
	if async {
		u.emit(code.OpAsyncIter, it, r, 0)
		return iteration{kind: overAsync, it: it}
	}
	u.emit(code.OpIter, it, r, 0)
	return iteration{kind: overIterator, it: it}
}

// rangeArgs returns the arguments when the expression is certainly a call of
// the built-in range that can be counted through.
func (u *unit) rangeArgs(e syntax.Expr) ([]syntax.Expr, bool) {
	call, ok := e.(*syntax.Call)
	if !ok || len(call.Keywords) > 0 || len(call.Args) == 0 || len(call.Args) > 3 {
		return nil, false
	}
	return call.Args, !spreads(call.Args, nil) && u.isBuiltin(call.Fn, "range")
}

func (u *unit) iterateRange(args []syntax.Expr, at syntax.Pos) iteration {
	it := u.top
	if len(args) == 1 {
		u.pushConst(int64(0))
	}
	for _, a := range args {
		u.push(a)
	}
	if len(args) < 3 {
		u.pushConst(int64(1))
	}
	u.at(at)
	u.emit(code.OpRangeIter, it, 0, 0)
	return iteration{kind: overRange, it: it}
}

// next gets the next item into the target, or goes to end.
func (u *unit) next(i iteration, target syntax.Expr, end *label, at syntax.Pos) {
	u.at(at)
	mark := u.top
	switch {
	case i.kind == overAsync:
		u.store(target, u.asyncNext(i.it, end))
	case i.kind == overIterator && u.nextPair(i, target, end):
	default:
		op := code.OpForIter
		if i.kind == overRange {
			op = code.OpForRange
		}
		u.nextItem(op, i.it, target, end)
	}
	u.top = mark
}

func (u *unit) nextItem(op code.Op, it int, target syntax.Expr, end *label) {
	if r, ok := u.localOf(target); ok {
		if op == code.OpForIter {
			u.loops = append(u.loops, len(u.instrs))
		}
		u.emit(op, it, r.index, 0)
		u.jumpIf(end)
		u.bindLocal(r)
		return
	}
	item := u.top
	u.emit(op, it, item, 0)
	u.jumpIf(end)
	u.alloc()
	u.store(target, item)
}

// markLoops marks the loops over what nothing but its items is read of.
func (u *unit) markLoops() {
	for _, pc := range u.loops {
		if i := u.instrs[pc]; !u.taken.has(int(i.B())) {
			u.instrs[pc] = code.Make(i.Op(), i.A(), i.B(), 1)
		}
	}
}

// nextPair does "for a, b in": it unpacks without a tuple.
func (u *unit) nextPair(i iteration, target syntax.Expr, end *label) bool {
	a, b, ok := pairOfNames(target)
	if !ok {
		return false
	}
	first, firstLocal := u.localOf(a)
	second, secondLocal := u.localOf(b)
	if firstLocal && secondLocal && second.index == first.index+1 {
		u.emit(code.OpForPair, i.it, first.index, 0)
		u.jumpIf(end)
		u.bindLocal(first)
		u.bindLocal(second)
		return true
	}
	pair := u.top
	u.emit(code.OpForPair, i.it, pair, 0)
	u.jumpIf(end)
	u.alloc()
	u.alloc()
	u.store(a, pair)
	u.store(b, pair+1)
	return true
}

func pairOfNames(target syntax.Expr) (a, b *syntax.Name, ok bool) {
	t, ok := target.(*syntax.Tuple)
	if !ok || len(t.Items) != 2 {
		return nil, nil, false
	}
	a, okA := t.Items[0].(*syntax.Name)
	b, okB := t.Items[1].(*syntax.Name)
	return a, b, okA && okB
}

// forLoop does a for statement.
func (u *unit) forLoop(st *syntax.For) {
	mark := u.top
	i := u.iterate(st.Iter, st.Async)
	b := &block{kind: loopBlock}
	var end label
	u.place(&b.next)
	u.next(i, st.Target, &end, st.Start)
	u.blocks = append(u.blocks, b)
	u.body(st.Body)
	u.blocks = u.blocks[:len(u.blocks)-1]
	if !u.dead {
		u.again(i, &b.next)
	}
	u.top = mark
	u.place(&end)
	if !u.dead {
		u.body(st.Else)
	}
	u.place(&b.end)
}

// again begins the next round of a loop, whose first instruction is at next.
func (u *unit) again(i iteration, next *label) {
	u.jump(next)
	if i.kind == overRange {
		last := &u.instrs[len(u.instrs)-1]
		*last = *last&^0xff | code.Instr(code.OpLoopRange)
	}
}

// whileLoop does a while statement. A plain condition is tested at the end of
// each round, so that a round has one jump.
func (u *unit) whileLoop(st *syntax.While) {
	truthy, constant := constCond(st.Cond)
	if constant && !truthy {
		u.body(st.Else)
		return
	}
	b := &block{kind: loopBlock}
	var end label
	if !constant && quiet(st.Cond, quietDepth) {
		u.whileAtEnd(st, b)
	} else {
		u.place(&b.next)
		u.cond(st.Cond, &end, false)
		u.loopBody(b, st.Body)
		if !u.dead {
			u.jump(&b.next)
		}
		u.place(&end)
	}
	if !u.dead {
		u.body(st.Else)
	}
	u.place(&b.end)
}

func (u *unit) whileAtEnd(st *syntax.While, b *block) {
	var again label
	u.jump(&b.next)
	u.dead = false
	u.place(&again)
	bound := u.bound
	u.loopBody(b, st.Body)
	u.place(&b.next)
	u.bound = bound
	u.at(st.Start)
	u.cond(st.Cond, &again, true)
}

func (u *unit) loopBody(b *block, body []syntax.Stmt) {
	u.blocks = append(u.blocks, b)
	u.body(body)
	u.blocks = u.blocks[:len(u.blocks)-1]
}

// constCond returns the truth of a condition that is a literal.
func constCond(e syntax.Expr) (truthy, ok bool) {
	c, ok := e.(*syntax.Constant)
	if !ok {
		return false, false
	}
	return constTruth(c.Value)
}
