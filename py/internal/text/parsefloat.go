package text

import (
	"math"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// ParseFloat is float(s) of a str or a bytes object.
func ParseFloat(m budget.Meter, s Str) (float64, error) {
	t, err := numberText(m, s)
	if err != nil {
		return 0, err
	}
	if err := work(m, times(4, len(t))); err != nil {
		return 0, err
	}
	if f, ok := special(t); ok {
		return f, nil
	}
	if !floatSyntax(t) {
		return 0, badFloat(m, s)
	}
	if strings.Contains(t, "_") {
		if err := alloc(m, len(t)); err != nil {
			return 0, err
		}
		t = strings.ReplaceAll(t, "_", "")
	}
	if len(t) > plainFloat {
		if err := alloc(m, 2*len(t)); err != nil {
			return 0, err
		}
		t = scaledFloat(t)
	}
	f, _ := strconv.ParseFloat(t, 64) // beyond the range it is an infinity, as in Python
	return f, nil
}

// plainFloat is a length up to which strconv can count the digits of a number
// and of its exponent. It takes an exponent beyond 10000 for 10000.
const plainFloat = 1000

// farPoint is where a point is so far from the first digit that the number is
// an infinity, or 0.
const farPoint = 400

// scaledFloat writes a number with its point before the first digit that is
// not 0.
func scaledFloat(t string) string {
	number, sign := t, ""
	if number[0] == '-' || number[0] == '+' {
		sign, number = number[:1], number[1:]
	}
	exponent := 0
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		exponent, number = cappedInt(number[i+1:]), number[:i]
	}
	whole, fraction, _ := strings.Cut(number, ".")
	digits := whole + fraction
	first := strings.TrimLeft(digits, "0")
	point := exponent + len(whole) - (len(digits) - len(first))
	point = max(-farPoint, min(point, farPoint))
	return sign + "0." + first + "e" + strconv.Itoa(point)
}

// cappedInt reads an int, and takes one that is beyond 64 bits for a large one.
func cappedInt(t string) int {
	n, _ := strconv.Atoi(t)
	return max(-math.MaxInt64/2, min(n, math.MaxInt64/2))
}

func badFloat(m budget.Meter, s Str) error {
	r, err := Repr(m, s)
	if err != nil {
		return err
	}
	return raise.Value("could not convert string to float: %s", r)
}

// special reads the names of what is no finite number.
func special(t string) (float64, bool) {
	t, negative := cutSign(t)
	sign := 1
	if negative {
		sign = -1
	}
	switch {
	case strings.EqualFold(t, "inf"), strings.EqualFold(t, "infinity"):
		return math.Inf(sign), true
	case strings.EqualFold(t, "nan"):
		return math.Copysign(math.NaN(), float64(sign)), true
	}
	return 0, false
}

// floatSyntax reports whether t is a decimal number: digits, a point, an
// exponent, and single underscores between digits.
func floatSyntax(t string) bool {
	t, _ = cutSign(t)
	whole, t := cutDigits(t)
	fraction := 0
	if t != "" && t[0] == '.' {
		fraction, t = cutDigits(t[1:])
	}
	if whole < 0 || fraction < 0 || whole+fraction == 0 {
		return false
	}
	if t == "" {
		return true
	}
	if t[0] != 'e' && t[0] != 'E' {
		return false
	}
	t, _ = cutSign(t[1:])
	exponent, t := cutDigits(t)
	return exponent > 0 && t == ""
}

// cutDigits cuts digits and the underscores between them from the beginning of
// t, and counts them: -1 when an underscore is not between two digits.
func cutDigits(t string) (int, string) {
	i := 0
	for ; i < len(t) && (t[i] == '_' || '0' <= t[i] && t[i] <= '9'); i++ {
		if t[i] == '_' && (i == 0 || t[i-1] == '_') {
			return -1, t
		}
	}
	if i > 0 && t[i-1] == '_' {
		return -1, t
	}
	return i, t[i:]
}
