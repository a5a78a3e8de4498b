package secret

import (
	"unicode/utf16"
	"unicode/utf8"
)

// urlReading reads parts of URLs, whichever characters are escaped.
type urlReading struct {
	lanes [2]lane // plus is a blank in a query, and a plus in a path
	got   int     // characters of an escape
	digit byte    // its first digit
	high  byte    // what that stands for
	at    int64   // where it began
}

func newURLReading(r *Redactor) *urlReading {
	return &urlReading{lanes: [2]lane{{automaton: r.automaton}, {automaton: r.automaton}}}
}

func (u *urlReading) next(c byte, at int64) int64 {
	if u.got > 0 {
		d, ok := unhex(c)
		switch {
		case ok && u.got == 1:
			u.digit, u.high, u.got = c, d, 2
			return nowhere
		case ok:
			u.got = 0
			return u.take(u.high<<4|d, u.high<<4|d, u.at)
		}
		u.restart(at)
	}
	switch c {
	case '%':
		u.got, u.at = 1, at
		return nowhere
	case '+':
		return u.take(' ', '+', at)
	}
	return u.take(c, c, at)
}

// restart reads on after what is no escape.
func (u *urlReading) restart(at int64) {
	u.lanes[0].reset()
	u.lanes[1].reset()
	if u.got == 2 {
		u.take(u.digit, u.digit, at-1)
	}
	u.got = 0
}

func (u *urlReading) take(query, path byte, at int64) int64 {
	return min(u.lanes[0].take(query, at), u.lanes[1].take(path, at))
}

func (u *urlReading) from() int64 {
	from := min(u.lanes[0].from(), u.lanes[1].from())
	if u.got > 0 {
		from = min(from, u.at)
	}
	return from
}

// escapeReading reads the inside of string literals.
type escapeReading struct {
	lane
	kind   byte  // of the escape: '\\' before it is known, 'x', 'u', or 0 outside
	digits int   // to come
	value  rune  // of the digits so far
	at     int64 // where the escape began
	high   rune  // the first half of a surrogate pair, or 0
	highAt int64
}

func newEscapeReading(r *Redactor) *escapeReading {
	return &escapeReading{lane: lane{automaton: r.automaton}}
}

func (e *escapeReading) next(c byte, at int64) int64 {
	switch e.kind {
	case 0:
		return e.begin(c, at)
	case '\\':
		return e.choose(c, at)
	}
	d, ok := unhex(c)
	if !ok {
		return e.restart(c, at)
	}
	e.value = e.value<<4 | rune(d)
	if e.digits--; e.digits > 0 {
		return nowhere
	}
	kind := e.kind
	e.kind = 0
	if kind == 'x' {
		e.alone()
		return e.take(byte(e.value), e.at)
	}
	return e.unit()
}

// begin reads a byte outside of escapes.
func (e *escapeReading) begin(c byte, at int64) int64 {
	if c == '\\' {
		e.kind, e.at = '\\', at
		return nowhere
	}
	e.alone()
	return e.take(c, at)
}

// choose reads the byte after a backslash.
func (e *escapeReading) choose(c byte, at int64) int64 {
	switch c {
	case 'x':
		e.kind, e.digits, e.value = 'x', 2, 0
		return nowhere
	case 'u':
		e.kind, e.digits, e.value = 'u', 4, 0
		return nowhere
	}
	plain := escapes[c]
	if plain == 0 {
		return e.restart(c, at)
	}
	e.kind = 0
	e.alone()
	return e.take(plain, e.at)
}

// restart reads c after what is no escape.
func (e *escapeReading) restart(c byte, at int64) int64 {
	e.kind, e.high = 0, 0
	e.reset()
	return e.begin(c, at)
}

// alone gives up the first half of a pair that has no second.
func (e *escapeReading) alone() {
	if e.high != 0 {
		e.high = 0
		e.reset()
	}
}

// unit follows a unit of UTF-16.
func (e *escapeReading) unit() int64 {
	c, start := e.value, e.at
	if both := utf16.DecodeRune(e.high, c); e.high != 0 && both != utf8.RuneError {
		c, start = both, e.highAt
		e.high = 0
	}
	e.alone()
	if utf16.IsSurrogate(c) {
		e.high, e.highAt = c, start
		return nowhere
	}
	found := int64(nowhere)
	for _, b := range utf8.AppendRune(nil, c) {
		found = min(found, e.take(b, start))
	}
	return found
}

func (e *escapeReading) from() int64 {
	from := e.lane.from()
	if e.kind != 0 {
		from = min(from, e.at)
	}
	if e.high != 0 {
		from = min(from, e.highAt)
	}
	return from
}

var escapes = [256]byte{
	'"': '"', '\'': '\'', '\\': '\\', '/': '/',
	'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v',
}
