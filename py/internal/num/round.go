package num

import (
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// RoundInt returns round(a, digits): a rounded to a multiple of ten to the
// power of -digits, ties to even.
func RoundInt(m budget.Meter, a *big.Int, digits int64) (*big.Int, error) {
	if digits >= 0 {
		return a, nil
	}
	if digits < -int64(a.BitLen())/3-2 { // 10**n has more than 3n bits
		return new(big.Int), nil
	}
	unit, err := PowBig(m, big.NewInt(10), big.NewInt(-digits))
	if err != nil {
		return nil, err
	}
	q, r, err := divMod(m, a, unit)
	if err != nil {
		return nil, err
	}
	if c := r.Lsh(r, 1).Cmp(unit); c > 0 || c == 0 && q.Bit(0) == 1 {
		q.Add(q, one)
	}
	return MulBig(m, q, unit)
}
