// Package libm is Python's math module for floats: the C library's functions
// with their last bit, and CPython's errors.
//
// The GNU C library rounds its common functions correctly in all but a few of a
// thousand cases, and Go's math package does not. So exp, log, pow, sin and
// their kin are computed here with twice the precision, as the sum of two
// floats, and rounded once.
package libm

import "math"

// double is the unevaluated sum of two floats, hi being the sum rounded.
type double struct{ hi, lo float64 }

func twoSum(a, b float64) double {
	s := a + b
	v := s - a
	return double{s, (a - (s - v)) + (b - v)}
}

// quickSum is twoSum for |a| >= |b|.
func quickSum(a, b float64) double {
	s := a + b
	return double{s, b - (s - a)}
}

func twoProduct(a, b float64) double {
	p := a * b
	return double{p, math.FMA(a, b, -p)}
}

func (a double) add(b double) double {
	s := twoSum(a.hi, b.hi)
	t := twoSum(a.lo, b.lo)
	s = quickSum(s.hi, s.lo+t.hi)
	return quickSum(s.hi, s.lo+t.lo)
}

func (a double) sub(b double) double { return a.add(double{-b.hi, -b.lo}) }

func (a double) mul(b double) double {
	p := twoProduct(a.hi, b.hi)
	return quickSum(p.hi, p.lo+(a.hi*b.lo+a.lo*b.hi))
}

func (a double) mulFloat(b float64) double {
	p := twoProduct(a.hi, b)
	return quickSum(p.hi, math.FMA(a.lo, b, p.lo))
}

func (a double) div(b double) double {
	q := a.hi / b.hi
	r := a.sub(b.mulFloat(q))
	q2 := r.hi / b.hi
	r = r.sub(b.mulFloat(q2))
	return quickSum(q, q2).add(double{r.hi / b.hi, 0})
}

func (a double) sqrt() double {
	if a.hi <= 0 {
		return double{}
	}
	x := math.Sqrt(a.hi)
	r := a.sub(twoProduct(x, x))
	y := quickSum(x, r.hi/(2*x))
	r = a.sub(y.mul(y))
	return y.add(double{r.hi / (2 * x), 0})
}

// scale multiplies by a power of two.
func (a double) scale(n int) double {
	return double{math.Ldexp(a.hi, n), math.Ldexp(a.lo, n)}
}

// round returns the float nearest to a * 2**n, also where it is subnormal.
func (a double) round(n int) float64 {
	hi, lo := a.hi, a.lo
	_, e := math.Frexp(hi)
	if e+n >= -1021 || hi == 0 {
		return math.Ldexp(hi+lo, n)
	}
	// Below the normal floats, bits of hi are lost: round to odd first, so that
	// Ldexp, which rounds once more, sees on which side the rest is.
	if lo != 0 && math.Float64bits(hi)&1 == 0 {
		if (lo > 0) == (hi > 0) {
			hi = math.Nextafter(hi, math.Inf(int(math.Copysign(1, hi))))
		} else {
			hi = math.Nextafter(hi, 0)
		}
	}
	return math.Ldexp(hi, n)
}
