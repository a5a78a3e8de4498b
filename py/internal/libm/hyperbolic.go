package libm

import "math"

// The formulas are those of the C library, which rounds these functions less
// well than exp and log.

const far = 22 // beyond it, e**-x is lost beside e**x

func rawSinh(x float64) float64 {
	a := math.Abs(x)
	half := math.Copysign(0.5, x)
	switch {
	case a < 0x1p-28 || math.IsNaN(x):
		return x
	case a < 1:
		t := math.Expm1(a)
		return half * (2*t - float64(t*t)/(t+1))
	case a < far:
		t := math.Expm1(a)
		return half * (t + t/(t+1))
	case a < 709.7:
		return half * rawExp(a)
	}
	w := rawExp(a / 2)
	return half * w * w
}

func rawCosh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case math.IsNaN(x):
		return x
	case a < math.Ln2/2:
		t := math.Expm1(a)
		w := 1 + t
		if a < 0x1p-55 {
			return w
		}
		return 1 + float64(t*t)/(w+w)
	case a < far:
		t := rawExp(a)
		return float64(t/2) + 0.5/t
	case a < 709.7:
		return 0.5 * rawExp(a)
	}
	w := rawExp(a / 2)
	return 0.5 * w * w
}

func rawTanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-55 || math.IsNaN(x):
		return x
	case a < 1:
		t := math.Expm1(-2 * a)
		return math.Copysign(-t/(t+2), x)
	case a < far:
		t := math.Expm1(2 * a)
		return math.Copysign(1-2/(t+2), x)
	}
	return math.Copysign(1, x)
}

func rawAsinh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-28 || math.IsNaN(x) || math.IsInf(x, 0):
		return x
	case a > 0x1p28:
		return math.Copysign(rawLog(a)+math.Ln2, x)
	case a > 2:
		return math.Copysign(rawLog(float64(2*a)+1/(math.Sqrt(float64(x*x)+1)+a)), x)
	}
	t := x * x
	return math.Copysign(math.Log1p(a+t/(1+math.Sqrt(1+t))), x)
}

func rawAcosh(x float64) float64 {
	switch {
	case x < 1 || math.IsNaN(x):
		return math.NaN()
	case x > 0x1p28:
		return rawLog(x) + math.Ln2
	case x > 2:
		t := x * x
		return rawLog(float64(2*x) - 1/(x+math.Sqrt(t-1)))
	}
	t := x - 1
	return math.Log1p(t + math.Sqrt(float64(2*t)+float64(t*t)))
}

func rawAtanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-28 || math.IsNaN(x) || a > 1:
		return math.Atanh(x)
	case a < 0.5:
		t := a + a
		return math.Copysign(0.5*math.Log1p(t+float64(t*a)/(1-a)), x)
	}
	return math.Copysign(0.5*math.Log1p((a+a)/(1-a)), x)
}

// rawCbrt is rounded correctly but for a few of a million cases; the C library
// is off by one in the last bit now and then.
func rawCbrt(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	return math.Cbrt(x)
}
