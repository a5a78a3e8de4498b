package text

import (
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

const hexDigits = "0123456789abcdef"

// Repr is repr of a str or a bytes object.
func Repr(m budget.Meter, s Str) (string, error) { return quote(m, s, s.Raw) }

// quote returns s between quotes, with everything beyond ASCII escaped if wanted.
func quote(m budget.Meter, s Str, ascii bool) (string, error) {
	if err := work(m, len(s.S)/4); err != nil {
		return "", err
	}
	mark := byte('\'')
	if strings.Contains(s.S, "'") && !strings.Contains(s.S, `"`) {
		mark = '"'
	}
	b := builder{m: m}
	if err := b.reserve(len(s.S) + 3); err != nil {
		return "", err
	}
	if s.Raw {
		b.WriteByte('b')
	}
	b.WriteByte(mark)
	if err := b.quoted(s, mark, ascii); err != nil {
		return "", err
	}
	if err := b.reserve(1); err != nil {
		return "", err
	}
	b.WriteByte(mark)
	return b.String(), nil
}

// longestEscape is the length of \U0010ffff.
const longestEscape = 10

func (b *builder) quoted(s Str, mark byte, ascii bool) error {
	p, err := pacing(b.m, len(s.S))
	if err != nil {
		return err
	}
	for i := 0; i < len(s.S); {
		from := i
		for i < len(s.S) && i-from < chunk && plain(s.S[i], mark) {
			i++
		}
		if err := b.text(s.S[from:i]); err != nil {
			return err
		}
		if err := p.at(i); err != nil {
			return err
		}
		if i == len(s.S) {
			break
		}
		if err := b.reserve(longestEscape); err != nil {
			return err
		}
		c := s.S[i]
		if s.Raw || c < utf8.RuneSelf {
			b.quotedByte(c, mark)
			i++
			continue
		}
		r, size := DecodeRune(s.S[i:])
		if ascii || recordFor(r).flags&printable == 0 {
			b.escape(r)
		} else {
			b.WriteString(s.S[i : i+size])
		}
		i += size
	}
	return nil
}

// plain reports whether c stands for itself between such quotes.
func plain(c, mark byte) bool { return ' ' <= c && c < 0x7F && c != mark && c != '\\' }

func (b *builder) quotedByte(c, mark byte) {
	switch {
	case c == mark || c == '\\':
		b.WriteByte('\\')
		b.WriteByte(c)
	case c == '\n':
		b.WriteString(`\n`)
	case c == '\r':
		b.WriteString(`\r`)
	case c == '\t':
		b.WriteString(`\t`)
	case c < ' ' || c >= 0x7F:
		b.escape(rune(c))
	default:
		b.WriteByte(c)
	}
}

// escape writes r as \xhh, \uhhhh or \Uhhhhhhhh, for which there is room.
func (b *builder) escape(r rune) {
	switch {
	case r < 0x100:
		b.WriteString(`\x`)
		b.hex(r, 2)
	case r < 0x10000:
		b.WriteString(`\u`)
		b.hex(r, 4)
	default:
		b.WriteString(`\U`)
		b.hex(r, 8)
	}
}

func (b *builder) hex(r rune, digits int) {
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		b.WriteByte(hexDigits[r>>shift&15])
	}
}

// Escape returns s with everything beyond ASCII escaped: what ascii makes of
// the repr of an object that is no str.
func Escape(m budget.Meter, s string) (string, error) {
	if ASCII(s) {
		return s, nil
	}
	return mapRunes(m, s, func(b *builder, _ int, r rune) {
		if r < utf8.RuneSelf {
			b.WriteByte(byte(r))
			return
		}
		b.escape(r)
	})
}
