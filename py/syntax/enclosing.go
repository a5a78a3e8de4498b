package syntax

// enclosingKind is what a statement is directly inside of.
type enclosingKind uint8

const (
	inModule enclosingKind = iota
	inClass
	inFunction
	inAsync
)

// enclosing is what the parser knows of the function, class or module around: as
// much as decides whether a return, yield, await, break or continue may stand
// here. It knows no names. These are the matter of package resolve, which needs
// the whole of a body before it can decide.
type enclosing struct {
	kind       enclosingKind
	ends       bool // a return may end it, though it is a module
	loop       bool // break has a loop to leave
	exceptStar bool // the innermost block to leave is an except* clause
	generator  bool // a yield was seen
	yield      int  // offset of the last yield, -1 before the first
	await      int  // likewise, of an await
	badAwait   int  // of the first await that has no async function around it
	returns    int  // of the first return with a value
}

// newEnclosing returns what is known of a body that begins.
func newEnclosing(k enclosingKind) enclosing {
	return enclosing{kind: k, yield: -1, await: -1, badAwait: -1, returns: -1}
}

// body begins that of a function, a lambda or a class. It returns what is known
// of the one around.
func (p *parser) body(k enclosingKind) (outer enclosing) {
	outer = p.enclosing
	p.enclosing = newEnclosing(k)
	if p.bodies++; p.bodies > maxBodies {
		p.syntax(p.start, "too many functions and classes: a source has at most 10000")
	}
	return outer
}

// The phases of CPython's compiler that find errors after parsing. An error of
// an earlier phase is reported first, wherever it is.
const (
	iterablePhase = 1 + iota // symbolPhase, but found first
	symbolPhase
	compilePhase
)

// lateError is the error to tell if the source parses.
type lateError struct {
	phase   int // 0 for none
	at      int
	message string
}

// later notes an error that does not stop the parser.
func (p *parser) later(phase, at int, message string) {
	if p.late.phase == 0 || phase < p.late.phase {
		p.late = lateError{phase, at, message}
	}
}

// misplaced returns the error that was noted for later, or nil.
func (p *parser) misplaced() *scanError {
	p.closeBody()
	if p.late.phase == 0 {
		return nil
	}
	return &scanError{class: "SyntaxError", message: p.late.message, at: p.late.at}
}

// closeBody tells what only the end of a body decides.
func (p *parser) closeBody() {
	if p.kind == inAsync && p.generator && p.returns >= 0 {
		p.later(compilePhase, p.returns, "'return' with value in async generator")
	}
	if p.badAwait < 0 {
		return
	}
	if p.kind == inFunction {
		p.later(compilePhase, p.badAwait, "'await' outside async function")
		return
	}
	p.later(compilePhase, p.badAwait, "'await' outside function")
}

// awaits reports whether an await may stand here. The module may, too: the
// program as a whole is a coroutine.
func (e *enclosing) awaits() bool { return e.kind == inAsync || e.kind == inModule }

// sawAwait notes an await expression.
func (p *parser) sawAwait(at int) {
	p.await = at
	if !p.awaits() && p.badAwait < 0 {
		p.badAwait = at
	}
}

// sawYield notes a yield expression.
func (p *parser) sawYield(at int, from bool) {
	p.yield, p.generator = at, true
	switch {
	case p.kind < inFunction:
		p.later(compilePhase, at, "'yield' outside function")
	case from && p.kind == inAsync:
		p.later(compilePhase, at, "'yield from' inside async function")
	}
}

// sawReturn notes a return statement.
func (p *parser) sawReturn(at int, value bool) {
	switch {
	case p.kind < inFunction && !p.ends:
		p.later(compilePhase, at, "'return' outside function")
	case p.exceptStar:
		p.exceptStarJump(at)
	case value && p.returns < 0:
		p.returns = at
	}
}

// sawJump notes a break or continue statement.
func (p *parser) sawJump(at int, message string) {
	switch {
	case p.loop:
	case p.exceptStar:
		p.exceptStarJump(at)
	default:
		p.later(compilePhase, at, message)
	}
}

func (p *parser) exceptStarJump(at int) {
	p.later(compilePhase, at, "'break', 'continue' and 'return' cannot appear in an except* block")
}

// sawAsync notes "async for" or "async with".
func (p *parser) sawAsync(at int, what string) {
	if !p.awaits() {
		p.later(compilePhase, at, "'"+what+"' outside async function")
	}
}
