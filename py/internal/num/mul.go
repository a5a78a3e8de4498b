package num

import (
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// MulBig returns a * b.
func MulBig(m budget.Meter, a, b *big.Int) (*big.Int, error) {
	if err := grow(m, a.BitLen()+b.BitLen()); err != nil {
		return nil, err
	}
	z, err := mul(m, a, b)
	if err != nil {
		return nil, err
	}
	return capped(z)
}

// mul returns a * b of any size and pays for the time. What is too large for
// math/big in one go is split by Karatsuba's rule.
func mul(m budget.Meter, a, b *big.Int) (*big.Int, error) {
	if words(a) < words(b) {
		a, b = b, a
	}
	if cost := mulCost(words(a), words(b)); cost <= stretch {
		if err := spend(m, cost); err != nil {
			return nil, err
		}
		return new(big.Int).Mul(a, b), nil
	}
	half := uint(words(a)+1) / 2 * wordBits
	if uint(b.BitLen()) <= half {
		return mulHalves(m, a, b, half)
	}
	return karatsuba(m, a, b, half)
}

// mulHalves multiplies the halves of a by a short b.
func mulHalves(m budget.Meter, a, b *big.Int, half uint) (*big.Int, error) {
	hi, lo := split(a, half)
	high, err := mul(m, hi, b)
	if err != nil {
		return nil, err
	}
	low, err := mul(m, lo, b)
	if err != nil {
		return nil, err
	}
	return high.Add(high.Lsh(high, half), low), spend(m, 2*words(a))
}

func karatsuba(m budget.Meter, a, b *big.Int, half uint) (*big.Int, error) {
	a1, a0 := split(a, half)
	b1, b0 := split(b, half)
	high, err := mul(m, a1, b1)
	if err != nil {
		return nil, err
	}
	low, err := mul(m, a0, b0)
	if err != nil {
		return nil, err
	}
	middle, err := mul(m, a1.Add(a1, a0), b1.Add(b1, b0))
	if err != nil {
		return nil, err
	}
	middle.Sub(middle.Sub(middle, high), low)
	z := high.Lsh(high, half)
	z.Add(z, middle).Lsh(z, half)
	return z.Add(z, low), spend(m, 8*words(a))
}

// split returns a >> at and the bits below, both with the sign of a.
func split(a *big.Int, at uint) (high, low *big.Int) {
	w := a.Bits()
	n := min(int(at/wordBits), len(w))
	high = new(big.Int).SetBits(append([]big.Word(nil), w[n:]...))
	low = new(big.Int).SetBits(append([]big.Word(nil), w[:n]...))
	if a.Sign() < 0 {
		high.Neg(high)
		low.Neg(low)
	}
	return high, low
}
