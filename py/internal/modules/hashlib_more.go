package modules

import (
	"crypto/hmac"
	"crypto/sha3"
	"hash"

	"github.com/glovebox-dev/glovebox/py/internal/blake2"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// shake is a hash whose digests are as long as asked for.
type shake struct{ *sha3.SHAKE }

// Sum appends nothing: the length of the digest is not known.
func (s *shake) Sum(b []byte) []byte { return b }

// Size is 0, as in CPython.
func (s *shake) Size() int { return 0 }

// Clone returns a copy.
func (s *shake) Clone() (hash.Cloner, error) {
	b, err := s.MarshalBinary()
	if err != nil {
		return nil, err
	}
	c := sha3.NewSHAKE128()
	if s.BlockSize() != c.BlockSize() {
		c = sha3.NewSHAKE256()
	}
	return &shake{c}, c.UnmarshalBinary(b)
}

// maxShake is the length of a digest, at most.
const maxShake = 1 << 29

// digestOf is the digest of a hash. That of a shake takes its length.
func digestOf(m *machine.Machine, s *hashState, a machine.Args) ([]byte, error) {
	x, ok := s.h.(*shake)
	if !ok {
		if len(a.All()) > 1 {
			return nil, raise.Type("HASH.digest() takes no arguments (%d given)", len(a.All())-1)
		}
		return s.h.Sum(nil), nil
	}
	v, err := a.Rest().Bind("digest", 0, "length")
	if err != nil {
		return nil, err
	}
	if !v[0].Bound() {
		return nil, raise.Type("digest() missing required argument 'length' (pos 1)")
	}
	n, err := m.OptionalInt(v[0], 0)
	if err != nil {
		return nil, err
	}
	if n < 0 || n >= maxShake {
		return nil, raise.Value("value must be positive and below 2**29")
	}
	if err := m.Alloc(int(n)); err != nil {
		return nil, err
	}
	if err := m.Work(hashWork * int(n)); err != nil {
		return nil, err
	}
	c, err := x.Clone()
	if err != nil {
		return nil, err
	}
	out := make([]byte, n)
	_, err = c.(*shake).Read(out)
	return out, err
}

// defineBlake2 defines blake2b and blake2s.
func defineBlake2(mod *machine.ModuleBuilder) {
	for _, kind := range []*blake2.Kind{blake2.B, blake2.S} {
		mod.Function(kind.Name, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			v, err := a.Bind(kind.Name, 0, "data", "digest_size", "key", "salt", "person", "usedforsecurity")
			if err != nil {
				return machine.Value{}, err
			}
			h, err := newBlake2(m, kind, v[1:5])
			if err != nil {
				return machine.Value{}, err
			}
			s := &hashState{kind.Name, h}
			if v[0].Bound() {
				if err := feedHash(m, s, v[0]); err != nil {
					return machine.Value{}, err
				}
			}
			return m.NewBoxed(hashType, s)
		})
	}
}

// newBlake2 makes a hash of the size of its digest, a key, a salt and a
// personal string, each of which may be unbound.
func newBlake2(m *machine.Machine, kind *blake2.Kind, v []machine.Value) (*blake2.Hash, error) {
	size, err := m.OptionalInt(v[0], int64(kind.Size))
	if err != nil {
		return nil, err
	}
	if size < 1 || size > int64(kind.Size) {
		return nil, raise.Value("digest_size must be between 1 and %d bytes", kind.Size)
	}
	var texts [3]string
	for i, name := range []string{"key", "salt", "person"} {
		if !v[i+1].Bound() {
			continue
		}
		if texts[i], err = bytesLike(v[i+1]); err != nil {
			return nil, err
		}
		most := kind.Salt
		if i == 0 {
			most = kind.Size
		}
		if len(texts[i]) > most {
			return nil, raise.Value("maximum %s length is %d bytes", name, most)
		}
	}
	return blake2.New(kind, int(size), texts[0], texts[1], texts[2]), nil
}

// pbkdf2 is hashlib.pbkdf2_hmac.
func pbkdf2(m *machine.Machine, a machine.Args) (machine.Value, error) {
	v, err := a.Bind("pbkdf2_hmac", 4, "hash_name", "password", "salt", "iterations", "dklen")
	if err != nil {
		return machine.Value{}, err
	}
	name, err := machine.WantStr(v[0], "pbkdf2_hmac() argument 'hash_name' must be str, not %s", machine.TypeName(v[0]))
	if err != nil {
		return machine.Value{}, err
	}
	s, ok := newHash(name.Text())
	if !ok || s.h.Size() == 0 {
		return machine.Value{}, raise.Value("unsupported hash type %s", name.Text())
	}
	password, err1 := bytesLike(v[1])
	salt, err2 := bytesLike(v[2])
	iterations, err3 := m.OptionalInt(v[3], 0)
	size, err4 := m.OptionalInt(orUnbound(v[4]), int64(s.h.Size()))
	if err := firstError(err1, err2, err3, err4); err != nil {
		return machine.Value{}, err
	}
	switch {
	case iterations < 1:
		return machine.Value{}, raise.Value("iteration value must be greater than 0.")
	case size < 1:
		return machine.Value{}, raise.Value("key length must be greater than 0.")
	case iterations >= 1<<31 || size >= 1<<31:
		return machine.Value{}, raise.Overflow("value is too great.")
	}
	return deriveKey(m, hashMakers[name.Text()], password, salt, int(iterations), int(size))
}

// orUnbound takes None for an argument that is not given.
func orUnbound(v machine.Value) machine.Value {
	if v.IsNone() {
		return machine.Value{}
	}
	return v
}

func firstError(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

// deriveKey is PBKDF2 of RFC 8018. Each iteration hashes two blocks and is paid
// for.
func deriveKey(m *machine.Machine, maker func() hash.Hash, password, salt string, iterations, size int) (machine.Value, error) {
	if err := m.Alloc(2*size + len(password) + len(salt)); err != nil {
		return machine.Value{}, err
	}
	if err := m.Work(hashWork * (len(password) + len(salt))); err != nil {
		return machine.Value{}, err
	}
	mac := hmac.New(maker, []byte(password))
	out := make([]byte, 0, size+mac.Size())
	work := 2 * hashWork * mac.BlockSize()
	for block := uint32(1); len(out) < size; block++ {
		mac.Reset()
		mac.Write([]byte(salt))
		mac.Write([]byte{byte(block >> 24), byte(block >> 16), byte(block >> 8), byte(block)})
		turn := mac.Sum(nil)
		key := append([]byte(nil), turn...)
		for range iterations - 1 {
			if err := m.Work(work); err != nil {
				return machine.Value{}, err
			}
			mac.Reset()
			mac.Write(turn)
			turn = mac.Sum(turn[:0])
			for i := range key {
				key[i] ^= turn[i]
			}
		}
		if err := m.Work(work); err != nil {
			return machine.Value{}, err
		}
		out = append(out, key...)
	}
	return m.Bytes(string(out[:size]))
}
