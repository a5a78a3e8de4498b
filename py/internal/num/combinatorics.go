package num

import (
	"math"
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Factorial returns math.factorial(n).
func Factorial(m budget.Meter, n *big.Int) (*big.Int, error) {
	if n.Sign() < 0 {
		return nil, raise.Value("factorial() not defined for negative values")
	}
	if !n.IsInt64() {
		return nil, raise.Overflow("factorial() argument should not exceed %d", math.MaxInt64)
	}
	return fallingPower(m, n, n.Int64())
}

// Perm returns math.perm(n, k).
func Perm(m budget.Meter, n, k *big.Int) (*big.Int, error) {
	if err := checkCounts(n, k); err != nil {
		return nil, err
	}
	if n.Cmp(k) < 0 {
		return new(big.Int), nil
	}
	if !k.IsInt64() {
		return nil, raise.Overflow("k must not exceed %d", math.MaxInt64)
	}
	return fallingPower(m, n, k.Int64())
}

// Comb returns math.comb(n, k).
func Comb(m budget.Meter, n, k *big.Int) (*big.Int, error) {
	if err := checkCounts(n, k); err != nil {
		return nil, err
	}
	if n.Cmp(k) < 0 {
		return new(big.Int), nil
	}
	other, err := SubBig(m, n, k)
	if err != nil {
		return nil, err
	}
	if other.Cmp(k) < 0 {
		k = other
	}
	if k.Sign() == 0 {
		return big.NewInt(1), nil
	}
	if !k.IsInt64() {
		return nil, raise.Overflow("min(n - k, k) must not exceed %d", math.MaxInt64)
	}
	count := k.Int64()
	if count > MaxBits || logComb(n, count) > MaxBits+1 { // the result is at least 2**k
		return nil, errTooLarge()
	}
	// Besides the result, a third of the factors are multiplied at the end.
	if err := m.Alloc(Size(int(logComb(n, count) + float64(count)*log2(n)/3))); err != nil {
		return nil, err
	}
	z, err := comb(m, n, count)
	if err != nil {
		return nil, err
	}
	return capped(z)
}

func checkCounts(n, k *big.Int) error {
	if n.Sign() < 0 {
		return raise.Value("n must be a non-negative integer")
	}
	if k.Sign() < 0 {
		return raise.Value("k must be a non-negative integer")
	}
	return nil
}

// logComb returns a lower bound of the bits of comb(n, k), (n/k)**k, which is
// short of it by no more than two bits a k.
func logComb(n *big.Int, k int64) float64 {
	if k == 0 {
		return 0
	}
	return float64(k) * (log2(n) - math.Log2(float64(k)))
}

// comb extends the choice by half as many again each time, so that what is
// computed on the way stays near the size of the result.
func comb(m budget.Meter, n *big.Int, k int64) (*big.Int, error) {
	z := big.NewInt(1)
	for chosen := int64(0); chosen < k; {
		step := min(k-chosen, max(combRun, chosen/2))
		factors, err := falling(m, new(big.Int).Sub(n, big.NewInt(chosen)), step)
		if err != nil {
			return nil, err
		}
		chosen += step
		orders, err := falling(m, big.NewInt(chosen), step)
		if err != nil {
			return nil, err
		}
		if factors, err = mul(m, z, factors); err != nil {
			return nil, err
		}
		if z, _, err = divide(m, factors, orders); err != nil {
			return nil, err
		}
	}
	return z, nil
}

// fallingPower returns n * (n-1) * ... of k factors.
func fallingPower(m budget.Meter, n *big.Int, k int64) (*big.Int, error) {
	if k == 0 { // also of n = 0, which has no logarithm
		return big.NewInt(1), nil
	}
	if k > MaxBits {
		return nil, errTooLarge()
	}
	size := log2Factorial(k) // the least that n can make of it
	if last := new(big.Int).Sub(n, big.NewInt(k)); last.Sign() > 0 {
		size = max(size, float64(k)*log2(last))
	}
	if size > MaxBits+1 {
		return nil, errTooLarge()
	}
	if err := grow(m, int(min(float64(k)*log2(n)+1, MaxBits))); err != nil {
		return nil, err
	}
	z, err := falling(m, n, k)
	if err != nil {
		return nil, err
	}
	return capped(z)
}

func log2Factorial(n int64) float64 {
	l, _ := math.Lgamma(float64(n) + 1)
	return l / math.Ln2
}

// combRun is the number of factors that are multiplied one by one.
const combRun = 32

// falling multiplies halves, so that factors are of about the same size.
func falling(m budget.Meter, n *big.Int, k int64) (*big.Int, error) {
	if k <= combRun {
		return fallingShort(m, n, k)
	}
	low, err := falling(m, new(big.Int).Sub(n, big.NewInt(k/2)), k-k/2)
	if err != nil {
		return nil, err
	}
	high, err := falling(m, n, k/2)
	if err != nil {
		return nil, err
	}
	return mul(m, high, low)
}

func fallingShort(m budget.Meter, n *big.Int, k int64) (*big.Int, error) {
	z := big.NewInt(1)
	factor := new(big.Int)
	var err error
	for i := int64(0); i < k; i++ {
		if z, err = mul(m, z, factor.Sub(n, big.NewInt(i))); err != nil {
			return nil, err
		}
	}
	return z, nil
}
