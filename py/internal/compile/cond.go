package compile

import (
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// truth is the operand of a test that jumps when the outcome is yes.
func truth(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// cond jumps to a label when the truth of an expression is sense, and falls
// through when it is not.
func (u *unit) cond(e syntax.Expr, to *label, sense bool) {
	switch x := e.(type) {
	case *syntax.Unary:
		if x.Op == syntax.Not {
			u.cond(x.X, to, !sense)
			return
		}
	case *syntax.BoolOp:
		u.condBool(x, to, sense)
		return
	case *syntax.Compare:
		u.condCompare(x, to, sense)
		return
	case *syntax.Constant:
		if truthy, ok := constTruth(x.Value); ok {
			if truthy == sense {
				u.jump(to)
			}
			return
		}
	}
	mark := u.top
	r := u.operand(e, nil)
	u.emit(code.OpTest, r, 0, truth(sense))
	u.jumpIf(to)
	u.top = mark
}

// constTruth returns the truth of a literal.
func constTruth(v any) (truthy, ok bool) {
	switch v := v.(type) {
	case nil:
		return false, true
	case bool:
		return v, true
	case int64:
		return v != 0, true
	case string:
		return v != "", true
	}
	return false, false
}

func (u *unit) condBool(e *syntax.BoolOp, to *label, sense bool) {
	last := len(e.Values) - 1
	if e.Or == sense {
		for _, v := range e.Values {
			if u.dead {
				return
			}
			u.cond(v, to, sense)
		}
		return
	}
	var skip label
	for _, v := range e.Values[:last] {
		if !u.dead {
			u.cond(v, &skip, !sense)
		}
	}
	if !u.dead {
		u.cond(e.Values[last], to, sense)
	}
	u.place(&skip)
}

// condCompare jumps on a comparison; the middle operands of a chain are worked
// out once.
func (u *unit) condCompare(e *syntax.Compare, to *label, sense bool) {
	mark := u.top
	var skip label
	x := u.operand(e.X, e.Rest[0])
	last := len(e.Ops) - 1
	for i, op := range e.Ops {
		if i < last {
			y := u.operand(e.Rest[i], e.Rest[i+1])
			u.testCompare(e.Start, op, x, y, false)
			if sense {
				u.jumpIf(&skip)
			} else {
				u.jumpIf(to)
			}
			x = y
			continue
		}
		u.testLast(e, x, sense)
		u.jumpIf(to)
	}
	u.top = mark
	u.place(&skip)
}

func (u *unit) testCompare(at syntax.Pos, op syntax.CompareOp, x, y int, sense bool) {
	u.at(at)
	u.emit(code.OpTestEq+code.Op(op), x, y, truth(sense))
}

// testLast tests the last comparison, whose right side may be a constant.
func (u *unit) testLast(e *syntax.Compare, x int, sense bool) {
	op, right := e.Ops[len(e.Ops)-1], e.Rest[len(e.Rest)-1]
	v, isConst := u.fold(right, foldDepth)
	if isConst && v == nil && (op == syntax.Is || op == syntax.IsNot) {
		u.at(e.Start)
		u.emit(code.OpTestNone, x, 0, truth(sense == (op == syntax.Is)))
		return
	}
	if isConst && op <= syntax.GtE {
		if n, ok := small(v); ok {
			u.at(e.Start)
			u.emit(code.OpTestEqI+code.Op(op), x, n, truth(sense))
			return
		}
	}
	if isConst && op <= syntax.NotEq {
		if k, ok := u.shortConst(v); ok {
			u.at(e.Start)
			u.emit(code.OpTestEqK+code.Op(op), x, k, truth(sense))
			return
		}
	}
	u.testCompare(e.Start, op, x, u.comparand(op, right), sense)
}

// comparand works out the right side of a comparison. A list of literals that
// is only searched is a constant.
func (u *unit) comparand(op syntax.CompareOp, e syntax.Expr) int {
	if l, ok := e.(*syntax.List); ok && (op == syntax.In || op == syntax.NotIn) {
		if t, ok := u.foldTuple(l.Items, foldDepth); ok {
			return u.pushConst(t)
		}
	}
	return u.operand(e, nil)
}

// compare does a comparison as a value.
func (u *unit) compare(e *syntax.Compare, dst int) {
	mark := u.top
	if len(e.Ops) == 1 {
		x := u.operand(e.X, e.Rest[0])
		y := u.comparand(e.Ops[0], e.Rest[0])
		u.at(e.Start)
		u.mark(e.Start, e)
		u.emit(code.OpEq+code.Op(e.Ops[0]), dst, x, y)
		u.top = mark
		return
	}
	u.compareChain(e, dst)
	u.top = mark
}

func (u *unit) compareChain(e *syntax.Compare, dst int) {
	var end label
	t := u.work(dst)
	inside := u.top
	x := u.operand(e.X, e.Rest[0])
	last := len(e.Ops) - 1
	for i, op := range e.Ops[:last] {
		y := u.operand(e.Rest[i], e.Rest[i+1])
		u.at(e.Start)
		u.emit(code.OpEq+code.Op(op), t, x, y)
		u.emit(code.OpTest, t, 0, 0)
		u.jumpIf(&end)
		x = y
	}
	y := u.operand(e.Rest[last], nil)
	u.at(e.Start)
	u.emit(code.OpEq+code.Op(e.Ops[last]), t, x, y)
	u.top = inside
	u.place(&end)
	u.move(dst, t)
}
