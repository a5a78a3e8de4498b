package regex

import (
	"unicode/utf8"
)

// decode returns the code point at the start of s, which is not empty, and its
// width. A lone surrogate is one code point of three bytes.
func decode(s string) (rune, int) {
	if c := s[0]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 && len(s) >= 3 && s[0] == 0xED && s[1]&0xE0 == 0xA0 && s[2]&0xC0 == 0x80 {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return r, n
}

// appendRune appends a code point, a surrogate too.
func appendRune(b []byte, r rune) []byte {
	if r >= 0xD800 && r < 0xE000 {
		return append(b, 0xED, 0x80|byte(r>>6&0x3F), 0x80|byte(r&0x3F))
	}
	return utf8.AppendRune(b, r)
}

// at returns the character of text at pos, which is inside.
func (p *Pattern) at(text string, pos int) (rune, int) {
	if c := text[pos]; c < utf8.RuneSelf || p.Bytes {
		return rune(c), 1
	}
	return decode(text[pos:])
}

// before returns the position of the character that ends at pos, which is not 0.
func (p *Pattern) before(text string, pos int) int {
	pos--
	if p.Bytes {
		return pos
	}
	first := max(0, pos-utf8.UTFMax+1)
	for pos > first && !utf8.RuneStart(text[pos]) {
		pos--
	}
	return pos
}

// runes takes a pattern or template apart.
func runes(s string, bytes bool) []rune {
	rs := make([]rune, 0, len(s))
	for i := 0; i < len(s); {
		if bytes {
			rs = append(rs, rune(s[i]))
			i++
			continue
		}
		r, n := decode(s[i:])
		rs = append(rs, r)
		i += n
	}
	return rs
}

// text puts runes of a pattern or template together again.
func text(rs []rune) string {
	b := make([]byte, 0, len(rs))
	for _, r := range rs {
		b = appendRune(b, r)
	}
	return string(b)
}
