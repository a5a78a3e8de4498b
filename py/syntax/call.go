package syntax

// call parses (arguments) after an expression.
func (p *parser) call(start At, fn Expr) Expr {
	if !p.enter() {
		return nil
	}
	c := p.calls.next(p.size)
	c.At, c.Fn = start, fn
	c.Args, c.Keywords = p.arguments(true)
	c.End = Pos(p.previous)
	p.leave()
	return c
}

// arguments is a list of arguments that is being read.
type arguments struct {
	keyword  bool // name=value was seen
	unpacked bool // **x was seen
}

// arguments parses the arguments of a call or the bases of a class, with the
// parentheses. Only a call may have a generator expression without its own.
func (p *parser) arguments(call bool) ([]Expr, []Keyword) {
	opened := p.here()
	p.next()
	exprs, keywords := len(p.exprs.items), len(p.keywords.items)
	var seen arguments
	for p.tok != rparen && p.tok != failed {
		p.argument(&seen, exprs, call, opened)
		if p.tok != comma {
			break
		}
		p.next()
	}
	p.expect(rparen)
	p.checkKeywords(p.keywords.items[keywords:])
	return p.exprs.take(exprs, p.size), p.keywords.take(keywords, p.size)
}

// argument parses one argument.
func (p *parser) argument(seen *arguments, mark int, call bool, opened At) {
	start := p.here()
	switch p.tok {
	case starStar:
		p.next()
		seen.unpacked = true
		p.keywords.push(Keyword{At: start, Value: p.expression()})
		return
	case star:
		if seen.unpacked {
			p.syntax(p.start, "iterable argument unpacking follows keyword argument unpacking")
		}
		p.next()
		p.exprs.push(&Starred{At: start, X: p.expression()})
		return
	}
	begun := p.begin()
	first := p.tok
	x := p.expression()
	switch {
	case p.tok == assign:
		p.keywordArgument(start, first, x)
		seen.keyword = true
		return
	case p.tok == walrus:
		x = p.walrus(begun.at, x)
	case p.clauseNext():
		x = p.bareGenerator(begun, x, call, len(p.exprs.items) == mark && !seen.keyword && !seen.unpacked, opened)
	}
	if seen.keyword || seen.unpacked {
		p.positionalLate(seen)
	}
	p.exprs.push(x)
}

// keywordArgument parses the value of name=value.
func (p *parser) keywordArgument(start At, first kind, x Expr) {
	n, ok := bareName(x, int(start.Start))
	if !ok {
		p.notKeyword(start, first)
		return
	}
	p.next()
	value := p.expression()
	if p.clauseNext() {
		p.syntax(int(start.Start), "invalid syntax. Maybe you meant '==' or ':=' instead of '='?")
	}
	if n.ID == "__debug__" {
		p.later(compilePhase, int(start.Start), "cannot assign to __debug__")
	}
	p.keywords.push(Keyword{At: start, Name: n.ID, Value: value})
}

// notKeyword fails for something other than a name in front of "=".
func (p *parser) notKeyword(start At, first kind) {
	switch text := p.src[start.Start:p.previous]; {
	case first == kwNone || first == kwTrue || first == kwFalse:
		if text == "None" || text == "True" || text == "False" {
			p.syntax(int(start.Start), "cannot assign to "+text)
			return
		}
	}
	p.syntax(int(start.Start), `expression cannot contain assignment, perhaps you meant "=="?`)
}

// bareGenerator parses the clauses of a generator expression that is the only
// argument of a call.
func (p *parser) bareGenerator(from begun, elem Expr, call, alone bool, opened At) Expr {
	c := &Comprehension{At: opened, Kind: GeneratorExp, Elem: elem, Clauses: p.clauses(from, GeneratorExp)}
	p.checkWalruses(from, c)
	switch {
	case !call:
		p.invalid()
	case !alone || p.tok != rparen:
		p.parenthesize(from.at)
	}
	return c
}

// parenthesize fails for a generator expression among other arguments.
func (p *parser) parenthesize(at int) {
	if p.tok == comma || p.tok == rparen {
		p.syntax(at, "Generator expression must be parenthesized")
		return
	}
	p.invalid()
}

// positionalLate fails for a positional argument that comes too late.
func (p *parser) positionalLate(seen *arguments) {
	message := "positional argument follows keyword argument"
	if seen.unpacked {
		message += " unpacking"
	}
	p.syntax(p.previous-1, message)
}

// fewKeywords is how many keywords are compared each with each.
const fewKeywords = 8

// checkKeywords notes a keyword that is given twice.
func (p *parser) checkKeywords(list []Keyword) {
	if len(list) <= fewKeywords {
		for i := range list {
			for j := range i {
				if list[i].Name != "" && list[i].Name == list[j].Name {
					p.repeated(list[i])
				}
			}
		}
		return
	}
	seen := make(map[string]bool, len(list))
	for _, k := range list {
		if k.Name != "" && seen[k.Name] {
			p.repeated(k)
		}
		seen[k.Name] = true
	}
}

func (p *parser) repeated(k Keyword) {
	p.later(compilePhase, int(k.Start), "keyword argument repeated: "+k.Name)
}
