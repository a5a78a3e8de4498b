package decimal

import (
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/num"
)

// fixed computes with binary fixed point: an int stands for its quotient by
// 2**bits. It keeps the first error, after which results mean nothing.
type fixed struct {
	m    budget.Meter
	bits uint
	err  error
}

func (f *fixed) keep(z *big.Int, err error) *big.Int {
	if f.err != nil || err != nil {
		if f.err == nil {
			f.err = err
		}
		return new(big.Int)
	}
	return z
}

func (f *fixed) one() *big.Int { return new(big.Int).Lsh(big.NewInt(1), f.bits) }

func (f *fixed) mul(a, b *big.Int) *big.Int {
	z := f.keep(num.MulBig(f.m, a, b))
	return z.Rsh(z, f.bits)
}

func (f *fixed) div(a, b *big.Int) *big.Int {
	return f.keep(num.FloorDivBig(f.m, new(big.Int).Lsh(a, f.bits), b))
}

// divSmall divides by an ordinary integer.
func (f *fixed) divSmall(a *big.Int, n int64) *big.Int {
	return f.keep(num.FloorDivBig(f.m, a, big.NewInt(n)))
}

// of returns the finite d, rounded down.
func (f *fixed) of(d *Decimal) *big.Int {
	shifted := new(big.Int).Lsh(d.coef, f.bits)
	if d.exp >= 0 {
		shifted = f.keep(shiftLeft(f.m, shifted, d.exp))
	} else if power := f.keep(pow10(f.m, -d.exp)); f.err == nil {
		shifted = f.keep(num.FloorDivBig(f.m, shifted, power))
	}
	if d.negative {
		shifted.Neg(shifted)
	}
	return shifted
}

// ln10 returns the logarithm of ten, by a formula of Machin's kind.
func (f *fixed) ln10() *big.Int {
	sum := new(big.Int).Mul(big.NewInt(46), f.inverseAtanh(31))
	sum.Add(sum, new(big.Int).Mul(big.NewInt(34), f.inverseAtanh(49)))
	return sum.Add(sum, new(big.Int).Mul(big.NewInt(20), f.inverseAtanh(161)))
}

// inverseAtanh returns atanh(1/n).
func (f *fixed) inverseAtanh(n int64) *big.Int {
	power := f.divSmall(f.one(), n)
	sum := new(big.Int).Set(power)
	for k := int64(3); f.err == nil && power.Sign() != 0; k += 2 {
		power = f.divSmall(power, n*n)
		sum.Add(sum, f.divSmall(power, k))
	}
	return sum
}

// exp returns e**x for a small x: the series of an x with its bits halved some
// times over, which is then squared as often. It loses that many bits.
func (f *fixed) exp(x *big.Int) *big.Int {
	halvings := f.reductions()
	r := new(big.Int).Rsh(x, halvings)
	term, sum := f.one(), f.one()
	for k := int64(1); f.err == nil; k++ {
		term = f.divSmall(f.mul(term, r), k)
		if s := term.BitLen(); s <= 1 { // a negative one stays at -1
			break
		}
		sum.Add(sum, term)
	}
	for range halvings {
		sum = f.mul(sum, sum)
	}
	return sum
}

// ln returns the logarithm of an x near one: the series of its root, taken some
// times over. It loses that many bits.
func (f *fixed) ln(x *big.Int) *big.Int {
	roots := f.reductions()
	for range roots {
		x = f.keep(num.IsqrtBig(f.m, new(big.Int).Lsh(x, f.bits)))
	}
	if f.err != nil {
		return x
	}
	one := f.one()
	y := f.div(new(big.Int).Sub(x, one), new(big.Int).Add(x, one))
	square := f.mul(y, y)
	sum := new(big.Int).Set(y)
	for k := int64(3); f.err == nil; k += 2 {
		y = f.mul(y, square)
		if y.BitLen() <= 1 {
			break
		}
		sum.Add(sum, f.divSmall(y, k))
	}
	return sum.Lsh(sum, roots+1)
}

// reductions balances squarings, or roots, against terms of a series.
func (f *fixed) reductions() uint {
	return uint(new(big.Int).Sqrt(big.NewInt(int64(f.bits))).Int64()/2) + 2
}
