// Package jsontext reads and writes JSON as Python's json module does, without
// recursion and without values of its own: a Decoder gives tokens, an Encoder
// takes them. Texts are UTF-8 in which a lone surrogate is its three-byte
// encoding.
package jsontext

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Kind says what a token is.
type Kind uint8

// The kinds of tokens. After a Key its value follows.
const (
	EOF Kind = iota
	Null
	True
	False
	Int      // Token.Int
	BigInt   // beyond int64; Token.Text has the digits
	Float    // Token.Float
	Constant // NaN, Infinity or -Infinity: Token.Float, and the name in Token.Text
	String   // Token.Text
	Key      // Token.Text
	BeginArray
	EndArray
	BeginObject
	EndObject
)

// Token is a part of a JSON text. The Text of a number is a part of the source,
// for hooks; do not keep it. The Text of strings and keys is fresh and paid for.
type Token struct {
	Kind  Kind
	Text  string
	Int   int64
	Float float64
}

// Error is Python's json.JSONDecodeError. Pos, Line and Column count code
// points, the latter two from 1.
type Error struct {
	Msg               string
	Pos, Line, Column int
}

// Error returns the message as str() of the exception does.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: line %d column %d (char %d)", e.Msg, e.Line, e.Column, e.Pos)
}

// state says what may come next.
type state uint8

const (
	wantValue    state = iota
	wantFirst          // the first element of an array, or its end
	wantKey            // after a comma
	wantFirstKey       // the first key of an object, or its end
	afterValue
)

// Decoder reads one JSON value. It pays for what it reads and makes.
type Decoder struct {
	// Lenient accepts control characters in strings, as strict=False.
	Lenient bool

	m     budget.Meter
	text  string
	pos   int
	paid  int // up to here the reading is paid for
	due   int // tokens that are not paid for
	depth int
	state state
	stack []byte      // '[' and '{' of what is open
	keys  *[64]string // seen lately, or nil
}

// NewDecoder returns a decoder of the value in text, which may be nested up to
// depth levels.
func NewDecoder(m budget.Meter, text string, depth int) *Decoder {
	return &Decoder{m: m, text: text, depth: depth}
}

// NewDecoderAt is NewDecoder for a value that starts at byte pos, as
// JSONDecoder.raw_decode; white space before it is an error.
func NewDecoderAt(m budget.Meter, text string, pos, depth int) *Decoder {
	return &Decoder{m: m, text: text, pos: pos, paid: pos, depth: depth}
}

// Pos returns the byte offset up to which the text is read.
func (d *Decoder) Pos() int { return d.pos }

// fail is the error that CPython raises for byte pos.
func (d *Decoder) fail(msg string, pos int) error {
	if err := d.pay(len(d.text)); err != nil {
		return err
	}
	before := d.text[:min(pos, len(d.text))]
	line := strings.LastIndexByte(before, '\n') + 1
	return &Error{
		Msg:    msg,
		Pos:    runes(before),
		Line:   strings.Count(before, "\n") + 1,
		Column: runes(before[line:]) + 1,
	}
}

// runes counts code points; a surrogate is one.
func runes(s string) int {
	n := 0
	for i := range len(s) {
		if utf8.RuneStart(s[i]) {
			n++
		}
	}
	return n
}

const (
	portion   = 1 << 15 // bytes that are read between two payments
	tokenWork = 20      // units that a token takes beyond the reading
)

// pay pays for reading up to pos.
func (d *Decoder) pay(pos int) error {
	if err := d.m.Work(tokenWork * d.due); err != nil {
		return err
	}
	d.due = 0
	for d.paid < pos {
		n := min(pos-d.paid, portion)
		if err := d.m.Work(2 * n); err != nil {
			return err
		}
		d.paid += n
	}
	return nil
}

// space skips white space.
func (d *Decoder) space() {
	for d.pos < len(d.text) {
		switch d.text[d.pos] {
		case ' ', '\n', '\t', '\r':
			d.pos++
		default:
			return
		}
	}
}

// at is the byte at pos, 0 at the end; a NUL is nowhere valid either.
func (d *Decoder) at(pos int) byte {
	if pos < len(d.text) {
		return d.text[pos]
	}
	return 0
}

// Next returns the next token. When the value is complete, Next returns EOF and
// End says whether anything comes after it.
func (d *Decoder) Next() (Token, error) {
	if d.due++; d.pos-d.paid > portion || d.due > portion/tokenWork {
		if err := d.pay(d.pos); err != nil {
			return Token{}, err
		}
	}
	if d.state == afterValue {
		if len(d.stack) == 0 {
			return Token{Kind: EOF}, d.pay(d.pos)
		}
		if t, done, err := d.more(); done {
			return t, err
		}
	}
	switch d.state {
	case wantFirst:
		d.space()
		if d.at(d.pos) == ']' {
			return d.close(EndArray)
		}
	case wantFirstKey:
		d.space()
		if d.at(d.pos) == '}' {
			return d.close(EndObject)
		}
		return d.key()
	case wantKey:
		return d.key()
	}
	return d.value()
}

// Start skips the white space and checks the mark before the value.
func (d *Decoder) Start() error {
	if strings.HasPrefix(d.text, "\ufeff") {
		return d.fail("Unexpected UTF-8 BOM (decode using utf-8-sig)", 0)
	}
	d.space()
	return nil
}

// End refuses anything but white space after the value.
func (d *Decoder) End() error {
	d.space()
	if d.pos < len(d.text) {
		return d.fail("Extra data", d.pos)
	}
	return d.pay(d.pos)
}

// more reads what follows an element: the end of the container, which is done,
// or a comma.
func (d *Decoder) more() (Token, bool, error) {
	d.space()
	object := d.stack[len(d.stack)-1] == '{'
	switch c := d.at(d.pos); {
	case c == ',':
		d.pos++
		d.space()
		d.state = wantValue
		if object {
			d.state = wantKey
		}
		return Token{}, false, nil
	case c == '}' && object:
		t, err := d.close(EndObject)
		return t, true, err
	case c == ']' && !object:
		t, err := d.close(EndArray)
		return t, true, err
	}
	return Token{}, true, d.fail("Expecting ',' delimiter", d.pos)
}

func (d *Decoder) close(k Kind) (Token, error) {
	d.pos++
	d.stack = d.stack[:len(d.stack)-1]
	d.state = afterValue
	return Token{Kind: k}, nil
}

func (d *Decoder) open(c byte) (Token, error) {
	k, next, what := BeginArray, wantFirst, "array"
	if c == '{' {
		k, next, what = BeginObject, wantFirstKey, "object"
	}
	if len(d.stack) >= d.depth {
		return Token{}, raise.New("RecursionError",
			"maximum recursion depth exceeded while decoding a JSON %s from a unicode string", what)
	}
	if len(d.stack) == cap(d.stack) {
		if err := d.m.Alloc(2*len(d.stack) + 16); err != nil {
			return Token{}, err
		}
	}
	d.stack = append(d.stack, c)
	d.state = next
	d.pos++
	return Token{Kind: k}, nil
}

// key reads a key and the colon after it.
func (d *Decoder) key() (Token, error) {
	if d.at(d.pos) != '"' {
		return Token{}, d.fail("Expecting property name enclosed in double quotes", d.pos)
	}
	s, fresh, err := d.str()
	if err != nil {
		return Token{}, err
	}
	if s, err = d.intern(s, fresh); err != nil {
		return Token{}, err
	}
	d.space()
	if d.at(d.pos) != ':' {
		return Token{}, d.fail("Expecting ':' delimiter", d.pos)
	}
	d.pos++
	d.space()
	d.state = wantValue
	return Token{Kind: Key, Text: s}, nil
}

// fewKeys is the length of a text from which it is worth the while to look
// whether a key was there before.
const fewKeys = 1 << 10

// intern returns the same string for a key that was seen lately.
func (d *Decoder) intern(s string, fresh bool) (string, error) {
	if len(s) == 0 || len(s) > 64 || len(d.text) < fewKeys {
		return d.own(s, fresh)
	}
	if d.keys == nil {
		if err := d.m.Alloc(64 * 16); err != nil {
			return "", err
		}
		d.keys = new([64]string)
	}
	slot := &d.keys[(int(s[0])*31+int(s[len(s)-1])*7+len(s))%len(d.keys)]
	if *slot == s {
		return *slot, nil
	}
	s, err := d.own(s, fresh)
	if err == nil {
		*slot = s
	}
	return s, err
}

// own copies a part of the source, which must not be kept alive by it.
func (d *Decoder) own(s string, fresh bool) (string, error) {
	if fresh {
		return s, nil
	}
	if err := d.m.Alloc(len(s)); err != nil {
		return "", err
	}
	return strings.Clone(s), nil
}

// value reads a value or the beginning of one.
func (d *Decoder) value() (Token, error) {
	c := d.at(d.pos)
	switch {
	case c == '"':
		s, fresh, err := d.str()
		if err != nil {
			return Token{}, err
		}
		d.state = afterValue
		s, err = d.own(s, fresh)
		return Token{Kind: String, Text: s}, err
	case c == '[' || c == '{':
		return d.open(c)
	}
	d.state = afterValue
	if '0' <= c && c <= '9' || c == '-' {
		return d.number()
	}
	return d.word()
}
