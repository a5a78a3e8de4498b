// Package blake2 is the hash functions BLAKE2b and BLAKE2s of RFC 7693, with
// keys, salts and personal strings, and a state that can be saved.
package blake2

import (
	"encoding/binary"
	"errors"
	"hash"
	"math/bits"
)

// Kind is one of the two functions.
type Kind struct {
	Name  string
	Size  int // of a digest and of a key, at most
	Block int // bytes of one block
	Salt  int // bytes of a salt and of a personal string, at most

	word   int // bytes
	rounds int
	start  [8]uint64
}

// The two functions: one for words of 64 bits, one for words of 32.
var (
	B = &Kind{Name: "blake2b", Size: 64, Block: 128, Salt: 16, word: 8, rounds: 12, start: [8]uint64{
		0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
		0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179}}
	S = &Kind{Name: "blake2s", Size: 32, Block: 64, Salt: 8, word: 4, rounds: 10, start: [8]uint64{
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}}
)

// order is the order of the words of a block in each round.
var order = [10][16]byte{
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
	{11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
	{7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
	{9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
	{2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
	{12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
	{13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
	{6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
	{10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
}

// Hash is a hash.Hash, except that Reset does nothing.
type Hash struct {
	kind *Kind
	size int
	h    [8]uint64
	n    uint64 // bytes that went through compress
	rest []byte // those that did not, at most a block
}

var _ hash.Cloner = (*Hash)(nil)

// New returns a hash. The lengths must be within what the kind allows.
func New(kind *Kind, size int, key, salt, person string) *Hash {
	p := make([]byte, 8*kind.word)
	p[0], p[1], p[2], p[3] = byte(size), byte(len(key)), 1, 1
	copy(p[4*kind.word:], salt)
	copy(p[6*kind.word:], person)
	h := &Hash{kind: kind, size: size, h: kind.start, rest: make([]byte, 0, kind.Block)}
	for i := range h.h {
		h.h[i] ^= kind.load(p, i)
	}
	if key != "" {
		h.rest = h.rest[:kind.Block]
		copy(h.rest, key)
	}
	return h
}

func (k *Kind) load(b []byte, i int) uint64 {
	if k.word == 8 {
		return binary.LittleEndian.Uint64(b[8*i:])
	}
	return uint64(binary.LittleEndian.Uint32(b[4*i:]))
}

// Write takes bytes. The last block waits, since it is worked on another way.
func (h *Hash) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if len(h.rest) == h.kind.Block {
			h.n += uint64(h.kind.Block)
			h.compress(h.rest, false)
			h.rest = h.rest[:0]
		}
		part := min(len(p), h.kind.Block-len(h.rest))
		h.rest, p = append(h.rest, p[:part]...), p[part:]
	}
	return n, nil
}

// Sum appends the digest of what was written.
func (h *Hash) Sum(b []byte) []byte {
	last := *h
	last.rest = make([]byte, h.kind.Block)
	copy(last.rest, h.rest)
	last.n += uint64(len(h.rest))
	last.compress(last.rest, true)
	var out []byte
	for _, w := range last.h {
		if h.kind.word == 8 {
			out = binary.LittleEndian.AppendUint64(out, w)
		} else {
			out = binary.LittleEndian.AppendUint32(out, uint32(w))
		}
	}
	return append(b, out[:h.size]...)
}

// Reset does nothing: the key is not kept.
func (h *Hash) Reset() {}

// Size is the length of the digest.
func (h *Hash) Size() int { return h.size }

// BlockSize is the length of a block in bytes.
func (h *Hash) BlockSize() int { return h.kind.Block }

// Clone returns a copy.
func (h *Hash) Clone() (hash.Cloner, error) {
	c := *h
	c.rest = append(make([]byte, 0, h.kind.Block), h.rest...)
	return &c, nil
}

func (h *Hash) compress(block []byte, last bool) {
	var m [16]uint64
	for i := range m {
		m[i] = h.kind.load(block, i)
	}
	var v [16]uint64
	copy(v[:], h.h[:])
	copy(v[8:], h.kind.start[:])
	v[12] ^= h.n
	if h.kind.word == 4 {
		v[12] = uint64(uint32(v[12]))
		v[13] ^= h.n >> 32
	}
	if last {
		v[14] = ^v[14]
	}
	if h.kind.word == 8 {
		rounds64(&v, &m, h.kind.rounds)
	} else {
		rounds32(&v, &m, h.kind.rounds)
	}
	for i := range h.h {
		h.h[i] ^= v[i] ^ v[i+8]
	}
}

// lanes are the words that the eight steps of a round mix.
var lanes = [8][4]int{{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}, {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14}}

func rounds64(v, m *[16]uint64, rounds int) {
	for r := range rounds {
		s := &order[r%10]
		for i, l := range lanes {
			a, b, c, d := v[l[0]], v[l[1]], v[l[2]], v[l[3]]
			a += b + m[s[2*i]]
			d = bits.RotateLeft64(d^a, -32)
			c += d
			b = bits.RotateLeft64(b^c, -24)
			a += b + m[s[2*i+1]]
			d = bits.RotateLeft64(d^a, -16)
			c += d
			b = bits.RotateLeft64(b^c, -63)
			v[l[0]], v[l[1]], v[l[2]], v[l[3]] = a, b, c, d
		}
	}
}

func rounds32(v, m *[16]uint64, rounds int) {
	for r := range rounds {
		s := &order[r%10]
		for i, l := range lanes {
			a, b, c, d := uint32(v[l[0]]), uint32(v[l[1]]), uint32(v[l[2]]), uint32(v[l[3]])
			a += b + uint32(m[s[2*i]])
			d = bits.RotateLeft32(d^a, -16)
			c += d
			b = bits.RotateLeft32(b^c, -12)
			a += b + uint32(m[s[2*i+1]])
			d = bits.RotateLeft32(d^a, -8)
			c += d
			b = bits.RotateLeft32(b^c, -7)
			v[l[0]], v[l[1]], v[l[2]], v[l[3]] = uint64(a), uint64(b), uint64(c), uint64(d)
		}
	}
}

// MarshalBinary returns the state.
func (h *Hash) MarshalBinary() ([]byte, error) {
	b := []byte{byte(h.size)}
	for _, w := range h.h {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	b = binary.LittleEndian.AppendUint64(b, h.n)
	return append(b, h.rest...), nil
}

var errState = errors.New("no state of this hash")

// UnmarshalBinary takes a state that MarshalBinary gave a hash of this kind.
func (h *Hash) UnmarshalBinary(b []byte) error {
	const head = 1 + 9*8
	if len(b) < head || len(b) > head+h.kind.Block || int(b[0]) > h.kind.Size || b[0] == 0 {
		return errState
	}
	h.size = int(b[0])
	for i := range h.h {
		h.h[i] = binary.LittleEndian.Uint64(b[1+8*i:])
	}
	h.n = binary.LittleEndian.Uint64(b[1+8*8:])
	h.rest = append(make([]byte, 0, h.kind.Block), b[head:]...)
	return nil
}
