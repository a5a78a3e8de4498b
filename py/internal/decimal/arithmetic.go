package decimal

import (
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/num"
)

// Plus returns +a: a, rounded.
func (c *Context) Plus(m budget.Meter, a *Decimal) (*Decimal, error) {
	return c.unary(m, a, a.negative)
}

// Minus returns -a, rounded.
func (c *Context) Minus(m budget.Meter, a *Decimal) (*Decimal, error) {
	return c.unary(m, a, !a.negative)
}

// Abs returns abs(a), rounded.
func (c *Context) Abs(m budget.Meter, a *Decimal) (*Decimal, error) {
	return c.unary(m, a, false)
}

func (c *Context) unary(m budget.Meter, a *Decimal, negative bool) (*Decimal, error) {
	if nan, err := c.nan(m, a); nan != nil || err != nil {
		return nan, err
	}
	if a.isZero() { // a zero is positive, unless rounding is down
		negative = c.Rounding == RoundFloor && negative
	}
	return c.finish(m, a.withSign(negative))
}

// Add returns a + b.
func (c *Context) Add(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	if z, ok, err := c.addWide(m, a, b, false); ok {
		return z, err
	}
	if nan, err := c.nan(m, a, b); nan != nil || err != nil {
		return nan, err
	}
	if a.isSpecial() || b.isSpecial() {
		switch {
		case !b.isSpecial() || a.isSpecial() && a.negative == b.negative:
			return a, nil
		case !a.isSpecial():
			return b, nil
		}
		return c.refuse(InvalidOperation)
	}
	sum, err := c.add(m, a, b)
	if err != nil {
		return nil, err
	}
	return c.finish(m, sum)
}

// Sub returns a - b.
func (c *Context) Sub(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	if z, ok, err := c.addWide(m, a, b, true); ok {
		return z, err
	}
	if b.isNaN() {
		return c.Add(m, a, b)
	}
	return c.Add(m, a, b.CopyNegate())
}

// add returns the sum of finite numbers, exact or with so many digits that it
// is rounded to the same.
func (c *Context) add(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	a, b, err := c.near(m, a, b)
	if err != nil {
		return nil, err
	}
	if a.exp < b.exp {
		a, b = b, a
	}
	x, err := shiftLeft(m, a.coef, a.exp-b.exp)
	if err != nil {
		return nil, err
	}
	if a.negative == b.negative {
		z, err := num.AddBig(m, x, b.coef)
		return newFinite(a.negative, z, b.exp), err
	}
	z, err := num.SubBig(m, x, b.coef)
	if err != nil {
		return nil, err
	}
	if z.Sign() == 0 {
		return newFinite(c.Rounding == RoundFloor, z, b.exp), nil
	}
	return newFinite(a.negative == (z.Sign() > 0), magnitude(z), b.exp), nil
}

// near replaces the operand of a sum that is too small to matter but for
// rounding, so that the exponents are not far apart.
func (c *Context) near(m budget.Meter, a, b *Decimal) (*Decimal, *Decimal, error) {
	if a.exp < b.exp {
		b, a, err := c.near(m, b, a)
		return a, b, err
	}
	if a.isZero() {
		if far := b.exp - c.Prec - 1; a.exp < far {
			return newFinite(a.negative, a.coef, far), b, nil
		}
		return a, b, nil
	}
	n, err := digits(m, a.coef)
	if err != nil {
		return nil, nil, err
	}
	if b.isZero() {
		if far := a.exp - c.Prec - 1 + min(n, 0); b.exp < far {
			return a, newFinite(b.negative, b.coef, far), nil
		}
		return a, b, nil
	}
	nb, err := digits(m, b.coef)
	if err != nil {
		return nil, nil, err
	}
	exp := a.exp + min(-1, n-c.Prec-2)
	if nb+b.exp-1 < exp {
		b = newFinite(b.negative, big.NewInt(1), exp)
	}
	return a, b, nil
}

// Mul returns a * b.
func (c *Context) Mul(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	if z, ok, err := c.mulWide(m, a, b); ok {
		return z, err
	}
	if nan, err := c.nan(m, a, b); nan != nil || err != nil {
		return nan, err
	}
	negative := a.negative != b.negative
	if a.isSpecial() || b.isSpecial() {
		if a.isZero() || b.isZero() {
			return c.refuse(InvalidOperation)
		}
		return newInfinity(negative), nil
	}
	z, err := num.MulBig(m, a.coef, b.coef)
	if err != nil {
		return nil, err
	}
	return c.finish(m, newFinite(negative, z, a.exp+b.exp))
}

// FMA returns a*b + d, rounded once.
func (c *Context) FMA(m budget.Meter, a, b, d *Decimal) (*Decimal, error) {
	if nan, err := c.nan(m, a, b, d); nan != nil || err != nil {
		return nan, err
	}
	if a.isSpecial() || b.isSpecial() {
		product, err := c.Mul(m, a, b)
		if err != nil || product.isNaN() {
			return product, err
		}
		return c.Add(m, product, d)
	}
	z, err := num.MulBig(m, a.coef, b.coef)
	if err != nil {
		return nil, err
	}
	return c.Add(m, newFinite(a.negative != b.negative, z, a.exp+b.exp), d)
}

// Div returns a / b.
func (c *Context) Div(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	if z, ok, err := c.divWide(m, a, b); ok {
		return z, err
	}
	if nan, err := c.nan(m, a, b); nan != nil || err != nil {
		return nan, err
	}
	negative := a.negative != b.negative
	switch {
	case a.isSpecial() && b.isSpecial():
		return c.refuse(InvalidOperation)
	case a.isSpecial():
		return newInfinity(negative), nil
	case b.isSpecial():
		return c.answer(newFinite(negative, new(big.Int), c.etiny()), Clamped)
	case b.isZero() && a.isZero():
		return c.refuse(DivisionUndefined)
	case b.isZero():
		return c.answer(newInfinity(negative), DivisionByZero)
	case a.isZero():
		return c.finish(m, newFinite(negative, a.coef, a.exp-b.exp))
	}
	z, err := c.quotient(m, a, b)
	if err != nil {
		return nil, err
	}
	z.negative = negative
	return c.finish(m, z)
}

// quotient divides with one digit more than the precision, and one that is not
// 0 or 5 if there is a rest.
func (c *Context) quotient(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	na, err := digits(m, a.coef)
	if err != nil {
		return nil, err
	}
	nb, err := digits(m, b.coef)
	if err != nil {
		return nil, err
	}
	shift := nb - na + c.Prec + 1
	x, y := a.coef, b.coef
	if shift >= 0 {
		x, err = shiftLeft(m, x, shift)
	} else {
		y, err = shiftLeft(m, y, -shift)
	}
	if err != nil {
		return nil, err
	}
	q, r, err := num.DivModBig(m, x, y)
	if err != nil {
		return nil, err
	}
	z := newFinite(false, q, a.exp-b.exp-shift)
	if r.Sign() != 0 {
		markRest(z.coef)
		return z, nil
	}
	return z, strip(m, z, a.exp-b.exp)
}

// markRest makes a coefficient whose last digit decides about rounding tell that
// something follows it.
func markRest(coef *big.Int) {
	if new(big.Int).Mod(coef, big.NewInt(5)).Sign() == 0 {
		coef.Add(coef, big.NewInt(1))
	}
}

// strip takes zeros from the end until the exponent is the ideal one. As many as
// are there are removed together, in powers of two.
func strip(m budget.Meter, d *Decimal, ideal int64) error {
	zeros := int64(1)
	for d.exp+zeros <= ideal {
		power, err := pow10(m, zeros)
		if err != nil {
			return err
		}
		q, r, err := num.DivModBig(m, d.coef, power)
		if err != nil {
			return err
		}
		if r.Sign() != 0 {
			if zeros == 1 {
				return nil
			}
			zeros /= 2
			continue
		}
		d.coef, d.exp = q, d.exp+zeros
		if d.exp+2*zeros <= ideal {
			zeros *= 2
		} else {
			zeros = 1
		}
	}
	return nil
}
