package compile

import (
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/resolve"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// body does statements, up to one that nothing leads past.
func (u *unit) body(list []syntax.Stmt) {
	for _, st := range list {
		if u.dead || u.c.err != nil {
			return
		}
		u.at(st.Pos())
		u.stmt(st)
	}
}

func (u *unit) stmt(st syntax.Stmt) {
	switch st := st.(type) {
	case *syntax.ExprStmt:
		u.exprStmt(st.X)
	case *syntax.Assign:
		u.assign(st)
	case *syntax.AugAssign:
		u.augAssign(st)
	case *syntax.AnnAssign:
		u.annAssign(st)
	case *syntax.If:
		u.ifStmt(st)
	case *syntax.For:
		u.forLoop(st)
	case *syntax.While:
		u.whileLoop(st)
	case *syntax.Return:
		u.returnStmt(st)
	case *syntax.Break:
		u.leave(exitBreak, 0)
	case *syntax.Continue:
		u.leave(exitContinue, 0)
	case *syntax.Def:
		u.def(st)
	case *syntax.Class:
		u.class(st)
	default:
		u.rareStmt(st)
	}
}

func (u *unit) rareStmt(st syntax.Stmt) {
	switch st := st.(type) {
	case *syntax.Raise:
		u.raise(st)
	case *syntax.Try:
		u.try(st)
	case *syntax.With:
		u.with(st, 0)
	case *syntax.Assert:
		u.assert(st)
	case *syntax.Delete:
		for _, t := range st.Targets {
			u.delete(t)
		}
	case *syntax.Import:
		for _, a := range st.Names {
			u.importModule(a)
		}
	case *syntax.ImportFrom:
		u.importFrom(st)
	case *syntax.Match:
		u.match(st)
	case *syntax.TypeAlias:
		mark := u.top
		u.storeName(st.Name, st.Start, u.push(st.Value))
		u.top = mark
	}
}

func (u *unit) exprStmt(e syntax.Expr) {
	if _, ok := e.(*syntax.Constant); ok {
		return
	}
	mark := u.top
	u.operand(e, nil)
	u.top = mark
}

func (u *unit) ifStmt(st *syntax.If) {
	if l := u.loopJump(st); l != nil {
		u.cond(st.Cond, l, true)
		return
	}
	var otherwise, end label
	u.cond(st.Cond, &otherwise, false)
	if !u.dead {
		u.body(st.Body)
	}
	if len(st.Else) > 0 && !u.dead && otherwise.chain > 0 {
		u.jump(&end)
	}
	u.place(&otherwise)
	if !u.dead && otherwise.chain > 0 {
		u.body(st.Else)
	}
	u.place(&end)
}

// loopJump returns where an if goes whose only effect is to break or continue
// the loop right around it.
func (u *unit) loopJump(st *syntax.If) *label {
	n := len(u.blocks)
	if len(st.Body) != 1 || len(st.Else) > 0 || n == 0 || u.blocks[n-1].kind != loopBlock {
		return nil
	}
	switch st.Body[0].(type) {
	case *syntax.Break:
		return &u.blocks[n-1].end
	case *syntax.Continue:
		return &u.blocks[n-1].next
	}
	return nil
}

func (u *unit) returnStmt(st *syntax.Return) {
	mark := u.top
	choice, isChoice := st.Value.(*syntax.IfExp)
	switch guarded := u.guarded(); {
	case isChoice && !guarded:
		u.returnChoice(choice)
	case st.Value == nil && !guarded:
		u.emit(code.OpReturnNone, 0, 0, 0)
		u.dead = true
	case st.Value == nil:
		u.leave(exitReturn, u.pushConst(nil))
	case guarded: // what happens on the way out must not change the value
		u.leave(exitReturn, u.push(st.Value))
	default:
		u.leave(exitReturn, u.operand(st.Value, nil))
	}
	u.top = mark
}

// returnChoice returns one value or the other, without a jump between them.
func (u *unit) returnChoice(e *syntax.IfExp) {
	var otherwise label
	u.cond(e.Cond, &otherwise, false)
	if !u.dead {
		u.returnStmt(&syntax.Return{Value: e.Then})
	}
	u.place(&otherwise)
	if !u.dead {
		u.returnStmt(&syntax.Return{Value: e.Else})
	}
}

func (u *unit) assert(st *syntax.Assert) {
	var ok label
	u.cond(st.Cond, &ok, true)
	if !u.dead {
		u.raiseBuiltin("AssertionError", st.Message)
	}
	u.place(&ok)
}

// raiseBuiltin raises a built-in exception with a message, which may be nil.
func (u *unit) raiseBuiltin(name string, message syntax.Expr) {
	mark := u.top
	fn := u.pushConst(code.Builtin(name))
	n := 0
	if message != nil {
		u.push(message)
		n = 1
	}
	u.emit(code.OpCall, fn, n, fn)
	u.top = fn + 1
	u.emit(code.OpRaise, fn, 0, 0)
	u.top = mark
	u.dead = true
}

func (u *unit) raise(st *syntax.Raise) {
	if st.Value == nil {
		u.raiseAgain(st.Start)
		return
	}
	mark := u.top
	e := u.operand(st.Value, st.Cause)
	if st.Cause == nil {
		u.at(st.Start)
		u.mark(st.Value.Pos(), st.Value)
		u.emit(code.OpRaise, e, 0, 0)
	} else {
		cause := u.operand(st.Cause, nil)
		u.at(st.Start)
		u.mark(st.Value.Pos(), st.Value)
		u.emit(code.OpRaise, e, cause, 1)
	}
	u.top = mark
	u.dead = true
}

// raiseAgain raises the exception again whose handler is around.
func (u *unit) raiseAgain(at syntax.Pos) {
	for i := len(u.blocks) - 1; i >= 0; i-- {
		b := u.blocks[i]
		switch b.kind {
		case handlerBlock:
			u.emit(code.OpReraise, b.exc, 0, 0)
			u.dead = true
			return
		case finalBlock:
			var none label
			u.emit(code.OpTestBound, b.exc, 0, 0)
			u.jumpIf(&none)
			u.emit(code.OpReraise, b.exc, 0, 0)
			u.dead = true
			u.place(&none)
		}
	}
	mark := u.top
	u.at(at)
	exc := u.askStar("active_exception")
	u.emit(code.OpReraise, exc, 0, 0)
	u.top = mark
	u.dead = true
}

func (u *unit) importModule(a syntax.Alias) {
	mark := u.top
	u.at(a.Start)
	m := u.alloc()
	u.emit(code.OpImport, m, 0, 0)
	u.word(u.pool.name(a.Name))
	target := resolve.ImportTarget(a)
	if a.As == "" && target != a.Name {
		u.emit(code.OpImport, m, 0, 0)
		u.word(u.pool.name(target))
	}
	u.storeName(target, a.Start, m)
	u.top = mark
}

// importFrom compiles from a import b. What __future__ promises is there
// already, so nothing is left of an import from it.
func (u *unit) importFrom(st *syntax.ImportFrom) {
	if st.Module == "__future__" {
		return
	}
	mark := u.top
	m := u.alloc()
	u.emit(code.OpImport, m, 0, 0)
	u.word(u.pool.name(st.Module))
	value := u.alloc()
	for _, a := range st.Names {
		u.emit(code.OpImportName, value, m, 0)
		u.word(u.pool.name(a.Name))
		u.storeName(resolve.ImportTarget(a), a.Start, value)
	}
	u.top = mark
}
