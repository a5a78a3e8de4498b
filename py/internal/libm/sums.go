package libm

import (
	"math"
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

const perPayment = 10_000 // items of a sum in one payment

// Hypot returns math.hypot(*coordinates): the length of the vector, rounded
// once.
func Hypot(m budget.Meter, coordinates []float64) (float64, error) {
	largest, nan := 0.0, false
	for _, x := range coordinates {
		largest = max(largest, math.Abs(x)) // NaN stays
		nan = nan || math.IsNaN(x)
		if math.IsInf(x, 0) {
			return math.Inf(1), nil
		}
	}
	if nan || largest == 0 {
		return largest, nil
	}
	_, e := math.Frexp(largest)
	sum := double{}
	for i, x := range coordinates {
		if i%perPayment == 0 {
			if err := m.Work(50 * min(len(coordinates)-i, perPayment)); err != nil {
				return 0, err
			}
		}
		y := math.Ldexp(x, -e)
		sum = sum.add(twoProduct(y, y))
	}
	return sum.sqrt().round(e), nil
}

// Dist returns math.dist(p, q): the distance of two points.
func Dist(m budget.Meter, p, q []float64) (float64, error) {
	if len(p) != len(q) {
		return 0, raise.Value("both points must have the same number of dimensions")
	}
	if err := m.Alloc(8 * len(p)); err != nil {
		return 0, err
	}
	diff := make([]float64, len(p))
	for i := range p {
		diff[i] = p[i] - q[i]
	}
	return Hypot(m, diff)
}

// Sum is math.fsum as it takes in its items: the exact sum, as floats that do
// not overlap, in order of magnitude. The zero value is an empty sum.
type Sum struct {
	parts   []float64 // at most 40 or so
	special float64   // the sum of infinities and NaNs
	inf     float64   // the sum of infinities
}

// Add takes in the next item.
func (s *Sum) Add(x float64) error {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		if math.IsInf(x, 0) {
			s.inf += x
		}
		s.special += x
		return nil
	}
	kept := 0
	for _, y := range s.parts {
		if math.Abs(x) < math.Abs(y) {
			x, y = y, x
		}
		sum := quickSum(x, y)
		if sum.lo != 0 {
			s.parts[kept] = sum.lo
			kept++
		}
		x = sum.hi
	}
	s.parts = s.parts[:kept]
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return raise.Overflow("intermediate overflow in fsum")
	}
	if x != 0 {
		s.parts = append(s.parts, x)
	}
	return nil
}

// Result returns the sum, rounded once.
func (s *Sum) Result() (float64, error) {
	if s.special != 0 {
		if math.IsNaN(s.inf) {
			return 0, raise.Value("-inf + inf in fsum")
		}
		return s.special, nil
	}
	if len(s.parts) == 0 {
		return 0, nil
	}
	exact := new(big.Float).SetPrec(2200) // from the largest float down to the smallest
	for _, x := range s.parts {
		exact.Add(exact, big.NewFloat(x))
	}
	f, _ := exact.Float64()
	return f, nil
}

// LogBig returns math.log(n) of an int.
func LogBig(n *big.Int) (float64, error) { return logBig(n, rawLog) }

// Log2Big returns math.log2(n) of an int.
func Log2Big(n *big.Int) (float64, error) { return logBig(n, rawLog2) }

// Log10Big returns math.log10(n) of an int.
func Log10Big(n *big.Int) (float64, error) { return logBig(n, rawLog10) }

// logBig splits an int that is too large for a float as CPython does: into a
// fraction and a power of two, whose logarithm is a multiple of that of two.
func logBig(n *big.Int, log func(float64) float64) (float64, error) {
	if n.Sign() <= 0 {
		return 0, errDomain()
	}
	if f, _ := n.Float64(); !math.IsInf(f, 0) {
		return log(f), nil
	}
	fraction := new(big.Float).SetPrec(53)
	exponent := fraction.SetInt(n).MantExp(fraction)
	x, _ := fraction.Float64()
	return log(x) + float64(log(2)*float64(exponent)), nil
}
