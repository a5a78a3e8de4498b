package modules

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding"
	"encoding/hex"
	"hash"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/blake2"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// hashType is the class of the objects of the module hashlib.
var hashType = machine.NewClass("HASH", "_hashlib.HASH")

// hashMakers are the hash functions by their names in Python.
var hashMakers = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New,
	"sha3_224": func() hash.Hash { return sha3.New224() }, "sha3_256": func() hash.Hash { return sha3.New256() },
	"sha3_384": func() hash.Hash { return sha3.New384() }, "sha3_512": func() hash.Hash { return sha3.New512() },
	"shake_128": func() hash.Hash { return &shake{sha3.NewSHAKE128()} }, "shake_256": func() hash.Hash { return &shake{sha3.NewSHAKE256()} },
	"blake2b": func() hash.Hash { return blake2.New(blake2.B, blake2.B.Size, "", "", "") },
	"blake2s": func() hash.Hash { return blake2.New(blake2.S, blake2.S.Size, "", "", "") },
}

// hashState is the state of a hash.
type hashState struct {
	name string
	h    hash.Hash
}

// hashStateBytes is about what the largest state takes.
const hashStateBytes = 512

// hashWork is the units of work that a byte takes, at most.
const hashWork = 8

// Size is the bytes of the state.
func (s *hashState) Size() int { return hashStateBytes }

// Each visits nothing.
func (s *hashState) Each(func(machine.Value)) {}

// Save returns the name of the hash function and its state as the standard
// library writes it.
func (s *hashState) Save() (string, []machine.Value) {
	b, err := s.h.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		return "", nil
	}
	return hashKind, []machine.Value{machine.SharedStr(s.name).Ref(), machine.SavedBytes(string(b))}
}

// hashKind is how snapshots name a hashState.
const hashKind = "hashlib.hash"

// loadHash makes a hashState of what Save returned.
func loadHash(_ *machine.Machine, fields []machine.Value) (machine.Boxed, error) {
	if len(fields) != 2 || fields[0].Str() == nil || fields[1].Bytes() == nil {
		return nil, machine.ErrMalformed
	}
	s, ok := newHash(fields[0].Str().Text())
	if !ok {
		return nil, machine.ErrMalformed
	}
	if err := s.h.(encoding.BinaryUnmarshaler).UnmarshalBinary([]byte(fields[1].Bytes().Data())); err != nil {
		return nil, machine.ErrMalformed
	}
	return s, nil
}

func newHash(name string) (*hashState, bool) {
	maker, ok := hashMakers[name]
	if !ok {
		return nil, false
	}
	return &hashState{name, maker()}, true
}

// defineHashlib defines the module hashlib, without files.
func defineHashlib(r *machine.Registry) {
	r.Module("hashlib", func(mod *machine.ModuleBuilder) {
		r.HiddenClass(hashType)
		names := frozenNames(r, hashMakers)
		mod.Define("algorithms_available", names)
		mod.Define("algorithms_guaranteed", names)
		mod.Function("pbkdf2_hmac", pbkdf2)
		defineBlake2(mod)
		for name := range hashMakers {
			if strings.HasPrefix(name, "blake2") {
				continue
			}
			mod.Function(name, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
				v, err := a.Bind("openssl_"+name, 0, "string", "usedforsecurity")
				if err != nil {
					return machine.Value{}, err
				}
				return startHash(m, name, v[0])
			})
		}
		mod.Function("new", func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			v, err := a.Bind("new", 1, "name", "data", "usedforsecurity")
			if err != nil {
				return machine.Value{}, err
			}
			name, err := machine.WantStr(v[0], "name must be a string")
			if err != nil {
				return machine.Value{}, err
			}
			return startHash(m, name.Text(), v[1])
		})
	})
	r.Unboxer(hashKind, loadHash)
	defineHashMethods(r)
}

// frozenNames is a frozenset of the names of hash functions.
func frozenNames(r *machine.Registry, makers map[string]func() hash.Hash) machine.Value {
	names := make([]string, 0, len(makers))
	for name := range makers {
		names = append(names, name)
	}
	return r.FrozenSet("hashlib.algorithms", names)
}

func startHash(m *machine.Machine, name string, data machine.Value) (machine.Value, error) {
	s, ok := newHash(name)
	if !ok {
		return machine.Value{}, raise.Value("unsupported hash type %s", name)
	}
	if data.Bound() {
		if err := feedHash(m, s, data); err != nil {
			return machine.Value{}, err
		}
	}
	return m.NewBoxed(hashType, s)
}

func feedHash(m *machine.Machine, s *hashState, data machine.Value) error {
	data = machine.Plain(data)
	if data.Kind() == machine.KindStr {
		return raise.Type("Strings must be encoded before hashing")
	}
	b := data.Bytes()
	if b == nil {
		return raise.Type("object supporting the buffer API required")
	}
	const portion = 64 << 10
	var buffer [1024]byte
	for rest := b.Data(); rest != ""; {
		if err := m.Work(hashWork * min(len(rest), portion)); err != nil {
			return err
		}
		for end := max(0, len(rest)-portion); len(rest) > end; {
			n := copy(buffer[:], rest[:min(len(rest), len(rest)-end, len(buffer))])
			s.h.Write(buffer[:n])
			rest = rest[n:]
		}
	}
	return nil
}

func defineHashMethods(r *machine.Registry) {
	hashMethod(r, "update", 2, func(m *machine.Machine, s *hashState, a machine.Args) (machine.Value, error) {
		return machine.None, feedHash(m, s, a.Arg(1))
	})
	hashMethod(r, "digest", 1, func(m *machine.Machine, s *hashState, a machine.Args) (machine.Value, error) {
		b, err := digestOf(m, s, a)
		if err != nil {
			return machine.Value{}, err
		}
		return m.Bytes(string(b))
	})
	hashMethod(r, "hexdigest", 1, func(m *machine.Machine, s *hashState, a machine.Args) (machine.Value, error) {
		b, err := digestOf(m, s, a)
		if err != nil {
			return machine.Value{}, err
		}
		return m.Str(hex.EncodeToString(b))
	})
	hashMethod(r, "copy", 1, func(m *machine.Machine, s *hashState, a machine.Args) (machine.Value, error) {
		c, ok := s.h.(hash.Cloner)
		if !ok {
			return machine.Value{}, raise.Value("this hash cannot be copied")
		}
		h, err := c.Clone()
		if err != nil {
			return machine.Value{}, raise.Value("this hash cannot be copied")
		}
		return m.NewBoxed(hashType, &hashState{s.name, h})
	})
	for name, get := range map[string]func(s *hashState) machine.Value{
		"name":        func(s *hashState) machine.Value { return machine.SharedStr(s.name).Ref() },
		"digest_size": func(s *hashState) machine.Value { return machine.Int(int64(s.h.Size())) },
		"block_size":  func(s *hashState) machine.Value { return machine.Int(int64(s.h.BlockSize())) },
	} {
		r.Property(hashType, name, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			s, err := hashOfObject(name, a.Arg(0))
			if err != nil {
				return machine.Value{}, err
			}
			return get(s), nil
		})
	}
}

func hashMethod(r *machine.Registry, name string, args int, fn func(m *machine.Machine, s *hashState, a machine.Args) (machine.Value, error)) {
	most := args
	if strings.HasSuffix(name, "digest") {
		most++ // the length, if the hash has none of its own
	}
	r.MethodKw(hashType, name, args, most, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		s, err := hashOfObject(name, a.Arg(0))
		if err != nil {
			return machine.Value{}, err
		}
		return fn(m, s, a)
	})
}

func hashOfObject(name string, v machine.Value) (*hashState, error) {
	if o := v.Opaque(); o != nil {
		if s, ok := o.Box().(*hashState); ok {
			return s, nil
		}
	}
	return nil, machine.WrongReceiver(name, hashType, v)
}
