// Package text is what Python's str, bytes and formatting do, without the
// machine: pure functions over Go strings, with the results, the repr and the
// error messages of CPython 3.11.
//
// A str is a Go string in UTF-8 in which a lone surrogate is written as its own
// three bytes. Unlike WTF-8 proper, a high surrogate followed by a low one stays
// two code points of three bytes each, as in Python; so joining strings is
// joining bytes. A code point above U+FFFF always takes four bytes, so every str
// has exactly one spelling, and equal strings are equal bytes. Byte order differs
// from code point order nowhere: Go's < compares as Python does.
//
// A bytes object is a Go string of any bytes, handled as a Str that is Flat.
package text

import (
	"math"
	"unicode/utf8"
)

// Str is a str or a bytes object on which an operation works.
type Str struct {
	S string
	// Flat says that each element is one byte: an ASCII str, or any bytes
	// object. Offsets and indexes are then the same.
	Flat bool
	// Raw says that it is a bytes object. It is Flat too.
	Raw bool
}

// Of returns the str s.
func Of(s string) Str { return Str{S: s, Flat: ASCII(s)} }

// Bytes returns the bytes object b.
func Bytes(b string) Str { return Str{b, true, true} }

// End is the end of a search that was given none.
const End = math.MaxInt

// ASCII reports whether s has only code points below 128.
func ASCII(s string) bool {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		w := s[i : i+8]
		if (w[0]|w[1]|w[2]|w[3]|w[4]|w[5]|w[6]|w[7])&0x80 != 0 {
			return false
		}
	}
	for ; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Len returns the number of code points of the str s.
func Len(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i]&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// Len returns the number of elements of s.
func (s Str) Len() int {
	if s.Flat {
		return len(s.S)
	}
	return Len(s.S)
}

// DecodeRune returns the first code point of s, which may be a surrogate, and
// its width in bytes. Of bytes that are no str it returns U+FFFD and 1, of an
// empty string U+FFFD and 0.
func DecodeRune(s string) (rune, int) {
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 && surrogateAt(s) {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return r, size
}

// DecodeLastRune is DecodeRune for the last code point of s.
func DecodeLastRune(s string) (rune, int) {
	r, size := utf8.DecodeLastRuneInString(s)
	if r == utf8.RuneError && size == 1 && len(s) >= 3 && surrogateAt(s[len(s)-3:]) {
		r, _ = DecodeRune(s[len(s)-3:])
		return r, 3
	}
	return r, size
}

func surrogateAt(s string) bool {
	return len(s) >= 3 && s[0] == 0xED && s[1]&0xE0 == 0xA0 && s[2]&0xC0 == 0x80
}

// Surrogate reports whether r is half of a UTF-16 pair.
func Surrogate(r rune) bool { return r&^0x7FF == 0xD800 }

// AppendRune appends the bytes of r, which is in 0 to 0x10FFFF.
func AppendRune(b []byte, r rune) []byte {
	if Surrogate(r) {
		return append(b, 0xED, byte(0x80|r>>6&0x3F), byte(0x80|r&0x3F))
	}
	return utf8.AppendRune(b, r)
}

// Chr returns the str of one code point, which is in 0 to 0x10FFFF.
func Chr(r rune) string {
	if Surrogate(r) {
		return string(AppendRune(nil, r))
	}
	return string(r)
}

// Valid reports whether s is a str: well-formed but for lone surrogates.
func Valid(s string) bool {
	for !utf8.ValidString(s) {
		i := 0
		for i < len(s) {
			if r, size := utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && size == 1 {
				break
			} else {
				i += size
			}
		}
		if !surrogateAt(s[i:]) {
			return false
		}
		s = s[i+3:]
	}
	return true
}
