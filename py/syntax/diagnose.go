package syntax

import (
	"fmt"
	"strings"
)

// diagnose returns the error to tell of a source that does not parse. It
// parses again, guessing at mistakes; and an error of the scanner further on
// says more than one of the parser, as in CPython.
func (p *parser) diagnose() *scanError {
	first := p.err
	if first.final {
		return first
	}
	again := newParser(p.src, true)
	again.file()
	if again.err == nil {
		return first
	}
	if again.err.final {
		return again.err
	}
	if e := again.scanRest(); e != nil {
		return e
	}
	return again.err
}

// scanRest scans what follows an error and returns the first error of the
// scanner there. A bracket that is never closed counts if it opened on a line
// above the error.
func (p *parser) scanRest() *scanError {
	s := p.scanner
	s.pos, s.fields = s.start, 0
	switch s.err.tok {
	case lparen, lbrack, lbrace:
		s.depth--
	case rparen, rbrack, rbrace:
		s.depth++
	}
	s.err, s.tok = nil, stray
	for s.next(); s.tok != endOfFile && s.tok != failed; s.next() {
		if s.tok == fstring {
			s.skipFString()
		}
	}
	if s.err == nil {
		return nil
	}
	if s.pos >= len(s.src) && s.depth > 0 && s.lineAt(s.err.at) >= s.lineAt(p.start) {
		return nil
	}
	return s.err
}

// skipFString skips an f-string without looking into its fields.
func (s *scanner) skipFString() {
	q := s.end - 1
	width := 1
	if q-2 > s.start && s.src[q-1] == s.src[q] && s.src[q-2] == s.src[q] {
		q, width = q-2, 3
	}
	end, ok := literalEnd(s.src, q, width)
	if !ok {
		s.unterminated(end, width)
		return
	}
	s.emit(text, end)
}

// missingComma fails for two expressions side by side in brackets, and for
// Python 2's print.
func (p *parser) missingComma(start int, x Expr) {
	if p.err != nil || !p.tok.beginsExpression() {
		return
	}
	n, bare := bareName(x, start)
	if bare && (n.ID == "print" || n.ID == "exec") {
		if p.tok != lparen && p.attempt(func() bool { p.starExpressions(); return true }) {
			p.syntax(start, "Missing parentheses in call to '"+n.ID+"'. Did you mean "+n.ID+"(...)?")
		}
		return
	}
	if bare && (p.tok == text || p.tok == fstring || n.ID == "match" || n.ID == "case" || n.ID == "_") {
		return
	}
	switch inside, broken := p.inBrackets(); {
	case broken != nil:
		p.err, p.tok = broken, failed
	case inside:
		p.syntax(start, "invalid syntax. Perhaps you forgot a comma?")
	}
}

// inBrackets reports whether an expression follows that ends inside brackets,
// or an error of the scanner in it.
func (p *parser) inBrackets() (inside bool, broken *scanError) {
	p.attempt(func() bool {
		p.expression()
		if p.err != nil {
			if p.err.final {
				broken = p.err
			}
			return false
		}
		depth := p.depth
		switch p.tok {
		case rparen, rbrack, rbrace:
			depth++
		case lparen, lbrack, lbrace:
			depth--
		}
		inside = depth > 0
		return false
	})
	return inside, broken
}

// noElse fails for "x if y" without an else.
func (p *parser) noElse(start int) {
	if p.careful && p.tok != colon && p.tok != failed {
		p.syntax(start, "expected 'else' after 'if' expression")
		return
	}
	p.invalid()
}

// mistakenAssignment fails for "=" where a comparison was meant.
func (p *parser) mistakenAssignment(start int, x Expr) bool {
	if p.err != nil || !comparable(x, p.src[start:p.previous]) {
		return false
	}
	value := p.attempt(func() bool {
		p.next()
		p.bitwise()
		return p.tok != assign && p.tok != walrus
	})
	switch {
	case !value:
		return false
	case isBareName(x, start):
		p.syntax(start, "invalid syntax. Maybe you meant '==' or ':=' instead of '='?")
	default:
		p.syntax(start, "cannot assign to "+describe(x)+" here. Maybe you meant '==' instead of '='?")
	}
	return true
}

func isBareName(x Expr, start int) bool {
	_, ok := bareName(x, start)
	return ok
}

// comparable reports whether an expression with its text can be the left side
// of a comparison that was meant.
func comparable(x Expr, text string) bool {
	parens := text != "" && text[0] == '(' && text[len(text)-1] == ')'
	switch x := x.(type) {
	case *List, *Tuple, *Starred:
		return false
	case *Comprehension:
		return x.Kind != GeneratorExp
	case *BoolOp, *Compare, *IfExp, *Lambda:
		return parens
	case *Unary:
		return x.Op != Not || parens
	case *Constant:
		switch x.Value.(type) {
		case nil, bool:
			return false
		}
	}
	return true
}

// comparisonMeant fails for a statement such as "f() = 1".
func (p *parser) comparisonMeant(x Expr) bool {
	if t, ok := x.(*Tuple); ok && !t.Parens && len(t.Items) > 0 {
		x = t.Items[len(t.Items)-1]
	}
	return x != nil && p.mistakenAssignment(int(x.Pos()), x)
}

// bareTarget fails for [a, b for a, b in x].
func (p *parser) bareTarget(end kind, from begun) {
	if end == rparen || p.err != nil {
		return
	}
	p.syntax(from.at, "did you forget parentheses around the comprehension target?")
}

// noDictColon fails for a key without a value, which begins at an offset.
func (p *parser) noDictColon(begin int) {
	if p.careful && p.err == nil {
		p.syntax(max(begin, p.previous-1), "':' expected after dictionary key")
		return
	}
	p.invalid()
}

// badDictValue fails for what cannot follow the colon at an offset.
func (p *parser) badDictValue(colonAt int) {
	switch p.tok {
	case rbrace, comma:
		p.syntax(colonAt, "expression expected after dictionary key and ':'")
	case star:
		p.syntax(p.start, "cannot use a starred expression in a dictionary value")
	}
}

// brokenMatch fails for a match statement without its colon or its block.
func (p *parser) brokenMatch() {
	at := p.start
	noColon, noBlock, noCase := false, false, false
	var where int
	p.attempt(func() bool {
		p.next()
		if !p.tok.beginsExpression() || p.tok == lparen || p.tok == lbrack ||
			p.tok == minus || p.tok == plus {
			return false // an expression of the name "match"
		}
		p.subject()
		noColon = p.tok == newline
		body := p.accept(colon) && p.accept(newline) && p.tok != failed
		noBlock = body && p.tok != indent
		where = p.start
		noCase = body && p.accept(indent) && p.tok != failed
		if noCase {
			where = p.start
		}
		return false
	})
	switch {
	case noColon:
		p.syntax(where, "expected ':'")
	case noCase:
		p.syntax(where, "invalid syntax")
	case noBlock:
		p.fail("IndentationError", where, fmt.Sprintf("expected an indented block after 'match' statement on line %d", p.lineAt(at)))
	}
}

// doubleStarGroup fails for (**x).
func (p *parser) doubleStarGroup(end kind) {
	at := p.start
	if p.attempt(func() bool { p.next(); p.expression(); return p.tok == end }) {
		p.syntax(at, "cannot use double starred expression here")
		return
	}
	p.invalid()
}

// badWalrus fails for a named expression that is a statement.
func (p *parser) badWalrus(start int, x Expr) {
	if !isBareName(x, start) && p.attempt(func() bool { p.next(); p.expression(); return true }) {
		p.syntax(start, "cannot use assignment expressions with "+describe(x))
	}
}

// badWithTarget fails for a target in the parentheses of a with statement.
func (p *parser) badWithTarget(e *scanError) {
	if p.careful && e != nil && strings.HasPrefix(e.message, "cannot assign to") {
		p.syntax(e.at, e.message)
	}
}
