package syntax

// targets parses the targets of a for loop or of a clause.
func (p *parser) targets() Expr {
	if !p.tok.beginsExpression() && p.tok != star {
		p.invalid()
		return nil
	}
	x := p.tupleOf(p.target)
	if p.tok == kwIn || p.careful {
		p.checkTarget(x, "assign to")
	}
	return x
}

// target parses one target, which may be starred.
func (p *parser) target() Expr {
	if p.tok == star {
		return p.starred()
	}
	return p.bitwise()
}

// checkTarget fails if an expression cannot be assigned to or deleted, as the
// verb says.
func (p *parser) checkTarget(x Expr, verb string) bool {
	if p.err != nil {
		return false
	}
	if bad := invalidTarget(x, verb); bad != nil {
		p.syntax(int(bad.Pos()), "cannot "+verb+" "+describe(bad))
		return false
	}
	if s, ok := x.(*Starred); ok {
		p.later(compilePhase, int(s.Start), "starred assignment target must be in a list or tuple")
	}
	if verb == "delete" {
		p.deleteTarget(x)
		return true
	}
	p.bindTarget(x)
	return true
}

// deleteTarget notes what may not be deleted.
func (p *parser) deleteTarget(x Expr) {
	if n, ok := x.(*Name); ok && n.ID == "__debug__" {
		p.later(compilePhase, int(n.Start), "cannot delete __debug__")
	}
}

// invalidTarget returns the part of an expression that cannot be a target.
func invalidTarget(x Expr, verb string) Expr {
	switch x := x.(type) {
	case *Name, *Attribute, *Subscript:
		return nil
	case *Tuple:
		return firstInvalid(x.Items, verb)
	case *List:
		return firstInvalid(x.Items, verb)
	case *Starred:
		if verb == "delete" {
			return x
		}
		return invalidTarget(x.X, verb)
	}
	return x
}

func firstInvalid(items []Expr, verb string) Expr {
	for _, item := range items {
		if bad := invalidTarget(item, verb); bad != nil {
			return bad
		}
	}
	return nil
}

// bindTarget notes what may not be bound.
func (p *parser) bindTarget(x Expr) {
	switch x := x.(type) {
	case *Name:
		p.bind(x.ID, int(x.Start))
	case *Attribute:
		p.bind(x.Name, int(x.Start))
	case *Starred:
		p.bindTarget(x.X)
	case *Tuple:
		p.bindItems(x.Items)
	case *List:
		p.bindItems(x.Items)
	}
}

func (p *parser) bindItems(items []Expr) {
	stars := 0
	for _, item := range items {
		if _, ok := item.(*Starred); ok {
			stars++
		}
		if stars == 2 {
			p.later(compilePhase, int(items[0].Pos()), "multiple starred expressions in assignment")
		}
		p.bindTarget(item)
	}
}

// bind notes a name that cannot be bound.
func (p *parser) bind(name string, at int) {
	if name == "__debug__" {
		p.later(compilePhase, at, "cannot assign to __debug__")
	}
}

// describe names an expression as CPython's messages do.
func describe(x Expr) string {
	switch x := x.(type) {
	case *Name:
		return "name"
	case *Attribute:
		return "attribute"
	case *Subscript:
		return "subscript"
	case *Starred:
		return "starred"
	case *List:
		return "list"
	case *Tuple:
		return "tuple"
	case *Lambda:
		return "lambda"
	case *Call:
		return "function call"
	case *BoolOp, *Binary, *Unary:
		return "expression"
	case *Yield:
		return "yield expression"
	case *Await:
		return "await expression"
	case *Comprehension:
		return [...]string{"list comprehension", "set comprehension", "dict comprehension",
			"generator expression"}[x.Kind]
	case *Dict:
		return "dict literal"
	case *Set:
		return "set display"
	case *JoinedStr, *FormattedValue:
		return "f-string expression"
	case *Compare:
		return "comparison"
	case *IfExp:
		return "conditional expression"
	case *NamedExpr:
		return "named expression"
	case *Constant:
		return describeConstant(x)
	}
	return "expression"
}

func describeConstant(c *Constant) string {
	switch v := c.Value.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case Ellipsis:
		return "ellipsis"
	}
	return "literal"
}
