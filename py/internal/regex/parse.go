package regex

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// parser reads a pattern. A token is one rune, or a backslash and the next.
type parser struct {
	pattern string
	src     []rune
	i       int
	bytes   bool
	flags   Flags // in force here
	global  Flags // of the whole pattern
	groups  int
	names   []Name
	open    []bool // by group
	closing []int  // by group
	closed  int
	depth   int
}

func newParser(pattern string, bytes bool, flags Flags) *parser {
	return &parser{
		pattern: pattern, src: runes(pattern, bytes), bytes: bytes,
		flags: flags, global: flags, open: []bool{true}, closing: []int{0},
	}
}

func (p *parser) fail(pos int, msg string) error {
	if p.bytes {
		msg = asciiMessage(msg)
	}
	return newError(msg, p.pattern, p.src, pos)
}

// peek returns the next token, nothing at the end of the pattern.
func (p *parser) peek() []rune {
	if p.i >= len(p.src) {
		return nil
	}
	if p.src[p.i] == '\\' {
		return p.src[p.i:min(p.i+2, len(p.src))]
	}
	return p.src[p.i : p.i+1]
}

// next is the next token when that is a single rune, otherwise -1.
func (p *parser) next() rune {
	if t := p.peek(); len(t) == 1 {
		return t[0]
	}
	return -1
}

func (p *parser) accept(r rune) bool {
	if p.next() != r {
		return false
	}
	p.i++
	return true
}

// parse reads the whole pattern.
func (p *parser) parse() (*node, error) {
	tree, err := p.alternatives(true)
	// CPython reads one token ahead, so an end in the middle of an escape is
	// reported before what the last token but one did wrong.
	if n := len(p.src); trailing(p.src)%2 == 1 && p.i >= n-1 {
		return nil, p.fail(n-1, "bad escape (end of pattern)")
	}
	if err != nil {
		return nil, err
	}
	if p.i < len(p.src) {
		return nil, p.fail(p.i, "unbalanced parenthesis")
	}
	return tree, nil
}

// trailing counts the backslashes at the end.
func trailing(rs []rune) int {
	n := 0
	for n < len(rs) && rs[len(rs)-1-n] == '\\' {
		n++
	}
	return n
}

// alternatives reads up to a closing parenthesis or the end.
func (p *parser) alternatives(top bool) (*node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, raise.New("RecursionError", "maximum recursion depth exceeded")
	}
	defer func() { p.depth-- }()
	var subs []*node
	for {
		n, err := p.sequence(top && len(subs) == 0)
		if err != nil {
			return nil, err
		}
		subs = append(subs, n)
		if !p.accept('|') {
			break
		}
	}
	if len(subs) == 1 {
		return subs[0], nil
	}
	return &node{kind: kAlt, subs: subs}, nil
}

// sequence reads one alternative.
func (p *parser) sequence(first bool) (*node, error) {
	var items []*node
	for p.i < len(p.src) {
		r := p.next()
		if r == '|' || r == ')' {
			break
		}
		if p.skip(r) {
			continue
		}
		if r == '*' || r == '+' || r == '?' || r == '{' {
			done, err := p.repeat(items)
			if err != nil {
				return nil, err
			}
			if done {
				continue
			}
		}
		n, err := p.item(first && len(items) == 0)
		if err != nil {
			return nil, err
		}
		if n != nil {
			items = append(items, n)
		}
	}
	return concat(items), nil
}

func concat(items []*node) *node {
	switch len(items) {
	case 0:
		return &node{kind: kEmpty}
	case 1:
		return items[0]
	}
	return &node{kind: kConcat, subs: items}
}

// skip passes over white space and comments of verbose patterns.
func (p *parser) skip(r rune) bool {
	if p.flags&Verbose == 0 {
		return false
	}
	if r == ' ' || '\t' <= r && r <= '\r' {
		p.i++
		return true
	}
	if r != '#' {
		return false
	}
	for p.i < len(p.src) {
		t := p.peek()
		p.i += len(t)
		if t[0] == '\n' {
			break
		}
	}
	return true
}

// item reads one thing that can be repeated; nil is a comment or flags.
func (p *parser) item(first bool) (*node, error) {
	start, t := p.i, p.peek()
	p.i += len(t)
	if t[0] == '\\' {
		if len(t) == 1 {
			return nil, p.fail(start, "bad escape (end of pattern)")
		}
		return p.escape(start, t[1])
	}
	switch t[0] {
	case '.':
		return p.dot(), nil
	case '^':
		return p.anchor(atStart, atLine), nil
	case '$':
		return p.anchor(atEnd, atLineEnd), nil
	case '[':
		return p.class(start)
	case '(':
		return p.group(start, first)
	}
	return p.literal(t[0]), nil
}

func (p *parser) dot() *node {
	s := &set{negate: true}
	if p.flags&DotAll == 0 {
		s.ranges = []span{{'\n', '\n'}}
	}
	return &node{kind: kSet, set: s.seal()}
}

func (p *parser) anchor(text, line anchor) *node {
	if p.flags&Multiline != 0 {
		return &node{kind: kAssert, at: line}
	}
	return &node{kind: kAssert, at: text}
}

// ascii reports whether classes and cases are those of ASCII here.
func (p *parser) ascii() bool { return p.bytes || p.flags&ASCII != 0 }

func (p *parser) folding() folding {
	switch {
	case p.flags&IgnoreCase == 0:
		return foldNone
	case p.ascii():
		return foldASCII
	}
	return foldUnicode
}

func (p *parser) literal(r rune) *node {
	f := p.folding()
	if f == foldNone || nextCase(r, f) == r {
		return &node{kind: kRune, r: r}
	}
	s := &set{ranges: []span{{r, r}}, fold: f}
	return &node{kind: kSet, set: s.seal()}
}
