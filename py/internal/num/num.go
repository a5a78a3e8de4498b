// Package num is the arithmetic of Python's int and float, without the machine.
//
// An int is an int64 as long as it fits, and a *big.Int beyond that. The
// functions on int64 say whether the result fits and cost nothing else; those
// on *big.Int never change their operands, may return a value that fits an
// int64 again (the caller normalises), and pay for memory and time before they
// spend it. No single step of theirs runs for more than a few milliseconds
// between two payments.
//
// Ints are limited to MaxBits. CPython has no such limit; the error is the
// OverflowError that it raises when an int outgrows its own representation.
package num

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// MaxBits is the size of the largest int: 2**MaxBits - 1, which is one MiB, or
// 2.5 million decimal digits.
const MaxBits = 8 << 20

const (
	wordBits = bits.UintSize
	header   = 48 // bytes of a big.Int besides its words

	portion = 1_000_000 // units in one payment
	stretch = 4_000_000 // units that an operation of math/big may take in one go
)

var one = big.NewInt(1)

// Size returns the bytes that an int of so many bits takes in memory.
func Size(bitLen int) int { return header + bitLen/8 + 8 }

// grow pays for a result of at most bitLen bits, or refuses it.
func grow(m budget.Meter, bitLen int) error {
	if bitLen > MaxBits+wordBits { // estimates are too high by less than a word
		return errTooLarge()
	}
	return m.Alloc(Size(bitLen))
}

// capped refuses a result that is just above MaxBits, which grow let pass.
func capped(z *big.Int) (*big.Int, error) {
	if z.BitLen() > MaxBits {
		return nil, errTooLarge()
	}
	return z, nil
}

func errTooLarge() error { return raise.Overflow("too many digits in integer") }

// spend pays for units of work, in portions.
func spend(m budget.Meter, units int) error {
	for ; units > portion; units -= portion {
		if err := m.Work(portion); err != nil {
			return err
		}
	}
	return m.Work(units)
}

func words(x *big.Int) int { return len(x.Bits()) }

// mulCost estimates the nanoseconds of multiplying ints of x and y words:
// schoolbook below the threshold of math/big, Karatsuba above it.
func mulCost(x, y int) int {
	if x > y {
		x, y = y, x
	}
	if x <= 40 {
		return x*y/2 + 20
	}
	return int(3 * math.Pow(float64(x), 1.585) * float64(y) / float64(x))
}
