package check

import "github.com/glovebox-dev/glovebox/py/syntax"

func (g *guard) exprs(list []syntax.Expr) {
	for _, e := range list {
		g.optional(e)
	}
}

// optional checks an expression that may be absent.
func (g *guard) optional(e syntax.Expr) {
	if e != nil {
		g.expr(e)
	}
}

// expr is one flat switch, because each compilation runs through it.
func (g *guard) expr(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Name:
	case *syntax.Constant:
		g.constant(e)
	case *syntax.Call:
		g.expr(e.Fn)
		g.exprs(e.Args)
		g.keywords(e.Keywords)
	case *syntax.Attribute:
		g.attribute(e.Name, e.NameAt)
		g.expr(e.X)
	case *syntax.Subscript:
		g.expr(e.X)
		g.expr(e.Index)
	case *syntax.Binary:
		g.expr(e.X)
		g.expr(e.Y)
	case *syntax.Compare:
		g.expr(e.X)
		g.exprs(e.Rest)
	case *syntax.BoolOp:
		g.exprs(e.Values)
	case *syntax.Unary:
		g.expr(e.X)
	case *syntax.IfExp:
		g.expr(e.Cond)
		g.expr(e.Then)
		g.expr(e.Else)
	case *syntax.JoinedStr:
		g.exprs(e.Parts)
	case *syntax.FormattedValue:
		g.formatted(e)
	case *syntax.Await:
		g.expr(e.X)
	default:
		g.display(e)
	}
}

// display checks displays, and what is rarer.
func (g *guard) display(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Tuple:
		g.exprs(e.Items)
	case *syntax.List:
		g.exprs(e.Items)
	case *syntax.Dict:
		g.exprs(e.Keys)
		g.exprs(e.Values)
	case *syntax.Set:
		g.meet(setLiteral, e.Start, e)
		g.exprs(e.Items)
	case *syntax.Comprehension:
		g.comprehension(e)
	case *syntax.Lambda:
		g.params(e.Params)
		g.expr(e.Body)
	case *syntax.Slice:
		g.optional(e.Low)
		g.optional(e.High)
		g.optional(e.Step)
	case *syntax.Starred:
		g.expr(e.X)
	case *syntax.NamedExpr:
		g.meet(walrusOperator, e.Start, e)
		g.expr(e.Value)
	case *syntax.Yield:
		g.meet(yieldExpression, e.Start, e)
		g.optional(e.X)
	}
}

func (g *guard) keywords(list []syntax.Keyword) {
	for i := range list {
		g.expr(list[i].Value)
	}
}

func (g *guard) constant(e *syntax.Constant) {
	if _, ok := e.Value.(complex128); ok {
		g.meet(complexLiteral, e.Start, e)
	}
}

func (g *guard) formatted(e *syntax.FormattedValue) {
	g.expr(e.Value)
	if e.Spec != nil {
		g.expr(e.Spec)
	}
}

func (g *guard) comprehension(e *syntax.Comprehension) {
	if e.Kind == syntax.SetComp {
		g.meet(setLiteral, e.Start, e)
	}
	g.expr(e.Elem)
	g.optional(e.Value)
	for _, clause := range e.Clauses {
		if clause.Async {
			g.meet(asyncIteration, clause.Start, clause)
		}
		g.target(clause.Target, clause.Target)
		g.expr(clause.Iter)
		g.exprs(clause.Conds)
	}
}

func (g *guard) match(s *syntax.Match) {
	g.expr(s.Subject)
	for _, c := range s.Cases {
		eachPattern(c.Pattern, g.pattern)
		g.optional(c.Guard)
		g.stmts(c.Body)
	}
}

// pattern checks what is worked out in a pattern, and which attributes a class
// pattern reads.
func (g *guard) pattern(p syntax.Pattern) {
	switch p := p.(type) {
	case *syntax.ValuePattern:
		g.expr(p.Value)
	case *syntax.MappingPattern:
		g.exprs(p.Keys)
	case *syntax.ClassPattern:
		g.expr(p.Class)
		for _, name := range p.Names {
			g.attribute(name, p.Start)
		}
	}
}
