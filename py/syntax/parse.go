package syntax

import (
	"strings"
	"unicode/utf8"
)

// Limits of a source. What the passes need for it is in proportion to its bytes,
// about 60 of memory for each, but for functions and classes, which take about
// 2000 each. So a source takes no more memory than a program may.
const (
	MaxSource = 1 << 20 // bytes
	maxBodies = 10_000  // functions, lambdas and classes
)

// Limits of the shape of a tree, for the passes that walk it recursively.
const (
	maxNesting = 200  // constructs inside each other
	maxHeight  = 5000 // levels that chains such as a+b+c or elif make
)

// Parse reads a source as CPython 3.11 does, and as CPython 3.12 does where
// that only allows more: quotes inside f-strings, the type statement. The name
// is that of the file, for messages. The error is an *Error.
func Parse(name, source string) (*File, error) { return parse(name, source, false) }

// ParsePiece reads a piece of the code of a session as Parse does. A return may
// stand outside of functions: it ends the piece.
func ParsePiece(name, source string) (*File, error) { return parse(name, source, true) }

func parse(name, source string, piece bool) (*File, error) {
	source, err := clean(source)
	if err != nil {
		return nil, err
	}
	file := &File{Name: name, Source: source, lines: lineTable(source)}
	p := newParser(source, false)
	p.ends = piece
	file.Body = p.file()
	if p.err == nil {
		p.err = p.misplaced()
	}
	if p.err == nil {
		return file, nil
	}
	return nil, file.error(p.diagnose())
}

// error returns an error of the parser with its line and column.
func (f *File) error(e *scanError) *Error {
	at := e.at
	if at >= len(f.Source) && strings.HasSuffix(f.Source, "\n") {
		at = len(f.Source) - 1 // the end of the source is on its last line
	}
	return &Error{Class: e.class, Message: e.message, Pos: f.Position(Pos(at))}
}

// clean makes all line ends alike and takes a byte order mark off.
func clean(source string) (string, error) {
	if len(source) > MaxSource {
		return "", wholeSource("source is larger than 1 MiB: pass data as an input")
	}
	if strings.IndexByte(source, 0) >= 0 {
		return "", wholeSource("source code string cannot contain null bytes")
	}
	source = strings.TrimPrefix(source, "\ufeff")
	if !utf8.ValidString(source) {
		return "", wholeSource("source is not valid UTF-8")
	}
	if strings.IndexByte(source, '\r') >= 0 {
		source = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(source)
	}
	return source, nil
}

// wholeSource is an error that has no place.
func wholeSource(message string) *Error {
	return &Error{Class: "SyntaxError", Message: message, Pos: Position{1, 1}}
}

// parser is a recursive-descent parser with one token of lookahead. After an
// error the token is failed, which no rule accepts: the rules run to their ends
// and return trees with holes, which remain unread.
type parser struct {
	state
	nodes
	walruses []*Name // named expressions of the statement, outermost function first

	// careful is set while a source that is known to be wrong is parsed again,
	// for the message: only then mistakes are guessed at.
	careful bool
}

// state is what the parser comes back to after a look ahead.
type state struct {
	scanner
	enclosing
	nesting int // constructs that are open
	height  int // of the tallest expression since the enclosing one began
	elifs   int // levels that the open elif chains make
	bodies  int // functions, lambdas and classes so far
	field   int // open brackets at the innermost f-string field, 0 outside
	late    lateError

	walrusAt int // offset of the last named expression
}

func newParser(source string, careful bool) *parser {
	p := &parser{careful: careful}
	p.src = source
	p.lineStart = true
	p.tok = newline
	p.enclosing = newEnclosing(inModule)
	p.size = min(2+len(source)/64, 64)
	return p
}

// file parses a whole source.
func (p *parser) file() []Stmt {
	p.next()
	for p.tok != endOfFile && p.tok != failed {
		p.statement()
	}
	return p.stmts.take(0, 0)
}

// syntax fails with a SyntaxError of the parser.
func (p *parser) syntax(at int, message string) { p.fail("SyntaxError", at, message) }

// invalid fails at the current token, for want of a better word.
func (p *parser) invalid() {
	switch p.tok {
	case failed:
	case indent:
		p.indentation("IndentationError", "unexpected indent")
	case dedent:
		p.indentation("IndentationError", "unexpected unindent")
	default:
		p.syntax(p.start, "invalid syntax")
	}
}

// accept skips a token of a kind, if it is the current one.
func (p *parser) accept(k kind) bool {
	if p.tok != k {
		return false
	}
	p.next()
	return true
}

// expect skips a token of a kind, or fails.
func (p *parser) expect(k kind) {
	if p.tok != k {
		p.invalid()
		return
	}
	p.next()
}

// demand skips a token of a kind, or fails with its name.
func (p *parser) demand(k kind, written string) {
	if p.tok != k {
		p.syntax(p.start, "expected '"+written+"'")
		return
	}
	p.next()
}

// identifier skips a name and returns it.
func (p *parser) identifier() string {
	if p.tok != name {
		p.invalid()
		return ""
	}
	id := p.src[p.start:p.end]
	p.next()
	return id
}

// word reports whether the current token is a name that is spelled like this.
func (p *parser) word(spelled string) bool {
	return p.tok == name && p.src[p.start:p.end] == spelled
}

// here returns the place of the current token.
func (p *parser) here() At { return At{Pos(p.start)} }

// enter begins a construct that nests; leave ends it.
func (p *parser) enter() bool {
	p.nesting++
	if p.nesting > maxNesting {
		p.syntax(p.start, "too many nested constructs")
		return false
	}
	return true
}

func (p *parser) leave() { p.nesting-- }

// grow counts a level of the expression under way.
func (p *parser) grow() {
	p.height++
	if p.height > maxHeight {
		p.syntax(p.start, "expression is too long: more than 5000 operations on each other's results")
	}
}

// attempt parses something that may be something else. If it fails, or does
// not satisfy, everything is as before.
func (p *parser) attempt(parse func() bool) bool {
	saved, careful := p.state, p.careful
	saved.keep()
	p.careful = false
	ok := parse() && p.err == nil
	p.careful = careful
	if !ok {
		p.state = saved
	}
	return ok
}
