package text

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// record is what is known of a code point.
type record struct {
	flags uint16
	value uint8    // of a decimal digit
	to    [4]int32 // what to add for each letterCase
}

// expansion is a code point of which a case is more than one code point.
type expansion struct {
	r  rune
	to [4]string // by letterCase
}

func recordFor(r rune) *record {
	if uint32(r) > utf8.MaxRune {
		r = utf8.RuneError
	}
	b := 2 * (int(r) / blockSize)
	i := int(blockOf[b])<<8 | int(blockOf[b+1])
	i = 2 * (i*blockSize + int(r)%blockSize)
	return &records[int(recordOf[i])<<8|int(recordOf[i+1])]
}

func expansionFor(r rune) (expansion, bool) {
	i, ok := slices.BinarySearchFunc(expansions[:], r, func(e expansion, r rune) int {
		return cmp.Compare(e.r, r)
	})
	if !ok {
		return expansion{}, false
	}
	return expansions[i], true
}

// first returns the flags and the width of the first element of s, which is not
// empty.
func (s Str) first() (uint16, int) {
	c := s.S[0]
	switch {
	case !s.Raw && c >= utf8.RuneSelf:
		r, size := DecodeRune(s.S)
		return recordFor(r).flags, size
	case c >= utf8.RuneSelf:
		return 0, 1
	case s.Raw && 0x1C <= c && c <= 0x1F: // space in a str only
		return recordFor(rune(c)).flags &^ space, 1
	}
	return recordFor(rune(c)).flags, 1
}

// last is first for the last element.
func (s Str) last() (uint16, int) {
	if s.Flat {
		s.S = s.S[len(s.S)-1:]
		return s.first()
	}
	r, size := DecodeLastRune(s.S)
	return recordFor(r).flags, size
}

// Property is what every element of a text may be.
type Property uint16

// The properties that Is asks for.
const (
	Alnum     = Property(alpha | decimal | digit | numeric)
	Alpha     = Property(alpha)
	Decimal   = Property(decimal)
	Digit     = Property(digit)
	Numeric   = Property(numeric)
	Printable = Property(printable)
	Space     = Property(space)
)

// Is reports whether every element of s has the property, and there is one:
// isalnum and its like. An empty text is printable.
func Is(m budget.Meter, s Str, p Property) (bool, error) {
	if s.S == "" {
		return p == Printable, nil
	}
	return s.all(m, func(flags uint16) bool { return flags&uint16(p) != 0 })
}

// all reports whether ok is true of the flags of every element.
func (s Str) all(m budget.Meter, ok func(flags uint16) bool) (bool, error) {
	p, err := pacing(m, len(s.S))
	if err != nil {
		return false, err
	}
	for i := 0; i < len(s.S); {
		if err := p.at(i); err != nil {
			return false, err
		}
		flags, size := Str{s.S[i:], s.Flat, s.Raw}.first()
		if !ok(flags) {
			return false, nil
		}
		i += size
	}
	return true, nil
}

// IsLower is islower.
func IsLower(m budget.Meter, s Str) (bool, error) { return s.allCased(m, lower, upper|titlecase) }

// IsUpper is isupper.
func IsUpper(m budget.Meter, s Str) (bool, error) { return s.allCased(m, upper, lower|titlecase) }

func (s Str) allCased(m budget.Meter, want, not uint16) (bool, error) {
	found := false
	ok, err := s.all(m, func(flags uint16) bool {
		found = found || flags&want != 0
		return flags&not == 0
	})
	return ok && found, err
}

// IsTitle is istitle.
func IsTitle(m budget.Meter, s Str) (bool, error) {
	found, inWord := false, false
	ok, err := s.all(m, func(flags uint16) bool {
		switch {
		case flags&(upper|titlecase) != 0:
			ok := !inWord
			found, inWord = true, true
			return ok
		case flags&lower != 0:
			found = true
			return inWord
		}
		inWord = false
		return true
	})
	return ok && found, err
}

// IsIdentifier is isidentifier.
func IsIdentifier(m budget.Meter, s Str) (bool, error) {
	if s.S == "" {
		return false, nil
	}
	want := idStart
	return s.all(m, func(flags uint16) bool {
		ok := flags&want != 0
		want = idContinue
		return ok
	})
}
