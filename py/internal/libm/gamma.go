package libm

import "math"

// Gamma and LGamma are computed as CPython does, by the approximation of
// Lanczos with the coefficients for g = 6.0246800407767296 and 13 terms.
const (
	lanczosG = 6.024680040776729583740234375
	gMinus   = lanczosG - 0.5
	logPi    = 1.144729885849400174143427351353058711647
)

var (
	lanczosNum = [13]float64{
		23531376880.410759688572007674451636754734846804940,
		42919803642.649098768957899047001988850926355848959,
		35711959237.355668049440185451547166705960488635843,
		17921034426.037209699919755754458931112671403265390,
		6039542586.3520280050642916443072979210699388420708,
		1439720407.3117216736632230727949123939715485786372,
		248874557.86205415651146038641322942321632125127801,
		31426415.585400194380614231628318205362874684987640,
		2876370.6289353724412254090516208496135991145378768,
		186056.26539522349504029498971604569928220784236328,
		8071.6720023658162106380029022722506138218516325024,
		210.82427775157934587250973392071336271166969580291,
		2.5066282746310002701649081771338373386264310793408,
	}
	lanczosDen = [13]float64{
		0, 39916800, 120543840, 150917976, 105258076, 45995730, 13339535, 2637558, 357423, 32670, 1925, 66, 1,
	}
)

// lanczos evaluates the rational function at a positive x, from the end at
// which powers of x are small.
func lanczos(x float64) float64 {
	num, den := 0.0, 0.0
	if x < 5 {
		for i := len(lanczosNum) - 1; i >= 0; i-- {
			num = float64(num*x) + lanczosNum[i]
			den = float64(den*x) + lanczosDen[i]
		}
		return num / den
	}
	for i := range lanczosNum {
		num = num/x + lanczosNum[i]
		den = den/x + lanczosDen[i]
	}
	return num / den
}

// sinPi returns sin(pi x).
func sinPi(x float64) float64 {
	y := math.Mod(math.Abs(x), 2)
	r := 0.0
	switch int(math.Round(2 * y)) {
	case 0:
		r = rawSin(math.Pi * y)
	case 1:
		r = rawCos(math.Pi * (y - 0.5))
	case 2:
		r = rawSin(math.Pi * (1 - y))
	case 3:
		r = -rawCos(math.Pi * (y - 1.5))
	case 4:
		r = rawSin(math.Pi * (y - 2))
	}
	return math.Copysign(1, x) * r
}

// Gamma returns math.gamma(x).
func Gamma(x float64) (float64, error) {
	if math.IsNaN(x) || math.IsInf(x, 1) {
		return x, nil
	}
	if x == 0 || x < 0 && x == math.Floor(x) { // -inf is a pole too
		return 0, errDomain()
	}
	return overflowing(x, gamma(x))
}

func gamma(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x == math.Floor(x) && x <= 23: // exact
		r := 1.0
		for i := 2.0; i < x; i++ {
			r *= i
		}
		return r
	case a < 1e-20:
		return 1 / x
	case a > 200 && x < 0:
		return math.Copysign(0, sinPi(x))
	case a > 200:
		return math.Inf(1)
	}
	y := a + gMinus
	z := gammaError(a, y) * lanczosG / y
	var r float64
	if x < 0 {
		r = -math.Pi / sinPi(a) / a * rawExp(y) / lanczos(a)
		r -= float64(z * r)
		return scaleGamma(r, y, a, true)
	}
	r = lanczos(a) / rawExp(y)
	r += float64(z * r)
	return scaleGamma(r, y, a, false)
}

// gammaError returns what was lost when y = a + gMinus was rounded.
func gammaError(a, y float64) float64 {
	if a > gMinus {
		q := y - a
		return q - gMinus
	}
	q := y - gMinus
	return q - a
}

// scaleGamma multiplies or divides by y**(a-1/2), in two steps where one could
// overflow.
func scaleGamma(r, y, a float64, divide bool) float64 {
	power, times := RawPow(y, a-0.5), 1
	if a >= 140 {
		power, times = RawPow(y, a/2-0.25), 2
	}
	for range times {
		if divide {
			r /= power
		} else {
			r *= power
		}
	}
	return r
}

// LGamma returns math.lgamma(x).
func LGamma(x float64) (float64, error) {
	if math.IsNaN(x) {
		return x, nil
	}
	if math.IsInf(x, 0) {
		return math.Inf(1), nil
	}
	if x == math.Floor(x) && x <= 2 {
		if x <= 0 {
			return 0, errDomain()
		}
		return 0, nil
	}
	return overflowing(x, lgamma(x))
}

func lgamma(x float64) float64 {
	a := math.Abs(x)
	if a < 1e-20 {
		return -rawLog(a)
	}
	r := rawLog(lanczos(a)) - lanczosG
	r += float64((a - 0.5) * (rawLog(a+lanczosG-0.5) - 1))
	if x < 0 {
		r = logPi - rawLog(math.Abs(sinPi(a))) - rawLog(a) - r
	}
	return r
}
