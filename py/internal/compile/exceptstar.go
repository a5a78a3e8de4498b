package compile

import (
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// tryStar compiles a try with except* clauses. Each takes its part of the group;
// the rest and what the clauses raise is raised together. A register holds the
// state of this, a list of the prelude.
func (u *unit) tryStar(st *syntax.Try) {
	mark := u.top
	var end label
	exc, raises := u.tried(st, &end)
	if !raises {
		return
	}
	state := u.askStar("star_begin", exc)
	for _, h := range st.Handlers {
		u.starHandler(h, state)
	}
	left := u.askStar("star_end", state)
	var done label
	u.emit(code.OpTestNone, left, 0, 0)
	var raise label
	u.jumpIf(&raise)
	u.jump(&done)
	u.place(&raise)
	u.emit(code.OpReraise, left, 0, 0)
	u.dead = true
	u.place(&done)
	u.emit(code.OpEndExcept, exc, 0, 0)
	u.top = mark
	u.place(&end)
}

// askStar calls a function of the prelude with the values of registers, and
// returns the register of the result.
func (u *unit) askStar(fn string, args ...int) int {
	f := u.pushConst(code.Intrinsic(fn))
	for _, a := range args {
		arg := u.alloc()
		u.emit(code.OpMove, arg, a, 0)
	}
	u.emit(code.OpCall, f, len(args), f)
	u.top = f + 1
	return f
}

// starHandler does one except* clause. An exception that leaves its body is
// noted, and the next clause follows.
func (u *unit) starHandler(h *syntax.Handler, state int) {
	mark := u.top
	u.at(h.Start)
	t := u.operand(h.Type, nil)
	part := u.askStar("star_match", state, t)
	var next label
	u.emit(code.OpTestNone, part, 0, 1)
	u.jumpIf(&next)
	before := u.bound
	b := u.handlerBody(h, part)
	if !u.dead {
		u.forget(h.Name)
		u.jump(&next)
	}
	if len(b.spans) > 0 {
		raised := u.alloc()
		u.land(b, raised, &before)
		u.forget(h.Name)
		u.askStar("star_raised", state, raised)
	}
	u.place(&next)
	u.top = mark
}
