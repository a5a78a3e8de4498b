package compile

import (
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

func (u *unit) try(st *syntax.Try) {
	switch {
	case len(st.Finally) == 0:
		u.tryExcept(st)
	default:
		u.tryFinally(st)
	}
}

// tryFinally compiles a try with a finally, whose body is emitted once. Three
// registers say what follows the body: exc holds the exception to raise again, if
// it is bound; otherwise mode is the exit to take, or 0 for none, and value is the
// value of a return.
func (u *unit) tryFinally(st *syntax.Try) {
	mark := u.top
	g := &block{kind: guardBlock, mode: u.alloc(), value: u.alloc(), exc: u.alloc()}
	u.constTo(nil, g.value)
	u.emitWide(code.OpSmall, g.mode, 0)
	u.emit(code.OpUnbind, g.exc, 0, 0)
	g.first = len(u.instrs)
	before := u.bound
	u.blocks = append(u.blocks, g)
	u.tryExcept(st)
	u.blocks = u.blocks[:len(u.blocks)-1]
	u.protect(g, len(u.instrs), g.exc)
	normal := u.bound
	normalEnd := !u.dead
	u.meet(&before)
	u.place(&g.end)
	u.finally(st.Finally, g)
	if normalEnd {
		u.bound.union(&normal)
	}
	u.top = mark
}

// finally compiles the body of a finally, and then what the guard says.
func (u *unit) finally(body []syntax.Stmt, g *block) {
	start := len(u.instrs)
	u.blocks = append(u.blocks, &block{kind: finalBlock, exc: g.exc})
	u.body(body)
	u.blocks = u.blocks[:len(u.blocks)-1]
	u.handles(start, g.exc)
	if u.dead {
		return
	}
	var none label
	u.emit(code.OpTestBound, g.exc, 0, 0)
	u.jumpIf(&none)
	u.emit(code.OpReraise, g.exc, 0, 0)
	u.dead = true
	u.place(&none)
	for how := exitBreak; how <= exitReturn; how++ {
		if !g.exits[how] {
			continue
		}
		var other label
		u.emit(code.OpTestEqI, g.mode, int(how), 0)
		u.jumpIf(&other)
		u.leave(how, g.value)
		u.place(&other)
	}
}

// tryExcept does the body, the except clauses and the else of a try.
func (u *unit) tryExcept(st *syntax.Try) {
	if len(st.Handlers) == 0 {
		u.body(st.Body)
		return
	}
	if st.Star {
		u.tryStar(st)
		return
	}
	mark := u.top
	var end label
	exc, raises := u.tried(st, &end)
	if !raises {
		return
	}
	for _, h := range st.Handlers {
		u.handler(h, exc, &end)
	}
	if !u.dead {
		u.emit(code.OpReraise, exc, 0, 0)
		u.dead = true
	}
	u.top = mark
	u.place(&end)
}

// tried does the body and the else of a try and then begins its handlers: the
// exception is in exc. Without one, the body raises nothing, and no handler is
// needed. The way past the handlers leads to end.
func (u *unit) tried(st *syntax.Try, end *label) (exc int, raises bool) {
	b := &block{kind: tryBlock, first: len(u.instrs)}
	before := u.bound
	u.blocks = append(u.blocks, b)
	u.body(st.Body)
	u.blocks = u.blocks[:len(u.blocks)-1]
	u.suspend(b)
	if !u.dead {
		u.body(st.Else)
	}
	if len(b.spans) == 0 {
		return 0, false
	}
	if !u.dead {
		u.jump(end)
	}
	exc = u.alloc()
	u.land(b, exc, &before)
	return exc, true
}

// land begins the code that runs when the body of a block raises. The exception
// is in exc, and the given locals were bound before the block.
func (u *unit) land(b *block, exc int, before *regSet) {
	b.first = len(u.instrs)
	u.protect(b, len(u.instrs), exc)
	u.meet(before)
}

// handlerBody does the body of an except clause. What it handles is in exc.
func (u *unit) handlerBody(h *syntax.Handler, exc int) *block {
	if h.Name != "" {
		u.storeName(h.Name, h.Start, exc)
	}
	b := &block{kind: handlerBlock, exc: exc, name: h.Name, first: len(u.instrs)}
	start := b.first
	u.blocks = append(u.blocks, b)
	u.body(h.Body)
	u.blocks = u.blocks[:len(u.blocks)-1]
	u.suspend(b)
	u.handles(start, exc)
	return b
}

// handler does one except clause. The exception is in exc.
func (u *unit) handler(h *syntax.Handler, exc int, end *label) {
	if u.dead {
		return
	}
	var next label
	u.at(h.Start)
	if h.Type != nil {
		mark := u.top
		t := u.operand(h.Type, nil)
		matches := u.alloc()
		u.emit(code.OpMatchExcept, matches, exc, t)
		u.emit(code.OpTest, matches, 0, 0)
		u.jumpIf(&next)
		u.top = mark
	}
	before := u.bound
	b := u.handlerBody(h, exc)
	if !u.dead {
		u.emit(code.OpEndExcept, exc, 0, 0)
		u.forget(h.Name)
		u.jump(end)
	}
	if h.Name != "" && len(b.spans) > 0 {
		u.land(b, exc, &before)
		u.forget(h.Name)
		u.emit(code.OpReraise, exc, 0, 0)
		u.dead = true
	}
	u.place(&next)
}
