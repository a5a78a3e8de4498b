// Package decimal is the arithmetic of Python's decimal module: decimal
// floating point with a precision that the program chooses, by the General
// Decimal Arithmetic Specification, with CPython's results and messages.
//
// Values are immutable. Operations are methods of a Context, which says how to
// round, keeps the conditions that occurred and makes errors of those that are
// trapped. All pay for memory and time before they spend them.
package decimal

import (
	"math"
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// form tells numbers from what is none.
type form uint8

const (
	finite form = iota
	infinite
	quiet     // NaN
	signaling // sNaN
)

// Decimal is sign * coefficient * 10**exponent, an infinity or a NaN.
type Decimal struct {
	form     form
	negative bool
	coef     *big.Int // of a NaN, its payload; never negative
	exp      int64
}

// The limits of exponents: those of CPython on 64 bits.
const (
	MaxEmax  = 999_999_999_999_999_999
	MinEmin  = -MaxEmax
	MinEtiny = MinEmin - (MaxEmax - 1)
)

// MaxPrec is the largest precision of a context, in digits. CPython's is
// 999999999999999999.
const MaxPrec = 1_000_000

func newFinite(negative bool, coef *big.Int, exp int64) *Decimal {
	return &Decimal{negative: negative, coef: coef, exp: exp}
}

func newInfinity(negative bool) *Decimal {
	return &Decimal{form: infinite, negative: negative, coef: new(big.Int)}
}

func newNaN() *Decimal { return &Decimal{form: quiet, coef: new(big.Int)} }

// FromInt returns the decimal of an int, exactly.
func FromInt(n *big.Int) *Decimal {
	return newFinite(n.Sign() < 0, magnitude(n), 0)
}

func magnitude(n *big.Int) *big.Int {
	if n.Sign() >= 0 {
		return n
	}
	return new(big.Int).SetBits(n.Bits())
}

// FromFloat returns the decimal of a float, exactly.
func FromFloat(m budget.Meter, f float64) (*Decimal, error) {
	switch {
	case math.IsNaN(f):
		return newNaN(), nil
	case math.IsInf(f, 0):
		return newInfinity(f < 0), nil
	case f == 0:
		return newFinite(math.Signbit(f), new(big.Int), 0), nil
	}
	fraction, exponent := math.Frexp(math.Abs(f))
	n := int64(math.Ldexp(fraction, 53))
	exponent -= 53
	for n&1 == 0 {
		n >>= 1
		exponent++
	}
	if exponent >= 0 {
		coef, err := num.ShlBig(m, big.NewInt(n), big.NewInt(int64(exponent)))
		return newFinite(f < 0, coef, 0), err
	}
	fives, err := num.PowBig(m, big.NewInt(5), big.NewInt(int64(-exponent)))
	if err != nil {
		return nil, err
	}
	coef, err := num.MulBig(m, fives, big.NewInt(n))
	return newFinite(f < 0, coef, int64(exponent)), err
}

// Size returns the bytes that the value takes in memory.
func (d *Decimal) Size() int { return 32 + num.Size(d.coef.BitLen()) }

func (d *Decimal) isNaN() bool     { return d.form >= quiet }
func (d *Decimal) isSpecial() bool { return d.form != finite }
func (d *Decimal) isZero() bool    { return d.form == finite && d.coef.Sign() == 0 }

// IsNaN says whether d is a NaN, quiet or signaling.
func (d *Decimal) IsNaN() bool { return d.isNaN() }

// IsSNaN says whether d is a signaling NaN.
func (d *Decimal) IsSNaN() bool { return d.form == signaling }

// IsFinite says whether d is a number.
func (d *Decimal) IsFinite() bool { return d.form == finite }

// IsZero says whether d is a zero.
func (d *Decimal) IsZero() bool { return d.isZero() }

// Adjusted returns the exponent of the first digit; that of a special value is 0.
func (d *Decimal) Adjusted(m budget.Meter) (int64, error) {
	if d.isSpecial() {
		return 0, nil
	}
	n, err := digits(m, d.coef)
	return d.exp + n - 1, err
}

// CopyAbs returns d without a minus.
func (d *Decimal) CopyAbs() *Decimal { return d.withSign(false) }

// CopyNegate returns d with the other sign.
func (d *Decimal) CopyNegate() *Decimal { return d.withSign(!d.negative) }

// CopySign returns d with the sign of other.
func (d *Decimal) CopySign(other *Decimal) *Decimal { return d.withSign(other.negative) }

func (d *Decimal) withSign(negative bool) *Decimal {
	z := *d
	z.negative = negative
	return &z
}

// SameQuantum says whether both have the same exponent, or are both infinite or
// both NaN.
func (d *Decimal) SameQuantum(other *Decimal) bool {
	if d.isSpecial() || other.isSpecial() {
		return d.isNaN() && other.isNaN() || d.form == infinite && other.form == infinite
	}
	return d.exp == other.exp
}

// Hash returns hash(d), which is that of an equal int, float or Fraction.
func (d *Decimal) Hash(m budget.Meter) (int64, error) {
	switch d.form {
	case signaling:
		return 0, raise.Type("Cannot hash a signaling NaN value")
	case quiet:
		return 0, nil
	case infinite:
		return num.HashFloat(math.Inf(d.sign())), nil
	}
	if err := m.Work(d.coef.BitLen()/32 + 100); err != nil {
		return 0, err
	}
	return num.HashDecimal(d.negative, d.coef, d.exp), nil
}

func (d *Decimal) sign() int {
	if d.negative {
		return -1
	}
	return 1
}

// Int returns int(d): d without its fraction.
func (d *Decimal) Int(m budget.Meter) (*big.Int, error) {
	return d.ToInt(m, RoundDown)
}

// ToInt returns d rounded to an int.
func (d *Decimal) ToInt(m budget.Meter, mode Rounding) (*big.Int, error) {
	switch {
	case d.isNaN():
		return nil, raise.Value("cannot convert NaN to integer")
	case d.form == infinite:
		return nil, raise.Overflow("cannot convert Infinity to integer")
	}
	coef, _, err := rescale(m, d, 0, mode)
	if err != nil || !d.negative {
		return coef, err
	}
	return num.NegBig(m, coef)
}

// Float returns float(d), rounded once.
func (d *Decimal) Float(m budget.Meter) (float64, error) {
	switch d.form {
	case signaling:
		return 0, raise.Value("cannot convert signaling NaN to float")
	case quiet:
		return math.NaN(), nil
	case infinite:
		return math.Inf(d.sign()), nil
	}
	zero := math.Copysign(0, float64(d.sign()))
	if d.isZero() {
		return zero, nil
	}
	adjusted, err := d.Adjusted(m)
	switch {
	case err != nil:
		return 0, err
	case adjusted > 310:
		return math.Inf(d.sign()), nil
	case adjusted < -330:
		return zero, nil
	}
	n, denominator, err := d.Ratio(m)
	if err != nil {
		return 0, err
	}
	f, err := num.TrueDivBig(m, n, denominator)
	if _, ok := err.(*raise.Error); ok {
		return math.Inf(d.sign()), nil
	}
	return f, err
}

// Ratio returns d.as_integer_ratio(): an equal fraction in lowest terms.
func (d *Decimal) Ratio(m budget.Meter) (numerator, denominator *big.Int, err error) {
	switch {
	case d.isNaN():
		return nil, nil, raise.Value("cannot convert NaN to integer ratio")
	case d.form == infinite:
		return nil, nil, raise.Overflow("cannot convert Infinity to integer ratio")
	}
	numerator, denominator = d.coef, big.NewInt(1)
	switch {
	case d.isZero():
	case d.exp >= 0:
		numerator, err = shiftLeft(m, d.coef, d.exp)
	default:
		numerator, denominator, err = lowest(m, d.coef, -d.exp)
	}
	if err != nil || !d.negative {
		return numerator, denominator, err
	}
	numerator, err = num.NegBig(m, numerator)
	return numerator, denominator, err
}

func lowest(m budget.Meter, coef *big.Int, places int64) (*big.Int, *big.Int, error) {
	power, err := pow10(m, places)
	if err != nil {
		return nil, nil, err
	}
	common, err := num.GcdBig(m, coef, power)
	if err != nil {
		return nil, nil, err
	}
	numerator, err := num.FloorDivBig(m, coef, common)
	if err != nil {
		return nil, nil, err
	}
	denominator, err := num.FloorDivBig(m, power, common)
	return numerator, denominator, err
}
