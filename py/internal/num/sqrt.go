package num

import (
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// sqrtBits is the size up to which math/big takes a root within one stretch.
const sqrtBits = 32 << 10

// IsqrtBig returns the root of n, rounded down.
func IsqrtBig(m budget.Meter, n *big.Int) (*big.Int, error) {
	if n.Sign() < 0 {
		return nil, raise.Value("isqrt() argument must be nonnegative")
	}
	if err := m.Alloc(Size(n.BitLen() / 2)); err != nil {
		return nil, err
	}
	return isqrt(m, n)
}

// isqrt doubles the digits of the root of n's top half by Newton's method.
func isqrt(m budget.Meter, n *big.Int) (*big.Int, error) {
	if n.BitLen() <= sqrtBits {
		return new(big.Int).Sqrt(n), spend(m, 50*words(n)*(words(n)/16+1)/8+200)
	}
	half := uint(n.BitLen() / 4)
	root, err := isqrt(m, new(big.Int).Rsh(n, 2*half))
	if err != nil {
		return nil, err
	}
	root.Lsh(root, half)
	q, _, err := divide(m, n, root)
	if err != nil {
		return nil, err
	}
	root.Rsh(root.Add(root, q), 1)
	return settleRoot(m, n, root)
}

// settleRoot moves a root that is off by a few to its place.
func settleRoot(m budget.Meter, n, root *big.Int) (*big.Int, error) {
	square, err := mul(m, root, root)
	if err != nil {
		return nil, err
	}
	rest := square.Sub(n, square)
	for rest.Sign() < 0 {
		root.Sub(root, one)
		rest.Add(rest, new(big.Int).Lsh(root, 1)).Add(rest, one)
		if err := spend(m, words(n)); err != nil {
			return nil, err
		}
	}
	for next := new(big.Int).Lsh(root, 1); rest.Cmp(next) > 0; next.Lsh(root, 1) {
		rest.Sub(rest, next).Sub(rest, one)
		root.Add(root, one)
		if err := spend(m, words(n)); err != nil {
			return nil, err
		}
	}
	return root, nil
}
