package text

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// The functions that append format by the specs that most programs use, without
// memory of their own. They report false, with nothing of use in the buffer, for
// everything else: the functions that are named like the types format it all.

// The largest numbers in a spec that the functions that append take.
const (
	shortWidth     = 100
	shortPrecision = 30
)

// ShortResult is how many bytes a function that appends adds at most to those
// of the str that it formats.
const ShortResult = 200

// Padding returns the spec of a width, with blanks on the left unless left says
// that the value goes there, or with zeros.
func Padding(width int, left, zeros bool) Spec {
	s := Spec{fill: ' ', align: '>', width: width, precision: -1}
	switch {
	case left:
		s.align = '<'
	case zeros:
		s.fill, s.align = '0', '='
	}
	return s
}

// Fixed returns s with a number of digits after the point.
func (s Spec) Fixed(precision int) Spec {
	s.kind, s.precision = 'f', precision
	return s
}

// Based returns s with the base of a kind: d, x or o.
func (s Spec) Based(kind byte) Spec {
	s.kind = rune(kind)
	return s
}

// short reports whether s is for the functions that append.
func (s *Spec) short() bool {
	return s.width <= shortWidth && s.precision <= shortPrecision && s.fill < utf8.RuneSelf && !s.alternate && !s.noNegZero
}

// AppendStr appends an ASCII str.
func (s *Spec) AppendStr(b []byte, t string) ([]byte, bool) {
	if !s.short() || s.kind != 0 && s.kind != 's' || s.sign != 0 || s.grouping != 0 || s.align == '=' {
		return b, false
	}
	if s.precision >= 0 && s.precision < len(t) {
		t = t[:s.precision]
	}
	left, right := 0, 0
	if lack := s.width - len(t); lack > 0 && s.align == 0 {
		right = lack
	} else if lack > 0 {
		left, right = s.sides(lack)
	}
	b = append(appendFill(b, s.fill, left), t...)
	return appendFill(b, s.fill, right), true
}

// AppendInt appends an int.
func (s *Spec) AppendInt(b []byte, n int64) ([]byte, bool) {
	base := 10
	switch s.kind {
	case 0, 'd':
	case 'b':
		base = 2
	case 'o':
		base = 8
	case 'x':
		base = 16
	default:
		return b, false
	}
	if !s.short() || s.precision >= 0 || s.grouping != 0 && base != 10 {
		return b, false
	}
	size := uint64(n)
	if n < 0 {
		size = -size
	}
	var buffer [64]byte
	return s.appendNumber(b, strconv.AppendUint(buffer[:0], size, base), "", n < 0)
}

// AppendFloat appends a float.
func (s *Spec) AppendFloat(b []byte, f float64) ([]byte, bool) {
	const far = 1e30
	kind, precision, end := byte('f'), s.precision, ""
	switch s.kind {
	case 'f', 'F':
	case 'e':
		kind = 'e'
	case '%':
		f, end = f*100, "%"
	default:
		return b, false
	}
	if !s.short() || !(math.Abs(f) < far) {
		return b, false
	}
	if precision < 0 {
		precision = 6
	}
	var buffer [64 + shortPrecision]byte
	digits := strconv.AppendFloat(buffer[:0], math.Abs(f), kind, precision, 64)
	return s.appendNumber(b, digits, end, math.Signbit(f))
}

// appendNumber puts the sign, separators and padding to the digits of a number,
// in which a point or an exponent may follow.
func (s *Spec) appendNumber(b, digits []byte, end string, negative bool) ([]byte, bool) {
	const group = 3
	p := *s
	if p.align == 0 {
		p.align = '>'
		if p.zeros {
			p.align = '='
		}
	}
	whole, separators := len(digits), 0
	if p.grouping != 0 {
		if p.align == '=' {
			return b, false
		}
		whole = wholeDigits(digits)
		separators = (whole - 1) / group
	}
	total := len(digits) + separators + len(end)
	switch {
	case negative:
		p.sign = '-'
		total++
	case p.sign == '+' || p.sign == ' ':
		total++
	default:
		p.sign = 0
	}
	left, inside, right := 0, 0, 0
	if lack := p.width - total; lack > 0 && p.align == '=' {
		inside = lack
	} else if lack > 0 {
		left, right = p.sides(lack)
	}
	b = appendFill(b, p.fill, left)
	if p.sign != 0 {
		b = append(b, p.sign)
	}
	b = appendFill(b, p.fill, inside)
	for i, c := range digits[:whole] {
		if separators > 0 && i > 0 && (whole-i)%group == 0 {
			b = append(b, p.grouping)
		}
		b = append(b, c)
	}
	b = append(append(b, digits[whole:]...), end...)
	return appendFill(b, p.fill, right), true
}

func wholeDigits(b []byte) int {
	n := 0
	for n < len(b) && '0' <= b[n] && b[n] <= '9' {
		n++
	}
	return n
}

func appendFill(b []byte, fill rune, n int) []byte {
	for ; n > 0; n-- {
		b = append(b, byte(fill))
	}
	return b
}
