package text

import (
	"math/big"
	"strconv"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// ParseInt is int(s, base) of a str or a bytes object. Base 0 reads the base
// from the prefix.
func ParseInt(m budget.Meter, s Str, base int) (Int, error) {
	if base != 0 && (base < 2 || base > 36) {
		return Int{}, raise.Value("int() base must be >= 2 and <= 36, or 0")
	}
	t, err := numberText(m, s)
	if err != nil {
		return Int{}, err
	}
	if err := work(m, times(2, len(t))); err != nil {
		return Int{}, err
	}
	n := number{base: base}
	if !n.scan(t) {
		return Int{}, badInt(m, s, base)
	}
	return n.value(m)
}

// badInt says that s is no int; of a long one it shows the beginning.
func badInt(m budget.Meter, s Str, base int) error {
	const shown = 200
	s.S = s.S[:min(len(s.S), 4*shown)]
	r, err := Repr(m, s)
	if err != nil {
		return err
	}
	return &raise.Error{Class: "ValueError", Message: "invalid literal for int() with base " + strconv.Itoa(base) + ": " + r[:Offset(r, shown)]}
}

// numberText returns what int and float read of s: white space at the ends
// removed, and the digits of all scripts as ASCII ones. What is neither becomes
// '?', as it is no part of a number.
func numberText(m budget.Meter, s Str) (string, error) {
	from, err := StripSpace(m, s, Both)
	if err != nil || s.Flat {
		return from, err
	}
	return mapRunes(m, from, func(b *builder, _ int, r rune) {
		rec := recordFor(r)
		switch {
		case r < 0x80:
			b.WriteByte(byte(r))
		case rec.flags&decimal != 0:
			b.WriteByte('0' + rec.value)
		case rec.flags&space != 0:
			b.WriteByte(' ')
		default:
			b.WriteByte('?')
		}
	})
}

// number is the text of an int taken apart.
type number struct {
	base     int
	negative bool
	digits   string // with underscores
	count    int    // of digits
}

// scan reports whether t is an int in n.base, and takes it apart.
func (n *number) scan(t string) bool {
	t, n.negative = cutSign(t)
	prefixed := false
	if base := prefixBase(t); base != 0 && (n.base == 0 || n.base == base) {
		n.base, prefixed = base, true
		if t = t[2:]; t != "" && t[0] == '_' {
			t = t[1:]
		}
	}
	plainZero := n.base == 0
	if plainZero {
		n.base = 10
	}
	if !n.scanDigits(t) {
		return false
	}
	// 010 could be meant as octal: without a base only zero may begin with 0.
	return prefixed || !plainZero || t[0] != '0' || zeros(t)
}

func cutSign(t string) (string, bool) {
	if t != "" && (t[0] == '-' || t[0] == '+') {
		return t[1:], t[0] == '-'
	}
	return t, false
}

func prefixBase(t string) int {
	if len(t) < 2 || t[0] != '0' {
		return 0
	}
	switch t[1] {
	case 'x', 'X':
		return 16
	case 'o', 'O':
		return 8
	case 'b', 'B':
		return 2
	}
	return 0
}

func zeros(t string) bool {
	for i := 0; i < len(t); i++ {
		if t[i] != '0' && t[i] != '_' {
			return false
		}
	}
	return true
}

// scanDigits counts the digits of t, between which single underscores may be.
func (n *number) scanDigits(t string) bool {
	after := byte('_')
	for i := 0; i < len(t); i++ {
		c := t[i]
		if c == '_' && after == '_' {
			return false
		}
		if d, ok := digitOf(c); c != '_' && (!ok || d >= n.base) {
			return false
		} else if c != '_' {
			n.count++
		}
		after = c
	}
	n.digits = t
	return after != '_'
}

// value returns the int that has been scanned.
func (n *number) value(m budget.Meter) (Int, error) {
	power := n.base&(n.base-1) == 0
	if !power && n.count > maxDigits {
		return Int{}, raise.Value("Exceeds the limit (%d digits) for integer string conversion: "+
			"value has %d digits; use sys.set_int_max_str_digits() to increase the limit", maxDigits, n.count)
	}
	if err := alloc(m, len(n.digits)); err != nil {
		return Int{}, err
	}
	plain := make([]byte, 0, n.count+1)
	if n.negative {
		plain = append(plain, '-')
	}
	for i := 0; i < len(n.digits); i++ {
		if n.digits[i] != '_' {
			plain = append(plain, n.digits[i])
		}
	}
	if small, err := strconv.ParseInt(string(plain), n.base, 64); err == nil {
		return Int{Small: small}, nil
	}
	if power {
		return n.packed(m, plain[len(plain)-n.count:])
	}
	if err := work(m, len(plain)*len(plain)/8); err != nil {
		return Int{}, err
	}
	v, _ := new(big.Int).SetString(string(plain), n.base)
	return fit(v), nil
}

// packed puts digits of a base that is a power of two together bit by bit, in
// linear time however many they are.
func (n *number) packed(m budget.Meter, digits []byte) (Int, error) {
	width := 0
	for 1<<width < n.base {
		width++
	}
	size := (len(digits)*width + 7) / 8
	if err := alloc(m, times(3, size)); err != nil {
		return Int{}, err
	}
	if err := work(m, 8*len(digits)); err != nil {
		return Int{}, err
	}
	out := make([]byte, size)
	for i, bit := len(digits)-1, 0; i >= 0; i, bit = i-1, bit+width {
		d, _ := digitOf(digits[i])
		at := size - 1 - bit/8
		wide := d << (bit % 8)
		out[at] |= byte(wide)
		if wide > 0xFF {
			out[at-1] |= byte(wide >> 8)
		}
	}
	v := new(big.Int).SetBytes(out)
	if n.negative {
		v.Neg(v)
	}
	return fit(v), nil
}

// fit returns v, small when it fits.
func fit(v *big.Int) Int {
	if v.IsInt64() {
		return Int{Small: v.Int64()}
	}
	return Int{Big: v}
}
