package syntax

import "fmt"

// compound parses a statement with a block, or returns nil for any other.
func (p *parser) compound() Stmt {
	switch p.tok {
	case kwIf:
		return p.ifStmt()
	case kwFor:
		return p.forStmt(p.here(), false)
	case kwWhile:
		return p.whileStmt()
	case kwDef:
		return p.def(p.here(), nil, false)
	case kwClass:
		return p.class(p.here(), nil)
	case kwTry:
		return p.tryStmt()
	case kwWith:
		return p.withStmt(p.here(), false)
	case at:
		return p.decorated()
	case kwAsync:
		return p.asyncStmt(p.here(), nil)
	case name:
		if p.word("match") {
			if m := p.matchStmt(); m != nil {
				return m
			}
		}
	}
	return nil
}

// colon parses the colon in front of a block.
func (p *parser) colon() {
	if p.tok == newline {
		p.syntax(p.start, "expected ':'")
		return
	}
	p.expect(colon)
}

// block parses the statements of a block, which belongs to what began at an
// offset.
func (p *parser) block(owner string, at int) []Stmt {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	mark := len(p.stmts.items)
	if p.tok != newline {
		p.line()
		return p.stmts.take(mark, p.size)
	}
	p.next()
	if p.tok != indent {
		if p.tok != failed {
			p.fail("IndentationError", p.start,
				fmt.Sprintf("expected an indented block after %s on line %d", owner, p.lineAt(at)))
		}
		return nil
	}
	p.next()
	for p.tok != dedent && p.tok != failed && p.tok != endOfFile {
		p.statement()
	}
	p.accept(dedent)
	return p.stmts.take(mark, p.size)
}

// elseBlock parses [else: block].
func (p *parser) elseBlock() []Stmt {
	if p.tok != kwElse {
		return nil
	}
	at := p.start
	p.next()
	p.demand(colon, ":")
	return p.block("'else' statement", at)
}

// ifStmt parses an if statement with its elif chain.
func (p *parser) ifStmt() Stmt {
	elifs := p.elifs
	defer func() { p.elifs = elifs }()
	first := &If{At: p.here()}
	for s, owner := first, "'if' statement"; ; owner = "'elif' statement" {
		at := p.start
		p.next()
		s.Cond = p.named()
		p.colon()
		s.Body = p.block(owner, at)
		if p.tok != kwElif {
			s.Else = p.elseBlock()
			return first
		}
		if p.elifs++; p.elifs > maxHeight {
			p.syntax(p.start, "more than 5000 elif clauses inside each other")
		}
		next := &If{At: p.here()}
		s.Else = []Stmt{next}
		s = next
	}
}

// whileStmt parses a while loop.
func (p *parser) whileStmt() Stmt {
	s := &While{At: p.here()}
	p.next()
	s.Cond = p.named()
	p.colon()
	s.Body = p.loopBlock("'while' statement", int(s.Start))
	s.Else = p.elseBlock()
	return s
}

// loopBlock parses the body of a loop.
func (p *parser) loopBlock(owner string, at int) []Stmt {
	outer := p.loop
	p.loop = true
	body := p.block(owner, at)
	p.loop = outer
	return body
}

// forStmt parses a for loop.
func (p *parser) forStmt(at At, async bool) Stmt {
	s := &For{At: at, Async: async}
	forAt := p.start
	p.next()
	s.Target = p.targets()
	p.expect(kwIn)
	s.Iter = p.unstarred(p.starExpressions())
	p.colon()
	s.Body = p.loopBlock("'for' statement", forAt)
	s.Else = p.elseBlock()
	return s
}

// withStmt parses a with statement.
func (p *parser) withStmt(at At, async bool) Stmt {
	s := &With{At: at, Async: async}
	withAt := p.start
	p.next()
	var broken *scanError
	inParens := p.tok == lparen && p.attempt(func() bool {
		s.Items = p.withItemsInParens()
		broken = p.err
		return p.tok == colon || p.tok == newline
	})
	if !inParens {
		p.badWithTarget(broken)
		s.Items = p.withItems()
	}
	p.colon()
	s.Body = p.block("'with' statement", withAt)
	return s
}

// withItemsInParens parses the items of a with statement in parentheses.
func (p *parser) withItemsInParens() []WithItem {
	p.next()
	var list []WithItem
	for p.tok != rparen && p.tok != failed {
		list = append(list, p.withItem())
		if !p.accept(comma) {
			break
		}
	}
	if len(list) == 0 {
		p.invalid()
	}
	p.expect(rparen)
	return list
}

// withItems parses the items of a with statement without parentheses.
func (p *parser) withItems() []WithItem {
	list := []WithItem{p.withItem()}
	for p.accept(comma) {
		list = append(list, p.withItem())
	}
	return list
}

// withItem parses a context manager and its target.
func (p *parser) withItem() WithItem {
	item := WithItem{Context: p.expression()}
	if !p.accept(kwAs) {
		return item
	}
	item.Target = p.target()
	if p.tok == comma || p.tok == colon || p.tok == rparen {
		p.checkTarget(item.Target, "assign to")
	}
	return item
}

// asyncStmt parses async def, async for or async with.
func (p *parser) asyncStmt(at At, decorators []Expr) Stmt {
	asyncAt := p.start
	p.next()
	switch {
	case p.tok == kwDef:
		return p.def(at, decorators, true)
	case p.tok == kwFor && decorators == nil:
		p.sawAsync(asyncAt, "async for")
		return p.forStmt(at, true)
	case p.tok == kwWith && decorators == nil:
		p.sawAsync(asyncAt, "async with")
		return p.withStmt(at, true)
	}
	p.invalid()
	return &Pass{at}
}

// decorated parses decorators and what they decorate.
func (p *parser) decorated() Stmt {
	var list []Expr
	for p.tok == at {
		p.next()
		list = append(list, p.named())
		p.expect(newline)
	}
	start := p.here()
	if len(list) > 0 && list[0] != nil {
		start = At{list[0].Pos()}
	}
	switch p.tok {
	case kwDef:
		return p.def(start, list, false)
	case kwAsync:
		return p.asyncStmt(start, list)
	case kwClass:
		return p.class(start, list)
	}
	p.invalid()
	return &Pass{start}
}

// def parses a function definition.
func (p *parser) def(at At, decorators []Expr, async bool) Stmt {
	defAt := p.start
	d := &Def{At: at, Decorators: decorators, Async: async}
	p.next()
	d.NameAt = Pos(p.start)
	d.Name = p.identifier()
	p.bind(d.Name, int(d.NameAt))
	p.demand(lparen, "(")
	d.Params = p.params(rparen)
	p.expect(rparen)
	if p.accept(arrow) {
		d.Returns = p.expression()
	}
	p.demand(colon, ":")
	outer := p.body(inFunction)
	if async {
		p.kind = inAsync
	}
	d.Body = p.block("function definition", defAt)
	p.closeBody()
	p.enclosing = outer
	return d
}

// class parses a class definition.
func (p *parser) class(at At, decorators []Expr) Stmt {
	classAt := p.start
	c := &Class{At: at, Decorators: decorators}
	p.next()
	c.NameAt = Pos(p.start)
	c.Name = p.identifier()
	p.bind(c.Name, int(c.NameAt))
	if p.tok == lparen {
		c.Bases, c.Keywords = p.arguments(false)
	}
	p.colon()
	outer := p.body(inClass)
	c.Body = p.block("class definition", classAt)
	p.closeBody()
	p.enclosing = outer
	return c
}
