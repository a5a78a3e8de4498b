package libm

import (
	"math"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

func errDomain() error { return raise.Value("math domain error") }
func errRange() error  { return raise.Overflow("math range error") }

// overflowing checks the result of a function that may be too large for a
// float: NaN from a number is a domain error, infinity from a finite number a
// range error.
func overflowing(x, r float64) (float64, error) {
	if math.IsInf(r, 0) && !math.IsInf(x, 0) && !math.IsNaN(x) {
		return 0, errRange()
	}
	return bounded(x, r)
}

// bounded checks the result of a function that is infinite at poles only.
func bounded(x, r float64) (float64, error) {
	if math.IsNaN(r) && !math.IsNaN(x) || math.IsInf(r, 0) && !math.IsInf(x, 0) {
		return 0, errDomain()
	}
	return r, nil
}

// Sqrt returns math.sqrt(x).
func Sqrt(x float64) (float64, error) { return bounded(x, math.Sqrt(x)) }

// Cbrt returns math.cbrt(x).
func Cbrt(x float64) float64 { return rawCbrt(x) }

// Exp returns math.exp(x).
func Exp(x float64) (float64, error) { return overflowing(x, rawExp(x)) }

// Exp2 returns math.exp2(x).
func Exp2(x float64) (float64, error) { return overflowing(x, rawExp2(x)) }

// Expm1 returns math.expm1(x).
func Expm1(x float64) (float64, error) {
	if x > 709 { // math.Expm1 overflows too early
		return Exp(x)
	}
	return math.Expm1(x), nil
}

// Log returns math.log(x).
func Log(x float64) (float64, error) { return bounded(x, rawLog(x)) }

// Log2 returns math.log2(x).
func Log2(x float64) (float64, error) { return bounded(x, rawLog2(x)) }

// Log10 returns math.log10(x).
func Log10(x float64) (float64, error) { return bounded(x, rawLog10(x)) }

// Log1p returns math.log1p(x).
func Log1p(x float64) (float64, error) { return bounded(x, math.Log1p(x)) }

// Sin returns math.sin(x).
func Sin(x float64) (float64, error) { return circular(x, rawSin) }

// Cos returns math.cos(x).
func Cos(x float64) (float64, error) { return circular(x, rawCos) }

// Tan returns math.tan(x).
func Tan(x float64) (float64, error) { return circular(x, rawTan) }

func circular(x float64, f func(float64) float64) (float64, error) {
	if math.IsInf(x, 0) {
		return 0, errDomain()
	}
	return f(x), nil
}

// Asin returns math.asin(x).
func Asin(x float64) (float64, error) { return arc(x, rawAsin) }

// Acos returns math.acos(x).
func Acos(x float64) (float64, error) { return arc(x, rawAcos) }

func arc(x float64, f func(float64) float64) (float64, error) {
	if math.Abs(x) > 1 {
		return 0, errDomain()
	}
	return f(x), nil
}

// Atan returns math.atan(x).
func Atan(x float64) float64 { return rawAtan(x) }

// Sinh returns math.sinh(x).
func Sinh(x float64) (float64, error) { return overflowing(x, rawSinh(x)) }

// Cosh returns math.cosh(x).
func Cosh(x float64) (float64, error) { return overflowing(x, rawCosh(x)) }

// Tanh returns math.tanh(x).
func Tanh(x float64) float64 { return rawTanh(x) }

// Asinh returns math.asinh(x).
func Asinh(x float64) float64 { return rawAsinh(x) }

// Acosh returns math.acosh(x).
func Acosh(x float64) (float64, error) { return bounded(x, rawAcosh(x)) }

// Atanh returns math.atanh(x).
func Atanh(x float64) (float64, error) { return bounded(x, rawAtanh(x)) }

// Erf returns math.erf(x).
func Erf(x float64) float64 { return math.Erf(x) }

// Erfc returns math.erfc(x).
func Erfc(x float64) float64 { return math.Erfc(x) }

// Pow returns math.pow(x, y).
func Pow(x, y float64) (float64, error) {
	r := RawPow(x, y)
	if math.IsInf(x, 0) || math.IsInf(y, 0) || math.IsNaN(x) || math.IsNaN(y) {
		return r, nil
	}
	if math.IsNaN(r) || math.IsInf(r, 0) && x == 0 {
		return 0, errDomain()
	}
	if math.IsInf(r, 0) {
		return 0, errRange()
	}
	return r, nil
}

// Fmod returns math.fmod(x, y).
func Fmod(x, y float64) (float64, error) {
	if math.IsInf(y, 0) && !math.IsInf(x, 0) && !math.IsNaN(x) {
		return x, nil
	}
	return pairBounded(x, y, Mod(x, y))
}

// Remainder returns math.remainder(x, y).
func Remainder(x, y float64) (float64, error) {
	return pairBounded(x, y, math.Remainder(x, y))
}

func pairBounded(x, y, r float64) (float64, error) {
	if math.IsNaN(r) && !math.IsNaN(x) && !math.IsNaN(y) {
		return 0, errDomain()
	}
	return r, nil
}

// Ldexp returns math.ldexp(x, n). An n beyond the int64s is given as the
// nearest of these.
func Ldexp(x float64, n int64) (float64, error) {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x, nil
	}
	r := math.Ldexp(x, int(max(min(n, 5000), -5000)))
	if math.IsInf(r, 0) {
		return 0, errRange()
	}
	return r, nil
}

// Nextafter returns math.nextafter(x, y).
func Nextafter(x, y float64) float64 {
	if x == y {
		return y
	}
	return math.Nextafter(x, y)
}

// Ulp returns math.ulp(x).
func Ulp(x float64) float64 {
	x = math.Abs(x)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return x
	}
	if next := math.Nextafter(x, math.Inf(1)); !math.IsInf(next, 0) {
		return next - x
	}
	return x - math.Nextafter(x, 0)
}

// Degrees returns math.degrees(x).
func Degrees(x float64) float64 { return x * (180 / math.Pi) }

// Radians returns math.radians(x).
func Radians(x float64) float64 { return x * (math.Pi / 180) }

// IsClose returns math.isclose(a, b, rel_tol=relative, abs_tol=absolute).
func IsClose(a, b, relative, absolute float64) (bool, error) {
	if relative < 0 || absolute < 0 {
		return false, raise.Value("tolerances must be non-negative")
	}
	if a == b {
		return true, nil
	}
	if math.IsInf(a, 0) || math.IsInf(b, 0) {
		return false, nil
	}
	diff := math.Abs(b - a)
	return diff <= math.Abs(relative*b) || diff <= math.Abs(relative*a) || diff <= absolute, nil
}

// Mod returns C's fmod(x, y): the exact rest, with the sign of x.
func Mod(x, y float64) float64 {
	if math.Abs(x) < 1<<53 && math.Abs(y) < 1<<53 && x == math.Trunc(x) && y == math.Trunc(y) && y != 0 {
		return math.Copysign(float64(int64(x)%int64(y)), x)
	}
	return math.Mod(x, y)
}
