package resolve

import "github.com/glovebox-dev/glovebox/py/syntax"

// expr notes the names in an expression, which may be nil.
func (in *Info) expr(e syntax.Expr) {
	switch e := e.(type) {
	case nil, *syntax.Constant:
	case *syntax.Name:
		in.use(e.ID)
	case *syntax.Attribute:
		in.expr(e.X)
	case *syntax.Call:
		in.expr(e.Fn)
		in.exprs(e.Args)
		for i := range e.Keywords {
			in.expr(e.Keywords[i].Value)
		}
	case *syntax.Binary:
		in.expr(e.X)
		in.expr(e.Y)
	case *syntax.Compare:
		in.expr(e.X)
		in.exprs(e.Rest)
	case *syntax.Subscript:
		in.expr(e.X)
		in.expr(e.Index)
	case *syntax.BoolOp:
		in.exprs(e.Values)
	case *syntax.Unary:
		in.expr(e.X)
	case *syntax.JoinedStr:
		in.exprs(e.Parts)
	case *syntax.FormattedValue:
		in.expr(e.Value)
		if e.Spec != nil {
			in.expr(e.Spec)
		}
	default:
		in.rareExpr(e)
	}
}

func (in *Info) exprs(list []syntax.Expr) {
	for _, e := range list {
		in.expr(e)
	}
}

func (in *Info) rareExpr(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Tuple:
		in.exprs(e.Items)
	case *syntax.List:
		in.exprs(e.Items)
	case *syntax.Set:
		in.exprs(e.Items)
	case *syntax.Dict:
		for i := range e.Values {
			in.expr(e.Keys[i])
			in.expr(e.Values[i])
		}
	case *syntax.Slice:
		in.expr(e.Low)
		in.expr(e.High)
		in.expr(e.Step)
	case *syntax.IfExp:
		in.expr(e.Cond)
		in.expr(e.Then)
		in.expr(e.Else)
	case *syntax.Starred:
		in.expr(e.X)
	case *syntax.NamedExpr:
		in.expr(e.Value)
		in.bindWalrus(e.Target)
	case *syntax.Await:
		in.expr(e.X)
		in.sawAwait()
	case *syntax.Yield:
		in.expr(e.X)
		in.sawYield()
	case *syntax.Lambda:
		in.lambda(e)
	case *syntax.Comprehension:
		in.comprehension(e)
	}
}

// sawYield makes the function a generator.
func (in *Info) sawYield() {
	in.scope.Unit().Generator = true
}

// sawAwait makes generator expressions around an await asynchronous.
func (in *Info) sawAwait() {
	if s := in.scope.Unit(); s.Kind == GeneratorScope {
		s.Async = true
	}
}

func (in *Info) lambda(e *syntax.Lambda) {
	in.defaults(e.Params)
	in.enter(e, FunctionScope).Async = false
	in.params(e.Params)
	in.expr(e.Body)
	in.leave()
}

func (in *Info) comprehension(e *syntax.Comprehension) {
	in.expr(e.Clauses[0].Iter)
	if e.Kind == syntax.GeneratorExp {
		s := in.enter(e, GeneratorScope)
		s.Generator, s.Async = true, false
		in.imply(IteratorParam, Parameter)
	} else {
		in.enter(e, ComprehensionScope)
	}
	for i, clause := range e.Clauses {
		in.clause(clause, i)
	}
	in.expr(e.Elem)
	in.expr(e.Value)
	in.leave()
}

func (in *Info) clause(clause *syntax.Clause, i int) {
	if i > 0 {
		in.expr(clause.Iter)
	}
	in.target(clause.Target)
	if clause.Async {
		in.sawAwait()
	}
	in.exprs(clause.Conds)
}
