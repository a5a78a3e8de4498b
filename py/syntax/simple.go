package syntax

import "strings"

// statement parses a statement, or a line of simple statements, and puts it on
// the pile.
func (p *parser) statement() {
	p.walruses = p.walruses[:0]
	if s := p.compound(); s != nil {
		p.stmts.push(s)
		return
	}
	p.line()
}

// line parses simple statements up to the end of the line.
func (p *parser) line() {
	for {
		p.walruses = p.walruses[:0]
		p.height = 0
		p.stmts.push(p.simple())
		if p.tok != semicolon {
			break
		}
		p.next()
		if p.tok == newline {
			break
		}
	}
	if p.tok != newline {
		p.invalid()
		return
	}
	p.next()
}

// simple parses a simple statement.
func (p *parser) simple() Stmt {
	at := p.here()
	switch p.tok {
	case kwPass:
		p.next()
		return &Pass{at}
	case kwBreak:
		p.sawJump(p.start, "'break' outside loop")
		p.next()
		return &Break{at}
	case kwContinue:
		p.sawJump(p.start, "'continue' not properly in loop")
		p.next()
		return &Continue{at}
	case kwReturn:
		return p.returnStmt(at)
	case kwRaise:
		return p.raiseStmt(at)
	case kwAssert:
		return p.assertStmt(at)
	case kwDel:
		return p.deleteStmt(at)
	case kwGlobal:
		return &Global{at, p.nameList()}
	case kwNonlocal:
		if p.kind == inModule {
			p.later(symbolPhase, p.start, "nonlocal declaration not allowed at module level")
		}
		return &Nonlocal{at, p.nameList()}
	case kwImport:
		return p.importStmt(at)
	case kwFrom:
		return p.importFrom(at)
	}
	if p.word("type") {
		if s := p.typeAlias(at); s != nil {
			return s
		}
	}
	return p.expressionStmt(at)
}

// returnStmt parses return [value].
func (p *parser) returnStmt(at At) Stmt {
	p.next()
	s := &Return{At: at}
	if p.tok.beginsExpression() || p.tok == star {
		s.Value = p.unstarred(p.starExpressions())
	}
	p.sawReturn(int(at.Start), s.Value != nil)
	return s
}

// raiseStmt parses raise [value [from cause]].
func (p *parser) raiseStmt(at At) Stmt {
	p.next()
	s := &Raise{At: at}
	if !p.tok.beginsExpression() {
		return s
	}
	s.Value = p.expression()
	if p.accept(kwFrom) {
		s.Cause = p.expression()
	}
	return s
}

// assertStmt parses assert cond[, message].
func (p *parser) assertStmt(at At) Stmt {
	p.next()
	s := &Assert{At: at, Cond: p.expression()}
	if p.accept(comma) {
		s.Message = p.expression()
	}
	return s
}

// deleteStmt parses del targets.
func (p *parser) deleteStmt(at At) Stmt {
	p.next()
	x := p.starExpressions()
	s := &Delete{At: at, Targets: []Expr{x}}
	if t, ok := x.(*Tuple); ok && !t.Parens {
		s.Targets = t.Items
	}
	if p.tok == newline || p.tok == semicolon {
		p.checkTarget(x, "delete")
	}
	return s
}

// nameList parses the names after global or nonlocal.
func (p *parser) nameList() []string {
	p.next()
	names := []string{p.identifier()}
	for p.accept(comma) {
		names = append(names, p.identifier())
	}
	return names
}

// importStmt parses import a.b as c, d.
func (p *parser) importStmt(at At) Stmt {
	p.next()
	s := &Import{At: at}
	for {
		alias := Alias{At: p.here()}
		alias.Name = p.dottedName()
		alias.As = p.asName()
		s.Names = append(s.Names, alias)
		if !p.accept(comma) {
			return s
		}
	}
}

// dottedName parses a.b.c.
func (p *parser) dottedName() string {
	id := p.identifier()
	if p.tok != dot {
		return id
	}
	var b strings.Builder
	b.WriteString(id)
	for p.accept(dot) {
		b.WriteByte('.')
		b.WriteString(p.identifier())
	}
	return b.String()
}

// asName parses [as name].
func (p *parser) asName() string {
	if !p.accept(kwAs) {
		return ""
	}
	at := p.start
	id := p.identifier()
	p.bind(id, at)
	return id
}

// importFrom parses from ..module import names.
func (p *parser) importFrom(at At) Stmt {
	p.next()
	dots := 0
	for p.tok == dot || p.tok == ellipsis {
		dots += p.end - p.start
		p.next()
	}
	s := &ImportFrom{At: at, Module: strings.Repeat(".", dots)}
	if dots == 0 || p.tok != kwImport {
		s.Module += p.dottedName()
	}
	p.expect(kwImport)
	switch p.tok {
	case star:
		if p.kind != inModule {
			p.later(symbolPhase, int(at.Start), "import * only allowed at module level")
		}
		s.Names = []Alias{{At: p.here(), Name: "*"}}
		p.next()
	case lparen:
		p.next()
		s.Names = p.importNames(rparen)
		p.expect(rparen)
	default:
		s.Names = p.importNames(newline)
	}
	return s
}

// importNames parses a as b, c. A comma may end it only in parentheses.
func (p *parser) importNames(end kind) []Alias {
	var list []Alias
	for {
		alias := Alias{At: p.here()}
		alias.Name = p.identifier()
		if alias.As = p.asName(); alias.As == "" {
			p.bind(alias.Name, int(alias.Start))
		}
		list = append(list, alias)
		if !p.accept(comma) {
			return list
		}
		if p.tok == end {
			if end == newline {
				p.syntax(p.previous, "trailing comma not allowed without surrounding parentheses")
			}
			return list
		}
	}
}

// typeAlias parses type Name = value, or returns nil if it is something else.
func (p *parser) typeAlias(at At) Stmt {
	var id string
	found := p.attempt(func() bool {
		p.next()
		if p.tok != name {
			return false
		}
		id = p.identifier()
		return p.tok == assign || p.tok == lbrack
	})
	if !found {
		return nil
	}
	if p.tok == lbrack {
		p.syntax(p.start, "type parameters are not supported")
		return nil
	}
	p.next()
	return &TypeAlias{At: at, Name: id, Value: p.expression()}
}
