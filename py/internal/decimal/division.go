package decimal

import (
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/num"
)

// FloorDiv returns a // b, which is rounded toward zero, unlike that of ints.
func (c *Context) FloorDiv(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	if nan, err := c.nan(m, a, b); nan != nil || err != nil {
		return nan, err
	}
	negative := a.negative != b.negative
	switch {
	case a.isSpecial() && b.isSpecial():
		return c.refuse(InvalidOperation)
	case a.isSpecial():
		return newInfinity(negative), nil
	case b.isZero() && a.isZero():
		return c.refuse(DivisionUndefined)
	case b.isZero():
		return c.answer(newInfinity(negative), DivisionByZero)
	}
	q, _, kind, err := c.wholes(m, a, b)
	if err != nil {
		return nil, err
	}
	if kind != 0 {
		return c.refuse(kind)
	}
	return q, nil
}

// Mod returns a % b, which has the sign of a, unlike that of ints.
func (c *Context) Mod(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	if nan, err := c.nan(m, a, b); nan != nil || err != nil {
		return nan, err
	}
	if kind := undefinedRest(a, b); kind != 0 {
		return c.refuse(kind)
	}
	_, r, kind, err := c.wholes(m, a, b)
	if err != nil {
		return nil, err
	}
	if kind != 0 {
		return c.refuse(kind)
	}
	return c.finish(m, r)
}

func undefinedRest(a, b *Decimal) Condition {
	switch {
	case a.isSpecial():
		return InvalidOperation
	case b.isZero() && a.isZero():
		return DivisionUndefined
	case b.isZero():
		return InvalidOperation
	}
	return 0
}

// DivMod returns divmod(a, b).
func (c *Context) DivMod(m budget.Meter, a, b *Decimal) (q, r *Decimal, err error) {
	if nan, err := c.nan(m, a, b); nan != nil || err != nil {
		return nan, nan, err
	}
	q, r, happened, err := c.divMod(m, a, b)
	if err != nil {
		return nil, nil, err
	}
	if err := c.signal(happened); err != nil {
		return nil, nil, err
	}
	r, err = c.finish(m, r)
	return q, r, err
}

func (c *Context) divMod(m budget.Meter, a, b *Decimal) (q, r *Decimal, happened Condition, err error) {
	infinity := newInfinity(a.negative != b.negative)
	switch {
	case a.isSpecial() && b.isSpecial():
		return newNaN(), newNaN(), InvalidOperation, nil
	case a.isSpecial():
		return infinity, newNaN(), InvalidOperation, nil
	case b.isZero() && a.isZero():
		return newNaN(), newNaN(), DivisionUndefined, nil
	case b.isZero():
		return infinity, newNaN(), DivisionByZero | InvalidOperation, nil
	}
	q, r, happened, err = c.wholes(m, a, b)
	if happened != 0 {
		q, r = newNaN(), newNaN()
	}
	return q, r, happened, err
}

// wholes divides a finite a by a b that is not zero: how often b is in a, and
// what remains. DivisionImpossible says that this takes too many digits.
func (c *Context) wholes(m budget.Meter, a, b *Decimal) (q, r *Decimal, happened Condition, err error) {
	negative := a.negative != b.negative
	none := newFinite(negative, new(big.Int), 0)
	if b.form == infinite {
		return none, a, 0, nil
	}
	gap, err := c.gap(m, a, b)
	if err != nil {
		return nil, nil, 0, err
	}
	exp := min(a.exp, b.exp)
	if a.isZero() || gap <= -2 {
		coef, err := shiftLeft(m, a.coef, a.exp-exp)
		return none, newFinite(a.negative, coef, exp), 0, err
	}
	if gap > c.Prec {
		return nil, nil, DivisionImpossible, nil
	}
	x, y, err := align(m, a, b, exp)
	if err != nil {
		return nil, nil, 0, err
	}
	whole, rest, err := num.DivModBig(m, x, y)
	if err != nil {
		return nil, nil, 0, err
	}
	if n, err := digits(m, whole); err != nil || n > c.Prec {
		return nil, nil, DivisionImpossible, err
	}
	return newFinite(negative, whole, 0), newFinite(a.negative, rest, exp), 0, nil
}

// gap returns how many digits the first digit of a is in front of that of b.
func (c *Context) gap(m budget.Meter, a, b *Decimal) (int64, error) {
	x, err := a.Adjusted(m)
	if err != nil {
		return 0, err
	}
	y, err := b.Adjusted(m)
	return x - y, err
}

// align returns the coefficients at a common exponent.
func align(m budget.Meter, a, b *Decimal, exp int64) (x, y *big.Int, err error) {
	if x, err = shiftLeft(m, a.coef, a.exp-exp); err != nil {
		return nil, nil, err
	}
	y, err = shiftLeft(m, b.coef, b.exp-exp)
	return x, y, err
}

// RemainderNear returns a - b*n, where n is the integer nearest to a / b.
func (c *Context) RemainderNear(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	if nan, err := c.nan(m, a, b); nan != nil || err != nil {
		return nan, err
	}
	if kind := undefinedRest(a, b); kind != 0 {
		return c.refuse(kind)
	}
	q, r, kind, err := c.wholes(m, a, b)
	if err != nil {
		return nil, err
	}
	if kind != 0 {
		return c.refuse(kind)
	}
	if b.form == infinite || r.isZero() {
		return c.finish(m, r)
	}
	x, y, err := align(m, newFinite(false, r.coef, r.exp), b, min(r.exp, b.exp))
	if err != nil {
		return nil, err
	}
	twice := new(big.Int).Lsh(x, 1)
	if cmp := twice.Cmp(y); cmp > 0 || cmp == 0 && q.coef.Bit(0) == 1 {
		if n, err := digits(m, new(big.Int).Add(q.coef, big.NewInt(1))); err != nil || n > c.Prec {
			if err != nil {
				return nil, err
			}
			return c.refuse(DivisionImpossible)
		}
		r = newFinite(!a.negative, new(big.Int).Sub(y, x), min(r.exp, b.exp))
	}
	return c.finish(m, r)
}

// Sqrt returns the root of a, rounded half to even.
func (c *Context) Sqrt(m budget.Meter, a *Decimal) (*Decimal, error) {
	if nan, err := c.nan(m, a); nan != nil || err != nil {
		return nan, err
	}
	switch {
	case a.isZero():
		return c.finish(m, newFinite(a.negative, a.coef, a.exp>>1))
	case a.negative:
		return c.refuse(InvalidOperation)
	case a.isSpecial():
		return a, nil
	}
	root, err := c.root(m, a)
	if err != nil {
		return nil, err
	}
	return c.finishEven(m, root)
}

// finishEven rounds half to even whatever the mode of the context.
func (c *Context) finishEven(m budget.Meter, d *Decimal) (*Decimal, error) {
	mode := c.Rounding
	c.Rounding = RoundHalfEven
	z, err := c.finish(m, d)
	c.Rounding = mode
	return z, err
}

// root returns the root with one digit more than the precision, as quotient does.
func (c *Context) root(m budget.Meter, a *Decimal) (*Decimal, error) {
	n, err := digits(m, a.coef)
	if err != nil {
		return nil, err
	}
	odd := a.exp & 1
	shift := c.Prec + 1 - (n+odd+1)/2
	coef, lost := a.coef, exact
	if by := 2*shift + odd; by >= 0 {
		coef, err = shiftLeft(m, coef, by)
	} else {
		coef, lost, err = dropDigits(m, coef, -by)
	}
	if err != nil {
		return nil, err
	}
	root, err := num.IsqrtBig(m, coef)
	if err != nil {
		return nil, err
	}
	square, err := num.MulBig(m, root, root)
	if err != nil {
		return nil, err
	}
	ideal := a.exp >> 1
	z := newFinite(false, root, ideal-shift)
	if lost > nothing || square.Cmp(coef) != 0 {
		markRest(z.coef)
		return z, nil
	}
	if z.exp > ideal {
		z.coef, err = shiftLeft(m, z.coef, z.exp-ideal)
		z.exp = ideal
		return z, err
	}
	return z, strip(m, z, ideal)
}
