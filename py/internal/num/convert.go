package num

import (
	"cmp"
	"math"
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// TrueDiv returns a / b of ints, rounded once.
func TrueDiv(a, b int64) (float64, error) {
	if b == 0 {
		return 0, raise.ZeroDivision("division by zero")
	}
	const exact = 1 << 53
	if -exact <= a && a <= exact && -exact <= b && b <= exact {
		return float64(a) / float64(b), nil
	}
	return TrueDivBig(budget.Free, big.NewInt(a), big.NewInt(b))
}

// TrueDivBig returns a / b, rounded once.
func TrueDivBig(m budget.Meter, a, b *big.Int) (float64, error) {
	if b.Sign() == 0 {
		return 0, raise.ZeroDivision("division by zero")
	}
	if a.Sign() == 0 {
		return math.Copysign(0, float64(b.Sign())), nil
	}
	gap := a.BitLen() - b.BitLen()
	if gap > 1025 {
		return 0, errDivision()
	}
	if gap < -1100 {
		return math.Copysign(0, float64(a.Sign()*b.Sign())), nil
	}
	f, err := ratio(m, a, b, 66-gap)
	if err != nil {
		return 0, err
	}
	if math.IsInf(f, 0) {
		return 0, errDivision()
	}
	return f, nil
}

func errDivision() error { return raise.Overflow("integer division result too large for a float") }

// ratio rounds a/b by way of a quotient with more bits than a float, whose last
// bit stands for all that follow it.
func ratio(m budget.Meter, a, b *big.Int, shift int) (float64, error) {
	x, y := natural(a), natural(b)
	if err := linear(m, a.BitLen()+b.BitLen()+1100); err != nil {
		return 0, err
	}
	if shift >= 0 {
		x = new(big.Int).Lsh(x, uint(shift))
	} else {
		y = new(big.Int).Lsh(y, uint(-shift))
	}
	q, r, err := divide(m, x, y)
	if err != nil {
		return 0, err
	}
	if r.Sign() != 0 {
		q.SetBit(q, 0, 1)
	}
	f, _ := new(big.Float).SetMantExp(new(big.Float).SetInt(q), -shift).Float64()
	if a.Sign() != b.Sign() {
		f = -f
	}
	return f, nil
}

// ToFloat returns float(a), rounded once.
func ToFloat(a *big.Int) (float64, error) {
	if a.BitLen() > 1024 {
		return 0, errToFloat()
	}
	f, _ := a.Float64()
	if math.IsInf(f, 0) {
		return 0, errToFloat()
	}
	return f, nil
}

func errToFloat() error { return raise.Overflow("int too large to convert to float") }

// FromFloat returns int(f): f without its fraction, at most 1024 bits long.
func FromFloat(f float64) (*big.Int, error) {
	if math.IsNaN(f) {
		return nil, raise.Value("cannot convert float NaN to integer")
	}
	if math.IsInf(f, 0) {
		return nil, raise.Overflow("cannot convert float infinity to integer")
	}
	if math.Abs(f) < 1<<63 {
		return big.NewInt(int64(f)), nil
	}
	z, _ := big.NewFloat(f).Int(nil)
	return z, nil
}

// CompareFloat compares an int with a float, exactly: -1, 0 or 1. f must not be
// NaN, which is neither less, equal nor more.
func CompareFloat(a int64, f float64) int {
	switch {
	case f >= 1<<63:
		return -1
	case f < -1<<63:
		return 1
	}
	whole := math.Trunc(f)
	if c := cmp.Compare(a, int64(whole)); c != 0 {
		return c
	}
	return cmp.Compare(whole, f)
}

// CompareFloatBig compares an int with a float, exactly: -1, 0 or 1. f must not
// be NaN.
func CompareFloatBig(a *big.Int, f float64) int {
	if math.IsInf(f, 0) || a.BitLen() > 1024 {
		if math.IsInf(f, 0) {
			return -int(math.Copysign(1, f))
		}
		return a.Sign()
	}
	return new(big.Float).SetInt(a).Cmp(big.NewFloat(f))
}
