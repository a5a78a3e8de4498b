package compile

import (
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/resolve"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// comprehension makes a list, set or dict in place; a generator expression is a
// unit of its own.
func (u *unit) comprehension(e *syntax.Comprehension, dst int) {
	if e.Kind == syntax.GeneratorExp {
		u.generatorExp(e, dst)
		return
	}
	mark := u.top
	result := u.work(dst)
	u.emit(displayOps[e.Kind], result, result, 0)
	i := u.iterate(e.Clauses[0].Iter, e.Clauses[0].Async)
	outer := u.scope
	u.scope = u.c.names.Of(e)
	u.freshVariables(len(e.Clauses) > 1)
	u.clause(e, 0, i, func() { u.element(e, result) })
	u.scope = outer
	u.move(dst, result)
	u.top = mark
}

var displayOps = [...]code.Op{
	syntax.ListComp: code.OpList, syntax.SetComp: code.OpSet, syntax.DictComp: code.OpDict,
}

// freshVariables makes the variables of a comprehension unbound. With one
// clause nothing can read them before they are bound.
func (u *unit) freshVariables(unbind bool) {
	symbols := u.scope.Symbols()
	for i := range symbols {
		sym, register := &symbols[i], int(symbols[i].Index)
		if !sym.IsOwn() {
			continue
		}
		u.bound.remove(register)
		switch {
		case sym.Kind == resolve.Cell:
			u.emit(code.OpEmptyCell, register, 0, 0)
		case unbind:
			u.emit(code.OpUnbind, register, 0, 0)
		}
	}
}

// clause does the loop of one clause and, inside it, those of the next ones and
// the element. The iterable has been worked out.
func (u *unit) clause(e *syntax.Comprehension, n int, i iteration, element func()) {
	clause := e.Clauses[n]
	mark := u.top
	var next, end label
	u.place(&next)
	u.next(i, clause.Target, &end, clause.Target.Pos())
	for _, cond := range clause.Conds {
		u.at(cond.Pos())
		u.cond(cond, &next, false)
	}
	if n+1 < len(e.Clauses) {
		inner := e.Clauses[n+1]
		u.clause(e, n+1, u.iterate(inner.Iter, inner.Async), element)
	} else {
		element()
	}
	if !u.dead {
		u.jump(&next)
	}
	u.top = mark
	u.place(&end)
}

// element adds an element to the result.
func (u *unit) element(e *syntax.Comprehension, result int) {
	mark := u.top
	u.at(e.Elem.Pos())
	switch e.Kind {
	case syntax.ListComp:
		r := u.operand(e.Elem, nil)
		u.emit(code.OpAppend, result, r, 0)
	case syntax.SetComp:
		r := u.operand(e.Elem, nil)
		u.emit(code.OpAddToSet, result, r, 0)
	case syntax.DictComp:
		k := u.operand(e.Elem, e.Value)
		v := u.operand(e.Value, nil)
		u.emit(code.OpPut, result, k, v)
	}
	u.top = mark
}

// generatorExp makes a generator from the iterator of its first clause.
func (u *unit) generatorExp(e *syntax.Comprehension, dst int) {
	mark := u.top
	first := e.Clauses[0]
	s := u.c.names.Of(e)
	g := u.c.begin(u, s, "<genexpr>", e.Start)
	g.code.Flags = code.Generator
	if s.Async {
		g.code.Flags |= code.Coroutine
	}
	g.code.Params, g.code.Pos, g.code.PosOnly = s.Frame.Names[:1], 1, 1
	kind := overIterator
	if first.Async {
		kind = overAsync
	}
	g.at(e.Start)
	g.clause(e, 0, iteration{kind: kind}, func() { g.yieldElement(e) })
	g.finish()
	fn := u.alloc()
	u.function(g.code, fn, 0)
	arg := u.alloc()
	r := u.operand(first.Iter, nil)
	u.at(first.Iter.Pos())
	if first.Async {
		u.emit(code.OpAsyncIter, arg, r, 0)
	} else {
		u.emit(code.OpIter, arg, r, 0)
	}
	u.top = arg + 1
	u.emit(code.OpCall, fn, 1, dst)
	u.top = mark
}

func (u *unit) yieldElement(e *syntax.Comprehension) {
	mark := u.top
	u.at(e.Elem.Pos())
	r := u.operand(e.Elem, nil)
	t := u.alloc()
	u.emit(code.OpYield, t, r, 0)
	u.top = mark
}
