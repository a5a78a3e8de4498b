package num

import (
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// FloorDivBig returns a // b.
func FloorDivBig(m budget.Meter, a, b *big.Int) (*big.Int, error) {
	if b.Sign() == 0 {
		return nil, raise.ZeroDivision("integer division or modulo by zero")
	}
	q, _, err := divMod(m, a, b)
	return q, err
}

// ModBig returns a % b, which has the sign of b.
func ModBig(m budget.Meter, a, b *big.Int) (*big.Int, error) {
	if b.Sign() == 0 {
		return nil, raise.ZeroDivision("integer modulo by zero")
	}
	_, r, err := divMod(m, a, b)
	return r, err
}

// DivModBig returns a // b and a % b.
func DivModBig(m budget.Meter, a, b *big.Int) (q, r *big.Int, err error) {
	if b.Sign() == 0 {
		return nil, nil, raise.ZeroDivision("integer division or modulo by zero")
	}
	return divMod(m, a, b)
}

// divMod returns the quotient rounded down, and the rest.
func divMod(m budget.Meter, a, b *big.Int) (q, r *big.Int, err error) {
	if err := m.Alloc(Size(a.BitLen()) + Size(b.BitLen())); err != nil {
		return nil, nil, err
	}
	q, r, err = divide(m, natural(a), natural(b))
	if err != nil {
		return nil, nil, err
	}
	if a.Sign() < 0 {
		r.Neg(r)
	}
	if a.Sign()*b.Sign() >= 0 {
		return q, r, nil
	}
	q.Neg(q)
	if r.Sign() != 0 {
		q.Sub(q, one)
		r.Add(r, b)
	}
	return q, r, nil
}

// natural returns the magnitude of a, in the same memory.
func natural(a *big.Int) *big.Int { return new(big.Int).SetBits(a.Bits()) }

// divCost estimates the nanoseconds of a division whose quotient and divisor
// have so many words.
func divCost(quotient, divisor int) int {
	return 3*mulCost(max(quotient, 1), divisor) + 50
}

// divide divides naturals, b not being 0. What is too large for math/big in one
// go is split: a long dividend into digits of the divisor's size, a long
// divisor to the part that decides the quotient, and what remains is multiplied
// by the reciprocal.
func divide(m budget.Meter, a, b *big.Int) (q, r *big.Int, err error) {
	if a.Cmp(b) < 0 {
		return new(big.Int), new(big.Int).Set(a), m.Work(1)
	}
	quotient := words(a) - words(b) + 1
	if cost := divCost(quotient, words(b)); cost <= stretch {
		q, r = new(big.Int), new(big.Int)
		if err := spend(m, cost); err != nil {
			return nil, nil, err
		}
		q.QuoRem(a, b, r)
		return q, r, nil
	}
	switch {
	case quotient > words(b)+1:
		return divideDigits(m, a, b)
	case quotient < words(b)-1:
		return divideTop(m, a, b, uint(words(b)-quotient-1)*wordBits)
	}
	x, err := reciprocal(m, b)
	if err != nil {
		return nil, nil, err
	}
	return divideBy(m, a, b, x)
}

// divideDigits is long division by one divisor, whose reciprocal is computed once.
func divideDigits(m budget.Meter, a, b *big.Int) (q, r *big.Int, err error) {
	size := uint(b.BitLen())
	x, err := reciprocal(m, b)
	if err != nil {
		return nil, nil, err
	}
	digits := (uint(a.BitLen()) + size - 1) / size
	mask := new(big.Int).Lsh(one, size)
	mask.Sub(mask, one)
	q, r = new(big.Int), new(big.Int)
	for i := int(digits) - 1; i >= 0; i-- {
		digit := new(big.Int).Rsh(a, uint(i)*size)
		r.Add(r.Lsh(r, size), digit.And(digit, mask))
		var part *big.Int
		if part, r, err = divideBy(m, r, b, x); err != nil {
			return nil, nil, err
		}
		q.Add(q.Lsh(q, size), part)
		if err := spend(m, 4*words(a)); err != nil {
			return nil, nil, err
		}
	}
	return q, r, nil
}

// divideTop divides without the lowest bits of both, which change the quotient
// by no more than a few, and puts it right.
func divideTop(m budget.Meter, a, b *big.Int, drop uint) (q, r *big.Int, err error) {
	q, _, err = divide(m, new(big.Int).Rsh(a, drop), new(big.Int).Rsh(b, drop))
	if err != nil {
		return nil, nil, err
	}
	return settle(m, a, b, q)
}

// divideBy divides with the help of x, the reciprocal of b.
func divideBy(m budget.Meter, a, b, x *big.Int) (q, r *big.Int, err error) {
	q, err = mul(m, a, x)
	if err != nil {
		return nil, nil, err
	}
	return settle(m, a, b, q.Rsh(q, 2*uint(b.BitLen())))
}

// settle moves a quotient that is off by a few to its place.
func settle(m budget.Meter, a, b, q *big.Int) (*big.Int, *big.Int, error) {
	r, err := mul(m, q, b)
	if err != nil {
		return nil, nil, err
	}
	r.Sub(a, r)
	for r.Sign() < 0 {
		q.Sub(q, one)
		r.Add(r, b)
		if err := spend(m, words(b)); err != nil {
			return nil, nil, err
		}
	}
	for r.Cmp(b) >= 0 {
		q.Add(q, one)
		r.Sub(r, b)
		if err := spend(m, words(b)); err != nil {
			return nil, nil, err
		}
	}
	return q, r, nil
}

// reciprocal returns 2**(2n) / b within a few units, n being the bits of b. A
// step of Newton's method doubles the digits of the reciprocal of b's top half.
func reciprocal(m budget.Meter, b *big.Int) (*big.Int, error) {
	n := uint(b.BitLen())
	full := new(big.Int).Lsh(one, 2*n)
	if cost := divCost(words(b)+1, words(b)); cost <= stretch {
		return full.Quo(full, b), spend(m, cost)
	}
	h := n/2 + wordBits
	top, err := reciprocal(m, new(big.Int).Rsh(b, n-h))
	if err != nil {
		return nil, err
	}
	product, err := mul(m, b, top)
	if err != nil {
		return nil, err
	}
	rest := full.Sub(full, product.Lsh(product, n-h))
	step, err := mul(m, rest, top)
	if err != nil {
		return nil, err
	}
	step.Rsh(step, n+h)
	return step.Add(step, top.Lsh(top, n-h)), nil
}
