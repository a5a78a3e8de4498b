package decimal

import (
	"math/big"
	"math/bits"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// digits returns the number of decimal digits of a coefficient; zero has one.
func digits(m budget.Meter, coef *big.Int) (int64, error) {
	bitLen := int64(coef.BitLen())
	if bitLen <= 64 {
		return smallDigits(coef.Uint64()), nil
	}
	// 2**(bitLen-1) <= coef < 2**bitLen. The ratio is log10(2), rounded down.
	const numerator, denominator = 301_029_995, 1_000_000_000
	low := (bitLen-1)*numerator/denominator + 1
	if high := (bitLen*(numerator+1) + denominator - 1) / denominator; high <= low {
		return low, nil
	}
	power, err := tenTo(m, low)
	if err != nil {
		return 0, err
	}
	if coef.CmpAbs(power) < 0 {
		return low, nil
	}
	return low + 1, nil
}

// pow10 returns 10**n.
func pow10(m budget.Meter, n int64) (*big.Int, error) {
	return num.PowBig(m, big.NewInt(10), big.NewInt(n))
}

// powers are the powers of ten that tenTo keeps.
var powers = func() (all [64]*big.Int) {
	for i := range all {
		all[i] = new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(i)), nil)
	}
	return all
}()

// tenTo is pow10 for callers that only read the result.
func tenTo(m budget.Meter, n int64) (*big.Int, error) {
	if n >= 0 && n < int64(len(powers)) {
		return powers[n], nil
	}
	return pow10(m, n)
}

// smallPowers are the powers of ten of 64 bits.
var smallPowers = func() (all [20]uint64) {
	for i := range all {
		all[i] = powers[i].Uint64()
	}
	return all
}()

// smallDigits is digits of 64 bits.
func smallDigits(n uint64) int64 {
	k := bits.Len64(n|1) * 1233 >> 12 // of log10(2), near enough
	if n < smallPowers[k] {
		k--
	}
	return int64(max(k, 0)) + 1
}

// shiftLeft returns coef * 10**n.
func shiftLeft(m budget.Meter, coef *big.Int, n int64) (*big.Int, error) {
	if n == 0 || coef.Sign() == 0 {
		return coef, nil
	}
	power, err := tenTo(m, n)
	if err != nil {
		return nil, err
	}
	return num.MulBig(m, coef, power)
}

// loss is how digits that are dropped compare with half a unit.
type loss uint8

const (
	exact   loss = iota // no digits were dropped
	nothing             // zeros were
	belowHalf
	half
	aboveHalf
)

func (l loss) conditions() Condition {
	switch l {
	case exact:
		return 0
	case nothing:
		return Rounded
	}
	return Rounded | Inexact
}

// rescale returns the coefficient that the finite d has at another exponent,
// rounded, and what was lost.
func rescale(m budget.Meter, d *Decimal, exp int64, mode Rounding) (*big.Int, loss, error) {
	if d.isZero() {
		return d.coef, exact, nil
	}
	if exp <= d.exp {
		coef, err := shiftLeft(m, d.coef, d.exp-exp)
		return coef, exact, err
	}
	q, lost, err := dropDigits(m, d.coef, exp-d.exp)
	if err != nil {
		return nil, 0, err
	}
	if lost > nothing && up(mode, lost, d.negative, q) {
		q, err = num.AddBig(m, q, big.NewInt(1))
	}
	return q, lost, err
}

// dropDigits divides by 10**n.
func dropDigits(m budget.Meter, coef *big.Int, n int64) (*big.Int, loss, error) {
	if size := int64(coef.BitLen())/3 + 2; n > size { // all digits, and more
		return new(big.Int), belowHalf, nil
	}
	power, err := tenTo(m, n)
	if err != nil {
		return nil, 0, err
	}
	q, r, err := num.DivModBig(m, coef, power)
	if err != nil {
		return nil, 0, err
	}
	if r.Sign() == 0 {
		return q, nothing, nil
	}
	return q, half + loss(r.Lsh(r, 1).Cmp(power)), nil
}

// up says whether a coefficient that lost something is rounded away from zero.
func up(mode Rounding, lost loss, negative bool, coef *big.Int) bool {
	if mode == Round05Up {
		return new(big.Int).Mod(coef, big.NewInt(5)).Sign() == 0
	}
	return upWide(mode, lost, negative, coef.Bit(0) == 1)
}

// run is the number of digits that math/big reads or writes in one go.
const run = 10_000

// text returns the digits of a coefficient.
func text(m budget.Meter, coef *big.Int) (string, error) {
	n, err := digits(m, coef)
	if err != nil {
		return "", err
	}
	if err := m.Alloc(int(n) + 16); err != nil {
		return "", err
	}
	var b strings.Builder
	b.Grow(int(n))
	if err := write(m, &b, coef, n); err != nil {
		return "", err
	}
	return b.String(), nil
}

// write appends a coefficient with so many digits, in halves if they are many.
func write(m budget.Meter, b *strings.Builder, coef *big.Int, n int64) error {
	if n <= run {
		if err := m.Work(int(n*n)/40 + 10*int(n)); err != nil {
			return err
		}
		s := coef.String()
		for range n - int64(len(s)) {
			b.WriteByte('0')
		}
		b.WriteString(s)
		return nil
	}
	power, err := pow10(m, n/2)
	if err != nil {
		return err
	}
	high, low, err := num.DivModBig(m, coef, power)
	if err != nil {
		return err
	}
	if err := write(m, b, high, n-n/2); err != nil {
		return err
	}
	return write(m, b, low, n/2)
}

// parseDigits returns the number that ASCII digits stand for.
func parseDigits(m budget.Meter, s string) (*big.Int, error) {
	if len(s) > run {
		return parseHalves(m, s)
	}
	if err := m.Work(len(s)*len(s)/40 + 10*len(s)); err != nil {
		return nil, err
	}
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return nil, raise.Value("invalid digits")
	}
	return n, nil
}

func parseHalves(m budget.Meter, s string) (*big.Int, error) {
	if len(s) > num.MaxBits/3 {
		return nil, raise.Overflow("too many digits in integer")
	}
	middle := len(s) / 2
	high, err := parseDigits(m, s[:middle])
	if err != nil {
		return nil, err
	}
	low, err := parseDigits(m, s[middle:])
	if err != nil {
		return nil, err
	}
	if high, err = shiftLeft(m, high, int64(len(s)-middle)); err != nil {
		return nil, err
	}
	return num.AddBig(m, high, low)
}
