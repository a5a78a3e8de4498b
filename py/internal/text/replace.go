package text

import (
	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Replace is replace; a negative limit is none.
func Replace(m budget.Meter, s Str, old, with string, limit int) (string, error) {
	if limit < 0 {
		limit = End
	}
	if old == "" {
		return interleave(m, s, with, limit)
	}
	n, err := count(m, s.S, old, limit)
	if err != nil || n == 0 || old == with {
		return s.S, err
	}
	size := len(s.S) - n*len(old) + times(len(with), n)
	b := builder{m: m}
	if err := b.reserve(size); err != nil {
		return "", err
	}
	t := s.S
	for ; n > 0; n-- {
		i, err := index(m, t, old)
		if err != nil {
			return "", err
		}
		b.WriteString(t[:i])
		b.WriteString(with)
		t = t[i+len(old):]
	}
	b.WriteString(t)
	return b.String(), nil
}

// interleave puts with before each element of s and at its end, limit times.
func interleave(m budget.Meter, s Str, with string, limit int) (string, error) {
	if limit == 0 || with == "" {
		return s.S, nil
	}
	n := min(limit, s.Len()+1)
	b := builder{m: m}
	if err := b.reserve(len(s.S) + times(len(with), n)); err != nil {
		return "", err
	}
	p, err := pacing(m, len(s.S))
	if err != nil {
		return "", err
	}
	i := 0
	for ; n > 0; n-- {
		if err := p.at(i); err != nil {
			return "", err
		}
		b.WriteString(with)
		if i < len(s.S) {
			size := s.width(s.S[i:])
			b.WriteString(s.S[i : i+size])
			i += size
		}
	}
	b.WriteString(s.S[i:])
	return b.String(), nil
}

// Table is what str.translate replaces code points by: each result of Lookup is
// the text to put in its place, or keep.
type Table interface {
	Lookup(r rune) (with string, keep bool, err error)
}

// Translate is str.translate. The machine that needs to run code for a lookup
// translates code point by code point instead.
func Translate(m budget.Meter, s string, t Table) (string, error) {
	b := builder{m: m}
	if err := b.reserve(len(s)); err != nil {
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
		r, size := DecodeRune(s[i:])
		with, keep, err := t.Lookup(r)
		if err != nil {
			return "", err
		}
		if keep {
			with = s[i : i+size]
		}
		if err := b.text(with); err != nil {
			return "", err
		}
		i += size
	}
	return b.String(), nil
}

// TableRune checks a number that a translate table gave for a code point.
func TableRune(n int64) (rune, error) {
	if n < 0 || n > 0x10FFFF {
		return 0, raise.Value("character mapping must be in range(0x110000)")
	}
	return rune(n), nil
}

// Pair is an entry of a translate table: without To, the code point is deleted.
type Pair struct {
	From, To rune
	Delete   bool
}

// MakeTrans is str.maketrans of two or three texts, as entries in order; later
// entries replace earlier ones.
func MakeTrans(m budget.Meter, from, to, remove string) ([]Pair, error) {
	if err := work(m, times(4, len(from)+len(to)+len(remove))); err != nil {
		return nil, err
	}
	n := Len(from)
	if n != Len(to) {
		return nil, raise.Value("the first two maketrans arguments must have equal length")
	}
	if err := alloc(m, times(element, n+Len(remove))); err != nil {
		return nil, err
	}
	pairs := make([]Pair, 0, n+Len(remove))
	for from != "" {
		f, fromSize := DecodeRune(from)
		t, toSize := DecodeRune(to)
		pairs = append(pairs, Pair{From: f, To: t})
		from, to = from[fromSize:], to[toSize:]
	}
	for remove != "" {
		r, size := DecodeRune(remove)
		pairs = append(pairs, Pair{From: r, Delete: true})
		remove = remove[size:]
	}
	return pairs, nil
}

// BytesMakeTrans is bytes.maketrans.
func BytesMakeTrans(from, to string) (string, error) {
	if len(from) != len(to) {
		return "", raise.Value("maketrans arguments must have same length")
	}
	var table [256]byte
	for i := range table {
		table[i] = byte(i)
	}
	for i := 0; i < len(from); i++ {
		table[from[i]] = to[i]
	}
	return string(table[:]), nil
}

// BytesTranslate is bytes.translate; a nil table changes nothing.
func BytesTranslate(m budget.Meter, s string, table *string, remove string) (string, error) {
	if table != nil && len(*table) != 256 {
		return "", raise.Value("translation table must be 256 characters long")
	}
	drop := byteSet(remove)
	b := builder{m: m}
	if err := b.reserve(len(s)); err != nil {
		return "", err
	}
	p, err := pacing(m, len(s))
	if err != nil {
		return "", err
	}
	for i := 0; i < len(s); i++ {
		if err := p.at(i); err != nil {
			return "", err
		}
		switch c := s[i]; {
		case drop[c]:
		case table != nil:
			b.WriteByte((*table)[c])
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), nil
}
