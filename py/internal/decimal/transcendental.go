package decimal

import (
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/num"
)

// bitsOf returns the bits that so many decimal digits take, and slack for what
// the steps of a computation lose.
func bitsOf(digits int64) uint {
	bits := uint(digits*10/3 + 64)
	return bits + bits/64
}

// beyond is an exponent beyond those of all contexts.
const beyond = 4 * MaxEmax

// Exp returns e**a, rounded half to even.
func (c *Context) Exp(m budget.Meter, a *Decimal) (*Decimal, error) {
	if nan, err := c.nan(m, a); nan != nil || err != nil {
		return nan, err
	}
	switch {
	case a.isSpecial() && a.negative:
		return newFinite(false, new(big.Int), 0), nil
	case a.isSpecial():
		return a, nil
	case a.isZero():
		return FromInt64(1), nil
	}
	adjusted, err := a.Adjusted(m)
	if err != nil {
		return nil, err
	}
	switch {
	case adjusted > 18 && a.negative:
		return c.finishEven(m, newFinite(false, big.NewInt(1), -beyond))
	case adjusted > 18:
		return c.finishEven(m, newFinite(false, big.NewInt(1), beyond))
	case adjusted < -c.Prec-1:
		return c.besideOne(m, a.negative)
	}
	return c.decide(m, func(digits int64) (*Decimal, error) { return expDigits(m, a, adjusted, digits) })
}

// besideOne rounds a number that is next to one.
func (c *Context) besideOne(m budget.Meter, below bool) (*Decimal, error) {
	coef, err := pow10(m, c.Prec+2)
	if err != nil {
		return nil, err
	}
	if below {
		coef.Sub(coef, big.NewInt(1))
	} else {
		coef.Add(coef, big.NewInt(1))
	}
	return c.finishEven(m, newFinite(false, coef, -c.Prec-2))
}

// decide computes with more and more digits until they say how to round. The
// last digit of what compute returns may be off by one, and the value itself
// must not end.
func (c *Context) decide(m budget.Meter, compute func(digits int64) (*Decimal, error)) (*Decimal, error) {
	for extra := int64(12); ; extra *= 3 {
		z, err := compute(c.Prec + extra)
		if err != nil {
			return nil, err
		}
		n, err := digits(m, z.coef)
		if err != nil {
			return nil, err
		}
		drop := n - c.Prec
		middle, err := pow10(m, drop)
		if err != nil {
			return nil, err
		}
		_, rest, err := num.DivModBig(m, z.coef, middle)
		if err != nil {
			return nil, err
		}
		middle.Rsh(middle, 1)
		if rest.Sub(rest, middle).CmpAbs(big.NewInt(2)) > 0 {
			if rest.CmpAbs(middle) == 0 { // zeros that something follows
				z.coef.Add(z.coef, big.NewInt(1))
			}
			return c.finishEven(m, z)
		}
	}
}

// expDigits returns e**a with so many digits behind the point of its leading
// part.
func expDigits(m budget.Meter, a *Decimal, adjusted, digits int64) (*Decimal, error) {
	f := &fixed{m: m, bits: bitsOf(digits + max(adjusted, 0) + 2)}
	f.bits += f.reductions()
	x, ln10 := f.of(a), f.ln10()
	if f.err != nil {
		return nil, f.err
	}
	tens := f.keep(num.FloorDivBig(m, x, ln10))
	rest := new(big.Int).Sub(x, new(big.Int).Mul(tens, ln10))
	y := f.exp(rest)
	coef := f.keep(shiftLeft(m, y, digits))
	return newFinite(false, new(big.Int).Rsh(coef, f.bits), tens.Int64()-digits), f.err
}

// Ln returns the natural logarithm of a, rounded half to even.
func (c *Context) Ln(m budget.Meter, a *Decimal) (*Decimal, error) {
	z, err := c.logSpecial(m, a)
	if z != nil || err != nil {
		return z, err
	}
	if a.exp <= 0 {
		if isOne, err := equalInt(m, a, 1); err != nil || isOne {
			return newFinite(false, new(big.Int), 0), err
		}
	}
	return c.logarithm(m, a, false)
}

// Log10 returns the decimal logarithm of a, rounded half to even.
func (c *Context) Log10(m budget.Meter, a *Decimal) (*Decimal, error) {
	z, err := c.logSpecial(m, a)
	if z != nil || err != nil {
		return z, err
	}
	adjusted, err := a.Adjusted(m)
	if err != nil {
		return nil, err
	}
	power, err := pow10(m, adjusted-a.exp)
	if err != nil {
		return nil, err
	}
	if power.Cmp(a.coef) == 0 {
		return c.finishEven(m, FromInt64(adjusted))
	}
	return c.logarithm(m, a, true)
}

// logSpecial answers for what has no logarithm, or an infinite one; otherwise
// it returns nil.
func (c *Context) logSpecial(m budget.Meter, a *Decimal) (*Decimal, error) {
	if nan, err := c.nan(m, a); nan != nil || err != nil {
		return nan, err
	}
	switch {
	case a.isZero():
		return newInfinity(true), nil
	case a.negative:
		return c.refuse(InvalidOperation)
	case a.isSpecial():
		return a, nil
	}
	return nil, nil
}

func (c *Context) logarithm(m budget.Meter, a *Decimal, decimal bool) (*Decimal, error) {
	n, err := digits(m, a.coef)
	if err != nil {
		return nil, err
	}
	tens := a.exp + n - 1
	first, err := dropTo(m, a.coef, n)
	if err != nil {
		return nil, err
	}
	if first >= 4 {
		tens++
	}
	near := newFinite(false, a.coef, a.exp-tens) // from 0.4 to 4
	zeros := int64(0)                            // behind the point of the logarithm
	if tens == 0 {
		distance, err := c.work(n+2).Sub(m, near, FromInt64(1))
		if err != nil {
			return nil, err
		}
		adjusted, err := distance.Adjusted(m)
		if err != nil {
			return nil, err
		}
		zeros = max(0, -adjusted)
	}
	return c.decide(m, func(digits int64) (*Decimal, error) {
		return logDigits(m, near, tens, digits+zeros+1, decimal)
	})
}

// dropTo returns the first of a coefficient's n digits.
func dropTo(m budget.Meter, coef *big.Int, n int64) (int64, error) {
	q, _, err := dropDigits(m, coef, n-1)
	if err != nil {
		return 0, err
	}
	return q.Int64(), nil
}

// logDigits returns the logarithm of near * 10**tens with so many digits behind
// the point.
func logDigits(m budget.Meter, near *Decimal, tens, digits int64, decimal bool) (*Decimal, error) {
	const ofTens = 20 // digits in front of the point, at most
	f := &fixed{m: m, bits: bitsOf(digits + ofTens)}
	f.bits += f.reductions()
	z, ln10 := f.ln(f.of(near)), f.ln10()
	if f.err != nil {
		return nil, f.err
	}
	if decimal {
		z = f.div(z, ln10)
		ln10 = f.one()
	}
	z.Add(z, new(big.Int).Mul(ln10, big.NewInt(tens)))
	coef := f.keep(shiftLeft(m, new(big.Int).Abs(z), digits))
	return newFinite(z.Sign() < 0, new(big.Int).Rsh(coef, f.bits), -digits), f.err
}
