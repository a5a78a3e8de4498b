package text

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// FloatRepr is repr and str of a float: the shortest text that reads back as the
// same float, with an exponent below 1e-4 and from 1e16 on.
func FloatRepr(f float64) string { return string(AppendFloat(nil, f)) }

// AppendFloat appends FloatRepr of f.
func AppendFloat(b []byte, f float64) []byte {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return append(strconv.AppendFloat(b, f, 'f', 0, 64), ".0"...)
	}
	switch {
	case math.IsNaN(f):
		return append(b, "nan"...)
	case math.IsInf(f, 1):
		return append(b, "inf"...)
	case math.IsInf(f, -1):
		return append(b, "-inf"...)
	}
	if abs := math.Abs(f); 1e-4 <= abs && abs < 1e16 {
		from := len(b)
		b = strconv.AppendFloat(b, f, 'f', -1, 64)
		if bytes.IndexByte(b[from:], '.') < 0 {
			b = append(b, ".0"...)
		}
		return b
	}
	return strconv.AppendFloat(b, f, 'e', -1, 64)
}

// IsInteger is float.is_integer.
func IsInteger(f float64) bool { return f == math.Trunc(f) && !math.IsInf(f, 0) }

// IntegerRatio is float.as_integer_ratio. It makes at most 2200 bits.
func IntegerRatio(f float64) (num, den Int, err error) {
	if math.IsNaN(f) {
		return Int{}, Int{}, raise.Value("cannot convert NaN to integer ratio")
	}
	if math.IsInf(f, 0) {
		return Int{}, Int{}, raise.Overflow("cannot convert Infinity to integer ratio")
	}
	r := new(big.Rat).SetFloat64(f)
	return fit(r.Num()), fit(r.Denom()), nil
}

// FloatToInt is int of a float, cut towards zero.
func FloatToInt(f float64) (Int, error) {
	if math.IsNaN(f) {
		return Int{}, raise.Value("cannot convert float NaN to integer")
	}
	if math.IsInf(f, 0) {
		return Int{}, raise.Overflow("cannot convert float infinity to integer")
	}
	if math.Abs(f) < 1<<62 {
		return Int{Small: int64(f)}, nil
	}
	v, _ := big.NewFloat(f).Int(nil)
	return fit(v), nil
}

// RoundToInt is round(f) without digits: to the nearest int, half to even.
func RoundToInt(f float64) (Int, error) { return FloatToInt(math.RoundToEven(f)) }

// Round is round(f, digits): correctly rounded from the exact value, half to
// even.
func Round(f float64, digits int) (float64, error) {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0) || f == 0 || digits > 323:
		return f, nil
	case digits < -308:
		return math.Copysign(0, f), nil
	case digits >= 0:
		r, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'f', digits, 64), 64)
		return r, nil
	}
	return roundTens(f, -digits)
}

// roundTens rounds to a multiple of a power of ten. The digits of 'e' stand for
// the exact value and are cut where that power ends.
func roundTens(f float64, power int) (float64, error) {
	exact := strconv.FormatFloat(f, 'e', 800, 64)
	mantissa, tail, _ := strings.Cut(exact, "e")
	exponent, _ := strconv.Atoi(tail)
	if exponent < power-1 {
		return math.Copysign(0, f), nil
	}
	var r float64
	if exponent == power-1 { // rounds to nothing or to one unit
		mantissa = strings.TrimPrefix(mantissa, "-")
		if mantissa <= "5."+strings.Repeat("0", 800) {
			return math.Copysign(0, f), nil
		}
		r, _ = strconv.ParseFloat("1e"+strconv.Itoa(power), 64)
		r = math.Copysign(r, f)
	} else {
		r, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'e', exponent-power, 64), 64)
	}
	if math.IsInf(r, 0) {
		return 0, raise.Overflow("rounded value too large to represent")
	}
	return r, nil
}
