package syntax

import "strings"

// strings parses literals next to each other: a string, bytes or an f-string.
func (p *parser) strings() Expr {
	start := p.here()
	first := p.tok
	if first == fstring {
		return p.joined(start, "")
	}
	value, isBytes := p.quoted()
	if p.tok == text {
		value = p.concatenated(start, value, isBytes)
	}
	if p.tok == fstring {
		if isBytes {
			p.mixed(start)
			return nil
		}
		return p.joined(start, value)
	}
	c := p.constants.next(p.size)
	c.At = start
	if isBytes {
		c.Value = []byte(value)
	} else {
		c.Value = value
	}
	return c
}

// concatenated parses the literals after the first one.
func (p *parser) concatenated(start At, first string, isBytes bool) string {
	var b strings.Builder
	b.WriteString(first)
	for p.tok == text {
		more, alsoBytes := p.quoted()
		if alsoBytes != isBytes {
			p.mixed(start)
		}
		b.WriteString(more)
	}
	return b.String()
}

// mixed fails for bytes next to a string.
func (p *parser) mixed(start At) {
	p.syntax(int(start.Start), "cannot mix bytes and nonbytes literals")
}

// quoted parses one literal that is not an f-string.
func (p *parser) quoted() (value string, isBytes bool) {
	q := unquote(p.src[p.start:p.end])
	value, problem := q.value()
	if problem != "" {
		p.syntax(p.start, problem)
		return "", q.bytes
	}
	p.next()
	return value, q.bytes
}
