package syntax

// starExpressions parses what stands alone on a line or after "=": one
// expression, or a tuple without parentheses.
func (p *parser) starExpressions() Expr {
	return p.tupleOf(p.starExpression)
}

// expressions parses the same without stars.
func (p *parser) expressions() Expr { return p.tupleOf(p.expression) }

// tupleOf parses one item, or several as a tuple without parentheses.
func (p *parser) tupleOf(item func() Expr) Expr {
	start := p.here()
	x := item()
	if p.tok != comma {
		return x
	}
	return &Tuple{At: start, Items: p.rest(x, item)}
}

// rest parses the items after the first one of a list without brackets.
func (p *parser) rest(first Expr, item func() Expr) []Expr {
	mark := len(p.exprs.items)
	p.exprs.push(first)
	for p.accept(comma) {
		if !p.tok.beginsExpression() && p.tok != star {
			break
		}
		p.exprs.push(item())
	}
	return p.exprs.take(mark, p.size)
}

// starExpression parses an expression or *x.
func (p *parser) starExpression() Expr {
	if p.tok == star {
		return p.starred()
	}
	return p.expression()
}

// starNamed parses an expression, a named expression or *x.
func (p *parser) starNamed() Expr {
	if p.tok == star {
		return p.starred()
	}
	return p.named()
}

// starred parses *x.
func (p *parser) starred() Expr {
	start := p.here()
	p.next()
	return &Starred{At: start, X: p.bitwise()}
}

// bitwise parses an expression of operators that bind tighter than comparisons.
func (p *parser) bitwise() Expr { return p.operand(1) }

// operand parses an expression of operators that bind at least so tight. Its
// height does not add to that of what is to the left.
func (p *parser) operand(tightness uint8) Expr {
	left := p.height
	p.height = 0
	x := p.binary(tightness)
	p.height = max(p.height, left)
	return x
}

// named parses an expression or a named expression.
func (p *parser) named() Expr {
	start := p.start
	x := p.expression()
	if p.tok != walrus {
		if p.careful && p.tok == assign {
			p.mistakenAssignment(start, x)
		}
		return x
	}
	return p.walrus(start, x)
}

// walrus parses the value of a named expression.
func (p *parser) walrus(start int, x Expr) Expr {
	target, ok := bareName(x, start)
	if !ok {
		if p.careful {
			p.syntax(start, "cannot use assignment expressions with "+describe(x))
		}
		return x
	}
	p.bind(target.ID, start)
	p.next()
	n := &NamedExpr{At: At{Pos(start)}, Target: target, Value: p.expression()}
	p.walruses = append(p.walruses, target)
	p.walrusAt = start
	return n
}

// expression parses a conditional expression, a lambda or what binds tighter.
func (p *parser) expression() Expr {
	if p.tok == kwLambda {
		return p.lambdaExpr()
	}
	outer, start := p.height, p.start
	p.height = 0
	x := p.disjunction()
	if p.tok == kwIf {
		x = p.conditional(start, x)
	} else if p.careful {
		p.missingComma(start, x)
	}
	p.height = max(p.height, outer)
	return x
}

// conditional parses the rest of "then if cond else other".
func (p *parser) conditional(start int, then Expr) Expr {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	p.next()
	cond := p.disjunction()
	if p.tok != kwElse {
		p.noElse(start)
		return nil
	}
	p.next()
	other := p.expression()
	p.grow()
	return &IfExp{At: At{Pos(start)}, Cond: cond, Then: then, Else: other}
}

// disjunction parses x or y or ...
func (p *parser) disjunction() Expr {
	start := p.here()
	x := p.conjunction()
	if p.tok != kwOr {
		return x
	}
	return p.boolOp(start, x, kwOr, p.conjunction)
}

// conjunction parses x and y and ...
func (p *parser) conjunction() Expr {
	start := p.here()
	x := p.inversion()
	if p.tok != kwAnd {
		return x
	}
	return p.boolOp(start, x, kwAnd, p.inversion)
}

// boolOp parses the rest of a chain of and, or of or.
func (p *parser) boolOp(start At, first Expr, op kind, operand func() Expr) Expr {
	mark := len(p.exprs.items)
	p.exprs.push(first)
	tallest := p.height
	for p.accept(op) {
		p.height = 0
		p.exprs.push(operand())
		tallest = max(tallest, p.height)
	}
	p.height = tallest
	p.grow()
	return &BoolOp{At: start, Or: op == kwOr, Values: p.exprs.take(mark, p.size)}
}

// inversion parses not x, or a comparison.
func (p *parser) inversion() Expr {
	if p.tok != kwNot {
		return p.comparison()
	}
	return p.unary(Not, p.inversion)
}

// unary parses an operator and its operand.
func (p *parser) unary(op UnaryOp, operand func() Expr) Expr {
	if !p.enter() {
		return nil
	}
	start := p.here()
	p.next()
	x := operand()
	p.leave()
	p.grow()
	return &Unary{At: start, Op: op, X: x}
}

// comparison parses x < y <= z ...
func (p *parser) comparison() Expr {
	start := p.here()
	x := p.binary(1)
	if !p.comparing() {
		return x
	}
	exprs, ops := len(p.exprs.items), len(p.ops.items)
	for p.comparing() {
		p.ops.push(p.compareOp())
		p.exprs.push(p.operand(1))
	}
	p.grow()
	c := p.compares.next(p.size)
	*c = Compare{At: start, X: x, Ops: p.ops.take(ops, p.size), Rest: p.exprs.take(exprs, p.size)}
	return c
}

// comparing reports whether a comparison operator may be next; "not" may begin
// "not in".
func (p *parser) comparing() bool {
	return p.tok >= equal && p.tok <= greaterEqual || p.tok == kwIn || p.tok == kwIs || p.tok == kwNot
}

// compareOp parses a comparison operator.
func (p *parser) compareOp() CompareOp {
	k := p.tok
	p.next()
	switch k {
	case kwIn:
		return In
	case kwNot:
		p.expect(kwIn)
		return NotIn
	case kwIs:
		if p.accept(kwNot) {
			return IsNot
		}
		return Is
	}
	return CompareOp(k - equal)
}

// precedence of the binary operators by token, counted from plus; ** is not
// one of them because it binds its operands in other ways.
var precedence = [...]uint8{5, 5, 6, 6, 6, 6, 6, 0, 4, 4, 3, 1, 2}

// binary parses a chain of binary operators that bind at least so tight.
func (p *parser) binary(tightness uint8) Expr {
	start := p.here()
	x := p.factor()
	for p.tok >= plus && p.tok <= caret {
		op := p.tok - plus
		binds := precedence[op]
		if binds < tightness || binds == 0 {
			return x
		}
		p.next()
		y := p.operand(binds + 1)
		p.grow()
		b := p.binaries.next(p.size)
		*b = Binary{At: start, Op: BinaryOp(op), X: x, Y: y}
		x = b
	}
	return x
}

// factor parses -x, x**y, await x and what binds tighter.
func (p *parser) factor() Expr {
	switch p.tok {
	case minus:
		return p.unary(Neg, p.factor)
	case plus:
		return p.unary(Pos1, p.factor)
	case tilde:
		return p.unary(Invert, p.factor)
	}
	start := p.here()
	x := p.awaited()
	if p.tok != starStar {
		return x
	}
	if !p.enter() {
		return nil
	}
	p.next()
	y := p.factor()
	p.leave()
	p.grow()
	return &Binary{At: start, Op: Pow, X: x, Y: y}
}

// awaited parses await x, or a primary.
func (p *parser) awaited() Expr {
	if p.tok != kwAwait {
		return p.primary()
	}
	start := p.here()
	p.sawAwait(p.start)
	p.next()
	x := p.primary()
	p.grow()
	return &Await{At: start, X: x}
}

// primary parses an atom and the attributes, calls and subscripts after it.
func (p *parser) primary() Expr {
	start := p.here()
	x := p.atom()
	for {
		switch p.tok {
		case dot:
			x = p.attribute(start, x)
		case lparen:
			x = p.call(start, x)
		case lbrack:
			x = p.subscript(start, x)
		default:
			return x
		}
		p.grow()
	}
}

// attribute parses .name after an expression.
func (p *parser) attribute(start At, x Expr) Expr {
	p.next()
	a := p.attributes.next(p.size)
	a.At, a.X, a.NameAt = start, x, Pos(p.start)
	a.Name = p.identifier()
	return a
}

// subscript parses [index] after an expression.
func (p *parser) subscript(start At, x Expr) Expr {
	if !p.enter() {
		return nil
	}
	p.next()
	first := p.here()
	if p.tok == rbrack {
		p.invalid()
	}
	index := p.sliceItem()
	if p.tok == comma {
		index = &Tuple{At: first, Items: p.sliceItems(index)}
	} else if s, ok := index.(*Starred); ok {
		index = &Tuple{At: first, Items: []Expr{s}}
	}
	p.expect(rbrack)
	p.leave()
	s := p.subscripts.next(p.size)
	*s = Subscript{At: start, X: x, Index: index}
	return s
}

// sliceItems parses the items of a subscript after the first one.
func (p *parser) sliceItems(first Expr) []Expr {
	mark := len(p.exprs.items)
	p.exprs.push(first)
	for p.accept(comma) && p.tok != rbrack {
		p.exprs.push(p.sliceItem())
	}
	return p.exprs.take(mark, p.size)
}

// sliceItem parses an index or low:high:step.
func (p *parser) sliceItem() Expr {
	start := p.here()
	var low Expr
	if p.tok != colon {
		low = p.starNamed()
		if p.tok != colon {
			return low
		}
		if !p.sliceable(low, start.Start) {
			return nil
		}
	}
	s := &Slice{At: start, Low: low}
	p.next()
	if p.tok != colon && p.tok != comma && p.tok != rbrack {
		s.High = p.expression()
	}
	if p.accept(colon) && p.tok != comma && p.tok != rbrack {
		s.Step = p.expression()
	}
	return s
}

// sliceable refuses what cannot stand in front of the colon of a slice or of a
// dict item: *x, and a named expression without parentheses.
func (p *parser) sliceable(low Expr, start Pos) bool {
	switch x := low.(type) {
	case *Starred:
		p.invalid()
		return false
	case *NamedExpr:
		if x.Start == start {
			p.invalid()
			return false
		}
	}
	return true
}

// bareName returns an expression that is a name without parentheses around it.
func bareName(x Expr, start int) (*Name, bool) {
	n, ok := x.(*Name)
	return n, ok && int(n.Start) == start
}
