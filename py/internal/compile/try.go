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

// tryFinally does a try with a finally, whose body is there once. Three
// registers say how it goes on after it: with the exception in exc when that is
// bound, else as mode says, an exit or 0 for none. A return leaves its value in
// the third.
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

// finally does the body of a finally and then goes on as the guard says.
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
		return
	}
	var end label
	if !u.dead {
		u.jump(&end)
	}
	exc := u.alloc()
	b.first = len(u.instrs)
	u.protect(b, len(u.instrs), exc)
	u.meet(&before)
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
	if !u.dead {
		u.emit(code.OpEndExcept, exc, 0, 0)
		u.forget(h.Name)
		u.jump(end)
	}
	if h.Name != "" && len(b.spans) > 0 {
		b.first = len(u.instrs)
		u.protect(b, len(u.instrs), exc)
		u.meet(&before)
		u.forget(h.Name)
		u.emit(code.OpReraise, exc, 0, 0)
		u.dead = true
	}
	u.place(&next)
}
