package syntax

// begun is where a possible comprehension begins: what belongs to it comes
// after.
type begun struct {
	at       int
	walruses int
}

func (p *parser) begin() begun { return begun{p.start, len(p.walruses)} }

// clauseNext reports whether a clause of a comprehension follows.
func (p *parser) clauseNext() bool {
	if p.tok == kwAsync {
		return p.attemptFor()
	}
	return p.tok == kwFor
}

// attemptFor reports whether "async" is followed by "for".
func (p *parser) attemptFor() bool {
	found := false
	p.attempt(func() bool {
		p.next()
		found = p.tok == kwFor
		return false
	})
	return found
}

// comprehension parses the clauses and the end of a comprehension.
func (p *parser) comprehension(start At, from begun, k ComprehensionKind, elem, value Expr, end kind) Expr {
	c := &Comprehension{At: start, Kind: k, Elem: elem, Value: value}
	c.Clauses = p.clauses(from, k)
	if s, ok := elem.(*Starred); ok {
		p.syntax(int(s.Start), "iterable unpacking cannot be used in comprehension")
	}
	p.checkWalruses(from, c)
	p.expect(end)
	return c
}

// clauses parses the clauses of a comprehension and tells what may not be in
// its scope, which is all but the first iterable.
func (p *parser) clauses(from begun, k ComprehensionKind) []*Clause {
	p.yieldInside(from.at, k)
	async := p.await >= from.at
	if p.badAwait >= from.at {
		p.badAwait = -1 // the comprehension is to blame, if anything is
	}
	var list []*Clause
	for p.clauseNext() {
		c, inside := p.clause(len(list) == 0)
		list = append(list, c)
		p.yieldInside(inside.yield+1, k)
		if async = async || c.Async || p.await > inside.await; inside.badAwait < 0 {
			p.badAwait = -1
		}
	}
	if async && k != GeneratorExp && !p.awaits() {
		p.later(compilePhase, from.at-1, "asynchronous comprehension outside of an asynchronous function")
	}
	return list
}

// yieldInside tells of a yield at or after an offset.
func (p *parser) yieldInside(since int, k ComprehensionKind) {
	if p.yield < since || p.yield < 0 {
		return
	}
	what := [...]string{"list comprehension", "set comprehension", "dict comprehension", "generator expression"}[k]
	p.later(symbolPhase, p.yield, "'yield' inside "+what)
}

// clause parses one clause with its conditions. It returns what the scope was
// before all that belongs to the comprehension; of the first clause, that is
// not the iterable.
func (p *parser) clause(first bool) (*Clause, enclosing) {
	inside := p.enclosing
	c := &Clause{At: p.here(), Async: p.accept(kwAsync)}
	p.expect(kwFor)
	c.Target = p.targets()
	p.expect(kwIn)
	iter := p.start
	c.Iter = p.disjunction()
	if p.walrusAt >= iter {
		p.later(iterablePhase, p.walrusAt,
			"assignment expression cannot be used in a comprehension iterable expression")
	}
	if first {
		inside = p.enclosing
	}
	for p.accept(kwIf) {
		c.Conds = append(c.Conds, p.disjunction())
	}
	return c, inside
}

// checkWalruses notes a named expression that has no scope to bind in.
func (p *parser) checkWalruses(from begun, c *Comprehension) {
	list := p.walruses[from.walruses:]
	if len(list) == 0 {
		return
	}
	if p.kind == inClass {
		p.later(symbolPhase, int(list[0].Start),
			"assignment expression within a comprehension cannot be used in a class body")
	}
	bound := make(map[string]Pos)
	for _, clause := range c.Clauses {
		addNames(bound, clause.Target)
	}
	first := c.Clauses[0].Start
	for _, n := range list {
		switch at, ok := bound[n.ID]; {
		case !ok:
		case n.Start > first && n.Start < at:
			p.later(symbolPhase, int(at),
				"comprehension inner loop cannot rebind assignment expression target '"+n.ID+"'")
		default:
			p.later(symbolPhase, int(n.Start),
				"assignment expression cannot rebind comprehension iteration variable '"+n.ID+"'")
		}
	}
}

// addNames adds the names that a target binds.
func addNames(set map[string]Pos, target Expr) {
	switch x := target.(type) {
	case *Name:
		set[x.ID] = x.Start
	case *Starred:
		addNames(set, x.X)
	case *Tuple:
		for _, item := range x.Items {
			addNames(set, item)
		}
	case *List:
		for _, item := range x.Items {
			addNames(set, item)
		}
	}
}
