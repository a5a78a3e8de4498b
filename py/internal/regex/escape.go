package regex

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// simpleEscapes are the escapes of one letter, as in string literals.
var simpleEscapes = map[rune]rune{
	'a': '\a', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '\\': '\\',
}

// escape reads what follows a backslash at start and the letter c.
func (p *parser) escape(start int, c rune) (*node, error) {
	if at := p.place(c); at != atNone {
		return &node{kind: kAssert, at: at}, nil
	}
	if cl, ok := p.category(c); ok {
		s := &set{classes: []class{cl}}
		return &node{kind: kSet, set: s.seal()}, nil
	}
	if '1' <= c && c <= '9' {
		r, err := p.reference(start)
		if err != nil {
			return nil, err
		}
		return p.literal(r), nil
	}
	r, err := p.character(start, c)
	if err != nil {
		return nil, err
	}
	return p.literal(r), nil
}

// place returns the anchor that \c stands for.
func (p *parser) place(c rune) anchor {
	switch c {
	case 'A':
		return atStart
	case 'Z':
		return atTextEnd
	case 'b':
		if p.ascii() {
			return atASCIIWord
		}
		return atWord
	case 'B':
		if p.ascii() {
			return atNotASCIIWord
		}
		return atNotWord
	}
	return atNone
}

func (p *parser) category(c rune) (class, bool) {
	switch c {
	case 'd', 's', 'w':
		return class{letter: byte(c), ascii: p.ascii()}, true
	case 'D', 'S', 'W':
		return class{letter: byte(unicode.ToLower(c)), ascii: p.ascii(), negate: true}, true
	}
	return class{}, false
}

// reference reads a backslash and a digit from 1: three octal digits are a
// character, everything else refers to a group.
func (p *parser) reference(start int) (rune, error) {
	d := p.src[start+1:]
	if len(d) >= 3 && isOctal(d[0]) && isOctal(d[1]) && isOctal(d[2]) {
		p.i = start + 4
		return p.octal(start)
	}
	if len(d) >= 2 && '0' <= d[1] && d[1] <= '9' {
		p.i++
	}
	g, _ := strconv.Atoi(string(p.src[start+1 : p.i]))
	if g > p.groups {
		return 0, p.fail(start+1, fmt.Sprintf("invalid group reference %d", g))
	}
	if p.open[g] {
		return 0, p.fail(start, "cannot refer to an open group")
	}
	return 0, p.backreference(start)
}

func (p *parser) backreference(pos int) error {
	return p.lacks(pos, "backreferences", "capture the text and compare it in code")
}

func isOctal(r rune) bool { return '0' <= r && r <= '7' }

// octal converts the digits between a backslash and here.
func (p *parser) octal(start int) (rune, error) {
	v, _ := strconv.ParseInt(string(p.src[start+1:p.i]), 8, 32)
	if v > 0o377 {
		return 0, p.fail(start, fmt.Sprintf("octal escape value %s outside of range 0-0o377", text(p.src[start:p.i])))
	}
	return rune(v), nil
}

// character reads an escape that stands for one character.
func (p *parser) character(start int, c rune) (rune, error) {
	if r, ok := simpleEscapes[c]; ok {
		return r, nil
	}
	switch {
	case c == 'x':
		return p.hex(start, 2)
	case c == 'u' && !p.bytes:
		return p.hex(start, 4)
	case c == 'U' && !p.bytes:
		return p.hex(start, 8)
	case c == 'N' && !p.bytes:
		return 0, p.fail(start, `\N{...} is not available: write the character itself or \uXXXX`)
	case isOctal(c):
		for n := 0; n < 2 && p.i < len(p.src) && isOctal(p.src[p.i]); n++ {
			p.i++
		}
		return p.octal(start)
	case '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' && c < 128:
		return 0, p.fail(start, `bad escape `+text(p.src[start:p.i]))
	}
	return c, nil
}

// hex reads exactly n hexadecimal digits.
func (p *parser) hex(start, n int) (rune, error) {
	for k := 0; k < n && p.i < len(p.src) && strings.ContainsRune("0123456789abcdefABCDEF", p.src[p.i]); k++ {
		p.i++
	}
	if p.i-start != n+2 {
		return 0, p.fail(start, "incomplete escape "+text(p.src[start:p.i]))
	}
	v, _ := strconv.ParseUint(string(p.src[start+2:p.i]), 16, 32)
	if v > unicode.MaxRune {
		return 0, p.fail(start, "bad escape "+text(p.src[start:p.i]))
	}
	return rune(v), nil
}

// class reads a set of characters, whose bracket is at start.
func (p *parser) class(start int) (*node, error) {
	s := &set{fold: p.folding(), negate: p.accept('^')}
	for first := true; ; first = false {
		if p.i >= len(p.src) {
			return nil, p.fail(start, "unterminated character set")
		}
		if p.next() == ']' && !first {
			p.i++
			return &node{kind: kSet, set: s.seal()}, nil
		}
		if err := p.member(s, start); err != nil {
			return nil, err
		}
	}
}

// member reads a character, a range or a class of characters into s.
func (p *parser) member(s *set, start int) error {
	from := p.i
	first := p.peek()
	lo, cl, err := p.classItem()
	if err != nil {
		return err
	}
	// A bracket after the minus ends the set, so the minus is a member.
	if p.next() != '-' || p.i+1 < len(p.src) && p.src[p.i+1] == ']' {
		s.add(lo, lo, cl)
		return nil
	}
	p.i++
	second := p.peek()
	if second == nil {
		return p.fail(start, "unterminated character set")
	}
	hi, cl2, err := p.classItem()
	if err != nil {
		return err
	}
	if cl != nil || cl2 != nil || hi < lo {
		pos := p.i - len(first) - 1 - len(second)
		return p.fail(max(pos, from), fmt.Sprintf("bad character range %s-%s", text(first), text(second)))
	}
	s.add(lo, hi, nil)
	return nil
}

func (s *set) add(lo, hi rune, cl *class) {
	if cl == nil {
		s.ranges = append(s.ranges, span{lo, hi})
	} else if !slices.Contains(s.classes, *cl) {
		s.classes = append(s.classes, *cl)
	}
}

// classItem reads one character or class inside brackets.
func (p *parser) classItem() (rune, *class, error) {
	start, t := p.i, p.peek()
	p.i += len(t)
	if t[0] != '\\' {
		return t[0], nil, nil
	}
	if len(t) == 1 {
		return 0, nil, p.fail(start, "bad escape (end of pattern)")
	}
	if cl, ok := p.category(t[1]); ok {
		return 0, &cl, nil
	}
	if t[1] == 'b' {
		return '\b', nil, nil
	}
	r, err := p.character(start, t[1])
	return r, nil, err
}
