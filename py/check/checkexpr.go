package check

import (
	"slices"

	"github.com/glovebox-dev/glovebox/py/resolve"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

func (c *checker) exprs(list []syntax.Expr) {
	for _, e := range list {
		c.optional(e)
	}
}

func (c *checker) optional(e syntax.Expr) {
	if e != nil {
		c.expr(e)
	}
}

// values walks expressions whose values are looked at.
func (c *checker) values(list []syntax.Expr) {
	for _, e := range list {
		if e != nil {
			c.value(e)
		}
	}
}

// value walks an expression whose value is looked at, so that a pending call
// will not do.
func (c *checker) value(e syntax.Expr) kinds {
	k := c.expr(e)
	if k.only(isPending) {
		c.unawaited(e, "is used before it is awaited")
		return anything
	}
	return k
}

// expr walks an expression and returns the kinds that its value may have.
func (c *checker) expr(e syntax.Expr) kinds {
	switch e := e.(type) {
	case *syntax.Name:
		return c.name(e)
	case *syntax.Constant:
		return constantKinds(e.Value)
	case *syntax.Call:
		return c.call(e)
	case *syntax.Attribute:
		return c.attribute(e)
	case *syntax.Subscript:
		return c.subscript(e)
	case *syntax.Binary:
		return binaryKinds(e.Op, c.value(e.X), c.value(e.Y))
	case *syntax.Unary:
		return unaryKinds(e.Op, c.value(e.X))
	case *syntax.Compare:
		return c.compare(e)
	case *syntax.BoolOp:
		return c.either(e.Values)
	case *syntax.IfExp:
		c.value(e.Cond)
		return c.expr(e.Then) | c.expr(e.Else)
	case *syntax.JoinedStr:
		c.exprs(e.Parts)
		return isStr
	case *syntax.FormattedValue:
		c.value(e.Value)
		if e.Spec != nil {
			c.expr(e.Spec)
		}
		return isStr
	case *syntax.Await:
		return c.await(e)
	default:
		return c.display(e)
	}
}

// display walks displays, and what is rarer.
func (c *checker) display(e syntax.Expr) kinds {
	switch e := e.(type) {
	case *syntax.Tuple:
		c.exprs(e.Items)
		return isTuple
	case *syntax.List:
		c.exprs(e.Items)
		return isList
	case *syntax.Set:
		c.exprs(e.Items)
		return isSet
	case *syntax.Dict:
		c.exprs(e.Keys)
		c.exprs(e.Values)
		return isDict
	case *syntax.Comprehension:
		return c.comprehension(e)
	case *syntax.Lambda:
		c.params(e.Params)
		c.in(e, func() { c.expr(e.Body) })
		return isCallable
	case *syntax.NamedExpr:
		k := c.expr(e.Value)
		c.record(e.Target.ID, k)
		return k
	case *syntax.Starred:
		c.iterated(e.X)
	case *syntax.Yield:
		c.optional(e.X)
	case *syntax.Slice:
		c.optional(e.Low)
		c.optional(e.High)
		c.optional(e.Step)
	}
	return anything
}

// compare walks a comparison. A pending call can be looked for among others,
// but it has no order.
func (c *checker) compare(e *syntax.Compare) kinds {
	ordered := slices.ContainsFunc(e.Ops, func(op syntax.CompareOp) bool { return op >= syntax.Lt && op <= syntax.GtE })
	if !ordered {
		c.expr(e.X)
		c.exprs(e.Rest)
		return compareKinds(e.Ops)
	}
	c.value(e.X)
	c.values(e.Rest)
	return anything
}

// either walks the operands of and and or: the result is one of them.
func (c *checker) either(values []syntax.Expr) (k kinds) {
	for _, e := range values {
		k |= c.value(e)
	}
	return k
}

// name walks the reading of a name.
func (c *checker) name(n *syntax.Name) kinds {
	if v := c.lookup(n.ID); v != nil {
		c.of(v).used = true
		return c.kindsOfVariable(v)
	}
	if c.tools[n.ID] != nil {
		return isCallable
	}
	switch {
	case n.ID == "__name__":
		return isStr
	case n.ID == "NotImplemented" || n.ID == "Ellipsis":
		return isOther
	case isBuiltin(n.ID, c.options.Dialect):
		return isCallable
	case c.here.Kind == resolve.ClassScope && (n.ID == "__qualname__" || n.ID == "__module__" || n.ID == "__doc__"):
		return isStr
	case n.ID == "__class__" && inMethod(c.here):
		return isCallable
	}
	c.unknown(n, false)
	return anything
}

// iterated walks what a loop, an unpacking or a comprehension goes through.
func (c *checker) iterated(e syntax.Expr) {
	if k := c.value(e); k.only(isHandle) {
		c.opaque(k, e.Pos(), "cannot be iterated over")
	}
}

// container walks object[index] and returns the kinds of the object.
func (c *checker) container(e *syntax.Subscript) kinds {
	k := c.value(e.X)
	c.value(e.Index)
	if k.only(isHandle) {
		c.opaque(k, e.Pos(), "has no items")
	}
	return k
}

func (c *checker) subscript(e *syntax.Subscript) kinds {
	k := c.container(e)
	if _, slice := e.Index.(*syntax.Slice); slice && k.only(isStr|isBytes|isList|isTuple) || k.only(isStr) {
		return k
	}
	return anything
}

func (c *checker) attribute(e *syntax.Attribute) kinds {
	if module := c.moduleOf(e.X); module != "" {
		c.member(module, e)
		return anything
	}
	if k := c.object(e); k.only(isHandle) {
		c.opaque(k, e.NameAt, "has no attributes")
	}
	return anything
}

// object walks what an attribute is read of. A pending call has a few of its
// own, with which it can be driven by hand.
func (c *checker) object(e *syntax.Attribute) kinds {
	switch e.Name {
	case "__await__", "__name__", "__qualname__", "send", "throw", "close", "cancel", "cancelled", "done", "result", "exception", "add_done_callback":
		return c.expr(e.X)
	}
	return c.value(e.X)
}

// opaque reports a look into a handle.
func (c *checker) opaque(k kinds, at syntax.Pos, what string) {
	c.find(OpaqueHandle, at, "pass it on to a tool that reads it", "a %s is an opaque handle and %s", k, what)
}

func (c *checker) comprehension(e *syntax.Comprehension) kinds {
	first := e.Clauses[0]
	if first.Async {
		c.expr(first.Iter)
	} else {
		c.iterated(first.Iter)
	}
	c.in(e, func() {
		for i, clause := range e.Clauses {
			switch {
			case i == 0:
			case clause.Async:
				c.expr(clause.Iter)
			default:
				c.iterated(clause.Iter)
			}
			c.target(clause.Target)
			c.values(clause.Conds)
		}
		c.expr(e.Elem)
		c.optional(e.Value)
	})
	return comprehensionKinds(e)
}

func comprehensionKinds(e *syntax.Comprehension) kinds {
	return [...]kinds{syntax.ListComp: isList, syntax.SetComp: isSet, syntax.DictComp: isDict, syntax.GeneratorExp: isLazy}[e.Kind]
}

// pattern walks what is worked out in a pattern.
func (c *checker) pattern(p syntax.Pattern) {
	switch p := p.(type) {
	case *syntax.ValuePattern:
		c.expr(p.Value)
	case *syntax.MappingPattern:
		c.exprs(p.Keys)
	case *syntax.ClassPattern:
		c.expr(p.Class)
	}
}
