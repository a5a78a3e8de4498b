package syntax

import "slices"

// matchStmt parses a match statement, or returns nil if "match" is a name here.
func (p *parser) matchStmt() Stmt {
	m := &Match{At: p.here()}
	found := p.attempt(func() bool {
		p.next()
		if !p.tok.beginsExpression() && p.tok != star {
			return false
		}
		m.Subject = p.subject()
		return p.accept(colon) && p.accept(newline) && p.accept(indent) && p.word("case")
	})
	if !found {
		if p.careful {
			p.brokenMatch()
		}
		return nil
	}
	if !p.enter() {
		return m
	}
	for p.word("case") {
		m.Cases = append(m.Cases, p.caseBlock())
	}
	p.leave()
	p.expect(dedent)
	p.checkCases(m.Cases)
	return m
}

// subject parses what a match statement looks at.
func (p *parser) subject() Expr {
	start := p.here()
	x := p.starNamed()
	if p.tok == comma {
		return &Tuple{At: start, Items: p.rest(x, p.starNamed)}
	}
	if _, ok := x.(*Starred); ok {
		p.invalid()
	}
	return x
}

// caseBlock parses one case.
func (p *parser) caseBlock() *Case {
	c := &Case{At: p.here()}
	p.next()
	var names captures
	c.Pattern = p.patterns(&names)
	if p.accept(kwIf) {
		c.Guard = p.named()
	}
	p.colon()
	c.Body = p.block("'case' statement", int(c.Start))
	return c
}

// checkCases notes a case that hides the ones after it.
func (p *parser) checkCases(list []*Case) {
	for i, c := range list {
		if c.Guard == nil && i < len(list)-1 {
			p.checkIrrefutable(c.Pattern)
		}
	}
}

// checkIrrefutable notes a pattern that always matches.
func (p *parser) checkIrrefutable(x Pattern) {
	if o, ok := x.(*OrPattern); ok && len(o.Items) > 0 {
		x = o.Items[len(o.Items)-1]
	}
	a, ok := x.(*AsPattern)
	if !ok {
		return
	}
	switch {
	case a.Pattern != nil:
		p.checkIrrefutable(a.Pattern)
	case a.Name == "":
		p.later(compilePhase, int(a.Start), "wildcard makes remaining patterns unreachable")
	default:
		p.later(compilePhase, int(a.Start), "name capture '"+a.Name+"' makes remaining patterns unreachable")
	}
}

// captures are the names that a pattern binds, in order.
type captures struct {
	names []string
	set   map[string]bool
}

// capture notes a name that a pattern binds.
func (p *parser) capture(c *captures, id string, at int) {
	p.bind(id, at)
	if c.set[id] {
		p.later(compilePhase, at, "multiple assignments to name '"+id+"' in pattern")
	}
	if c.set == nil {
		c.set = make(map[string]bool)
	}
	c.set[id] = true
	c.names = append(c.names, id)
}

// cut forgets the names after the first n.
func (c *captures) cut(n int) {
	for _, id := range c.names[n:] {
		delete(c.set, id)
	}
	c.names = c.names[:n]
}

// patterns parses a pattern, or a sequence pattern without brackets.
func (p *parser) patterns(c *captures) Pattern {
	start := p.here()
	x := p.starPattern(c)
	if p.tok != comma {
		if _, ok := x.(*StarPattern); ok {
			p.invalid()
		}
		return x
	}
	return p.sequence(start, x, c)
}

// sequence parses the items after the first one of a sequence pattern.
func (p *parser) sequence(start At, first Pattern, c *captures) Pattern {
	s := &SequencePattern{At: start, Items: []Pattern{first}}
	for p.accept(comma) {
		if p.tok == colon || p.tok == kwIf || p.tok == rparen || p.tok == rbrack {
			break
		}
		s.Items = append(s.Items, p.starPattern(c))
	}
	p.checkStars(s)
	return s
}

// checkStars notes a second star in a sequence.
func (p *parser) checkStars(s *SequencePattern) {
	stars := 0
	for _, item := range s.Items {
		if _, ok := item.(*StarPattern); ok {
			stars++
		}
	}
	if stars > 1 {
		p.later(compilePhase, int(s.Start), "multiple starred names in sequence pattern")
	}
}

// starPattern parses a pattern or *name.
func (p *parser) starPattern(c *captures) Pattern {
	if p.tok != star {
		return p.pattern(c)
	}
	s := &StarPattern{At: p.here()}
	p.next()
	at := p.start
	if s.Name = p.identifier(); s.Name == "_" {
		s.Name = ""
	} else {
		p.capture(c, s.Name, at)
	}
	return s
}

// pattern parses alternatives [as name].
func (p *parser) pattern(c *captures) Pattern {
	if !p.enter() {
		return nil
	}
	start := p.here()
	x := p.alternatives(c)
	p.leave()
	if p.tok != kwAs {
		return x
	}
	p.next()
	at := p.start
	switch {
	case p.word("_"):
		p.syntax(at, "cannot use '_' as a target")
		return nil
	case p.tok != name:
		p.badCapture()
		return nil
	}
	id := p.identifier()
	if p.tok == dot || p.tok == lparen || p.tok == assign {
		p.invalid()
		return nil
	}
	p.capture(c, id, at)
	return &AsPattern{At: start, Pattern: x, Name: id}
}

// badCapture fails for something other than a name after "as".
func (p *parser) badCapture() {
	at := p.start
	if p.attempt(func() bool { p.expression(); return true }) {
		p.syntax(at, "invalid pattern target")
		return
	}
	p.invalid()
}

// alternatives parses a | b | c.
func (p *parser) alternatives(c *captures) Pattern {
	start, mark := p.here(), len(c.names)
	x := p.closed(c)
	if p.tok != bar {
		return x
	}
	bound := slices.Clone(c.names[mark:])
	slices.Sort(bound)
	o := &OrPattern{At: start, Items: []Pattern{x}}
	for p.accept(bar) {
		p.checkIrrefutable(o.Items[len(o.Items)-1])
		c.cut(mark)
		o.Items = append(o.Items, p.closed(c))
		if other := slices.Sorted(slices.Values(c.names[mark:])); !slices.Equal(bound, other) {
			p.later(compilePhase, int(start.Start), "alternative patterns bind different names")
		}
	}
	return o
}

// closed parses a pattern that needs no parentheses.
func (p *parser) closed(c *captures) Pattern {
	start := p.here()
	switch p.tok {
	case number, minus:
		return &ValuePattern{start, p.numberPattern()}
	case text, fstring:
		return &ValuePattern{start, p.patternString()}
	case kwNone, kwTrue, kwFalse:
		return &SingletonPattern{start, p.atom()}
	case lparen:
		return p.groupPattern(c)
	case lbrack:
		return p.listPattern(c)
	case lbrace:
		return p.mappingPattern(c)
	case name:
		return p.namePattern(c)
	}
	p.invalid()
	return nil
}

// patternString parses a string, which may not be an f-string.
func (p *parser) patternString() Expr {
	x := p.strings()
	if j, ok := x.(*JoinedStr); ok {
		p.later(compilePhase, int(j.Start), "patterns may only match literals and attribute lookups")
	}
	return x
}

// numberPattern parses a number, which may be negative or complex.
func (p *parser) numberPattern() Expr {
	start := p.here()
	x := p.signedNumber()
	if p.tok != plus && p.tok != minus {
		return x
	}
	if imaginary(x) {
		p.syntax(int(x.Pos()), "real number required in complex literal")
	}
	op := Add
	if p.tok == minus {
		op = Sub
	}
	p.next()
	if p.tok != number {
		p.invalid()
		return nil
	}
	y := p.numberLiteral()
	if p.err == nil && !imaginary(y) {
		p.syntax(int(y.Pos()), "imaginary number required in complex literal")
	}
	return &Binary{At: start, Op: op, X: x, Y: y}
}

// signedNumber parses [-]number.
func (p *parser) signedNumber() Expr {
	start := p.here()
	negative := p.accept(minus)
	if p.tok != number {
		p.invalid()
		return nil
	}
	x := p.numberLiteral()
	if negative {
		return &Unary{At: start, Op: Neg, X: x}
	}
	return x
}

// imaginary reports whether a number is an imaginary literal, with any sign.
func imaginary(x Expr) bool {
	if u, ok := x.(*Unary); ok {
		x = u.X
	}
	c, ok := x.(*Constant)
	if !ok {
		return false
	}
	_, ok = c.Value.(complex128)
	return ok
}

// groupPattern parses a pattern or a sequence in parentheses.
func (p *parser) groupPattern(c *captures) Pattern {
	start := p.here()
	p.next()
	if p.accept(rparen) {
		return &SequencePattern{At: start}
	}
	x := p.starPattern(c)
	if p.tok == comma {
		x = p.sequence(start, x, c)
	} else if _, ok := x.(*StarPattern); ok {
		p.invalid()
	}
	p.expect(rparen)
	return x
}

// listPattern parses a sequence pattern in square brackets.
func (p *parser) listPattern(c *captures) Pattern {
	start := p.here()
	p.next()
	if p.accept(rbrack) {
		return &SequencePattern{At: start}
	}
	x := p.sequence(start, p.starPattern(c), c)
	p.expect(rbrack)
	return x
}
