package calendar

import (
	"math"
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Lengths of the units of timedelta's arguments, in microseconds.
const (
	Microsecond = 1
	Millisecond = 1000
	Second      = 1_000_000
	Minute      = 60 * Second
	Hour        = 60 * Minute
	Day         = 24 * Hour
	Week        = 7 * Day
)

// Amount is an argument of timedelta(): so many units of a length. Float counts
// when IsFloat, otherwise Int.
type Amount struct {
	Length  int64
	Int     int64
	Float   float64
	IsFloat bool
}

// Sum adds amounts up, rounding once, half to even, as timedelta() does. To get
// its results to the last bit, pass microseconds first and weeks last.
func Sum(amounts ...Amount) (Delta, error) {
	total := new(big.Int)
	left := 0.0 // fractions of microseconds
	for _, a := range amounts {
		if !a.IsFloat {
			total.Add(total, new(big.Int).Mul(big.NewInt(a.Int), big.NewInt(a.Length)))
			continue
		}
		if math.IsNaN(a.Float) {
			return Delta{}, raise.Value("cannot convert float NaN to integer")
		}
		if math.IsInf(a.Float, 0) {
			return Delta{}, raise.Overflow("cannot convert float infinity to integer")
		}
		whole, part := math.Modf(a.Float)
		us := whole2int(whole)
		total.Add(total, us.Mul(us, big.NewInt(a.Length)))
		whole, part = math.Modf(part * float64(a.Length))
		total.Add(total, whole2int(whole))
		left += part
	}
	odd := float64(total.Bit(0))
	rounded := math.Round(left)
	if math.Abs(rounded-left) == 0.5 {
		rounded = 2*math.Round((left+odd)*0.5) - odd
	}
	return FromMicros(total.Add(total, whole2int(rounded)))
}

// whole2int converts a float that has no fraction.
func whole2int(f float64) *big.Int {
	n, _ := new(big.Float).SetFloat64(f).Int(nil)
	return n
}
