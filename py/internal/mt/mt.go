// Package mt is the generator of Python's random module: the Mersenne Twister
// MT19937 of Matsumoto and Nishimura, seeded and read as CPython does, so that
// a seed gives the same sequence in both.
package mt

import (
	"crypto/sha512"
	"encoding/binary"
	"math/big"
	"math/bits"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

const (
	size   = 624
	middle = 397
)

// Generator is the state of one generator. The zero value is not seeded: make
// one with New, NewFloat or NewText.
type Generator struct {
	state [size]uint32
	next  int // index of the next word; size when the state is used up
}

// New returns a generator that is seeded as random.seed(n) does with an int.
func New(m budget.Meter, n *big.Int) (*Generator, error) {
	if err := m.Alloc(4*size + n.BitLen()/8); err != nil {
		return nil, err
	}
	return newKey(m, n.Bytes()) // the sign is lost in CPython too
}

// NewText returns a generator that is seeded as random.seed(data) does with
// bytes, or with a str whose UTF-8 is data: the bytes and their SHA-512 are read
// as one big-endian int.
func NewText(m budget.Meter, data string) (*Generator, error) {
	if err := m.Alloc(4*size + 2*len(data)); err != nil {
		return nil, err
	}
	hash := sha512.New()
	number := make([]byte, 0, len(data)+hash.Size())
	for rest := data; rest != ""; {
		part := rest[:min(len(rest), 1<<16)]
		rest = rest[len(part):]
		if err := m.Work(3 * len(part)); err != nil {
			return nil, err
		}
		hash.Write([]byte(part))
		number = append(number, part...)
	}
	return newKey(m, hash.Sum(number))
}

// NewFloat returns a generator that is seeded as random.seed(f) does with a
// float, of which CPython takes the hash.
func NewFloat(m budget.Meter, hash int64) (*Generator, error) {
	return New(m, new(big.Int).SetUint64(uint64(hash)))
}

// newKey seeds with a big-endian number, the least significant word of which
// comes first in the key.
func newKey(m budget.Meter, number []byte) (*Generator, error) {
	for len(number) > 0 && number[0] == 0 {
		number = number[1:]
	}
	key := make([]uint32, 0, len(number)/4+1)
	for end := len(number); end > 0; end -= 4 {
		word := uint32(0)
		for _, b := range number[max(0, end-4):end] {
			word = word<<8 | uint32(b)
		}
		key = append(key, word)
	}
	if len(key) == 0 {
		key = []uint32{0}
	}
	g := &Generator{next: size}
	return g, g.seedKey(m, key)
}

func (g *Generator) seedWord(s uint32) {
	g.state[0] = s
	for i := 1; i < size; i++ {
		s = 1812433253*(s^s>>30) + uint32(i)
		g.state[i] = s
	}
}

func (g *Generator) seedKey(m budget.Meter, key []uint32) error {
	g.seedWord(19650218)
	s := &g.state
	i, j := 1, 0
	steps := max(size, len(key))
	for step := range steps {
		if step%100_000 == 0 {
			if err := m.Work(2 * min(steps-step, 100_000)); err != nil {
				return err
			}
		}
		s[i] = (s[i] ^ (s[i-1]^s[i-1]>>30)*1664525) + key[j] + uint32(j)
		if i++; i == size {
			s[0], i = s[size-1], 1
		}
		if j++; j == len(key) {
			j = 0
		}
	}
	for range size - 1 {
		s[i] = (s[i] ^ (s[i-1]^s[i-1]>>30)*1566083941) - uint32(i)
		if i++; i == size {
			s[0], i = s[size-1], 1
		}
	}
	s[0] = 1 << 31
	return nil
}

// refill makes the next words of the state.
func (g *Generator) refill() {
	s := &g.state
	for i := range s {
		y := s[i]&(1<<31) | s[(i+1)%size]&(1<<31-1)
		s[i] = s[(i+middle)%size] ^ y>>1 ^ (y&1)*0x9908b0df
	}
	g.next = 0
}

// Uint32 returns the next 32 random bits.
func (g *Generator) Uint32() uint32 {
	if g.next >= size {
		g.refill()
	}
	y := g.state[g.next]
	g.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// Float64 returns random.random(): a float in [0, 1) with 53 random bits.
func (g *Generator) Float64() float64 {
	a, b := g.Uint32()>>5, g.Uint32()>>6
	return float64(uint64(a)<<26|uint64(b)) / (1 << 53)
}

// Bits64 returns random.getrandbits(k) for a k from 0 to 64.
func (g *Generator) Bits64(k int) uint64 {
	switch {
	case k == 0:
		return 0
	case k <= 32:
		return uint64(g.Uint32() >> (32 - k))
	}
	low := uint64(g.Uint32())
	return low | uint64(g.Uint32()>>(64-k))<<32
}

// Bits returns random.getrandbits(k). k must not be negative; the caller has
// seen to it that it is not above the size of the largest int.
func (g *Generator) Bits(m budget.Meter, k int) (*big.Int, error) {
	if err := m.Alloc(k / 4); err != nil {
		return nil, err
	}
	data := make([]byte, (k+31)/32*4)
	for end := len(data); end > 0; end -= 4 {
		if end%100_000 == len(data)%100_000 {
			if err := m.Work(2 * min(end, 100_000)); err != nil {
				return nil, err
			}
		}
		word := g.Uint32()
		if end == 4 && k%32 != 0 {
			word >>= 32 - k%32
		}
		binary.BigEndian.PutUint32(data[end-4:end], word)
	}
	return new(big.Int).SetBytes(data), nil
}

// Below returns a random number below n, which must not be 0, by the method of
// random.randrange, choice, shuffle and sample.
func (g *Generator) Below(n uint64) uint64 {
	k := bits.Len64(n)
	for {
		if r := g.Bits64(k); r < n {
			return r
		}
	}
}

// Words returns the state as random.getstate() has it: 624 words and the index.
func (g *Generator) Words() []uint32 {
	return append(append(make([]uint32, 0, size+1), g.state[:]...), uint32(g.next))
}

// SetWords takes up a state that Words returned.
func (g *Generator) SetWords(words []uint32) error {
	if len(words) != size+1 || words[size] > size {
		return errState
	}
	copy(g.state[:], words)
	g.next = int(words[size])
	return nil
}

// MarshaledSize is the length of what AppendBinary appends.
const MarshaledSize = 4*size + 2

// AppendBinary appends the state: 624 words and the index, little-endian.
func (g *Generator) AppendBinary(b []byte) ([]byte, error) {
	for _, word := range g.state {
		b = binary.LittleEndian.AppendUint32(b, word)
	}
	return binary.LittleEndian.AppendUint16(b, uint16(g.next)), nil
}

// UnmarshalBinary takes up a state that AppendBinary wrote.
func (g *Generator) UnmarshalBinary(data []byte) error {
	if len(data) != MarshaledSize || binary.LittleEndian.Uint16(data[4*size:]) > size {
		return errState
	}
	for i := range g.state {
		g.state[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	g.next = int(binary.LittleEndian.Uint16(data[4*size:]))
	return nil
}

var errState = raise.Value("invalid state")
