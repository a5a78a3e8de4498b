package libm

import "math"

// RawPow returns C's pow(x, y): infinite where the result is too large, NaN
// where it is not real.
func RawPow(x, y float64) float64 {
	switch {
	case y == 2:
		return x * x
	case y == 1:
		return x
	case y == -1:
		return 1 / x
	case x == 0 || x == 1 || y == 0 || math.IsNaN(x) || math.IsNaN(y) || math.IsInf(x, 0) || math.IsInf(y, 0):
		return math.Pow(x, y)
	}
	if x > 0 {
		return powPositive(x, y)
	}
	if y != math.Trunc(y) {
		return math.NaN()
	}
	r := powPositive(-x, y)
	if math.Mod(y, 2) != 0 {
		return -r
	}
	return r
}

func powPositive(x, y float64) float64 {
	if y == 0.5 {
		return math.Sqrt(x)
	}
	if n := math.Abs(y); n <= 64 && n == math.Trunc(n) {
		if r, ok := powWhole(x, int(n), y < 0); ok {
			return r
		}
	}
	l := log(x)
	if estimate := l.hi * y; estimate > maxExp+1 || estimate < minExp-1 {
		return math.Exp(estimate)
	}
	z, k := exp(l.mulFloat(y))
	return z.round(k)
}

// powWhole multiplies, as long as all is far from the ends of the floats.
func powWhole(x float64, n int, inverse bool) (float64, bool) {
	r, square := double{1, 0}, double{x, 0}
	for ; ; square = square.mul(square) {
		if !safe(square.hi) {
			return 0, false
		}
		if n&1 != 0 {
			r = r.mul(square)
		}
		if n >>= 1; n == 0 {
			break
		}
	}
	if !safe(r.hi) {
		return 0, false
	}
	if inverse {
		r = double{1, 0}.div(r)
	}
	return r.hi, true
}

func safe(x float64) bool { return 1e-250 < x && x < 1e250 }
