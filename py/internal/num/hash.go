package num

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
)

// Equal numbers have equal hashes whatever their type: that of a rational is
// its value modulo the prime 2**61 - 1, with the sign of the number, and -2 in
// place of -1 (CPython, "Hashing of numeric types").
const (
	hashBits = 61
	hashMod  = 1<<hashBits - 1

	hashInf = 314159
)

// HashInt returns hash(a).
func HashInt(a int64) int64 {
	return signed(magnitude(a)%hashMod, a < 0)
}

// HashBig returns hash(a), in time linear in its size.
func HashBig(a *big.Int) int64 {
	return signed(residue(a), a.Sign() < 0)
}

// residue returns the magnitude of a modulo hashMod.
func residue(a *big.Int) uint64 {
	h := uint64(0)
	w := a.Bits()
	for i := len(w) - 1; i >= 0; i-- {
		// 2**64 is 8 modulo the prime.
		hi, lo := bits.Mul64(h, 8)
		sum, carry := bits.Add64(lo, uint64(w[i]), 0)
		h = bits.Rem64(hi+carry, sum, hashMod)
	}
	return h
}

func signed(h uint64, negative bool) int64 {
	x := int64(h)
	if negative {
		x = -x
	}
	if x == -1 {
		return -2
	}
	return x
}

// HashFloat returns hash(f). That of NaN is 0: CPython's depends on an address.
func HashFloat(f float64) int64 {
	switch {
	case math.IsNaN(f):
		return 0
	case math.IsInf(f, 0):
		return int64(math.Copysign(hashInf, f))
	case f == math.Trunc(f) && math.Abs(f) < 1<<62:
		return HashInt(int64(f))
	}
	fraction, exponent := math.Frexp(math.Abs(f))
	h := uint64(math.Ldexp(fraction, 53)) // below the prime
	return signed(rotate(h, exponent-53), f < 0)
}

// rotate returns h * 2**n modulo the prime, of which 2**61 is 1.
func rotate(h uint64, n int) uint64 {
	n %= hashBits
	if n < 0 {
		n += hashBits
	}
	return (h<<n)&hashMod | h>>(hashBits-n)
}

// HashDecimal returns the hash of coefficient * 10**exponent, with a sign of
// its own. The coefficient must not be negative.
func HashDecimal(negative bool, coefficient *big.Int, exponent int64) int64 {
	n := exponent % (hashMod - 1) // Fermat: 10**(hashMod-1) is 1
	if n < 0 {
		n += hashMod - 1
	}
	power := PowMod(10, n, hashMod)
	h := mulMod(residue(coefficient), uint64(power), hashMod)
	return signed(h, negative)
}

// TupleHash combines the hashes of the items of a tuple. The zero value is not
// one: start with NewTupleHash.
type TupleHash struct {
	acc  uint64
	size uint64
}

// The constants are the primes of xxHash, from which CPython's tuples have
// their mixing.
const (
	xxPrime1 = 11400714785074694791
	xxPrime2 = 14029467366897019727
	xxPrime5 = 2870177450012600261
)

// NewTupleHash returns the state before the first item.
func NewTupleHash() TupleHash { return TupleHash{acc: xxPrime5} }

// Add takes in the hash of the next item.
func (t *TupleHash) Add(h int64) {
	t.acc = bits.RotateLeft64(t.acc+uint64(h)*xxPrime2, 31) * xxPrime1
	t.size++
}

// Sum returns the hash of the tuple.
func (t *TupleHash) Sum() int64 {
	acc := t.acc + (t.size ^ (xxPrime5 ^ 3527539))
	if acc == math.MaxUint64 {
		return 1546275796
	}
	return int64(acc)
}

// HashString returns a hash of the bytes of s under a key: SipHash-1-3. CPython
// takes a random key; a caller that needs the same hashes in each run passes
// the same one.
func HashString(key [2]uint64, s string) int64 {
	v := [4]uint64{
		key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
		key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573,
	}
	last := uint64(len(s)) << 56
	for ; len(s) >= 8; s = s[8:] {
		word := binary.LittleEndian.Uint64([]byte(s[:8]))
		v[3] ^= word
		sipRound(&v)
		v[0] ^= word
	}
	for i := range len(s) {
		last |= uint64(s[i]) << (8 * i)
	}
	v[3] ^= last
	sipRound(&v)
	v[0] ^= last
	v[2] ^= 0xff
	sipRound(&v)
	sipRound(&v)
	sipRound(&v)
	h := int64(v[0] ^ v[1] ^ v[2] ^ v[3])
	if h == -1 {
		return -2
	}
	return h
}

func sipRound(v *[4]uint64) {
	v[0] += v[1]
	v[1] = bits.RotateLeft64(v[1], 13) ^ v[0]
	v[0] = bits.RotateLeft64(v[0], 32)
	v[2] += v[3]
	v[3] = bits.RotateLeft64(v[3], 16) ^ v[2]
	v[0] += v[3]
	v[3] = bits.RotateLeft64(v[3], 21) ^ v[0]
	v[2] += v[1]
	v[1] = bits.RotateLeft64(v[1], 17) ^ v[2]
	v[2] = bits.RotateLeft64(v[2], 32)
}
