package syntax

// atom parses a name, a literal or something in brackets.
func (p *parser) atom() Expr {
	switch p.tok {
	case name:
		n := p.names.next(p.size)
		n.Start, n.ID = Pos(p.start), p.src[p.start:p.end]
		p.next()
		return n
	case number:
		return p.numberLiteral()
	case text, fstring:
		return p.strings()
	case lparen, lbrack, lbrace:
		return p.bracketed()
	case kwNone:
		return p.constant(nil)
	case kwTrue:
		return p.constant(true)
	case kwFalse:
		return p.constant(false)
	case ellipsis:
		return p.constant(Ellipsis{})
	}
	p.invalid()
	return nil
}

// constant makes a constant of the current token.
func (p *parser) constant(value any) Expr {
	c := p.constants.next(p.size)
	c.Start, c.Value = Pos(p.start), value
	p.next()
	return c
}

// numberLiteral parses a number.
func (p *parser) numberLiteral() Expr {
	value, problem := numberValue(p.src[p.start:p.end])
	if problem != "" {
		p.syntax(p.start, problem)
		return nil
	}
	return p.constant(value)
}

// bracketed parses a construct in brackets.
func (p *parser) bracketed() (x Expr) {
	if !p.enter() {
		return nil
	}
	switch p.tok {
	case lparen:
		x = p.group()
	case lbrack:
		x = p.list()
	default:
		x = p.dictOrSet()
	}
	p.leave()
	p.grow()
	return x
}

// group parses (x), a tuple, a generator expression or (yield x).
func (p *parser) group() Expr {
	start := p.here()
	p.next()
	if p.tok == rparen {
		p.next()
		return &Tuple{At: start, Parens: true}
	}
	if p.tok == kwYield {
		x := p.yieldExpr()
		p.expect(rparen)
		return x
	}
	if p.careful && p.tok == starStar {
		p.doubleStarGroup(rparen)
		return nil
	}
	begun := p.begin()
	x := p.starNamed()
	switch {
	case p.clauseNext():
		return p.comprehension(start, begun, GeneratorExp, x, nil, rparen)
	case p.tok == comma:
		items := p.displayItems(x, rparen)
		return &Tuple{At: start, Items: items, Parens: true}
	}
	if s, ok := x.(*Starred); ok && p.tok == rparen {
		p.syntax(int(s.Start), "cannot use starred expression here")
	}
	p.expect(rparen)
	return x
}

// list parses a list or a list comprehension.
func (p *parser) list() Expr {
	start := p.here()
	p.next()
	if p.tok == rbrack {
		p.next()
		return &List{At: start}
	}
	begun := p.begin()
	x := p.starNamed()
	if p.clauseNext() {
		return p.comprehension(start, begun, ListComp, x, nil, rbrack)
	}
	return &List{At: start, Items: p.displayItems(x, rbrack)}
}

// displayItems parses the items after the first one of a display, and its end.
func (p *parser) displayItems(first Expr, end kind) []Expr {
	mark := len(p.exprs.items)
	begun := p.begin()
	p.exprs.push(first)
	for p.tok == comma {
		p.next()
		if p.tok == end {
			break
		}
		if p.careful && p.clauseNext() {
			p.bareTarget(end, begun)
		}
		p.exprs.push(p.starNamed())
	}
	if p.careful && p.clauseNext() {
		p.bareTarget(end, begun)
	}
	p.expect(end)
	return p.exprs.take(mark, p.size)
}

// dictOrSet parses a dict, a set, or a comprehension of either.
func (p *parser) dictOrSet() Expr {
	start := p.here()
	p.next()
	switch p.tok {
	case rbrace:
		p.next()
		return &Dict{At: start}
	case starStar:
		return p.dict(start, nil, p.doubleStarred())
	}
	begun := p.begin()
	x := p.starNamed()
	switch {
	case p.tok == colon:
		if !p.sliceable(x, Pos(begun.at)) {
			return nil
		}
		value := p.dictValue()
		if p.clauseNext() {
			return p.comprehension(start, begun, DictComp, x, value, rbrace)
		}
		return p.dict(start, x, value)
	case p.clauseNext():
		return p.comprehension(start, begun, SetComp, x, nil, rbrace)
	}
	return &Set{At: start, Items: p.displayItems(x, rbrace)}
}

// dict parses the items after the first one of a dict, and its end.
func (p *parser) dict(start At, key, value Expr) Expr {
	mark := len(p.exprs.items)
	p.exprs.push(key)
	p.exprs.push(value)
	for p.accept(comma) && p.tok != rbrace {
		if p.tok == starStar {
			p.exprs.push(nil)
			p.exprs.push(p.doubleStarred())
			continue
		}
		begin := p.start
		key := p.expression()
		if p.tok != colon {
			p.noDictColon(begin)
			return nil
		}
		p.exprs.push(key)
		p.exprs.push(p.dictValue())
	}
	if key == nil && p.careful && p.clauseNext() {
		p.syntax(int(start.Start)+1, "dict unpacking cannot be used in dict comprehension")
	}
	p.expect(rbrace)
	return p.dictNode(start, mark)
}

// dictNode makes a dict of the keys and values, which alternate on the pile.
func (p *parser) dictNode(start At, mark int) Expr {
	pairs := p.exprs.items[mark:]
	n := len(pairs) / 2
	lists := make([]Expr, 2*n)
	for i := range n {
		lists[i], lists[n+i] = pairs[2*i], pairs[2*i+1]
	}
	clear(pairs)
	p.exprs.items = p.exprs.items[:mark]
	return &Dict{At: start, Keys: lists[:n:n], Values: lists[n:]}
}

// dictValue parses the colon and the value of an item.
func (p *parser) dictValue() Expr {
	colonAt := p.start
	p.next()
	if p.careful {
		p.badDictValue(colonAt)
	}
	return p.expression()
}

// doubleStarred parses **x.
func (p *parser) doubleStarred() Expr {
	p.next()
	return p.bitwise()
}

// yieldExpr parses yield, yield x or yield from x.
func (p *parser) yieldExpr() Expr {
	start := p.here()
	p.next()
	from := p.tok == kwFrom
	p.sawYield(int(start.Start), from)
	y := &Yield{At: start, From: from}
	switch {
	case from:
		p.next()
		y.X = p.expression()
	case p.tok.beginsExpression() || p.tok == star:
		y.X = p.unstarred(p.starExpressions())
	}
	return y
}

// unstarred notes that a starred expression stands where a value must.
func (p *parser) unstarred(x Expr) Expr {
	if s, ok := x.(*Starred); ok {
		p.later(compilePhase, int(s.Start), "can't use starred expression here")
	}
	return x
}
