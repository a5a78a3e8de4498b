package decimal

import (
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/num"
)

// Quantize returns a.quantize(like, mode): a rounded to the exponent of like.
func (c *Context) Quantize(m budget.Meter, a, like *Decimal, mode Rounding) (*Decimal, error) {
	if z, ok, err := c.quantizeWide(m, a, like, mode); ok {
		return z, err
	}
	if nan, err := c.nan(m, a, like); nan != nil || err != nil {
		return nan, err
	}
	if a.isSpecial() || like.isSpecial() {
		if a.form == infinite && like.form == infinite {
			return a, nil
		}
		return c.refuse(InvalidOperation)
	}
	if like.exp < c.etiny() || like.exp > c.Emax {
		return c.refuse(InvalidOperation)
	}
	if a.isZero() {
		return c.finish(m, newFinite(a.negative, a.coef, like.exp))
	}
	adjusted, err := a.Adjusted(m)
	if err != nil {
		return nil, err
	}
	if adjusted > c.Emax || adjusted-like.exp+1 > c.Prec {
		return c.refuse(InvalidOperation)
	}
	coef, lost, err := rescale(m, a, like.exp, mode)
	if err != nil {
		return nil, err
	}
	return c.quantized(m, newFinite(a.negative, coef, like.exp), lost)
}

func (c *Context) quantized(m budget.Meter, z *Decimal, lost loss) (*Decimal, error) {
	n, err := digits(m, z.coef)
	if err != nil {
		return nil, err
	}
	adjusted := z.exp + n - 1
	if adjusted > c.Emax || n > c.Prec {
		return c.refuse(InvalidOperation)
	}
	happened := lost.conditions()
	if !z.isZero() && adjusted < c.Emin {
		happened |= Subnormal
	}
	if z.isZero() {
		z, more := c.roundZero(z)
		return c.answer(z, happened|more)
	}
	z, more, err := c.clamp(m, z)
	if err != nil {
		return nil, err
	}
	return c.answer(z, happened|more)
}

// Normalize returns a.normalize(): without zeros at the end.
func (c *Context) Normalize(m budget.Meter, a *Decimal) (*Decimal, error) {
	if nan, err := c.nan(m, a); nan != nil || err != nil {
		return nan, err
	}
	if a.form == infinite {
		return a, nil
	}
	z, happened, err := c.round(m, a)
	if err != nil {
		return nil, err
	}
	if z.form == finite {
		z = newFinite(z.negative, z.coef, z.exp)
		if z.isZero() {
			z.exp = 0
		} else if err := strip(m, z, c.topExponent()); err != nil {
			return nil, err
		}
	}
	return c.answer(z, happened)
}

func (c *Context) topExponent() int64 {
	if c.Clamp {
		return c.etop()
	}
	return c.Emax
}

// ToIntegralValue returns a.to_integral_value(mode): rounded to an integer, which
// is no condition.
func (c *Context) ToIntegralValue(m budget.Meter, a *Decimal, mode Rounding) (*Decimal, error) {
	z, _, err := c.toIntegral(m, a, mode)
	return z, err
}

// ToIntegralExact returns a.to_integral_exact(mode), which is Inexact if digits
// are lost.
func (c *Context) ToIntegralExact(m budget.Meter, a *Decimal, mode Rounding) (*Decimal, error) {
	z, lost, err := c.toIntegral(m, a, mode)
	if err != nil {
		return nil, err
	}
	return c.answer(z, lost.conditions())
}

func (c *Context) toIntegral(m budget.Meter, a *Decimal, mode Rounding) (*Decimal, loss, error) {
	if nan, err := c.nan(m, a); nan != nil || err != nil {
		return nan, exact, err
	}
	if a.isSpecial() || a.exp >= 0 {
		return a, exact, nil
	}
	coef, lost, err := rescale(m, a, 0, mode)
	return newFinite(a.negative, coef, 0), lost, err
}

// Round returns round(a, places): a with so many digits behind the point, half
// to even whatever the mode of the context.
func (c *Context) Round(m budget.Meter, a *Decimal, places int64) (*Decimal, error) {
	places = min(max(places, MinEmin), MaxEmax)
	return c.Quantize(m, a, newFinite(false, big.NewInt(1), -places), RoundHalfEven)
}

// Scaleb returns a.scaleb(b): a with b added to its exponent.
func (c *Context) Scaleb(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	if nan, err := c.nan(m, a, b); nan != nil || err != nil {
		return nan, err
	}
	n, ok := b.smallInt(2 * (c.Emax + c.Prec))
	if !ok {
		return c.refuse(InvalidOperation)
	}
	if a.isSpecial() {
		return a, nil
	}
	return c.finish(m, newFinite(a.negative, a.coef, a.exp+n))
}

// smallInt returns an integer that is written without an exponent and is no
// larger than limit.
func (d *Decimal) smallInt(limit int64) (int64, bool) {
	if d.isSpecial() || d.exp != 0 || !d.coef.IsInt64() || d.coef.Int64() > limit {
		return 0, false
	}
	return d.coef.Int64() * int64(d.sign()), true
}

// Logb returns a.logb(): the exponent of the first digit.
func (c *Context) Logb(m budget.Meter, a *Decimal) (*Decimal, error) {
	if nan, err := c.nan(m, a); nan != nil || err != nil {
		return nan, err
	}
	switch {
	case a.form == infinite:
		return newInfinity(false), nil
	case a.isZero():
		return c.answer(newInfinity(true), DivisionByZero)
	}
	adjusted, err := a.Adjusted(m)
	if err != nil {
		return nil, err
	}
	return c.finish(m, FromInt64(adjusted))
}

// Shift returns a.shift(b): the digits of a moved by b places to the left, within
// the precision.
func (c *Context) Shift(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	n, done, err := c.places(m, a, b)
	if done != nil || err != nil {
		return done, err
	}
	coef, err := c.shiftWithin(m, a.coef, max(n, 0))
	if err == nil && n < 0 {
		coef, _, err = dropDigits(m, coef, -n)
	}
	return newFinite(a.negative, coef, a.exp), err
}

// Rotate returns a.rotate(b): the digits of a moved in a circle of the precision.
func (c *Context) Rotate(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	n, done, err := c.places(m, a, b)
	if done != nil || err != nil {
		return done, err
	}
	if n < 0 {
		n += c.Prec
	}
	coef, err := c.shiftWithin(m, a.coef, 0)
	if err != nil {
		return nil, err
	}
	high, err := c.shiftWithin(m, coef, n)
	if err != nil {
		return nil, err
	}
	low, _, err := dropDigits(m, coef, c.Prec-n)
	if err != nil {
		return nil, err
	}
	sum, err := num.AddBig(m, high, low)
	return newFinite(a.negative, sum, a.exp), err
}

// places returns how far to move digits, or the result where none move.
func (c *Context) places(m budget.Meter, a, b *Decimal) (int64, *Decimal, error) {
	if nan, err := c.nan(m, a, b); nan != nil || err != nil {
		return 0, nan, err
	}
	n, ok := b.smallInt(c.Prec)
	if !ok {
		z, err := c.refuse(InvalidOperation)
		return 0, z, err
	}
	if a.isSpecial() {
		return 0, a, nil
	}
	return n, nil, nil
}

// shiftWithin returns the last digits of coef * 10**n.
func (c *Context) shiftWithin(m budget.Meter, coef *big.Int, n int64) (*big.Int, error) {
	shifted, err := shiftLeft(m, coef, n)
	if err != nil {
		return nil, err
	}
	room, err := pow10(m, c.Prec)
	if err != nil {
		return nil, err
	}
	return num.ModBig(m, shifted, room)
}
