package syntax

// tryStmt parses a try statement.
func (p *parser) tryStmt() Stmt {
	s := &Try{At: p.here()}
	p.next()
	p.demand(colon, ":")
	s.Body = p.block("'try' statement", int(s.Start))
	for p.tok == kwExcept {
		s.Handlers = append(s.Handlers, p.handler(s))
	}
	if len(s.Handlers) > 0 {
		s.Else = p.elseBlock()
	}
	if p.tok == kwFinally {
		s.Finally = p.finally()
	} else if len(s.Handlers) == 0 {
		p.syntax(p.start, "expected 'except' or 'finally' block")
	}
	p.checkHandlers(s.Handlers)
	return s
}

// finally parses finally: block.
func (p *parser) finally() []Stmt {
	at := p.start
	p.next()
	p.demand(colon, ":")
	return p.block("'finally' statement", at)
}

// handler parses an except clause.
func (p *parser) handler(s *Try) *Handler {
	h := &Handler{At: p.here()}
	p.next()
	group := p.tok == star
	owner := "'except' statement"
	if group {
		owner = "'except*' statement"
		p.next()
		if p.tok == colon || p.tok == newline {
			p.syntax(p.start, "expected one or more exception types")
		}
	}
	if len(s.Handlers) > 0 && group != s.Star {
		p.syntax(int(h.Start), "cannot have both 'except' and 'except*' on the same 'try'")
	}
	s.Star = group
	if p.tok != colon && p.tok != newline {
		p.caught(h)
	}
	p.colon()
	h.Body = p.handlerBlock(group, owner, int(h.Start))
	return h
}

// caught parses the types of an except clause and its name.
func (p *parser) caught(h *Handler) {
	h.Type = p.expression()
	if p.tok == comma {
		p.typesWithoutParens(int(h.Type.Pos()))
		return
	}
	if p.accept(kwAs) {
		at := p.start
		h.Name = p.identifier()
		p.bind(h.Name, at)
	}
}

// typesWithoutParens fails for except A, B.
func (p *parser) typesWithoutParens(at int) {
	listed := p.attempt(func() bool {
		p.next()
		p.expressions()
		if p.accept(kwAs) {
			p.identifier()
		}
		return p.tok == colon
	})
	if listed {
		p.syntax(at, "multiple exception types must be parenthesized")
		return
	}
	p.invalid()
}

// handlerBlock parses the body of an except clause.
func (p *parser) handlerBlock(group bool, owner string, at int) []Stmt {
	loop, inGroup := p.loop, p.exceptStar
	if group {
		p.loop, p.exceptStar = false, true
	}
	body := p.block(owner, at)
	p.loop, p.exceptStar = loop, inGroup
	return body
}

// checkHandlers notes a bare except that is not the last one.
func (p *parser) checkHandlers(list []*Handler) {
	for i, h := range list {
		if h.Type == nil && i < len(list)-1 {
			p.later(compilePhase, int(h.Start), "default 'except:' must be last")
		}
	}
}
