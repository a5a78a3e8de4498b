package num

import (
	"math/big"
	"math/bits"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// AddBig returns a + b.
func AddBig(m budget.Meter, a, b *big.Int) (*big.Int, error) {
	if err := linear(m, max(a.BitLen(), b.BitLen())+1); err != nil {
		return nil, err
	}
	return capped(new(big.Int).Add(a, b))
}

// SubBig returns a - b.
func SubBig(m budget.Meter, a, b *big.Int) (*big.Int, error) {
	if err := linear(m, max(a.BitLen(), b.BitLen())+1); err != nil {
		return nil, err
	}
	return capped(new(big.Int).Sub(a, b))
}

// NegBig returns -a.
func NegBig(m budget.Meter, a *big.Int) (*big.Int, error) {
	if err := linear(m, a.BitLen()); err != nil {
		return nil, err
	}
	return new(big.Int).Neg(a), nil
}

// AbsBig returns the magnitude of a.
func AbsBig(m budget.Meter, a *big.Int) (*big.Int, error) {
	if a.Sign() >= 0 {
		return a, nil
	}
	return NegBig(m, a)
}

// NotBig returns ~a.
func NotBig(m budget.Meter, a *big.Int) (*big.Int, error) {
	if err := linear(m, a.BitLen()+1); err != nil {
		return nil, err
	}
	return capped(new(big.Int).Not(a))
}

// AndBig returns a & b.
func AndBig(m budget.Meter, a, b *big.Int) (*big.Int, error) {
	return bitwise(m, a, b, (*big.Int).And)
}

// OrBig returns a | b.
func OrBig(m budget.Meter, a, b *big.Int) (*big.Int, error) {
	return bitwise(m, a, b, (*big.Int).Or)
}

// XorBig returns a ^ b.
func XorBig(m budget.Meter, a, b *big.Int) (*big.Int, error) {
	return bitwise(m, a, b, (*big.Int).Xor)
}

func bitwise(m budget.Meter, a, b *big.Int, op func(z, x, y *big.Int) *big.Int) (*big.Int, error) {
	if err := linear(m, max(a.BitLen(), b.BitLen())+1); err != nil {
		return nil, err
	}
	return capped(op(new(big.Int), a, b))
}

// ShlBig returns a << n.
func ShlBig(m budget.Meter, a, n *big.Int) (*big.Int, error) {
	if n.Sign() < 0 {
		return nil, raise.Value("negative shift count")
	}
	if a.Sign() == 0 {
		return new(big.Int), nil
	}
	if !n.IsInt64() || n.Int64() > MaxBits {
		return nil, errTooLarge()
	}
	if err := linear(m, a.BitLen()+int(n.Int64())); err != nil {
		return nil, err
	}
	return capped(new(big.Int).Lsh(a, uint(n.Int64())))
}

// ShrBig returns a >> n, rounded down.
func ShrBig(m budget.Meter, a, n *big.Int) (*big.Int, error) {
	if n.Sign() < 0 {
		return nil, raise.Value("negative shift count")
	}
	count := uint(MaxBits)
	if n.IsInt64() && n.Int64() < MaxBits {
		count = uint(n.Int64())
	}
	if err := linear(m, a.BitLen()); err != nil {
		return nil, err
	}
	return new(big.Int).Rsh(a, count), nil
}

// BitCountBig returns the number of ones in a's magnitude.
func BitCountBig(m budget.Meter, a *big.Int) (int, error) {
	if err := spend(m, words(a)); err != nil {
		return 0, err
	}
	count := 0
	for _, w := range a.Bits() {
		count += bits.OnesCount(uint(w))
	}
	return count, nil
}

// linear pays for an operation that looks once at each of so many bits and
// returns as many.
func linear(m budget.Meter, bitLen int) error {
	if err := grow(m, bitLen); err != nil {
		return err
	}
	return spend(m, bitLen/wordBits+1)
}
