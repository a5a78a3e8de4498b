package compile

import "github.com/glovebox-dev/glovebox/py/syntax"

// see notes the names in an expression, which may be nil.
func (c *compiler) see(e syntax.Expr) {
	switch e := e.(type) {
	case nil, *syntax.Constant:
	case *syntax.Name:
		c.use(e.ID)
	case *syntax.Attribute:
		c.see(e.X)
	case *syntax.Call:
		c.see(e.Fn)
		c.seeAll(e.Args)
		for i := range e.Keywords {
			c.see(e.Keywords[i].Value)
		}
	case *syntax.Binary:
		c.see(e.X)
		c.see(e.Y)
	case *syntax.Compare:
		c.see(e.X)
		c.seeAll(e.Rest)
	case *syntax.Subscript:
		c.see(e.X)
		c.see(e.Index)
	case *syntax.BoolOp:
		c.seeAll(e.Values)
	case *syntax.Unary:
		c.see(e.X)
	case *syntax.JoinedStr:
		c.seeAll(e.Parts)
	case *syntax.FormattedValue:
		c.see(e.Value)
		if e.Spec != nil {
			c.see(e.Spec)
		}
	default:
		c.seeRare(e)
	}
}

func (c *compiler) seeAll(list []syntax.Expr) {
	for _, e := range list {
		c.see(e)
	}
}

func (c *compiler) seeRare(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Tuple:
		c.seeAll(e.Items)
	case *syntax.List:
		c.seeAll(e.Items)
	case *syntax.Set:
		c.seeAll(e.Items)
	case *syntax.Dict:
		for i := range e.Values {
			c.see(e.Keys[i])
			c.see(e.Values[i])
		}
	case *syntax.Slice:
		c.see(e.Low)
		c.see(e.High)
		c.see(e.Step)
	case *syntax.IfExp:
		c.see(e.Cond)
		c.see(e.Then)
		c.see(e.Else)
	case *syntax.Starred:
		c.see(e.X)
	case *syntax.NamedExpr:
		c.see(e.Value)
		c.bindWalrus(e.Target)
	case *syntax.Await:
		c.see(e.X)
		c.seeAwait()
	case *syntax.Yield:
		c.see(e.X)
		c.seeYield()
	case *syntax.Lambda:
		c.seeLambda(e)
	case *syntax.Comprehension:
		c.seeComprehension(e)
	}
}

// seeYield makes the function a generator.
func (c *compiler) seeYield() {
	s := c.scope
	for s.kind == comprehensionScope {
		s = s.parent
	}
	s.generator = true
}

// seeAwait makes generator expressions around an await asynchronous.
func (c *compiler) seeAwait() {
	s := c.scope
	for s.kind == comprehensionScope {
		s = s.parent
	}
	if s.isGenerator() {
		s.async = true
	}
}

func (c *compiler) seeLambda(e *syntax.Lambda) {
	c.seeDefaults(e.Params)
	s := c.enter(e, functionScope)
	s.async = false
	c.seeParams(e.Params)
	c.see(e.Body)
	c.leave()
}

func (c *compiler) seeComprehension(e *syntax.Comprehension) {
	c.see(e.Clauses[0].Iter)
	if e.Kind == syntax.GeneratorExp {
		s := c.enter(e, functionScope)
		s.generator, s.async = true, false
		s.params = 1
		c.bind(iterParam, parameter)
	} else {
		c.enter(e, comprehensionScope)
	}
	for i, clause := range e.Clauses {
		c.seeClause(clause, i)
	}
	c.see(e.Elem)
	c.see(e.Value)
	c.leave()
}

func (c *compiler) seeClause(clause *syntax.Clause, i int) {
	if i > 0 {
		c.see(clause.Iter)
	}
	c.seeTarget(clause.Target)
	if clause.Async {
		c.seeAwait()
	}
	c.seeAll(clause.Conds)
}
