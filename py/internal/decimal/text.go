package decimal

import (
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// String returns str(d).
func (d *Decimal) String(m budget.Meter) (string, error) { return d.scientific(m, false) }

// EngString returns d.to_eng_string(): with an exponent that is a multiple of
// three.
func (d *Decimal) EngString(m budget.Meter) (string, error) { return d.scientific(m, true) }

// Tuple returns the parts of d.as_tuple(). kind is 0 for a number, or the letter
// that stands in place of the exponent: 'F', 'n' or 'N'.
func (d *Decimal) Tuple(m budget.Meter) (negative bool, digits string, exp int64, kind byte, err error) {
	if d.form == infinite {
		return d.negative, "0", 0, 'F', nil
	}
	if d.isNaN() && d.coef.Sign() == 0 {
		return d.negative, "", 0, d.letter(), nil
	}
	digits, err = text(m, d.coef)
	return d.negative, digits, d.exp, d.letter(), err
}

func (d *Decimal) letter() byte {
	switch d.form {
	case quiet:
		return 'n'
	case signaling:
		return 'N'
	}
	return 0
}

func (d *Decimal) minus() string {
	if d.negative {
		return "-"
	}
	return ""
}

// special returns the text of what is not finite, without its sign.
func (d *Decimal) special(m budget.Meter) (string, error) {
	name := "NaN"
	switch d.form {
	case infinite:
		return "Infinity", nil
	case signaling:
		name = "sNaN"
	}
	if d.coef.Sign() == 0 {
		return name, nil
	}
	payload, err := text(m, d.coef)
	return name + payload, err
}

func (d *Decimal) scientific(m budget.Meter, engineering bool) (string, error) {
	if d.isSpecial() {
		s, err := d.special(m)
		return d.minus() + s, err
	}
	s, err := text(m, d.coef)
	if err != nil {
		return "", err
	}
	left := d.exp + int64(len(s)) // digits left of the point, without an exponent
	point := left
	if d.exp > 0 || left <= -6 {
		point = 1
		if engineering {
			point = engineeringPoint(left, d.isZero())
		}
	}
	if err := m.Alloc(len(s) + 32); err != nil {
		return "", err
	}
	s = d.minus() + withPoint(s, point)
	if left == point {
		return s, nil
	}
	return s + exponent("E", left-point), nil
}

// engineeringPoint returns how many digits go left of the point, so that the
// exponent is a multiple of three.
func engineeringPoint(left int64, zero bool) int64 {
	if zero {
		return modulo(left+1, 3) - 1
	}
	return modulo(left-1, 3) + 1
}

func modulo(a, b int64) int64 { return ((a % b) + b) % b }

// exponent writes an exponent with its sign.
func exponent(letter string, n int64) string {
	if n < 0 {
		return letter + strconv.FormatInt(n, 10)
	}
	return letter + "+" + strconv.FormatInt(n, 10)
}

// withPoint puts the point behind so many digits, and zeros where there are none.
func withPoint(s string, point int64) string {
	switch {
	case point <= 0:
		return "0." + strings.Repeat("0", int(-point)) + s
	case point >= int64(len(s)):
		return s + strings.Repeat("0", int(point)-len(s))
	}
	return s[:point] + "." + s[point:]
}
