package regex

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	pytext "github.com/glovebox-dev/glovebox/py/internal/text"
)

// group reads what follows a parenthesis at start; nil is a comment or flags.
func (p *parser) group(start int, first bool) (*node, error) {
	if !p.accept('?') {
		return p.capture(start, "")
	}
	t, err := p.extension()
	if err != nil {
		return nil, err
	}
	switch t {
	case "P":
		return p.python(start)
	case ":":
		return p.body(start, p.flags)
	case "#":
		return nil, p.comment(start)
	case "=", "!":
		return p.look(start, false, t == "!")
	case "<":
		return p.behind(start)
	case "(":
		return nil, p.lacks(start, "conditional groups", "write the two cases as alternatives")
	case ">":
		return nil, p.lacks(start, "atomic groups", "use (?:...) instead")
	}
	if strings.Contains("aiLmsux-", t) {
		return p.inlineFlags(start, t, first)
	}
	return nil, p.fail(p.i-width(t)-1, "unknown extension ?"+t)
}

// extension reads the token that says what kind of group this is.
func (p *parser) extension() (string, error) {
	t := p.peek()
	if t == nil {
		return "", p.fail(p.i, "unexpected end of pattern")
	}
	p.i += len(t)
	return text(t), nil
}

// python reads the extensions that begin with P.
func (p *parser) python(start int) (*node, error) {
	if p.accept('<') {
		name, err := p.name('>')
		if err != nil {
			return nil, err
		}
		return p.capture(start, name)
	}
	if p.accept('=') {
		return nil, p.namedReference()
	}
	t, err := p.extension()
	if err != nil {
		return nil, err
	}
	return nil, p.fail(p.i-width(t)-2, "unknown extension ?P"+t)
}

func (p *parser) namedReference() error {
	name, err := p.name(')')
	if err != nil {
		return err
	}
	pos := p.i - width(name) - 1
	for _, n := range p.names {
		if n.Name != name {
			continue
		}
		if p.open[n.Group] {
			return p.fail(pos, "cannot refer to an open group")
		}
		return p.backreference(pos)
	}
	return p.fail(pos, "unknown group name "+quote(name))
}

// name reads the name of a group up to its terminator.
func (p *parser) name(end rune) (string, error) {
	start := p.i
	for p.i < len(p.src) && p.next() != end {
		p.i += len(p.peek())
	}
	name := text(p.src[start:p.i])
	if name == "" {
		return "", p.fail(p.i, "missing group name")
	}
	if p.i >= len(p.src) {
		return "", p.fail(start, fmt.Sprintf("missing %c, unterminated name", end))
	}
	p.i++
	if !isIdentifier(name) {
		return "", p.fail(start, "bad character in group name "+quote(name))
	}
	return name, nil
}

// width is the length of a part of the pattern in code points.
func width(s string) int { return len(runes(s, false)) }

// quote shows a name as repr does, for the names that occur in messages.
func quote(name string) string {
	q, _ := pytext.Repr(budget.Free, pytext.Of(name)) // a free meter refuses nothing
	return q
}

func isIdentifier(name string) bool {
	for i, r := range name {
		if r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) {
			continue
		}
		if i == 0 || !unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc) {
			return false
		}
	}
	return name != ""
}

func (p *parser) comment(start int) error {
	for p.i < len(p.src) {
		t := p.peek()
		p.i += len(t)
		if t[0] == ')' {
			return nil
		}
	}
	return p.fail(start, "missing ), unterminated comment")
}

// capture reads a group that captures.
func (p *parser) capture(start int, name string) (*node, error) {
	g := p.groups + 1
	if g > maxGroups {
		return nil, p.fail(start, "too many groups")
	}
	if name != "" {
		for _, n := range p.names {
			if n.Name == name {
				return nil, p.fail(p.i-width(name)-1, fmt.Sprintf(
					"redefinition of group name %s as group %d; was group %d", quote(name), g, n.Group))
			}
		}
		p.names = append(p.names, Name{name, g})
	}
	p.groups = g
	p.open = append(p.open, true)
	p.closing = append(p.closing, 0)
	n, err := p.body(start, p.flags)
	if err != nil {
		return nil, err
	}
	p.open[g] = false
	p.closed++
	p.closing[g] = p.closed
	n.group = g
	return n, nil
}

// body reads alternatives under flags, and the parenthesis that closes them.
func (p *parser) body(start int, flags Flags) (*node, error) {
	outer := p.flags
	p.flags = flags
	n, err := p.alternatives(false)
	p.flags = outer
	if err != nil {
		return nil, err
	}
	if !p.accept(')') {
		return nil, p.fail(start, "missing ), unterminated subpattern")
	}
	return &node{kind: kGroup, subs: []*node{n}}, nil
}

// behind reads the extensions that begin with <.
func (p *parser) behind(start int) (*node, error) {
	t, err := p.extension()
	if err != nil {
		return nil, err
	}
	if t != "=" && t != "!" {
		return nil, p.fail(p.i-width(t)-2, "unknown extension ?<"+t)
	}
	return p.look(start, true, t == "!")
}

// look reads an assertion about what follows or precedes.
func (p *parser) look(start int, behind, negate bool) (*node, error) {
	n, err := p.body(start, p.flags)
	if err != nil {
		return nil, err
	}
	look := &node{kind: kLook, behind: behind, negate: negate, subs: n.subs}
	if behind {
		low, high := n.width()
		if low != high || low >= unbounded {
			return nil, &Error{Msg: "look-behind requires fixed-width pattern", Pattern: p.pattern, Pos: -1}
		}
		look.min = low
	}
	return look, nil
}

// inlineFlags reads (?i) or (?i-s:...), of which c is the first letter.
func (p *parser) inlineFlags(start int, c string, first bool) (*node, error) {
	var on, off Flags
	var err error
	if c != "-" {
		if on, c, err = p.flagsOn(c); err != nil {
			return nil, err
		}
	}
	if c == ")" {
		if !first {
			return nil, p.fail(start, "global flags not at the start of the expression")
		}
		return nil, p.setGlobal(on)
	}
	if c == "-" {
		if off, err = p.flagsOff(); err != nil {
			return nil, err
		}
	}
	if on&off != 0 {
		return nil, p.fail(p.i-1, "bad inline flags: flag turned on and off")
	}
	flags := p.flags
	if on&typed != 0 {
		flags &^= typed
	}
	return p.body(start, (flags|on)&^off)
}

// typed are the flags of which one holds at a time.
const typed = ASCII | Locale | Unicode

func (p *parser) setGlobal(on Flags) error {
	p.flags |= on
	p.global |= on
	if p.global&ASCII != 0 && p.global&Unicode != 0 {
		return raise.Value("ASCII and UNICODE flags are incompatible")
	}
	return nil
}

// flag returns the flag that a letter stands for.
func flag(c string) (Flags, bool) {
	switch c {
	case "a":
		return ASCII, true
	case "i":
		return IgnoreCase, true
	case "L":
		return Locale, true
	case "m":
		return Multiline, true
	case "s":
		return DotAll, true
	case "u":
		return Unicode, true
	case "x":
		return Verbose, true
	}
	return 0, false
}

// flagsOn reads flags up to one of ) - :, which it returns.
func (p *parser) flagsOn(c string) (on Flags, end string, err error) {
	for {
		f, ok := flag(c)
		if !ok {
			return 0, "", p.badFlag(c, "missing -, : or )")
		}
		if f == Locale && !p.bytes {
			return 0, "", p.fail(p.i, "bad inline flags: cannot use 'L' flag with a str pattern")
		}
		if f == Unicode && p.bytes {
			return 0, "", p.fail(p.i, "bad inline flags: cannot use 'u' flag with a bytes pattern")
		}
		on |= f
		if f&typed != 0 && on&typed != f {
			return 0, "", p.fail(p.i, "bad inline flags: flags 'a', 'u' and 'L' are incompatible")
		}
		t := p.peek()
		if t == nil {
			return 0, "", p.fail(p.i, "missing -, : or )")
		}
		p.i += len(t)
		c = text(t)
		if c == ")" || c == "-" || c == ":" {
			return on, c, nil
		}
	}
}

// flagsOff reads flags up to a colon.
func (p *parser) flagsOff() (off Flags, err error) {
	missing := "missing flag"
	for {
		t := p.peek()
		if t == nil {
			return 0, p.fail(p.i, missing)
		}
		p.i += len(t)
		c := text(t)
		if c == ":" && off != 0 {
			return off, nil
		}
		f, ok := flag(c)
		if !ok {
			return 0, p.badFlag(c, missing)
		}
		if f&typed != 0 {
			return 0, p.fail(p.i, "bad inline flags: cannot turn off flags 'a', 'u' and 'L'")
		}
		off |= f
		missing = "missing :"
	}
}

func (p *parser) badFlag(c, missing string) error {
	rs := runes(c, false)
	if len(rs) == 1 && unicode.IsLetter(rs[0]) {
		missing = "unknown flag"
	}
	return p.fail(p.i-len(rs), missing)
}

// groupNumber reads the number of a group in a template.
func groupNumber(s string) (int, bool) {
	for _, c := range s {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}
