package text

import (
	"math"
	"math/big"
	"strconv"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Int is a Python int: Small, or Big when that is not nil.
type Int struct {
	Small int64
	Big   *big.Int
}

// maxDigits is CPython's limit of decimal digits in conversions between int and
// str, which take quadratic time.
const maxDigits = 4300

func tooManyDigits() error {
	return raise.Value("Exceeds the limit (%d digits) for integer string conversion; "+
		"use sys.set_int_max_str_digits() to increase the limit", maxDigits)
}

// Negative reports whether i is below zero.
func (i Int) Negative() bool {
	if i.Big != nil {
		return i.Big.Sign() < 0
	}
	return i.Small < 0
}

// digits returns the digits of i without sign in base 2, 8, 10 or 16.
func (i Int) digits(m budget.Meter, base int) (string, error) {
	if i.Big == nil {
		if i.Small < 0 {
			return strconv.FormatUint(-uint64(i.Small), base), nil
		}
		return strconv.FormatInt(i.Small, base), nil
	}
	if base == 10 {
		return decimalDigits(m, i.Big)
	}
	if err := alloc(m, 2*i.Big.BitLen()); err != nil {
		return "", err
	}
	return new(big.Int).Abs(i.Big).Text(base), nil
}

func decimalDigits(m budget.Meter, n *big.Int) (string, error) {
	// 10**4300 has 14285 bits.
	if n.BitLen() > 14285 {
		return "", tooManyDigits()
	}
	if err := alloc(m, n.BitLen()); err != nil {
		return "", err
	}
	if err := m.Work(n.BitLen()); err != nil {
		return "", err
	}
	s := new(big.Int).Abs(n).String()
	if len(s) > maxDigits {
		return "", tooManyDigits()
	}
	return s, nil
}

// IntText is str of an int.
func IntText(m budget.Meter, i Int) (string, error) {
	if i.Big == nil {
		return strconv.FormatInt(i.Small, 10), nil
	}
	return i.signed(m, "", 10)
}

// HexText is hex of an int.
func HexText(m budget.Meter, i Int) (string, error) { return i.signed(m, "0x", 16) }

// OctText is oct of an int.
func OctText(m budget.Meter, i Int) (string, error) { return i.signed(m, "0o", 8) }

// BinText is bin of an int.
func BinText(m budget.Meter, i Int) (string, error) { return i.signed(m, "0b", 2) }

func (i Int) signed(m budget.Meter, prefix string, base int) (string, error) {
	digits, err := i.digits(m, base)
	if err != nil {
		return "", err
	}
	if i.Negative() {
		prefix = "-" + prefix
	}
	if err := alloc(m, len(prefix)+len(digits)); err != nil {
		return "", err
	}
	return prefix + digits, nil
}

// Float returns the nearest float, or CPython's OverflowError.
func (i Int) Float() (float64, error) {
	if i.Big == nil {
		return float64(i.Small), nil
	}
	f, _ := i.Big.Float64()
	if math.IsInf(f, 0) {
		return 0, raise.Overflow("int too large to convert to float")
	}
	return f, nil
}
