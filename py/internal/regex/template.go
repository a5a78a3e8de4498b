package regex

import (
	"fmt"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Template is what re.sub puts in the place of a match.
type Template struct {
	parts []part
}

// part is a text, or when group is not -1 what that group matched.
type part struct {
	text  string
	group int
}

// ParseTemplate reads a template for p. Errors are *Error, or an IndexError for
// the name of a group that p has not.
func ParseTemplate(m budget.Meter, p *Pattern, template string) (*Template, error) {
	if err := m.Alloc(16 * (len(template) + 4)); err != nil {
		return nil, err
	}
	if err := work(m, 20*len(template)); err != nil {
		return nil, err
	}
	tp := &templateParser{p: p, parser: parser{pattern: template, src: runes(template, p.Bytes), bytes: p.Bytes}}
	for tp.i < len(tp.src) {
		if err := tp.part(); err != nil {
			return nil, err
		}
	}
	tp.flush()
	return &Template{tp.parts}, nil
}

type templateParser struct {
	parser
	p     *Pattern
	lit   []byte
	parts []part
}

func (tp *templateParser) put(r rune) {
	if tp.bytes {
		tp.lit = append(tp.lit, byte(r))
		return
	}
	tp.lit = appendRune(tp.lit, r)
}

func (tp *templateParser) flush() {
	if len(tp.lit) > 0 {
		tp.parts = append(tp.parts, part{string(tp.lit), -1})
		tp.lit = nil
	}
}

func (tp *templateParser) part() error {
	start, t := tp.i, tp.peek()
	tp.i += len(t)
	if t[0] != '\\' {
		tp.put(t[0])
		return nil
	}
	if len(t) == 1 {
		return tp.fail(start, "bad escape (end of pattern)")
	}
	c := t[1]
	switch {
	case c == 'g':
		return tp.named(start)
	case c == '0':
		for n := 0; n < 2 && tp.i < len(tp.src) && isOctal(tp.src[tp.i]); n++ {
			tp.i++
		}
		return tp.octal(start)
	case '1' <= c && c <= '9':
		return tp.number(start)
	}
	if r, ok := simpleEscapes[c]; ok {
		tp.put(r)
		return nil
	}
	if c == 'b' {
		tp.put('\b')
		return nil
	}
	if 'a' <= c|0x20 && c|0x20 <= 'z' && c < 128 {
		return tp.fail(start, "bad escape "+text(t))
	}
	tp.put('\\')
	tp.put(c)
	return nil
}

func (tp *templateParser) octal(start int) error {
	r, err := tp.parser.octal(start)
	if err == nil {
		tp.put(r & 0xFF)
	}
	return err
}

// number reads a group of one or two digits, or an octal character of three.
func (tp *templateParser) number(start int) error {
	d := tp.src[start+1:]
	if len(d) >= 3 && isOctal(d[0]) && isOctal(d[1]) && isOctal(d[2]) {
		tp.i = start + 4
		return tp.octal(start)
	}
	g := int(d[0] - '0')
	if len(d) >= 2 && '0' <= d[1] && d[1] <= '9' {
		tp.i++
		g = 10*g + int(d[1]-'0')
	}
	return tp.group(g, start+1)
}

func (tp *templateParser) group(g, pos int) error {
	if g > tp.p.Groups {
		return tp.fail(pos, fmt.Sprintf("invalid group reference %d", g))
	}
	tp.flush()
	tp.parts = append(tp.parts, part{"", g})
	return nil
}

// named reads \g<name> or \g<number>.
func (tp *templateParser) named(start int) error {
	if !tp.accept('<') {
		return tp.fail(tp.i, "missing <")
	}
	at := tp.i
	for tp.i < len(tp.src) && tp.next() != '>' {
		tp.i += len(tp.peek())
	}
	name := text(tp.src[at:tp.i])
	if name == "" {
		return tp.fail(tp.i, "missing group name")
	}
	if tp.i >= len(tp.src) {
		return tp.fail(at, "missing >, unterminated name")
	}
	tp.i++
	if g, ok := groupNumber(name); ok {
		return tp.group(g, at)
	}
	if !isIdentifier(name) {
		return tp.fail(at, "bad character in group name "+quote(name))
	}
	g, ok := tp.p.Group(name)
	if !ok {
		return raise.Index("unknown group name %s", quote(name))
	}
	return tp.group(g, at)
}

// Append appends the template for a match in text. It pays for what it appends.
func (t *Template) Append(m budget.Meter, dst []byte, text string, groups []int) ([]byte, error) {
	for _, pt := range t.parts {
		s := pt.text
		if pt.group >= 0 {
			s = ""
			if from := groups[2*pt.group]; from >= 0 {
				s = text[from:groups[2*pt.group+1]]
			}
		}
		var err error
		if dst, err = grow(m, dst, s); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

// grow appends s and pays for the room that it takes.
func grow(m budget.Meter, dst []byte, s string) ([]byte, error) {
	if n := len(dst) + len(s); n > cap(dst) {
		if err := m.Alloc(2 * n); err != nil {
			return nil, err
		}
		dst = append(make([]byte, 0, 2*n), dst...)
	}
	return append(dst, s...), work(m, len(s)/8+5)
}

// Sub replaces the first count matches, all when count is 0, and reports how
// many there were.
func (p *Pattern) Sub(m budget.Meter, s *Scratch, t *Template, text string, count int) (string, int, error) {
	sc := Scanner{Pattern: p, Text: text, End: len(text)}
	var out []byte
	done, from := 0, 0
	for count == 0 || done < count {
		g, err := sc.Next(m, s)
		if err != nil {
			return "", 0, err
		}
		if g == nil {
			break
		}
		if out, err = grow(m, out, text[from:g[0]]); err != nil {
			return "", 0, err
		}
		if out, err = t.Append(m, out, text, g); err != nil {
			return "", 0, err
		}
		from = g[1]
		done++
	}
	if done == 0 {
		return text, 0, nil
	}
	out, err := grow(m, out, text[from:])
	if err == nil {
		err = m.Alloc(len(out))
	}
	return string(out), done, err
}
