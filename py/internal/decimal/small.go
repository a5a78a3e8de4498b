package decimal

import (
	"cmp"
	"math/big"
	"math/bits"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// What follows is for coefficients of one word, which most are. It reports
// false where the general way has to be gone: when the result does not fit, is
// rounded, or is near the limits of a context.

// word returns the coefficient of a number when it is of one word.
func (d *Decimal) word() (n uint64, ok bool) {
	if d.form != finite {
		return 0, false
	}
	switch w := d.coef.Bits(); len(w) {
	case 0:
		return 0, true
	case 1:
		return uint64(w[0]), true
	}
	return 0, false
}

// boxed is a number with a coefficient of one word, in one allocation.
type boxed struct {
	Decimal
	coef big.Int
	word [1]big.Word
}

func newWord(negative bool, n uint64, exp int64) *Decimal {
	b := &boxed{Decimal: Decimal{negative: negative, exp: exp}}
	b.word[0] = big.Word(n)
	b.Decimal.coef = b.coef.SetBits(b.word[:])
	return &b.Decimal
}

// plain reports whether a result of that many digits is neither rounded nor
// near the limits of exponents.
func (c *Context) plain(digits, exp int64) bool {
	const near = 400
	return digits <= c.Prec && exp > -near && exp < near && c.Emax > 2*near && c.Emin < -2*near && !c.Clamp
}

// aligned brings two coefficients of one word to the smaller exponent.
func aligned(a, b *Decimal) (x, y uint64, exp int64, ok bool) {
	x, ok1 := a.word()
	y, ok2 := b.word()
	if !ok1 || !ok2 {
		return 0, 0, 0, false
	}
	exp = min(a.exp, b.exp)
	x, ok1 = scaled(x, a.exp-exp)
	y, ok2 = scaled(y, b.exp-exp)
	return x, y, exp, ok1 && ok2
}

// scaled is n * 10**by.
func scaled(n uint64, by int64) (uint64, bool) {
	if by == 0 || n == 0 {
		return n, by < 1000
	}
	if by < 0 || by >= int64(len(smallPowers)) {
		return 0, false
	}
	hi, lo := bits.Mul64(n, smallPowers[by])
	return lo, hi == 0
}

// addWords is a + b.
func (c *Context) addWords(m budget.Meter, a, b *Decimal) (*Decimal, bool, error) {
	x, y, exp, ok := aligned(a, b)
	if !ok || x>>63 != 0 || y>>63 != 0 {
		return nil, false, nil
	}
	negative, sum := a.negative, x+y
	if a.negative != b.negative {
		if sum = x - y; x < y {
			negative, sum = b.negative, y-x
		}
	}
	if sum == 0 || !c.plain(smallDigits(sum), exp) {
		return nil, false, nil
	}
	return newWord(negative, sum, exp), true, m.Work(perOperation)
}

// mulWords is a * b.
func (c *Context) mulWords(m budget.Meter, a, b *Decimal) (*Decimal, bool, error) {
	x, ok1 := a.word()
	y, ok2 := b.word()
	hi, lo := bits.Mul64(x, y)
	if !ok1 || !ok2 || hi != 0 || lo == 0 || !c.plain(smallDigits(lo), a.exp+b.exp) {
		return nil, false, nil
	}
	return newWord(a.negative != b.negative, lo, a.exp+b.exp), true, m.Work(perOperation)
}

// quantizeWord is a.quantize(like) to fewer or as many places.
func (c *Context) quantizeWord(m budget.Meter, a, like *Decimal, mode Rounding) (*Decimal, bool, error) {
	x, ok := a.word()
	by := like.exp - a.exp
	if !ok || like.form != finite || by < 0 || by >= int64(len(smallPowers)) || x == 0 || mode == Round05Up {
		return nil, false, nil
	}
	q, rest := x/smallPowers[by], x%smallPowers[by]
	lost := nothing
	switch {
	case by == 0:
		lost = exact
	case rest > 0:
		lost = half + loss(cmp.Compare(rest, smallPowers[by]-rest))
	}
	if lost > nothing && upWord(mode, lost, a.negative, q&1 == 1) {
		q++
	}
	if q == 0 || !c.plain(smallDigits(q), like.exp) {
		return nil, false, nil
	}
	if err := m.Work(perOperation); err != nil {
		return nil, true, err
	}
	d, err := c.answer(newWord(a.negative, q, like.exp), lost.conditions())
	return d, true, err
}

// upWord is up for a coefficient of which only the parity counts.
func upWord(mode Rounding, lost loss, negative, odd bool) bool {
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
