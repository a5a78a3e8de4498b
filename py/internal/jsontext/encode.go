package jsontext

import (
	"math"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Encoder writes JSON, and pays for what it makes. The calls of its methods must be
// well nested.
type Encoder struct {
	ItemSeparator string // ", " by default in Python, "," when there is an indent
	KeySeparator  string // ": " by default
	Indented      bool
	Indent        string // of one level, when Indented; may be empty
	EscapeAll     bool   // ensure_ascii

	// The state, for snapshots.
	Out   []byte // what is written so far
	Level int    // containers that are open
	Empty bool   // nothing is written yet in the innermost

	m budget.Meter
}

// NewEncoder returns an encoder with the defaults of json.dumps.
func NewEncoder(m budget.Meter) *Encoder {
	return &Encoder{ItemSeparator: ", ", KeySeparator: ": ", EscapeAll: true, m: m}
}

// Begin opens an array or object, c being its bracket.
func (e *Encoder) Begin(c byte) error {
	e.Level++
	e.Empty = true
	return e.Raw(string(rune(c)))
}

// Item comes before each element of an array and each key.
func (e *Encoder) Item() error {
	if !e.Empty {
		if err := e.Raw(e.ItemSeparator); err != nil {
			return err
		}
	}
	e.Empty = false
	return e.newline()
}

// End closes what was opened, c being its bracket.
func (e *Encoder) End(c byte) error {
	e.Level--
	if !e.Empty {
		if err := e.newline(); err != nil {
			return err
		}
	}
	e.Empty = false
	return e.Raw(string(rune(c)))
}

func (e *Encoder) newline() error {
	if !e.Indented {
		return nil
	}
	if err := e.Raw("\n"); err != nil {
		return err
	}
	for range e.Level {
		if err := e.Raw(e.Indent); err != nil {
			return err
		}
	}
	return nil
}

// Key writes a key and its separator, after Item.
func (e *Encoder) Key(s string) error {
	if err := e.String(s); err != nil {
		return err
	}
	return e.Raw(e.KeySeparator)
}

// String writes a string.
func (e *Encoder) String(s string) (err error) {
	e.Out, err = AppendString(e.m, e.Out, s, e.EscapeAll)
	return err
}

// Raw writes text that is JSON already: a number, true, null.
func (e *Encoder) Raw(text string) (err error) {
	if e.Out, err = grow(e.m, e.Out, len(text)); err != nil {
		return err
	}
	e.Out = append(e.Out, text...)
	return e.m.Work(len(text)/8 + 2)
}

// NonFinite returns how an infinite or NaN float is written. It reports false
// for the others, and a ValueError when they are not allowed.
func NonFinite(f float64, allow bool) (string, bool, error) {
	name := ""
	switch {
	case math.IsNaN(f):
		name = "NaN"
	case math.IsInf(f, 1):
		name = "Infinity"
	case math.IsInf(f, -1):
		name = "-Infinity"
	default:
		return "", false, nil
	}
	if !allow {
		return "", true, raise.Value("Out of range float values are not JSON compliant")
	}
	return name, true, nil
}

// AppendString appends s as a JSON string; escapeAll leaves only ASCII, as
// ensure_ascii does.
func AppendString(m budget.Meter, dst []byte, s string, escapeAll bool) ([]byte, error) {
	dst, err := grow(m, dst, len(s)+2)
	if err != nil {
		return nil, err
	}
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && (c < 0x7f || !escapeAll) {
			if i++; i-start < portion {
				continue
			}
		}
		if dst, err = grow(m, dst, i-start+14); err != nil {
			return nil, err
		}
		if err := m.Work(i - start + 10); err != nil {
			return nil, err
		}
		dst = append(dst, s[start:i]...)
		if i-start >= portion {
			start = i
			continue
		}
		var n int
		dst, n = appendEscape(dst, s[i:])
		i += n
		start = i
	}
	if dst, err = grow(m, dst, len(s)-start+1); err != nil {
		return nil, err
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"'), m.Work(len(s) - start + 10)
}

// appendEscape appends the escape of the character at the start of s.
func appendEscape(dst []byte, s string) ([]byte, int) {
	switch s[0] {
	case '"', '\\':
		return append(dst, '\\', s[0]), 1
	case '\n':
		return append(dst, '\\', 'n'), 1
	case '\r':
		return append(dst, '\\', 'r'), 1
	case '\t':
		return append(dst, '\\', 't'), 1
	case '\b':
		return append(dst, '\\', 'b'), 1
	case '\f':
		return append(dst, '\\', 'f'), 1
	}
	r, n := decode(s)
	if r >= 0x10000 {
		r -= 0x10000
		dst = appendHex(dst, 0xD800|r>>10)
		return appendHex(dst, 0xDC00|r&0x3FF), n
	}
	return appendHex(dst, r), n
}

func appendHex(dst []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// decode returns the code point at the start of s and its width.
func decode(s string) (rune, int) {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 && len(s) >= 3 && s[0] == 0xED && s[1]&0xE0 == 0xA0 && s[2]&0xC0 == 0x80 {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return r, n
}

// firstSize is the room that the text of a small value needs.
const firstSize = 128

// grow makes room for n more bytes and pays for it.
func grow(m budget.Meter, b []byte, n int) ([]byte, error) {
	if len(b)+n <= cap(b) {
		return b, nil
	}
	size := max(2*len(b)+n+16, firstSize)
	if err := m.Alloc(size); err != nil {
		return nil, err
	}
	return append(make([]byte, 0, size), b...), nil
}
