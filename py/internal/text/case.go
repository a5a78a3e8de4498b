package text

import (
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// letterCase is an index into the case mappings of a record.
type letterCase int

const (
	toUpper letterCase = iota
	toLower
	toTitle
	toFold
)

const sigma = 'Σ'

// Upper is upper.
func Upper(m budget.Meter, s Str) (string, error) {
	if s.Flat {
		return mapBytes(m, s.S, upperByte)
	}
	return mapRunes(m, s.S, func(b *builder, _ int, r rune) { b.cased(r, toUpper) })
}

// Lower is lower.
func Lower(m budget.Meter, s Str) (string, error) {
	if s.Flat {
		return mapBytes(m, s.S, lowerByte)
	}
	return mapRunes(m, s.S, func(b *builder, i int, r rune) { b.lowered(s.S, i, r) })
}

// CaseFold is casefold.
func CaseFold(m budget.Meter, s Str) (string, error) {
	if s.Flat {
		return mapBytes(m, s.S, lowerByte)
	}
	return mapRunes(m, s.S, func(b *builder, _ int, r rune) { b.cased(r, toFold) })
}

// SwapCase is swapcase.
func SwapCase(m budget.Meter, s Str) (string, error) {
	if s.Flat {
		return mapBytes(m, s.S, func(c byte) byte {
			if u := upperByte(c); u != c {
				return u
			}
			return lowerByte(c)
		})
	}
	return mapRunes(m, s.S, func(b *builder, i int, r rune) {
		switch flags := recordFor(r).flags; {
		case flags&upper != 0:
			b.lowered(s.S, i, r)
		case flags&lower != 0:
			b.cased(r, toUpper)
		default:
			b.write(r)
		}
	})
}

// Capitalize is capitalize.
func Capitalize(m budget.Meter, s Str) (string, error) {
	if s.Flat {
		turn := upperByte
		return mapBytes(m, s.S, func(c byte) byte {
			c = turn(c)
			turn = lowerByte
			return c
		})
	}
	return mapRunes(m, s.S, func(b *builder, i int, r rune) {
		if i == 0 {
			b.cased(r, toTitle)
			return
		}
		b.lowered(s.S, i, r)
	})
}

// Title is title.
func Title(m budget.Meter, s Str) (string, error) {
	inWord := false
	if s.Flat {
		return mapBytes(m, s.S, func(c byte) byte {
			u := upperByte(c)
			isLetter := 'A' <= u && u <= 'Z'
			if inWord {
				u = lowerByte(c)
			}
			inWord = isLetter
			return u
		})
	}
	return mapRunes(m, s.S, func(b *builder, i int, r rune) {
		if inWord {
			b.lowered(s.S, i, r)
		} else {
			b.cased(r, toTitle)
		}
		inWord = recordFor(r).flags&cased != 0
	})
}

// mapBytes applies turn to each byte.
func mapBytes(m budget.Meter, s string, turn func(byte) byte) (string, error) {
	b := builder{m: m}
	if err := b.reserve(len(s)); err != nil {
		return "", err
	}
	p, err := pacing(m, len(s))
	if err != nil {
		return "", err
	}
	var block [256]byte
	for i := 0; i < len(s); {
		if err := p.at(i); err != nil {
			return "", err
		}
		n := min(len(block), len(s)-i)
		for k := range n {
			block[k] = turn(s[i+k])
		}
		b.Write(block[:n])
		i += n
	}
	return b.String(), nil
}

// widest is the most bytes that a case of one code point takes.
const widest = 16

// mapRunes lets put write what becomes of each code point.
func mapRunes(m budget.Meter, s string, put func(b *builder, i int, r rune)) (string, error) {
	b := builder{m: m}
	if err := b.reserve(len(s) + widest); err != nil {
		return "", err
	}
	p, err := pacing(m, len(s))
	if err != nil {
		return "", err
	}
	for i := 0; i < len(s); {
		if err := p.at(i); err != nil {
			return "", err
		}
		if err := b.reserve(widest); err != nil {
			return "", err
		}
		r, size := DecodeRune(s[i:])
		put(&b, i, r)
		i += size
	}
	return b.String(), nil
}

// cased writes r in the given case; there is room.
func (b *builder) cased(r rune, c letterCase) {
	rec := recordFor(r)
	if rec.flags&expands == 0 {
		b.write(r + rec.to[c])
		return
	}
	if e, ok := expansionFor(r); ok {
		b.WriteString(e.to[c])
	}
}

// lowered writes the lower case of r, which is at offset i of s: a sigma at the
// end of a word has its own form.
func (b *builder) lowered(s string, i int, r rune) {
	if r == sigma && finalSigma(s, i) {
		b.WriteRune('ς')
		return
	}
	b.cased(r, toLower)
}

// finalSigma reports whether the sigma at offset i ends a word: a letter with
// case is before it and none after, other than signs that case ignores.
func finalSigma(s string, i int) bool {
	before, after := Str{S: s[:i]}, Str{S: s[i+utf8.RuneLen(sigma):]}
	return before.touches(Str.last, func(t string, n int) string { return t[:len(t)-n] }) &&
		!after.touches(Str.first, func(t string, n int) string { return t[n:] })
}

func (s Str) touches(next func(Str) (uint16, int), rest func(string, int) string) bool {
	for s.S != "" {
		flags, size := next(s)
		if flags&ignorable == 0 {
			return flags&cased != 0
		}
		s.S = rest(s.S, size)
	}
	return false
}

func upperByte(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c - 'A' + 'a'
	}
	return c
}
