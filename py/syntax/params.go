package syntax

// lambdaExpr parses a lambda expression.
func (p *parser) lambdaExpr() Expr {
	if p.field > 0 && p.depth == p.field {
		p.invalid() // its colon would begin the format
		return nil
	}
	if !p.enter() {
		return nil
	}
	l := &Lambda{At: p.here()}
	p.next()
	l.Params = p.params(colon)
	p.expect(colon)
	outer, walruses := p.body(inFunction), len(p.walruses)
	l.Body = p.expression()
	p.closeBody()
	p.enclosing, p.walruses = outer, p.walruses[:walruses]
	p.leave()
	p.grow()
	return l
}

// paramList is a list of parameters that is being read.
type paramList struct {
	list      []Param
	end       kind // rparen for a function, colon for a lambda
	slash     bool // "/" was seen
	star      bool // "*" or *args was seen
	bare      int  // offset of a "*" that still wants a name, or -1
	defaulted bool // a default was seen in front of "*"
	done      bool // **kwargs was seen
}

// params parses parameters up to the token that ends them.
func (p *parser) params(end kind) *Params {
	l := paramList{end: end, bare: -1}
	for p.tok != end && p.tok != failed {
		p.param(&l)
		if p.tok != comma {
			break
		}
		p.next()
	}
	if l.bare >= 0 {
		p.syntax(l.bare, "named arguments must follow bare *")
	}
	p.checkParams(l.list)
	return &Params{List: l.list}
}

// param parses one parameter, "/" or "*".
func (p *parser) param(l *paramList) {
	if l.done && (p.tok == name || p.tok == star || p.tok == starStar || p.tok == slash) {
		p.syntax(p.start, "arguments cannot follow var-keyword argument")
		return
	}
	switch p.tok {
	case slash:
		p.slash(l)
	case star:
		p.starParam(l)
	case starStar:
		p.kwargs(l)
	case lparen:
		p.parenthesized(l)
	default:
		p.plainParam(l)
	}
}

// plainParam parses name: annotation = default.
func (p *parser) plainParam(l *paramList) {
	at := p.start
	param := p.paramName(l, Ordinary)
	switch {
	case p.tok == assign:
		param.Default = p.defaultValue(l)
		l.defaulted = l.defaulted || !l.star
	case l.defaulted && !l.star && (p.tok == comma || p.tok == l.end):
		p.syntax(at, "non-default argument follows default argument")
	}
	if l.star {
		param.Kind = KeywordOnly
	}
	l.bare = -1
	l.list = append(l.list, param)
}

// paramName parses the name and the annotation of a parameter.
func (p *parser) paramName(l *paramList, k ParamKind) Param {
	param := Param{At: p.here(), Kind: k}
	param.Name = p.identifier()
	if l.end == rparen && p.tok == colon {
		p.next()
		if k == VarPositional && p.tok == star {
			param.Annotation = p.starred()
		} else {
			param.Annotation = p.expression()
		}
	}
	return param
}

// defaultValue parses = and the default.
func (p *parser) defaultValue(l *paramList) Expr {
	at := p.start
	p.next()
	if p.tok == rparen || p.tok == comma || p.tok == l.end {
		p.syntax(at, "expected default value expression")
		return nil
	}
	return p.expression()
}

// slash parses "/".
func (p *parser) slash(l *paramList) {
	at := p.start
	switch {
	case l.slash:
		p.syntax(at, "/ may appear only once")
	case l.star:
		p.syntax(at, "/ must be ahead of *")
	}
	l.slash = true
	for i := range l.list {
		l.list[i].Kind = PositionalOnly
	}
	p.next()
	switch {
	case len(l.list) == 0 && p.tok == comma:
		p.syntax(at, "at least one argument must precede /")
	case len(l.list) == 0:
		p.syntax(at, "invalid syntax")
	case p.tok == star:
		p.syntax(p.start, "expected comma between / and *")
	}
}

// starParam parses "*" or *args.
func (p *parser) starParam(l *paramList) {
	if l.star {
		p.syntax(p.start, "* argument may appear only once")
		return
	}
	l.star = true
	at := p.start
	p.next()
	if p.tok == comma || p.tok == l.end {
		l.bare = at
		return
	}
	l.list = append(l.list, p.paramName(l, VarPositional))
	if p.tok == assign {
		p.syntax(p.start, "var-positional argument cannot have default value")
	}
}

// kwargs parses **kwargs.
func (p *parser) kwargs(l *paramList) {
	if l.bare >= 0 {
		p.syntax(l.bare, "named arguments must follow bare *")
		return
	}
	p.next()
	l.done = true
	l.list = append(l.list, p.paramName(l, VarKeyword))
	if p.tok == assign {
		p.syntax(p.start, "var-keyword argument cannot have default value")
	}
}

// parenthesized fails for parameters in parentheses, which Python 2 had.
func (p *parser) parenthesized(l *paramList) {
	at := p.start
	names := p.attempt(func() bool {
		for p.next(); p.tok == name; {
			p.next()
			if !p.accept(comma) {
				break
			}
		}
		return p.tok == rparen && p.previous > at+1
	})
	switch {
	case !names || l.defaulted || l.star:
		p.invalid()
	case l.end == rparen:
		p.syntax(at, "Function parameters cannot be parenthesized")
	default:
		p.syntax(at, "Lambda expression parameters cannot be parenthesized")
	}
}

// checkParams notes names that are forbidden or given twice.
func (p *parser) checkParams(list []Param) {
	var seen map[string]bool
	if len(list) > fewKeywords {
		seen = make(map[string]bool, len(list))
	}
	for i := range list {
		p.bind(list[i].Name, int(list[i].Start))
		if seen == nil {
			for j := range i {
				p.checkDuplicate(list[i], list[j].Name == list[i].Name)
			}
			continue
		}
		p.checkDuplicate(list[i], seen[list[i].Name])
		seen[list[i].Name] = true
	}
}

func (p *parser) checkDuplicate(param Param, duplicate bool) {
	if duplicate {
		p.later(symbolPhase, int(param.Start), "duplicate argument '"+param.Name+"' in function definition")
	}
}
