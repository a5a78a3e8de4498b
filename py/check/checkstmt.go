package check

import "github.com/glovebox-dev/glovebox/py/syntax"

// stmts walks a block. It reports whether control never reaches its end.
func (c *checker) stmts(list []syntax.Stmt) (ends bool) {
	for i, s := range list {
		if !c.stmt(s) || ends {
			continue
		}
		ends = true
		if rest := list[i+1:]; len(rest) > 0 && !yields(rest) {
			c.find(Unreachable, rest[0].Pos(), "remove it, or move it up", "this line is never reached")
		}
	}
	return ends
}

// yields reports whether one of the statements is a yield: placed after a
// return it makes the function a generator, which is a reason to be there.
func yields(list []syntax.Stmt) bool {
	for _, s := range list {
		if e, ok := s.(*syntax.ExprStmt); ok {
			if _, ok := e.X.(*syntax.Yield); ok {
				return true
			}
		}
	}
	return false
}

// stmt walks a statement. It reports whether control never passes it.
func (c *checker) stmt(s syntax.Stmt) (ends bool) {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		c.statement(s)
	case *syntax.Assign:
		c.assign(s)
	case *syntax.AugAssign:
		if item, ok := s.Target.(*syntax.Subscript); ok {
			c.item(item)
		} else {
			c.value(s.Target)
		}
		c.value(s.Value)
	case *syntax.AnnAssign:
		c.annotated(s)
	case *syntax.Def:
		c.def(s)
	case *syntax.Class:
		c.class(s)
	case *syntax.Return:
		c.optional(s.Value)
		return true
	case *syntax.Raise:
		c.optional(s.Value)
		c.optional(s.Cause)
		return true
	case *syntax.Break:
		c.broke = true
		return true
	case *syntax.Continue:
		return true
	case *syntax.Assert:
		c.value(s.Cond)
		c.optional(s.Message)
	case *syntax.Delete:
		c.targets(s.Targets)
	case *syntax.ImportFrom:
		c.importFrom(s)
	case *syntax.TypeAlias:
		c.record(s.Name, isOther)
	default:
		return c.block(s)
	}
	return false
}

// block walks a statement that holds others.
func (c *checker) block(s syntax.Stmt) (ends bool) {
	switch s := s.(type) {
	case *syntax.If:
		return c.conditional(s)
	case *syntax.While:
		return c.while(s)
	case *syntax.For:
		c.loop(s)
	case *syntax.Try:
		return c.try(s)
	case *syntax.With:
		c.with(s)
	case *syntax.Match:
		c.match(s)
	case *syntax.Import:
		c.imports(s)
	}
	return false
}

// statement walks an expression on a line of its own. A pending call there is
// reported unless it is the result of the program, which result looks at.
func (c *checker) statement(s *syntax.ExprStmt) {
	k := c.expr(s.X)
	if c.isLast(s) {
		c.ending = k
		return
	}
	if k.only(isPending) {
		c.unawaited(s.X, "is never awaited")
	}
}

func (c *checker) isLast(s syntax.Stmt) bool {
	body := c.file.Body
	return body[len(body)-1] == s
}

func (c *checker) assign(s *syntax.Assign) {
	k := c.expr(s.Value)
	for _, target := range s.Targets {
		name, ok := target.(*syntax.Name)
		if !ok {
			c.target(target)
			continue
		}
		known := c.record(name.ID, k)
		if lambda, ok := s.Value.(*syntax.Lambda); ok {
			known.lambda = lambda
		}
	}
	if _, plain := s.Targets[0].(*syntax.Name); !plain && k.only(isPending) {
		c.unpacked(s)
	}
}

// unpacked reports a, b = f() where f() is a pending call.
func (c *checker) unpacked(s *syntax.Assign) {
	switch s.Targets[0].(type) {
	case *syntax.Tuple, *syntax.List:
		c.unawaited(s.Value, "is taken apart before it is awaited")
	}
}

func (c *checker) annotated(s *syntax.AnnAssign) {
	if s.Value == nil {
		c.target(s.Target)
	} else if name, ok := s.Target.(*syntax.Name); ok {
		c.record(name.ID, c.expr(s.Value))
	} else {
		c.expr(s.Value)
		c.target(s.Target)
	}
}

func (c *checker) def(s *syntax.Def) {
	c.exprs(s.Decorators)
	c.params(s.Params)
	if len(s.Decorators) == 0 {
		c.record(s.Name, isCallable)
	}
	c.later = append(c.later, laterBody{c.names.Of(s), s.Body})
}

// params walks defaults. Annotations are never evaluated, so they cannot fail.
func (c *checker) params(p *syntax.Params) {
	if p == nil {
		return
	}
	for i := range p.List {
		c.optional(p.List[i].Default)
	}
}

func (c *checker) class(s *syntax.Class) {
	c.exprs(s.Decorators)
	c.exprs(s.Bases)
	for i := range s.Keywords {
		c.expr(s.Keywords[i].Value)
	}
	c.in(s, func() { c.stmts(s.Body) })
}

// conditional walks a chain of elif in a loop: chains can be long.
func (c *checker) conditional(s *syntax.If) (ends bool) {
	ends = true
	for {
		c.value(s.Cond)
		if !c.stmts(s.Body) {
			ends = false
		}
		next, ok := elif(s)
		if !ok {
			return c.stmts(s.Else) && ends
		}
		s = next
	}
}

func (c *checker) while(s *syntax.While) (ends bool) {
	outer := c.broke
	c.broke = false
	c.value(s.Cond)
	c.stmts(s.Body)
	endless := isTrue(s.Cond) && !c.broke
	c.broke = outer
	c.stmts(s.Else)
	return endless
}

func isTrue(e syntax.Expr) bool {
	constant, ok := e.(*syntax.Constant)
	return ok && (constant.Value == true || constant.Value == int64(1))
}

func (c *checker) loop(s *syntax.For) {
	outer := c.broke
	if s.Async {
		c.expr(s.Iter)
	} else {
		c.iterated(s.Iter)
	}
	c.target(s.Target)
	c.stmts(s.Body)
	c.broke = outer
	c.stmts(s.Else)
}

func (c *checker) try(s *syntax.Try) (ends bool) {
	c.caught = append(c.caught, c.catchesOf(s.Handlers))
	ends = c.stmts(s.Body)
	c.caught = c.caught[:len(c.caught)-1]
	for _, h := range s.Handlers {
		c.optional(h.Type)
		ends = c.stmts(h.Body) && ends
	}
	c.stmts(s.Else)
	return c.stmts(s.Finally) || ends
}

func (c *checker) match(s *syntax.Match) {
	c.value(s.Subject)
	for _, each := range s.Cases {
		eachPattern(each.Pattern, c.pattern)
		c.optional(each.Guard)
		c.stmts(each.Body)
	}
}

// target walks what is assigned to or deleted; the names in it were bound
// before.
func (c *checker) target(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Name:
	case *syntax.Tuple:
		c.targets(e.Items)
	case *syntax.List:
		c.targets(e.Items)
	case *syntax.Starred:
		c.target(e.X)
	case *syntax.Subscript:
		c.item(e)
	default:
		c.expr(e)
	}
}

// item walks an item that is assigned to. Who looked for constructs alone knew
// nothing of lists, and may have proposed a method of dicts.
func (c *checker) item(e *syntax.Subscript) {
	if !c.container(e).only(isList) || c.options.Dialect != Strict {
		return
	}
	place := c.file.Position(e.Start)
	for i := range c.report.Problems {
		p := &c.report.Problems[i]
		assigns := p.Construct == constructs[subscriptAssignment].name || p.Construct == constructs[augmentedAssignment].name
		if assigns && p.Line == place.Line && p.Column == place.Column {
			p.Hint = listHint
		}
	}
}

const listHint = "build the list anew instead of changing its items; use .append() for new ones"

func (c *checker) targets(list []syntax.Expr) {
	for _, e := range list {
		c.target(e)
	}
}

// with walks a with statement. Its managers may swallow an exception, so the end
// can be reached.
func (c *checker) with(s *syntax.With) {
	around := len(c.caught)
	for _, item := range s.Items {
		c.expr(item.Context)
		if item.Target != nil {
			c.target(item.Target)
		}
		c.caught = append(c.caught, c.suppressedBy(item.Context))
	}
	c.stmts(s.Body)
	c.caught = c.caught[:around]
}
