package compile

import "github.com/glovebox-dev/glovebox/py/internal/code"

// label is a place that jumps lead to. Until it is placed, the jumps to it are
// chained through their offsets.
type label struct {
	at    int    // the instruction after the label, plus one; 0 when it isn't placed
	chain int    // the last jump to it, plus one; 0 when there is none
	bound regSet // locals that are bound on every way to it so far
}

// jump adds a jump to a label.
func (u *unit) jump(l *label) {
	u.jumpIf(l)
	u.dead = true
}

// jumpIf adds the jump that follows a test.
func (u *unit) jumpIf(l *label) {
	pc := len(u.instrs)
	if l.at > 0 {
		u.add(code.MakeJump(l.at - 1 - (pc + 1)))
		return
	}
	u.add(code.MakeJump(l.chain))
	if l.chain == 0 {
		l.bound = u.bound
	} else {
		l.bound.intersect(&u.bound)
	}
	l.chain = pc + 1
}

// place puts a label here.
func (u *unit) place(l *label) {
	here := len(u.instrs)
	for p := l.chain; p > 0; {
		before := u.instrs[p-1].Offset()
		u.instrs[p-1] = code.MakeJump(here - p)
		p = before
	}
	if l.chain > 0 {
		u.meet(&l.bound)
	}
	l.at = here + 1
}

// meet joins a way on which the given locals are bound with the one that leads
// here, if one does.
func (u *unit) meet(bound *regSet) {
	if u.dead {
		u.bound, u.dead = *bound, false
		return
	}
	u.bound.intersect(bound)
}
