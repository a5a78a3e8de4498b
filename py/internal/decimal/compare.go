package decimal

import (
	"cmp"
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// compareFinite compares two numbers, or infinities: -1, 0 or 1.
func compareFinite(m budget.Meter, a, b *Decimal) (int, error) {
	if x, y, _, ok := aligned(a, b); ok && a.negative == b.negative && !x.isZero() && !y.isZero() {
		return a.sign() * x.compare(y), nil
	}
	x, y := a.rank(), b.rank()
	if x != y || x == 0 || a.isSpecial() {
		return cmp.Compare(x, y), nil
	}
	gap, err := (&Context{}).gap(m, a, b)
	if err != nil {
		return 0, err
	}
	if gap != 0 {
		return x * cmp.Compare(gap, 0), nil
	}
	p, q, err := align(m, a, b, min(a.exp, b.exp))
	if err != nil {
		return 0, err
	}
	return x * p.Cmp(q), nil
}

// rank orders zero, numbers and infinities by sign and kind.
func (d *Decimal) rank() int {
	switch {
	case d.form == infinite:
		return 2 * d.sign()
	case d.isZero():
		return 0
	}
	return d.sign()
}

func equalInt(m budget.Meter, a *Decimal, n int64) (bool, error) {
	c, err := compareFinite(m, a, FromInt64(n))
	return c == 0, err
}

// Equal returns a == b. NaN equals nothing.
func (c *Context) Equal(m budget.Meter, a, b *Decimal) (bool, error) {
	if a.isNaN() || b.isNaN() {
		if a.form == signaling || b.form == signaling {
			return false, c.signal(InvalidOperation)
		}
		return false, nil
	}
	order, err := compareFinite(m, a, b)
	return order == 0, err
}

// Order compares a and b for <, <=, > and >=: -1, 0 or 1. NaN has no order, which
// is an InvalidOperation, and if that is not trapped, all four are false.
func (c *Context) Order(m budget.Meter, a, b *Decimal) (order int, ordered bool, err error) {
	if a.isNaN() || b.isNaN() {
		return 0, false, c.signal(InvalidOperation)
	}
	order, err = compareFinite(m, a, b)
	return order, true, err
}

// Compare returns a.compare(b): -1, 0, 1 or NaN.
func (c *Context) Compare(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	if nan, err := c.nan(m, a, b); nan != nil || err != nil {
		return nan, err
	}
	order, err := compareFinite(m, a, b)
	return FromInt64(int64(order)), err
}

// CompareSignal returns a.compare_signal(b): Compare, but any NaN is an
// InvalidOperation.
func (c *Context) CompareSignal(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	if a.isNaN() || b.isNaN() {
		c.Flags |= InvalidOperation
		if err := c.signal(InvalidOperation); err != nil {
			return nil, err
		}
	}
	return c.Compare(m, a, b)
}

// CompareTotal returns a.compare_total(b): -1, 0 or 1 in an order in which no two
// representations are equal.
func CompareTotal(m budget.Meter, a, b *Decimal) (int, error) {
	if a.negative != b.negative {
		return cmp.Compare(a.sign(), b.sign()), nil
	}
	order, err := compareTotalPositive(m, a.CopyAbs(), b.CopyAbs())
	return a.sign() * order, err
}

func compareTotalPositive(m budget.Meter, a, b *Decimal) (int, error) {
	if a.isNaN() || b.isNaN() {
		if c := cmp.Compare(nanRank(a), nanRank(b)); c != 0 {
			return c, nil
		}
		return a.coef.Cmp(b.coef), nil
	}
	order, err := compareFinite(m, a, b)
	if order != 0 || err != nil || a.isSpecial() {
		return order, err
	}
	return cmp.Compare(a.exp, b.exp), nil
}

func nanRank(d *Decimal) int {
	switch d.form {
	case quiet:
		return 2
	case signaling:
		return 1
	}
	return 0
}

// Max returns a.max(b): the larger one, and a number rather than a quiet NaN.
func (c *Context) Max(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	return c.extreme(m, a, b, 1, false)
}

// Min returns a.min(b).
func (c *Context) Min(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	return c.extreme(m, a, b, -1, false)
}

// MaxMag returns a.max_mag(b), which compares without signs.
func (c *Context) MaxMag(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	return c.extreme(m, a, b, 1, true)
}

// MinMag returns a.min_mag(b).
func (c *Context) MinMag(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	return c.extreme(m, a, b, -1, true)
}

func (c *Context) extreme(m budget.Meter, a, b *Decimal, want int, magnitude bool) (*Decimal, error) {
	switch {
	case a.form == quiet && !b.isNaN():
		return c.finish(m, b)
	case b.form == quiet && !a.isNaN():
		return c.finish(m, a)
	}
	if nan, err := c.nan(m, a, b); nan != nil || err != nil {
		return nan, err
	}
	x, y := a, b
	if magnitude {
		x, y = a.CopyAbs(), b.CopyAbs()
	}
	order, err := compareFinite(m, x, y)
	if err == nil && order == 0 {
		order, err = CompareTotal(m, a, b)
	}
	if err != nil {
		return nil, err
	}
	if order == want || order == 0 {
		return c.finish(m, a)
	}
	return c.finish(m, b)
}

// IsSubnormal says whether d is a number below the normal ones of the context.
func (c *Context) IsSubnormal(m budget.Meter, d *Decimal) (bool, error) {
	if d.isSpecial() || d.isZero() {
		return false, nil
	}
	adjusted, err := d.Adjusted(m)
	return adjusted < c.Emin, err
}

// NumberClass returns d.number_class(): "+Normal" and so on.
func (c *Context) NumberClass(m budget.Meter, d *Decimal) (string, error) {
	switch d.form {
	case quiet:
		return "NaN", nil
	case signaling:
		return "sNaN", nil
	}
	sign := "+"
	if d.negative {
		sign = "-"
	}
	subnormal, err := c.IsSubnormal(m, d)
	switch {
	case d.form == infinite:
		return sign + "Infinity", nil
	case d.isZero():
		return sign + "Zero", nil
	case subnormal:
		return sign + "Subnormal", err
	}
	return sign + "Normal", err
}

// NextMinus returns the largest number of the context below d.
func (c *Context) NextMinus(m budget.Meter, d *Decimal) (*Decimal, error) {
	return c.next(m, d, RoundFloor)
}

// NextPlus returns the smallest number of the context above d.
func (c *Context) NextPlus(m budget.Meter, d *Decimal) (*Decimal, error) {
	return c.next(m, d, RoundCeiling)
}

func (c *Context) next(m budget.Meter, d *Decimal, mode Rounding) (*Decimal, error) {
	if nan, err := c.nan(m, d); nan != nil || err != nil {
		return nan, err
	}
	work := &Context{Prec: c.Prec, Rounding: mode, Emin: c.Emin, Emax: c.Emax, Clamp: c.Clamp}
	if d.form == infinite {
		if d.negative == (mode == RoundFloor) {
			return d, nil
		}
		coef, err := pow10(m, c.Prec)
		if err != nil {
			return nil, err
		}
		return newFinite(d.negative, coef.Sub(coef, big.NewInt(1)), c.etop()), nil
	}
	z, err := work.finish(m, d)
	if err != nil {
		return nil, err
	}
	if order, err := compareFinite(m, z, d); order != 0 || err != nil {
		return z, err
	}
	return work.Add(m, d, newFinite(mode == RoundFloor, big.NewInt(1), c.etiny()-1))
}

// NextToward returns the number of the context that is next to a, in the
// direction of b.
func (c *Context) NextToward(m budget.Meter, a, b *Decimal) (*Decimal, error) {
	if nan, err := c.nan(m, a, b); nan != nil || err != nil {
		return nan, err
	}
	order, err := compareFinite(m, a, b)
	if err != nil {
		return nil, err
	}
	if order == 0 {
		return a.CopySign(b), nil
	}
	mode := RoundCeiling
	if order > 0 {
		mode = RoundFloor
	}
	z, err := c.next(m, a, mode)
	if err != nil {
		return nil, err
	}
	return c.answerNext(m, z)
}

func (c *Context) answerNext(m budget.Meter, z *Decimal) (*Decimal, error) {
	if z.form == infinite {
		return c.answer(z, Overflow|Inexact|Rounded)
	}
	adjusted, err := z.Adjusted(m)
	if err != nil {
		return nil, err
	}
	if adjusted >= c.Emin {
		return z, nil
	}
	happened := Underflow | Subnormal | Inexact | Rounded
	if z.isZero() {
		happened |= Clamped
	}
	return c.answer(z, happened)
}
