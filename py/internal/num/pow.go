package num

import (
	"math"
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// PowBig returns a ** n. n must not be negative; a negative power of an int is
// a float, see PowFloat.
func PowBig(m budget.Meter, a, n *big.Int) (*big.Int, error) {
	if a.BitLen() <= 1 || n.Sign() == 0 {
		return powUnit(a, n), nil
	}
	if !n.IsInt64() {
		return nil, errTooLarge()
	}
	size := log2(a) * float64(n.Int64())
	if size > MaxBits+1 {
		return nil, errTooLarge()
	}
	if err := grow(m, int(size)+1); err != nil {
		return nil, err
	}
	z, err := power(m, a, n.Int64())
	if err != nil {
		return nil, err
	}
	return capped(z)
}

// powUnit returns a ** n where a is -1, 0 or 1, or n is 0.
func powUnit(a, n *big.Int) *big.Int {
	switch {
	case n.Sign() == 0:
		return big.NewInt(1)
	case a.Sign() < 0 && n.Bit(0) == 0:
		return big.NewInt(1)
	}
	return new(big.Int).Set(a)
}

// power multiplies from the top bit of n downwards, and shifts for the twos in a.
func power(m budget.Meter, a *big.Int, n int64) (*big.Int, error) {
	twos := a.TrailingZeroBits()
	odd := new(big.Int).Rsh(a, twos)
	z := odd
	var err error
	for bit := BitLen(n) - 2; bit >= 0; bit-- {
		if z, err = mul(m, z, z); err != nil {
			return nil, err
		}
		if n>>bit&1 == 0 {
			continue
		}
		if z, err = mul(m, z, odd); err != nil {
			return nil, err
		}
	}
	return new(big.Int).Lsh(z, twos*uint(n)), nil
}

// log2 returns the binary logarithm of a's magnitude, for estimates.
func log2(a *big.Int) float64 {
	n := a.BitLen()
	if n <= 1000 {
		f, _ := new(big.Float).SetInt(natural(a)).Float64()
		return math.Log2(f)
	}
	f, _ := new(big.Float).SetInt(new(big.Int).Rsh(natural(a), uint(n-1000))).Float64()
	return math.Log2(f) + float64(n-1000)
}

// PowModBig returns pow(a, n, mod). A negative n asks for a power of the
// inverse of a.
func PowModBig(m budget.Meter, a, n, mod *big.Int) (*big.Int, error) {
	if mod.Sign() == 0 {
		return nil, raise.Value("pow() 3rd argument cannot be 0")
	}
	size := natural(mod)
	_, base, err := divMod(m, a, size)
	if err != nil {
		return nil, err
	}
	if n.Sign() < 0 {
		if base, err = inverse(m, base, size); err != nil {
			return nil, err
		}
		n = natural(n)
	}
	z, err := powMod(m, base, n, size)
	if err != nil || mod.Sign() > 0 || z.Sign() == 0 {
		return z, err
	}
	return z.Add(z, mod), nil
}

// powModWords is the size of modulus up to which math/big raises to a few bits
// of an exponent within one stretch.
const powModWords = 1000

// powMod returns base ** n % mod of naturals, some bits of n at a time.
func powMod(m budget.Meter, base, n, mod *big.Int) (*big.Int, error) {
	w := words(mod)
	if w > powModWords {
		return powModLong(m, base, n, mod)
	}
	cost := 2*w*w + 100 // of a bit
	if n.BitLen()*cost <= stretch {
		return new(big.Int).Exp(base, n, mod), spend(m, n.BitLen()*cost)
	}
	step := uint(stretch/cost) + 1
	raised := new(big.Int).Lsh(one, step)
	mask := new(big.Int).Sub(raised, one)
	z := new(big.Int).Mod(one, mod)
	for i := (uint(n.BitLen()) - 1) / step; ; i-- {
		if err := spend(m, 2*int(step)*cost+words(n)); err != nil {
			return nil, err
		}
		digit := new(big.Int).Rsh(n, i*step)
		digit.And(digit, mask)
		z.Exp(z, raised, mod)
		z.Mul(z, digit.Exp(base, digit, mod)).Mod(z, mod)
		if i == 0 {
			return z, nil
		}
	}
}

// powModLong is powMod for moduli of which one product is a lot of work.
func powModLong(m budget.Meter, base, n, mod *big.Int) (*big.Int, error) {
	z := big.NewInt(1)
	var err error
	for i := n.BitLen() - 1; i >= 0; i-- {
		if z, err = mulModBig(m, z, z, mod); err != nil {
			return nil, err
		}
		if n.Bit(i) == 0 {
			continue
		}
		if z, err = mulModBig(m, z, base, mod); err != nil {
			return nil, err
		}
	}
	return z, nil
}

func mulModBig(m budget.Meter, a, b, mod *big.Int) (*big.Int, error) {
	product, err := mul(m, a, b)
	if err != nil {
		return nil, err
	}
	_, r, err := divide(m, product, mod)
	return r, err
}

// inverse returns the natural below mod whose product with a leaves 1.
func inverse(m budget.Meter, a, mod *big.Int) (*big.Int, error) {
	if mod.Cmp(one) == 0 {
		return new(big.Int), nil
	}
	g, x, err := gcdExt(m, a, mod)
	if err != nil {
		return nil, err
	}
	if g.Cmp(one) != 0 {
		return nil, raise.Value("base is not invertible for the given modulus")
	}
	_, r, err := divMod(m, x, mod)
	return r, err
}
