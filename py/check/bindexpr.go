package check

import "github.com/glovebox-dev/glovebox/py/syntax"

func (b *binder) exprs(s *scope, list []syntax.Expr) {
	for _, e := range list {
		b.optional(s, e)
	}
}

func (b *binder) optional(s *scope, e syntax.Expr) {
	if e != nil {
		b.expr(s, e)
	}
}

// expr finds what binds names inside an expression: walrus operators, lambdas
// and comprehensions.
func (b *binder) expr(s *scope, e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Call:
		b.expr(s, e.Fn)
		b.exprs(s, e.Args)
		for i := range e.Keywords {
			b.expr(s, e.Keywords[i].Value)
		}
	case *syntax.NamedExpr:
		b.expr(s, e.Value)
		s.owner().bind(e.Target.ID)
	case *syntax.Lambda:
		inner := &scope{kind: functionScope, parent: s}
		b.params(s, inner, e.Params)
		b.scopes[e] = inner
		b.expr(inner, e.Body)
	case *syntax.Comprehension:
		b.comprehension(s, e)
	case *syntax.Attribute:
		b.expr(s, e.X)
	case *syntax.Subscript:
		b.expr(s, e.X)
		b.expr(s, e.Index)
	case *syntax.Binary:
		b.expr(s, e.X)
		b.expr(s, e.Y)
	case *syntax.Compare:
		b.expr(s, e.X)
		b.exprs(s, e.Rest)
	case *syntax.BoolOp:
		b.exprs(s, e.Values)
	case *syntax.Unary:
		b.expr(s, e.X)
	case *syntax.IfExp:
		b.expr(s, e.Cond)
		b.expr(s, e.Then)
		b.expr(s, e.Else)
	default:
		b.display(s, e)
	}
}

func (b *binder) display(s *scope, e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.JoinedStr:
		b.exprs(s, e.Parts)
	case *syntax.FormattedValue:
		b.expr(s, e.Value)
		if e.Spec != nil {
			b.expr(s, e.Spec)
		}
	case *syntax.Tuple:
		b.exprs(s, e.Items)
	case *syntax.List:
		b.exprs(s, e.Items)
	case *syntax.Set:
		b.exprs(s, e.Items)
	case *syntax.Dict:
		b.exprs(s, e.Keys)
		b.exprs(s, e.Values)
	case *syntax.Slice:
		b.optional(s, e.Low)
		b.optional(s, e.High)
		b.optional(s, e.Step)
	case *syntax.Starred:
		b.expr(s, e.X)
	case *syntax.Await:
		b.expr(s, e.X)
	case *syntax.Yield:
		s.owner().yields = true
		b.optional(s, e.X)
	}
}

// comprehension opens a scope. The first thing that it iterates over belongs
// outside.
func (b *binder) comprehension(s *scope, e *syntax.Comprehension) {
	inner := &scope{kind: comprehensionScope, parent: s}
	b.scopes[e] = inner
	for i, clause := range e.Clauses {
		at := inner
		if i == 0 {
			at = s
		}
		b.expr(at, clause.Iter)
		b.expr(inner, clause.Target)
		b.target(inner, clause.Target)
		b.exprs(inner, clause.Conds)
	}
	b.expr(inner, e.Elem)
	b.optional(inner, e.Value)
}

func (b *binder) match(s *scope, n *syntax.Match) {
	b.expr(s, n.Subject)
	for _, c := range n.Cases {
		b.pattern(s, c.Pattern)
		b.optional(s, c.Guard)
		b.stmts(s, c.Body)
	}
}

func (b *binder) pattern(s *scope, p syntax.Pattern) {
	switch p := p.(type) {
	case *syntax.ValuePattern:
		b.expr(s, p.Value)
	case *syntax.SequencePattern:
		b.patterns(s, p.Items)
	case *syntax.OrPattern:
		b.patterns(s, p.Items)
	case *syntax.MappingPattern:
		b.patterns(s, p.Patterns)
		b.named(s, p.Rest)
	case *syntax.ClassPattern:
		b.expr(s, p.Class)
		b.patterns(s, p.Items)
		b.patterns(s, p.Keywords)
	case *syntax.StarPattern:
		b.named(s, p.Name)
	case *syntax.AsPattern:
		if p.Pattern != nil {
			b.pattern(s, p.Pattern)
		}
		b.named(s, p.Name)
	}
}

func (b *binder) patterns(s *scope, list []syntax.Pattern) {
	for _, p := range list {
		b.pattern(s, p)
	}
}

func (b *binder) named(s *scope, name string) {
	if name != "" {
		s.bind(name)
	}
}
