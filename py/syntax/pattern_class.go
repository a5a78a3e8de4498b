package syntax

// mappingPattern parses {key: pattern, **rest}.
func (p *parser) mappingPattern(c *captures) Pattern {
	m := &MappingPattern{At: p.here()}
	p.next()
	for p.tok != rbrace && p.tok != failed {
		if p.tok == starStar {
			p.restPattern(m, c)
			break
		}
		m.Keys = append(m.Keys, p.patternKey())
		p.expect(colon)
		m.Patterns = append(m.Patterns, p.pattern(c))
		if !p.accept(comma) {
			break
		}
	}
	p.expect(rbrace)
	return m
}

// restPattern parses **rest, which is last.
func (p *parser) restPattern(m *MappingPattern, c *captures) {
	p.next()
	if p.word("_") {
		p.invalid()
		return
	}
	at := p.start
	m.Rest = p.identifier()
	p.capture(c, m.Rest, at)
	p.accept(comma)
}

// patternKey parses a literal or a dotted name.
func (p *parser) patternKey() Expr {
	switch p.tok {
	case number, minus:
		return p.numberPattern()
	case text, fstring:
		return p.patternString()
	case kwNone, kwTrue, kwFalse:
		return p.atom()
	case name:
		start := p.here()
		x := p.dotted(start, p.atom())
		if _, ok := x.(*Name); ok {
			p.invalid()
		}
		return x
	}
	p.invalid()
	return nil
}

// dotted parses the attributes after a name.
func (p *parser) dotted(start At, x Expr) Expr {
	for p.tok == dot {
		x = p.attribute(start, x)
		p.grow()
	}
	return x
}

// namePattern parses a capture, the wildcard, a dotted name or a class pattern.
func (p *parser) namePattern(c *captures) Pattern {
	start := p.here()
	at := p.start
	p.height = 0
	x := p.dotted(start, p.atom())
	if p.tok == lparen {
		return p.classPattern(start, x, c)
	}
	n, ok := x.(*Name)
	switch {
	case !ok:
		return &ValuePattern{start, x}
	case p.tok == assign:
		p.invalid()
	case n.ID == "_":
		return &AsPattern{At: start}
	}
	p.capture(c, n.ID, at)
	return &AsPattern{At: start, Name: n.ID}
}

// classPattern parses (patterns, name=pattern) after a class.
func (p *parser) classPattern(start At, class Expr, c *captures) Pattern {
	x := &ClassPattern{At: start, Class: class}
	p.next()
	for p.tok != rparen && p.tok != failed {
		p.classArgument(x, c)
		if !p.accept(comma) {
			break
		}
	}
	p.expect(rparen)
	p.checkNames(x)
	return x
}

// checkNames notes an attribute that a class pattern names twice.
func (p *parser) checkNames(x *ClassPattern) {
	seen := make(map[string]bool, len(x.Names))
	for _, id := range x.Names {
		if seen[id] {
			p.later(compilePhase, int(x.Start), "attribute name repeated in class pattern: "+id)
		}
		seen[id] = true
	}
}

// classArgument parses pattern or name=pattern.
func (p *parser) classArgument(x *ClassPattern, c *captures) {
	at := p.start
	if key, ok := p.keywordPattern(); ok {
		x.Names = append(x.Names, key)
		x.Keywords = append(x.Keywords, p.pattern(c))
		return
	}
	item := p.pattern(c)
	if len(x.Names) > 0 && p.err == nil {
		p.syntax(at, "positional patterns follow keyword patterns")
	}
	x.Items = append(x.Items, item)
}

// keywordPattern parses name=, if that is what follows.
func (p *parser) keywordPattern() (key string, ok bool) {
	if p.tok != name {
		return "", false
	}
	ok = p.attempt(func() bool {
		key = p.identifier()
		return p.accept(assign)
	})
	return key, ok
}
