package libm

import "math"

// exp returns e**a as the product of a double and a power of two. |a| must be
// below 1e5.
func exp(a double) (double, int) {
	k := math.RoundToEven(a.hi * math.Log2E)
	r := a.sub(twoProduct(k, ln2a)).sub(twoProduct(k, ln2b)).sub(double{k * ln2c, 0})
	const halvings = 8
	s := expm1Series(double{r.hi / (1 << halvings), r.lo / (1 << halvings)})
	for range halvings { // e**2r - 1 = 2(e**r - 1) + (e**r - 1)**2
		s = double{2 * s.hi, 2 * s.lo}.add(s.mul(s))
	}
	return double{1, 0}.add(s), int(k)
}

// expm1Series returns e**r - 1 for |r| below 1/512.
func expm1Series(r double) double {
	x := r.hi
	tail := 0.0
	for n := 11; n > 5; n-- {
		tail = inverseFactorial[n].hi + x*tail
	}
	s := inverseFactorial[5].add(double{x * tail, 0})
	for n := 4; n > 0; n-- {
		s = inverseFactorial[n].add(r.mul(s))
	}
	return r.mul(s)
}

// log returns the natural logarithm of a positive finite x.
func log(x float64) double {
	if math.Abs(x-1) < 1.0/32 {
		return atanhSeries(double{x - 1, 0}.div(twoSum(x, 1)))
	}
	// One step of Newton's method, of the error of math.Log.
	m, e := math.Frexp(x)
	y := math.Log(m) + float64(e)*math.Ln2
	inverse, k := exp(double{-y, 0})
	t := inverse.mulFloat(m).scale(k + e).sub(double{1, 0})
	return twoSum(y, 0).add(t).sub(double{t.hi * t.hi / 2, 0})
}

// atanhSeries returns 2 atanh(f), which is the logarithm of (1+f)/(1-f), for
// |f| below 1/60.
func atanhSeries(f double) double {
	square := f.mul(f)
	tail := 0.0
	for n := 10; n > 4; n-- {
		tail = inverseOdd[n].hi + square.hi*tail
	}
	s := inverseOdd[4].add(double{square.hi * tail, 0})
	for n := 3; n >= 0; n-- {
		s = inverseOdd[n].add(square.mul(s))
	}
	s = f.mul(s)
	return double{2 * s.hi, 2 * s.lo}
}

const (
	maxExp = 709.79  // above it, exp overflows
	minExp = -745.14 // below it, exp is 0
)

func rawExp(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x > maxExp:
		return math.Inf(1)
	case x < minExp:
		return 0
	}
	y, k := exp(double{x, 0})
	return y.round(k)
}

func rawExp2(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x >= 1024:
		return math.Inf(1)
	case x < -1080:
		return 0
	}
	whole := math.RoundToEven(x)
	y, k := exp(ln2.mulFloat(x - whole))
	return y.round(k + int(whole))
}

func rawLog(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log(x)
	}
	return log(x).hi
}

func rawLog2(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log(x)
	}
	return log(x).mul(log2e).hi
}

// rawLog10 follows the C library, which rounds more than once here: the
// exponent apart, so that powers of ten are exact.
func rawLog10(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log(x)
	}
	const log2Hi, log2Lo = 0x1.34413509f6p-2, 0x1.9fef311f12b36p-42 // of log10(2)
	m, e := math.Frexp(x)
	if e > 0 {
		m, e = 2*m, e-1
	}
	low := float64(float64(e)*log2Lo) + float64(math.Log10E*log(m).hi)
	return low + float64(float64(e)*log2Hi)
}
