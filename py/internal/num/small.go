package num

import (
	"math"
	"math/bits"
)

// Add returns a + b and whether it fits.
func Add(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0)
}

// Sub returns a - b and whether it fits.
func Sub(a, b int64) (int64, bool) {
	c := a - b
	return c, (c < a) == (b > 0)
}

// Neg returns -a and whether it fits.
func Neg(a int64) (int64, bool) { return -a, a != math.MinInt64 }

// Abs returns the magnitude of a and whether it fits.
func Abs(a int64) (int64, bool) {
	if a < 0 {
		return Neg(a)
	}
	return a, true
}

// Mul returns a * b and whether it fits.
func Mul(a, b int64) (int64, bool) {
	if int64(int32(a)) == a && int64(int32(b)) == b {
		return a * b, true
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	high := int64(hi) - a>>63&b - b>>63&a // from the unsigned to the signed product
	return int64(lo), high == int64(lo)>>63
}

// FloorDiv returns a // b and whether it fits. b must not be 0.
func FloorDiv(a, b int64) (int64, bool) {
	if b == -1 {
		return Neg(a)
	}
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q, true
}

// Mod returns a % b, which has the sign of b. b must not be 0.
func Mod(a, b int64) int64 {
	if b == -1 {
		return 0
	}
	r := a % b
	if r != 0 && (r < 0) != (b < 0) {
		r += b
	}
	return r
}

// Shl returns a << n and whether it fits. n must not be negative.
func Shl(a, n int64) (int64, bool) {
	if a == 0 {
		return 0, true
	}
	if n > 63 {
		return 0, false
	}
	c := a << uint(n)
	return c, c>>uint(n) == a
}

// Shr returns a >> n. n must not be negative.
func Shr(a, n int64) int64 { return a >> uint64(n) }

// Pow returns a ** n and whether it fits. n must not be negative.
func Pow(a, n int64) (int64, bool) {
	result, ok := int64(1), true
	for {
		if n&1 != 0 {
			if result, ok = Mul(result, a); !ok {
				return 0, false
			}
		}
		if n >>= 1; n == 0 {
			return result, true
		}
		if a, ok = Mul(a, a); !ok {
			return 0, false
		}
	}
}

// PowMod returns a ** n % mod in the range of mod's sign. n must not be
// negative, and mod not 0.
func PowMod(a, n, mod int64) int64 {
	size := magnitude(mod)
	result, base := 1%size, uint64(0)
	if mod == math.MinInt64 {
		base = uint64(a) & (size - 1)
	} else {
		base = uint64(Mod(a, int64(size)))
	}
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			result = mulMod(result, base, size)
		}
		base = mulMod(base, base, size)
	}
	if mod < 0 && result != 0 {
		return int64(result - size)
	}
	return int64(result)
}

func mulMod(a, b, mod uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return bits.Rem64(hi, lo, mod)
}

// BitLen returns the number of bits of a's magnitude.
func BitLen(a int64) int { return bits.Len64(magnitude(a)) }

// BitCount returns the number of ones in a's magnitude.
func BitCount(a int64) int { return bits.OnesCount64(magnitude(a)) }

// Gcd returns the greatest common divisor of a and b. It does not fit an int64
// only if both are 0 or -1<<63.
func Gcd(a, b int64) uint64 {
	x, y := magnitude(a), magnitude(b)
	for y != 0 {
		x, y = y, x%y
	}
	return x
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}
