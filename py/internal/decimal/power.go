package decimal

import (
	"math/big"
	"strconv"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/num"
)

// Pow returns a ** b.
func (c *Context) Pow(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	if nan, err := c.nan(m, a, b); nan != nil || err != nil {
		return nan, err
	}
	if b.isZero() {
		if a.isZero() {
			return c.refuse(InvalidOperation)
		}
		return FromInt64(1), nil
	}
	whole, odd, err := wholeness(m, b)
	if err != nil {
		return nil, err
	}
	negative := a.negative && odd
	switch {
	case a.negative && !whole && !a.isZero():
		return c.refuse(InvalidOperation)
	case a.isSpecial() || a.isZero():
		return powExtreme(a, b, negative), nil
	case b.isSpecial():
		return c.powInfinite(m, a, b)
	}
	isOne, err := equalInt(m, a.CopyAbs(), 1)
	switch {
	case err != nil:
		return nil, err
	case isOne:
		return c.powOne(m, a, b, whole, negative)
	case whole:
		return c.powWhole(m, a, b, negative)
	}
	return c.powReal(m, a.CopyAbs(), b, negative)
}

// wholeness says whether b is an integer, and whether an odd one.
func wholeness(m budget.Meter, b *Decimal) (whole, odd bool, err error) {
	if b.isSpecial() {
		return false, false, nil
	}
	if b.exp > 0 {
		return true, false, nil
	}
	coef, lost, err := dropDigits(m, b.coef, -b.exp)
	return lost <= nothing, lost <= nothing && coef.Bit(0) == 1, err
}

// powExtreme is the power of zero or infinity.
func powExtreme(a, b *Decimal, negative bool) *Decimal {
	if a.isZero() == b.negative {
		return newInfinity(negative)
	}
	return newFinite(negative, new(big.Int), 0)
}

// powInfinite is the power with an infinite exponent of a positive number.
func (c *Context) powInfinite(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	cmp, err := compareFinite(m, a, FromInt64(1))
	if err != nil {
		return nil, err
	}
	switch {
	case cmp == 0:
		return c.paddedOne(m, false, c.Prec-1, Inexact|Rounded)
	case (cmp > 0) == b.negative:
		return newFinite(false, new(big.Int), 0), nil
	}
	return newInfinity(false), nil
}

// powOne is the power of one, with the zeros that multiplying would give it. A
// fractional exponent counts as inexact.
func (c *Context) powOne(m budget.Meter, a, b *Decimal, whole, negative bool) (*Decimal, error) {
	switch {
	case !whole:
		return c.paddedOne(m, negative, c.Prec-1, Inexact|Rounded)
	case b.negative || a.exp >= 0:
		return c.paddedOne(m, negative, 0, 0)
	}
	times := c.Prec // or more, which is the same
	adjusted, err := b.Adjusted(m)
	if err != nil {
		return nil, err
	}
	if adjusted < 8 {
		n, err := b.Int(m)
		if err != nil {
			return nil, err
		}
		times = min(times, n.Int64())
	}
	if zeros := -a.exp * times; zeros < c.Prec {
		return c.paddedOne(m, negative, zeros, 0)
	}
	return c.paddedOne(m, negative, c.Prec-1, Rounded)
}

func (c *Context) paddedOne(m budget.Meter, negative bool, zeros int64, happened Condition) (*Decimal, error) {
	coef, err := pow10(m, zeros)
	if err != nil {
		return nil, err
	}
	return c.answer(newFinite(negative, coef, -zeros), happened)
}

// powWhole multiplies repeatedly, with some digits more than the result has.
func (c *Context) powWhole(m budget.Meter, a, b *Decimal, negative bool) (*Decimal, error) {
	adjusted, err := b.Adjusted(m)
	if err != nil {
		return nil, err
	}
	far, err := c.farOut(m, a.CopyAbs(), adjusted, b.negative)
	if err != nil {
		return nil, err
	}
	if far || adjusted >= 18 {
		return c.powReal(m, a.CopyAbs(), b, negative)
	}
	n, err := b.CopyAbs().Int(m)
	if err != nil {
		return nil, err
	}
	work := c.work(c.Prec + adjusted + 1 + 2)
	work.Emin, work.Emax = c.Emin, c.Emax
	base := a.CopyAbs()
	if b.negative {
		work.Prec++
		if base, err = work.Div(m, FromInt64(1), base); err != nil {
			return nil, err
		}
	}
	z, err := work.repeat(m, base, n.Int64())
	if err != nil {
		return nil, err
	}
	if z.form == infinite { // which not all modes round to
		z = newFinite(false, big.NewInt(1), beyond)
	}
	z, happened, err := c.round(m, z.withSign(negative))
	if err != nil {
		return nil, err
	}
	return c.answer(z, happened|work.Flags)
}

// farOut says whether the power of a positive number with an exponent of that
// magnitude is certainly beyond the exponents of the context, which then is
// rounded only once.
func (c *Context) farOut(m budget.Meter, a *Decimal, adjusted int64, inverse bool) (bool, error) {
	tens, err := a.Adjusted(m)
	if err != nil {
		return false, err
	}
	bound, slack := c.Emax, int64(2)
	if (tens < 0) != inverse {
		bound = -c.etiny()
	}
	if tens < 0 {
		tens, slack = tens+1, 1
	}
	magnitude := int64(len(strconv.FormatInt(max(tens, -tens), 10)) - 1)
	if tens == 0 {
		n, err := digits(m, a.coef)
		if err != nil {
			return false, err
		}
		distance, err := c.work(n+2).Sub(m, a, FromInt64(1))
		if err != nil {
			return false, err
		}
		if magnitude, err = distance.Adjusted(m); err != nil {
			return false, err
		}
		magnitude -= slack // the logarithm is that much below the distance from one, at most
	}
	return magnitude+adjusted > int64(len(strconv.FormatInt(bound, 10))), nil
}

// repeat multiplies from the top bit of n downwards.
func (c *Context) repeat(m budget.Meter, base *Decimal, n int64) (*Decimal, error) {
	z := base
	var err error
	for bit := num.BitLen(n) - 2; bit >= 0 && !z.isSpecial() && !z.isZero(); bit-- {
		if z, err = c.Mul(m, z, z); err != nil {
			return nil, err
		}
		if n>>bit&1 == 0 {
			continue
		}
		if z, err = c.Mul(m, z, base); err != nil {
			return nil, err
		}
	}
	return z, nil
}

// powReal is e**(b * ln a) of a positive a, with more digits than exponents have.
func (c *Context) powReal(m budget.Meter, a, b *Decimal, negative bool) (*Decimal, error) {
	n, err := digits(m, a.coef)
	if err != nil {
		return nil, err
	}
	const ofExponents = 19
	work := c.work(max(n, c.Prec) + 4 + ofExponents)
	z, err := work.Ln(m, a)
	if err != nil {
		return nil, err
	}
	if z, err = work.Mul(m, z, b); err != nil {
		return nil, err
	}
	if z, err = work.Exp(m, z); err != nil {
		return nil, err
	}
	switch {
	case z.isSpecial():
		z = newFinite(false, big.NewInt(1), beyond)
	case z.isZero():
		z = newFinite(false, big.NewInt(1), -beyond)
	}
	z, happened, err := c.round(m, z.withSign(negative))
	if err != nil {
		return nil, err
	}
	return c.answer(z, happened|Inexact|Rounded)
}

// PowMod returns pow(a, b, modulus) of integers.
func (c *Context) PowMod(m budget.Meter, a, b, modulus *Decimal) (*Decimal, error) {
	if nan, err := c.nan(m, a, b, modulus); nan != nil || err != nil {
		return nan, err
	}
	operands := [...]*Decimal{a, b, modulus}
	var n [3]*big.Int
	for i, d := range operands {
		whole, _, err := wholeness(m, d)
		if err != nil {
			return nil, err
		}
		if !whole {
			return c.refuse(InvalidOperation)
		}
		adjusted, err := d.Adjusted(m)
		if err != nil {
			return nil, err
		}
		if adjusted >= c.Prec && (i == 2 || adjusted > 2*MaxPrec) {
			return c.refuse(InvalidOperation)
		}
		if n[i], err = d.CopyAbs().Int(m); err != nil {
			return nil, err
		}
	}
	if b.negative || modulus.isZero() || a.isZero() && b.isZero() {
		return c.refuse(InvalidOperation)
	}
	z, err := num.PowModBig(m, n[0], n[1], n[2])
	if err != nil {
		return nil, err
	}
	return c.finish(m, newFinite(a.negative && n[1].Bit(0) == 1, z, 0))
}
