package libm

import (
	"math"
	"math/big"
)

// reduce returns the quadrant of a finite x, modulo 4, and what x is away from
// that multiple of pi/2, at most pi/4.
func reduce(x float64) (double, int) {
	if math.Abs(x) < math.Pi/4 {
		return double{x, 0}, 0
	}
	if math.Abs(x) > 1<<24 {
		return reduceLarge(x)
	}
	k := math.RoundToEven(x * (2 / math.Pi))
	r := double{x, 0}.sub(twoProduct(k, halfPi1)).sub(twoProduct(k, halfPi2))
	r = r.sub(twoProduct(k, halfPi3)).sub(double{k * halfPi4, 0})
	return r, int(k) & 3
}

// reduceLarge multiplies by as many digits of 2/pi as it takes.
func reduceLarge(x float64) (double, int) {
	const digits = 4 * len(twoOverPi)
	fraction, e := math.Frexp(math.Abs(x))
	product, _ := new(big.Int).SetString(twoOverPi, 16)
	product.Mul(product, big.NewInt(int64(math.Ldexp(fraction, 53))))
	point := uint(digits + 53 - e) // bits of the product behind the point

	half := new(big.Int).Lsh(big.NewInt(1), point-1)
	product.Add(product, half) // to the nearest quadrant
	quadrant := int(new(big.Int).Rsh(product, point).Int64() & 3)
	mask := new(big.Int).Lsh(big.NewInt(1), point)
	product.And(product, mask.Sub(mask, big.NewInt(1)))
	product.Sub(product, half)

	exact := new(big.Float).SetMantExp(new(big.Float).SetPrec(uint(digits)+64).SetInt(product), -int(point))
	hi, _ := exact.Float64()
	lo, _ := exact.Sub(exact, big.NewFloat(hi)).Float64()
	r := double{hi, lo}.mul(halfPi)
	if x < 0 {
		return double{-r.hi, -r.lo}, -quadrant & 3
	}
	return r, quadrant
}

// sinCosSeries returns sine and cosine of |r| up to pi/4.
func sinCosSeries(r double) (sin, cos double) {
	square := r.mul(r)
	return r.mul(alternating(square, 1)), alternating(square, 0)
}

// alternating returns the sum of (-1)**k * square**k / (2k + first)!.
func alternating(square double, first int) double {
	const exactTerms, terms = 8, 14
	tail := 0.0
	for k := terms - 1; k >= exactTerms; k-- {
		tail = inverseFactorial[2*k+first].hi - square.hi*tail
	}
	s := double{tail, 0}
	for k := exactTerms - 1; k >= 0; k-- {
		s = inverseFactorial[2*k+first].sub(square.mul(s))
	}
	return s
}

// sinCos returns sine and cosine of a finite x.
func sinCos(x float64) (sin, cos double) {
	r, quadrant := reduce(x)
	sin, cos = sinCosSeries(r)
	if quadrant&1 != 0 {
		sin, cos = cos, double{-sin.hi, -sin.lo}
	}
	if quadrant&2 != 0 {
		return double{-sin.hi, -sin.lo}, double{-cos.hi, -cos.lo}
	}
	return sin, cos
}

const tiny = 1e-150 // below it, sin(x) is x but for rounding, and products would be subnormal

func rawSin(x float64) float64 {
	if math.Abs(x) < tiny || math.IsNaN(x) {
		return x
	}
	sin, _ := sinCos(x)
	return sin.hi
}

func rawCos(x float64) float64 {
	if math.IsNaN(x) {
		return x
	}
	_, cos := sinCos(x)
	return cos.hi
}

func rawTan(x float64) float64 {
	if math.Abs(x) < tiny || math.IsNaN(x) {
		return x
	}
	sin, cos := sinCos(x)
	return sin.div(cos).hi
}

// atan2 returns the angle of the point (x, y): math.Atan2, and a step of
// Newton's method of its error. The point must not be the origin, nor far out.
func atan2(y, x double) double {
	estimate := math.Atan2(y.hi, x.hi)
	sin, cos := sinCos(estimate)
	across := y.mul(cos).sub(x.mul(sin))
	along := x.mul(cos).add(y.mul(sin))
	return twoSum(estimate, 0).add(across.div(along))
}

func rawAtan(x float64) float64 {
	if math.Abs(x) < tiny || math.Abs(x) > 1e150 || math.IsNaN(x) {
		return math.Atan(x)
	}
	return atan2(double{x, 0}, double{1, 0}).hi
}

func rawAsin(x float64) float64 {
	if math.Abs(x) < tiny || math.IsNaN(x) {
		return x
	}
	return atan2(double{x, 0}, legOf(x)).hi
}

func rawAcos(x float64) float64 {
	if math.IsNaN(x) || x == 1 {
		return math.Acos(x)
	}
	return atan2(legOf(x), double{x, 0}).hi
}

// legOf returns the root of 1 - x**2.
func legOf(x float64) double { return twoSum(1, -x).mul(twoSum(1, x)).sqrt() }

// Atan2 returns math.atan2(y, x).
func Atan2(y, x float64) float64 {
	if x == 0 || y == 0 || math.IsNaN(x) || math.IsNaN(y) || math.IsInf(x, 0) || math.IsInf(y, 0) {
		return math.Atan2(y, x)
	}
	_, ey := math.Frexp(y)
	_, ex := math.Frexp(x)
	switch {
	case ey-ex > 110:
		return math.Copysign(math.Pi/2, y)
	case ex-ey > 110 && x < 0:
		return math.Copysign(math.Pi, y)
	case ex-ey > 110:
		return y / x
	}
	shift := -max(ex, ey)
	return atan2(double{math.Ldexp(y, shift), 0}, double{math.Ldexp(x, shift), 0}).hi
}
