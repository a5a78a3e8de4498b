package compile

import (
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// exprTo works out an expression. Its value goes to dst: a named register, a
// temporary in use, or the next free one. A named register is written only when
// the whole expression has succeeded.
func (u *unit) exprTo(e syntax.Expr, dst int) {
	switch e := e.(type) {
	case *syntax.Name:
		u.load(e, dst)
	case *syntax.Constant:
		u.constTo(u.literal(e), dst)
	case *syntax.Call:
		u.call(e, dst)
	case *syntax.Attribute:
		u.attribute(e, dst)
	case *syntax.Subscript:
		u.subscript(e, dst)
	case *syntax.Binary:
		u.binary(e, dst)
	case *syntax.Compare:
		u.compare(e, dst)
	case *syntax.BoolOp:
		u.boolOp(e, dst)
	case *syntax.Unary:
		u.unary(e, dst)
	case *syntax.IfExp:
		u.ifExp(e, dst)
	case *syntax.JoinedStr:
		u.joinedStr(e, dst)
	case *syntax.FormattedValue:
		u.formatted(e, dst)
	default:
		u.rareTo(e, dst)
	}
}

// rareTo does the expressions that are rarer, or that bring their own weight.
func (u *unit) rareTo(e syntax.Expr, dst int) {
	switch e := e.(type) {
	case *syntax.List:
		u.listDisplay(e.Items, dst)
	case *syntax.Tuple:
		u.tupleDisplay(e.Items, dst)
	case *syntax.Dict:
		u.dictDisplay(e, dst)
	case *syntax.Set:
		u.setDisplay(e, dst)
	case *syntax.Comprehension:
		u.comprehension(e, dst)
	case *syntax.Lambda:
		u.lambda(e, dst)
	case *syntax.NamedExpr:
		u.namedExpr(e, dst)
	case *syntax.Await:
		u.await(e, dst)
	case *syntax.Yield:
		u.yield(e, dst)
	case *syntax.Slice:
		u.slice(e, dst)
	case *syntax.Starred:
		u.c.fail(e.Start, "can't use starred expression here")
	}
}

// push works out an expression into a new temporary.
func (u *unit) push(e syntax.Expr) int {
	r := u.top
	u.exprTo(e, r)
	u.top = r
	return u.alloc()
}

// pushConst loads a constant into a new temporary.
func (u *unit) pushConst(v any) int {
	u.constTo(v, u.top)
	return u.alloc()
}

// operand works out an expression and returns the register of its value. A local
// is used where it is, unless the expression that is worked out after it, which
// may be nil, could bind it anew.
func (u *unit) operand(e, later syntax.Expr) int {
	switch n := e.(type) {
	case *syntax.Name:
		if r, ok := u.localOf(n); ok && (!r.walrus || stable(later)) {
			u.checkLocal(r.index)
			u.taken.add(r.index)
			return r.index
		}
	case *syntax.NamedExpr:
		if r, ok := u.localOf(n.Target); ok && stable(later) {
			u.namedExpr(n, r.index)
			u.taken.add(r.index)
			return r.index
		}
	}
	return u.push(e)
}

// stable says whether an expression certainly binds no name.
func stable(e syntax.Expr) bool {
	switch e.(type) {
	case nil, *syntax.Name, *syntax.Constant:
		return true
	}
	return false
}

// binary does X op Y.
func (u *unit) binary(e *syntax.Binary, dst int) {
	if v, ok := u.fold(e, foldDepth); ok {
		u.constTo(v, dst)
		return
	}
	mark := u.top
	x := u.operand(e.X, e.Y)
	op, c := u.rightOperand(e.Op, e.Y)
	u.at(e.Start)
	u.mark(e.Start, e.Y)
	u.emit(op, dst, x, c)
	u.top = mark
}

// rightOperand works out the right operand and returns the instruction that
// takes it.
func (u *unit) rightOperand(op syntax.BinaryOp, y syntax.Expr) (code.Op, int) {
	v, ok := u.fold(y, foldDepth)
	if !ok {
		return code.OpAdd + code.Op(op), u.operand(y, nil)
	}
	if c, ok := small(v); ok {
		if op := immediate[op]; op != 0 {
			return op, c
		}
	}
	if with := withConst[op]; with != 0 {
		if c, ok := u.shortConst(v); ok {
			return with, c
		}
	}
	return code.OpAdd + code.Op(op), u.pushConst(v)
}

// immediate and withConst are the instructions with a constant on the right.
var (
	immediate = [syntax.BitXor + 1]code.Op{
		syntax.Add: code.OpAddI, syntax.Sub: code.OpSubI, syntax.Mul: code.OpMulI,
		syntax.FloorDiv: code.OpFloorDivI, syntax.Mod: code.OpModI,
	}
	withConst = [syntax.BitXor + 1]code.Op{
		syntax.Add: code.OpAddK, syntax.Sub: code.OpSubK, syntax.Mul: code.OpMulK, syntax.Div: code.OpDivK,
	}
)

// augmented does X op= Y on registers: dst = x op y.
func (u *unit) augmented(op syntax.BinaryOp, dst, x int, y syntax.Expr, at syntax.Pos) {
	with, c := u.augmentedOperand(op, y)
	u.at(at)
	u.mark(at, y)
	u.emit(with, dst, x, c)
}

func (u *unit) augmentedOperand(op syntax.BinaryOp, y syntax.Expr) (code.Op, int) {
	plain := code.OpIAdd + code.Op(op)
	v, ok := u.fold(y, foldDepth)
	if !ok {
		return plain, u.operand(y, nil)
	}
	c, isSmall := small(v)
	switch {
	case isSmall && op == syntax.Add:
		return code.OpIAddI, c
	case isSmall && op == syntax.Sub:
		return code.OpISubI, c
	case op == syntax.Add:
		if k, ok := u.shortConst(v); ok {
			return code.OpIAddK, k
		}
	case op == syntax.Mul:
		if k, ok := u.shortConst(v); ok {
			return code.OpIMulK, k
		}
	}
	return plain, u.pushConst(v)
}

func (u *unit) unary(e *syntax.Unary, dst int) {
	if v, ok := u.fold(e, foldDepth); ok {
		u.constTo(v, dst)
		return
	}
	mark := u.top
	x := u.operand(e.X, nil)
	u.at(e.Start)
	u.mark(e.Start, e.X)
	u.emit(unaryOps[e.Op], dst, x, 0)
	u.top = mark
}

var unaryOps = [...]code.Op{
	syntax.Neg: code.OpNeg, syntax.Pos1: code.OpPlus, syntax.Invert: code.OpInvert, syntax.Not: code.OpNot,
}

// ifExp writes dst at the end of one branch or the other.
func (u *unit) ifExp(e *syntax.IfExp, dst int) {
	var otherwise, end label
	mark := u.top
	u.cond(e.Cond, &otherwise, false)
	if !u.dead {
		u.exprTo(e.Then, dst)
		u.top = mark
		u.keep(dst)
		u.jump(&end)
		u.top = mark
	}
	u.place(&otherwise)
	if !u.dead {
		u.exprTo(e.Else, dst)
		u.top = mark
	}
	u.place(&end)
}

// keep counts a temporary as live that has just been written.
func (u *unit) keep(dst int) {
	if u.isTemp(dst) {
		u.reserve(dst)
	}
}

// boolOp does and/or as a value.
func (u *unit) boolOp(e *syntax.BoolOp, dst int) {
	var end label
	mark := u.top
	t := u.work(dst)
	inside := u.top
	for _, v := range e.Values[:len(e.Values)-1] {
		u.exprTo(v, t)
		u.top = inside
		u.emit(code.OpTest, t, 0, truth(e.Or))
		u.jumpIf(&end)
	}
	u.exprTo(e.Values[len(e.Values)-1], t)
	u.top = inside
	u.place(&end)
	u.move(dst, t)
	u.top = mark
}

func (u *unit) namedExpr(e *syntax.NamedExpr, dst int) {
	mark := u.top
	if r, ok := u.localOf(e.Target); ok {
		u.exprTo(e.Value, r.index)
		u.top = mark
		u.bindLocal(r)
		u.taken.add(r.index)
		u.move(dst, r.index)
		return
	}
	t := u.push(e.Value)
	u.storeName(e.Target.ID, e.Target.Start, t)
	u.move(dst, t)
	u.top = mark
}

func (u *unit) attribute(e *syntax.Attribute, dst int) {
	mark := u.top
	x := u.operand(e.X, nil)
	u.at(e.NameAt)
	u.mark(e.Start, e)
	u.emit(code.OpAttr, dst, x, 0)
	u.word(u.pool.name(u.scope.Mangle(e.Name)))
	u.top = mark
}

func (u *unit) subscript(e *syntax.Subscript, dst int) {
	mark := u.top
	x := u.container(e)
	op, c := u.index(e.Index)
	u.at(e.Start)
	u.markSubscript(e)
	u.emit(op, dst, x, c)
	u.top = mark
}

// container is operand of what an item is taken of.
func (u *unit) container(e *syntax.Subscript) int {
	taken := u.taken
	x := u.operand(e.X, e.Index)
	if _, ok := e.X.(*syntax.Name); ok && !u.isTemp(x) {
		u.taken = taken
	}
	return x
}

// index works out an index and returns the instruction that takes it.
func (u *unit) index(e syntax.Expr) (code.Op, int) {
	if s, ok := e.(*syntax.Slice); ok {
		return code.OpItemSlice, u.sliceParts(s)
	}
	v, ok := u.fold(e, foldDepth)
	if !ok {
		return code.OpItem, u.operand(e, nil)
	}
	if c, ok := small(v); ok {
		return code.OpItemI, c
	}
	if c, ok := u.shortConst(v); ok {
		return code.OpItemK, c
	}
	return code.OpItem, u.pushConst(v)
}

// sliceParts puts low, high and step into three temporaries.
func (u *unit) sliceParts(s *syntax.Slice) int {
	base := u.top
	for _, e := range [...]syntax.Expr{s.Low, s.High, s.Step} {
		if e == nil {
			u.pushConst(nil)
			continue
		}
		u.push(e)
	}
	return base
}

func (u *unit) slice(e *syntax.Slice, dst int) {
	mark := u.top
	base := u.sliceParts(e)
	u.at(e.Start)
	u.emit(code.OpSlice, dst, base, 0)
	u.top = mark
}
