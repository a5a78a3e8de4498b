package check

import "github.com/glovebox-dev/glovebox/py/syntax"

func (g *guard) stmts(list []syntax.Stmt) {
	for _, s := range list {
		g.stmt(s)
	}
}

// stmt is one flat switch, because each compilation runs through it.
func (g *guard) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		g.expr(s.X)
	case *syntax.Assign:
		g.assign(s)
	case *syntax.AugAssign:
		g.augmented(s)
	case *syntax.AnnAssign:
		g.target(s.Target, s.Target)
		g.expr(s.Annotation)
		g.optional(s.Value)
	case *syntax.If:
		g.conditional(s)
	case *syntax.While:
		g.expr(s.Cond)
		g.stmts(s.Body)
		g.stmts(s.Else)
	case *syntax.For:
		g.loop(s)
	case *syntax.Def:
		g.def(s)
	case *syntax.Return:
		g.optional(s.Value)
	case *syntax.Raise:
		g.optional(s.Value)
		g.optional(s.Cause)
	case *syntax.Match:
		g.match(s)
	default:
		g.rareStmt(s)
	}
}

func (g *guard) rareStmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Class:
		g.class(s)
	case *syntax.Try:
		g.try(s)
	case *syntax.With:
		g.with(s)
	case *syntax.Assert:
		g.meet(assertStatement, s.Start, s)
		g.expr(s.Cond)
		g.optional(s.Message)
	case *syntax.Delete:
		g.meet(delStatement, s.Start, s)
		g.exprs(s.Targets)
	case *syntax.Global:
		g.meet(globalStatement, s.Start, s)
	case *syntax.Nonlocal:
		g.meet(globalStatement, s.Start, s)
	case *syntax.Import:
		g.imports(s)
	case *syntax.ImportFrom:
		g.importsFrom(s)
	case *syntax.TypeAlias:
		g.meet(typeStatement, s.Start, s)
		g.expr(s.Value)
	}
}

// conditional walks a chain of elif in a loop: chains can be long.
func (g *guard) conditional(s *syntax.If) {
	for {
		g.expr(s.Cond)
		g.stmts(s.Body)
		next, ok := elif(s)
		if !ok {
			g.stmts(s.Else)
			return
		}
		s = next
	}
}

// elif returns the If that is alone in the else of s.
func elif(s *syntax.If) (*syntax.If, bool) {
	if len(s.Else) != 1 {
		return nil, false
	}
	next, ok := s.Else[0].(*syntax.If)
	return next, ok
}

func (g *guard) loop(s *syntax.For) {
	if s.Async {
		g.meet(asyncIteration, s.Start, s)
	}
	g.target(s.Target, s.Target)
	g.expr(s.Iter)
	g.stmts(s.Body)
	g.stmts(s.Else)
}

func (g *guard) def(s *syntax.Def) {
	g.exprs(s.Decorators)
	g.params(s.Params)
	g.optional(s.Returns)
	g.stmts(s.Body)
}

func (g *guard) params(p *syntax.Params) {
	if p == nil {
		return
	}
	for i := range p.List {
		g.optional(p.List[i].Annotation)
		g.optional(p.List[i].Default)
	}
}

func (g *guard) class(s *syntax.Class) {
	at := s.Start
	if len(s.Decorators) > 0 {
		at = s.NameAt // the statement begins with a decorator, and what is refused is the class
	}
	g.meet(classDefinition, at, s)
	g.exprs(s.Decorators)
	g.exprs(s.Bases)
	g.keywords(s.Keywords)
	g.stmts(s.Body)
}

func (g *guard) try(s *syntax.Try) {
	g.meet(tryStatement, s.Start, s)
	if s.Star && g.dialect != Strict {
		g.meet(exceptStar, s.Start, s)
	}
	g.stmts(s.Body)
	for _, h := range s.Handlers {
		g.optional(h.Type)
		g.stmts(h.Body)
	}
	g.stmts(s.Else)
	g.stmts(s.Finally)
}

func (g *guard) with(s *syntax.With) {
	g.meet(withStatement, s.Start, s)
	for _, item := range s.Items {
		g.expr(item.Context)
		if item.Target != nil {
			g.target(item.Target, item.Target)
		}
	}
	g.stmts(s.Body)
}

// augmented reports the assignment once, whatever its target is.
func (g *guard) augmented(s *syntax.AugAssign) {
	g.meet(augmentedAssignment, s.Start, s)
	g.expr(s.Target)
	g.expr(s.Value)
}

// target checks what is assigned to. The owner is the whole assignment, where
// it has no other target.
func (g *guard) target(e syntax.Expr, owner any) {
	switch e := e.(type) {
	case *syntax.Name:
	case *syntax.Subscript:
		g.meet(subscriptAssignment, e.Start, owner)
		g.expr(e)
	case *syntax.Attribute:
		g.meet(attributeAssignment, e.Start, e)
		g.expr(e)
	case *syntax.Tuple:
		g.nested(e.Items)
	case *syntax.List:
		g.nested(e.Items)
	case *syntax.Starred:
		g.target(e.X, e.X)
	default:
		g.expr(e)
	}
}

func (g *guard) nested(targets []syntax.Expr) {
	for _, e := range targets {
		g.target(e, e)
	}
}

func (g *guard) assign(s *syntax.Assign) {
	if len(s.Targets) == 1 {
		g.target(s.Targets[0], s)
	} else {
		g.nested(s.Targets)
	}
	g.expr(s.Value)
}
