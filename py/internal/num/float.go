package num

import (
	"math"

	"github.com/glovebox-dev/glovebox/py/internal/libm"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// DivFloat returns a / b.
func DivFloat(a, b float64) (float64, error) {
	if b == 0 {
		return 0, raise.ZeroDivision("float division by zero")
	}
	return a / b, nil
}

// FloorDivFloat returns a // b.
func FloorDivFloat(a, b float64) (float64, error) {
	if b == 0 {
		return 0, raise.ZeroDivision("float floor division by zero")
	}
	q, _ := divModFloat(a, b)
	return q, nil
}

// ModFloat returns a % b, which has the sign of b.
func ModFloat(a, b float64) (float64, error) {
	if b == 0 {
		return 0, raise.ZeroDivision("float modulo")
	}
	_, r := divModFloat(a, b)
	return r, nil
}

// DivModFloat returns divmod(a, b).
func DivModFloat(a, b float64) (q, r float64, err error) {
	if b == 0 {
		return 0, 0, raise.ZeroDivision("float divmod()")
	}
	q, r = divModFloat(a, b)
	return q, r, nil
}

func divModFloat(a, b float64) (q, r float64) {
	r = libm.Mod(a, b)
	q = (a - r) / b
	switch {
	case r == 0:
		r = math.Copysign(0, b)
	case (b < 0) != (r < 0):
		r += b
		q--
	}
	if q == 0 {
		return math.Copysign(0, a/b), r
	}
	floor := math.Floor(q)
	if q-floor > 0.5 { // q is an integer but for the rounding of its division
		floor++
	}
	return floor, r
}

// PowFloat returns a ** b. Where CPython returns a complex number, for a
// fractional power of a negative number, it is a ValueError.
func PowFloat(a, b float64) (float64, error) {
	if a == 0 && b < 0 && !math.IsInf(b, 0) {
		return 0, raise.ZeroDivision("0.0 cannot be raised to a negative power")
	}
	if a < 0 && !math.IsInf(a, 0) && !math.IsInf(b, 0) && b != math.Floor(b) {
		if math.IsNaN(b) {
			return b, nil
		}
		return 0, raise.Value("negative number cannot be raised to a fractional power: complex numbers are not supported")
	}
	r := libm.RawPow(a, b)
	if math.IsInf(r, 0) && !math.IsInf(a, 0) && !math.IsInf(b, 0) {
		return 0, raise.Overflow("(34, 'Numerical result out of range')")
	}
	return r, nil
}
