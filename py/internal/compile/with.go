package compile

import (
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// with does the n-th and later items of a with statement, and its body.
func (u *unit) with(st *syntax.With, n int) {
	if n == len(st.Items) {
		u.body(st.Body)
		return
	}
	mark := u.top
	item := st.Items[n]
	b := &block{kind: withBlock, value: u.alloc(), async: st.Async}
	entered := u.enterContext(item.Context, b)
	b.first = len(u.instrs)
	before := u.bound
	u.blocks = append(u.blocks, b)
	if item.Target != nil {
		u.store(item.Target, entered)
	}
	u.top = b.value + 1
	u.with(st, n+1)
	u.blocks = u.blocks[:len(u.blocks)-1]
	u.suspend(b)
	var end label
	if !u.dead {
		u.at(item.Context.Pos())
		u.callExit(b)
		u.jump(&end)
	}
	u.at(item.Context.Pos())
	u.exitWithException(b, &before)
	u.top = mark
	u.place(&end)
}

// enterContext works out the context manager, loads its exit method and enters
// it. It returns the register of the result.
func (u *unit) enterContext(context syntax.Expr, b *block) int {
	enter, exit, style := "__enter__", "__exit__", 1
	if b.async {
		enter, exit, style = "__aenter__", "__aexit__", 2
	}
	m := u.operand(context, nil)
	u.at(context.Pos())
	fn := u.alloc()
	u.emit(code.OpSpecial, fn, m, style)
	u.word(u.pool.name(enter))
	u.emit(code.OpSpecial, b.value, m, style)
	u.word(u.pool.name(exit))
	u.emit(code.OpCall, fn, 0, fn)
	if b.async {
		u.awaitRegister(fn, fn)
	}
	return fn
}

// callExit tells a context manager that its block has ended well.
func (u *unit) callExit(b *block) {
	mark := u.top
	fn := u.alloc()
	u.move(fn, b.value)
	for range 3 {
		u.pushConst(nil)
	}
	u.emit(code.OpCall, fn, 3, fn)
	u.top = fn + 1
	if b.async {
		u.awaitRegister(fn, fn)
	}
	u.top = mark
}

// exitWithException passes an exception to a context manager, and raises it again
// unless the answer is true.
func (u *unit) exitWithException(b *block, before *regSet) {
	u.top = b.value + 1
	exc := u.alloc()
	u.land(b, exc, before)
	start := len(u.instrs)
	fn := u.alloc()
	u.move(fn, b.value)
	class := u.pushConst(code.Builtin("type"))
	arg := u.alloc()
	u.move(arg, exc)
	u.emit(code.OpCall, class, 1, class)
	u.top = arg
	u.emit(code.OpMove, arg, exc, 0)
	u.reserve(arg)
	u.pushConst(nil)
	u.emit(code.OpCall, fn, 3, fn)
	u.top = fn + 1
	if b.async {
		u.awaitRegister(fn, fn)
	}
	var swallowed label
	u.emit(code.OpTest, fn, 0, 1)
	u.jumpIf(&swallowed)
	u.top = exc + 1
	u.handles(start, exc)
	u.emit(code.OpReraise, exc, 0, 0)
	u.dead = true
	u.place(&swallowed)
	u.emit(code.OpEndExcept, exc, 0, 0)
}
