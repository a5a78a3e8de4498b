package check

import (
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// binder finds every scope of a program and what it binds, before any name is
// looked up: Python decides by the whole scope what a name means in it. Bodies
// of functions and classes come after what is around them, so that nonlocal
// finds the variables of enclosing functions.
type binder struct {
	scopes map[any]*scope // by *Def, *Class, *Lambda and *Comprehension
	later  []laterBody
}

type laterBody struct {
	scope *scope
	body  []syntax.Stmt
}

// bindAll fills the module's scope and returns the scopes inside it.
func bindAll(module *scope, body []syntax.Stmt) map[any]*scope {
	b := &binder{scopes: map[any]*scope{}}
	b.stmts(module, body)
	for len(b.later) > 0 {
		next := b.later[0]
		b.later = b.later[1:]
		b.stmts(next.scope, next.body)
	}
	return b.scopes
}

func (b *binder) stmts(s *scope, list []syntax.Stmt) {
	for _, stmt := range list {
		b.stmt(s, stmt)
	}
}

func (b *binder) stmt(s *scope, stmt syntax.Stmt) {
	switch n := stmt.(type) {
	case *syntax.ExprStmt:
		b.expr(s, n.X)
	case *syntax.Assign:
		b.exprs(s, n.Targets)
		b.expr(s, n.Value)
		for _, target := range n.Targets {
			b.target(s, target)
		}
	case *syntax.AugAssign:
		b.expr(s, n.Target)
		b.expr(s, n.Value)
		b.target(s, n.Target)
	case *syntax.AnnAssign:
		b.expr(s, n.Target)
		b.optional(s, n.Value)
		b.target(s, n.Target)
	case *syntax.Def:
		b.def(s, n)
	case *syntax.Class:
		b.class(s, n)
	case *syntax.Return:
		b.optional(s, n.Value)
	case *syntax.Raise:
		b.optional(s, n.Value)
		b.optional(s, n.Cause)
	case *syntax.Assert:
		b.expr(s, n.Cond)
		b.optional(s, n.Message)
	case *syntax.Delete:
		b.exprs(s, n.Targets)
		for _, target := range n.Targets {
			b.target(s, target)
		}
	default:
		b.block(s, stmt)
	}
}

// block binds statements that hold others, and those that only bind.
func (b *binder) block(s *scope, stmt syntax.Stmt) {
	switch n := stmt.(type) {
	case *syntax.If:
		b.conditional(s, n)
	case *syntax.While:
		b.expr(s, n.Cond)
		b.stmts(s, n.Body)
		b.stmts(s, n.Else)
	case *syntax.For:
		b.expr(s, n.Target)
		b.expr(s, n.Iter)
		b.target(s, n.Target)
		b.stmts(s, n.Body)
		b.stmts(s, n.Else)
	case *syntax.Try:
		b.try(s, n)
	case *syntax.With:
		b.with(s, n)
	case *syntax.Match:
		b.match(s, n)
	case *syntax.Global:
		for _, name := range n.Names {
			s.set(name, s.module().variable(name))
		}
	case *syntax.Nonlocal:
		for _, name := range n.Names {
			if outer := s.enclosing(name); outer != nil {
				s.set(name, outer)
			}
		}
	case *syntax.Import:
		b.imports(s, n)
	case *syntax.ImportFrom:
		b.importsFrom(s, n)
	case *syntax.TypeAlias:
		b.expr(s, n.Value)
		s.bind(n.Name)
	}
}

func (b *binder) conditional(s *scope, n *syntax.If) {
	for {
		b.expr(s, n.Cond)
		b.stmts(s, n.Body)
		next, ok := elif(n)
		if !ok {
			b.stmts(s, n.Else)
			return
		}
		n = next
	}
}

func (b *binder) def(s *scope, n *syntax.Def) {
	s.bind(n.Name).def = n
	b.exprs(s, n.Decorators)
	inner := &scope{kind: functionScope, parent: s}
	b.params(s, inner, n.Params)
	b.scopes[n] = inner
	b.later = append(b.later, laterBody{inner, n.Body})
}

// params binds the parameters inside; their defaults belong outside.
func (b *binder) params(outside, inside *scope, p *syntax.Params) {
	if p == nil {
		return
	}
	for i := range p.List {
		b.optional(outside, p.List[i].Default)
		inside.bind(p.List[i].Name)
	}
}

func (b *binder) class(s *scope, n *syntax.Class) {
	s.bind(n.Name).class = n
	b.exprs(s, n.Decorators)
	b.exprs(s, n.Bases)
	for i := range n.Keywords {
		b.expr(s, n.Keywords[i].Value)
	}
	inner := &scope{kind: classScope, parent: s}
	b.scopes[n] = inner
	b.later = append(b.later, laterBody{inner, n.Body})
}

func (b *binder) try(s *scope, n *syntax.Try) {
	b.stmts(s, n.Body)
	for _, h := range n.Handlers {
		b.optional(s, h.Type)
		if h.Name != "" {
			s.bind(h.Name)
		}
		b.stmts(s, h.Body)
	}
	b.stmts(s, n.Else)
	b.stmts(s, n.Finally)
}

func (b *binder) with(s *scope, n *syntax.With) {
	for _, item := range n.Items {
		b.expr(s, item.Context)
		if item.Target != nil {
			b.expr(s, item.Target)
			b.target(s, item.Target)
		}
	}
	b.stmts(s, n.Body)
}

func (b *binder) imports(s *scope, n *syntax.Import) {
	for _, alias := range n.Names {
		name := importedAs(alias)
		bound := s.bind(name)
		if alias.As != "" || name == alias.Name {
			bound.module = alias.Name
		}
	}
}

func (b *binder) importsFrom(s *scope, n *syntax.ImportFrom) {
	for _, alias := range n.Names {
		name := alias.As
		if name == "" {
			name = alias.Name
		}
		s.bind(name).member = n.Module + "." + alias.Name
	}
}

// target binds the names in what is assigned to, or deleted.
func (b *binder) target(s *scope, e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Name:
		s.bind(e.ID)
	case *syntax.Tuple:
		b.targets(s, e.Items)
	case *syntax.List:
		b.targets(s, e.Items)
	case *syntax.Starred:
		b.target(s, e.X)
	}
}

func (b *binder) targets(s *scope, list []syntax.Expr) {
	for _, e := range list {
		b.target(s, e)
	}
}
