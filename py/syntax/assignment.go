package syntax

// expressionStmt parses an expression or an assignment of any kind.
func (p *parser) expressionStmt(at At) Stmt {
	x := p.value()
	switch {
	case p.tok == newline || p.tok == semicolon:
	case p.tok == assign:
		return p.assignment(at, x)
	case p.tok == colon:
		return p.annotated(at, x)
	case p.tok == walrus && p.careful:
		p.badWalrus(int(at.Start), x)
	case p.tok >= plusAssign && p.tok <= caretAssign:
		return p.augmented(at, x)
	}
	s := p.statements.next(p.size)
	s.At, s.X = at, p.unstarred(x)
	return s
}

// value parses what may stand on the right of an assignment.
func (p *parser) value() Expr {
	if p.tok == kwYield {
		return p.yieldExpr()
	}
	return p.starExpressions()
}

// assignment parses = value, several times.
func (p *parser) assignment(at At, x Expr) Stmt {
	mark := len(p.exprs.items)
	for p.tok == assign {
		if !p.assignable(at, x, len(p.exprs.items) == mark) {
			return nil
		}
		p.exprs.push(x)
		p.next()
		x = p.value()
	}
	s := p.assigns.next(p.size)
	s.At, s.Value = at, p.unstarred(x)
	s.Targets = p.exprs.take(mark, p.size)
	return s
}

// assignable checks the target in front of "=".
func (p *parser) assignable(at At, x Expr, first bool) bool {
	if y, ok := x.(*Yield); ok && (y.At == at || !first) {
		p.syntax(int(y.Start), "assignment to yield expression not possible")
		return false
	}
	if p.err == nil && first && invalidTarget(x, "assign to") != nil && p.comparisonMeant(x) {
		return false
	}
	return p.checkTarget(x, "assign to")
}

// annotated parses : annotation [= value].
func (p *parser) annotated(at At, x Expr) Stmt {
	if !p.annotatable(x) {
		return nil
	}
	p.next()
	s := &AnnAssign{At: at, Target: x, Annotation: p.expression()}
	if p.accept(assign) {
		s.Value = p.unstarred(p.value())
	}
	p.bindTarget(x)
	return s
}

// annotatable checks the target in front of an annotation.
func (p *parser) annotatable(x Expr) bool {
	switch x.(type) {
	case *Name, *Attribute, *Subscript:
		return true
	}
	colonAt := p.start
	if p.err != nil || !p.attempt(func() bool { p.next(); p.expression(); return true }) {
		p.syntax(colonAt, "invalid syntax")
		return false
	}
	switch x := x.(type) {
	case *List:
		p.syntax(int(x.Start), "only single target (not list) can be annotated")
	case *Tuple:
		p.syntax(int(x.Start), "only single target (not tuple) can be annotated")
	case *Yield, *Starred:
		p.syntax(colonAt, "invalid syntax")
	default:
		p.syntax(int(x.Pos()), "illegal target for annotation")
	}
	return false
}

// augmented parses op= value.
func (p *parser) augmented(at At, x Expr) Stmt {
	op := BinaryOp(p.tok - plusAssign)
	switch x.(type) {
	case *Name, *Attribute, *Subscript:
	default:
		p.notAugmentable(at, x)
		return nil
	}
	p.bindTarget(x)
	p.next()
	return &AugAssign{At: at, Target: x, Op: op, Value: p.unstarred(p.value())}
}

// notAugmentable fails for something that cannot be on the left of op=.
func (p *parser) notAugmentable(start At, x Expr) {
	at := p.start
	y, yield := x.(*Yield)
	if p.err != nil || yield && y.At == start || !p.attempt(func() bool { p.next(); p.value(); return true }) {
		p.syntax(at, "invalid syntax")
		return
	}
	p.syntax(int(x.Pos()), "'"+describe(x)+"' is an illegal expression for augmented assignment")
}
