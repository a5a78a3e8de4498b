package decimal

import (
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// The functions of this file compute with coefficients of two words, which most
// are. They report false where the general algorithm has to do it: when a step does
// not fit, or the result is near the limits of a context.

// wide returns the coefficient of a number when it is of two words.
func (d *Decimal) wide() (n wide, ok bool) {
	if d.form != finite {
		return wide{}, false
	}
	switch w := d.coef.Bits(); len(w) {
	case 0:
		return wide{}, true
	case 1:
		return wide{lo: uint64(w[0])}, true
	case 2:
		return wide{uint64(w[1]), uint64(w[0])}, true
	}
	return wide{}, false
}

// wides returns the coefficients of two numbers.
func wides(a, b *Decimal) (x, y wide, ok bool) {
	x, ok1 := a.wide()
	y, ok2 := b.wide()
	return x, y, ok1 && ok2
}

// Room is where a number with a coefficient of two words can be put, as a part of
// something larger.
type Room struct {
	d     Decimal
	coef  big.Int
	words [2]big.Word
}

func (r *Room) put(negative bool, n wide, exp int64) *Decimal {
	r.d = Decimal{negative: negative, exp: exp}
	r.words = [2]big.Word{big.Word(n.lo), big.Word(n.hi)}
	r.d.coef = r.coef.SetBits(r.words[:])
	return &r.d
}

// Holds reports whether d is in the room.
func (r *Room) Holds(d *Decimal) bool { return d == &r.d }

func newWide(negative bool, n wide, exp int64) *Decimal { return new(Room).put(negative, n, exp) }

// newWide is newWide in the room of the context, which is for one number.
func (c *Context) newWide(negative bool, n wide, exp int64) *Decimal {
	r := c.Room
	if r == nil {
		return newWide(negative, n, exp)
	}
	c.Room = nil
	return r.put(negative, n, exp)
}

// few are the numbers from 0 up that need not be made.
var few = func() (all [64]*Decimal) {
	for i := range all {
		all[i] = newWide(false, wide{lo: uint64(i)}, 0)
	}
	return all
}()

// FromInt64 is FromInt of 64 bits.
func FromInt64(n int64) *Decimal {
	if 0 <= n && n < int64(len(few)) {
		return few[n]
	}
	return new(Room).FromInt64(n)
}

// FromInt64 is FromInt64 in the room.
func (r *Room) FromInt64(n int64) *Decimal {
	if n < 0 {
		return r.put(true, wide{lo: -uint64(n)}, 0)
	}
	return r.put(false, wide{lo: uint64(n)}, 0)
}

// plain reports whether a number of that many digits needs no rounding, and its
// exponent is not near the limits.
func (c *Context) plain(digits, exp int64) bool {
	const near = 400
	return digits <= c.Prec && exp > -near && exp < near && c.Emax > 2*near && c.Emin < -2*near && !c.Clamp
}

// aligned brings two coefficients to the smaller exponent.
func aligned(a, b *Decimal) (x, y wide, exp int64, ok bool) {
	x, y, ok = wides(a, b)
	switch {
	case !ok:
	case a.exp > b.exp:
		x, ok = x.scaled(a.exp - b.exp)
	case b.exp > a.exp:
		y, ok = y.scaled(b.exp - a.exp)
	}
	return x, y, min(a.exp, b.exp), ok
}

// finishWide rounds to the precision a number that is not zero, of which
// something below the last digit may have been lost already. What was lost must
// be below the precision.
func (c *Context) finishWide(m budget.Meter, negative bool, n wide, exp int64, more bool) (*Decimal, bool, error) {
	happened, over := Condition(0), n.digits()-c.Prec
	if over > 0 {
		if c.Rounding == Round05Up {
			return nil, false, nil
		}
		q, lost := n.drop(over)
		n, exp = c.roundWide(q, lost.and(more), negative), exp+over
		happened = lost.and(more).conditions()
	}
	if n.isZero() || !c.plain(min(n.digits(), c.Prec), exp) {
		return nil, false, nil
	}
	if n.digits() > c.Prec { // 99.9 was rounded up
		n, exp = widePowers[c.Prec-1], exp+1
	}
	if err := m.Work(perOperation); err != nil {
		return nil, true, err
	}
	if err := c.signal(happened); err != nil {
		return nil, true, err
	}
	return c.newWide(negative, n, exp), true, nil
}

// and is what was lost when something behind it was lost too.
func (l loss) and(more bool) loss {
	if more && (l == nothing || l == half) {
		return l + 1
	}
	return l
}

func (c *Context) roundWide(n wide, lost loss, negative bool) wide {
	if lost > nothing && upWide(c.Rounding, lost, negative, n.lo&1 == 1) {
		n, _ = n.plus(wide{lo: 1}) // digits were dropped: there is room
	}
	return n
}

// addWide is a + b.
func (c *Context) addWide(m budget.Meter, a, b *Decimal, negate bool) (*Decimal, bool, error) {
	x, y, exp, ok := aligned(a, b)
	if !ok {
		return nil, false, nil
	}
	negative, other := a.negative, b.negative != negate
	var sum wide
	switch {
	case negative == other:
		sum, ok = x.plus(y)
	case x.less(y):
		negative, sum = other, y.minus(x)
	default:
		sum = x.minus(y)
	}
	if !ok || sum.isZero() {
		return nil, false, nil
	}
	return c.finishWide(m, negative, sum, exp, false)
}

// mulWide is a * b.
func (c *Context) mulWide(m budget.Meter, a, b *Decimal) (*Decimal, bool, error) {
	x, y, ok := wides(a, b)
	if !ok {
		return nil, false, nil
	}
	z, ok := x.times(y)
	if !ok || z.isZero() {
		return nil, false, nil
	}
	return c.finishWide(m, a.negative != b.negative, z, a.exp+b.exp, false)
}

// divWide is a / b for a divisor of one word: like quotient.
func (c *Context) divWide(m budget.Meter, a, b *Decimal) (*Decimal, bool, error) {
	x, y, ok := wides(a, b)
	if !ok || x.isZero() || y.isZero() || y.hi != 0 {
		return nil, false, nil
	}
	shift := y.digits() - x.digits() + c.Prec + 1
	if shift < 0 || shift >= int64(len(widePowers)) {
		return nil, false, nil
	}
	q, rest, ok := divideWords(x.product(widePowers[shift]), y.lo)
	if !ok {
		return nil, false, nil
	}
	exp := a.exp - b.exp - shift
	if rest == 0 {
		taken := int64(0)
		q, taken = q.stripped(shift)
		exp += taken
	}
	return c.finishWide(m, a.negative != b.negative, q, exp, rest != 0)
}

// quantizeWide is a.quantize(like) to fewer or as many places.
func (c *Context) quantizeWide(m budget.Meter, a, like *Decimal, mode Rounding) (*Decimal, bool, error) {
	x, ok := a.wide()
	by := like.exp - a.exp
	if !ok || like.form != finite || by < 0 || x.isZero() || mode == Round05Up {
		return nil, false, nil
	}
	q, lost := x.drop(by)
	if lost > nothing && upWide(mode, lost, a.negative, q.lo&1 == 1) {
		q, _ = q.plus(wide{lo: 1})
	}
	if q.isZero() || !c.plain(q.digits(), like.exp) {
		return nil, false, nil
	}
	if err := m.Work(perOperation); err != nil {
		return nil, true, err
	}
	d, err := c.answer(c.newWide(a.negative, q, like.exp), lost.conditions())
	return d, true, err
}

// upWide is up for a coefficient of which only the parity counts.
func upWide(mode Rounding, lost loss, negative, odd bool) bool {
	switch mode {
	case RoundUp:
		return true
	case RoundCeiling:
		return !negative
	case RoundFloor:
		return negative
	case RoundHalfUp:
		return lost >= half
	case RoundHalfDown:
		return lost > half
	case RoundHalfEven:
		return lost > half || lost == half && odd
	}
	return false
}
