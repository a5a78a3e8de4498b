package machine

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
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// hashType is the class of the objects of the module hashlib.
var hashType = moduleClass("HASH", "_hashlib.HASH", kindOpaque, objectType)

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
func (s *hashState) Each(func(Value)) {}

// Save returns the name of the hash function and its state as the standard
// library writes it.
func (s *hashState) Save() (string, []Value) {
	b, err := s.h.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		return "", nil
	}
	return hashKind, []Value{newStr(s.name).ref(), (&bytesObject{b: string(b)}).value()}
}

// hashKind is how snapshots name a hashState.
const hashKind = "hashlib.hash"

// loadHash makes a hashState of what Save returned.
func loadHash(_ *Machine, fields []Value) (Boxed, error) {
	if len(fields) != 2 || fields[0].str() == nil || fields[1].bytes() == nil {
		return nil, errCorrupt
	}
	s, ok := newHash(fields[0].str().s)
	if !ok {
		return nil, errCorrupt
	}
	if err := s.h.(encoding.BinaryUnmarshaler).UnmarshalBinary([]byte(fields[1].bytes().b)); err != nil {
		return nil, errCorrupt
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
func defineHashlib(r *registry) {
	r.nativeModule("hashlib", func(mod *moduleMaker) {
		r.hiddenClass(hashType)
		names := r.frozenNames(hashMakers)
		mod.define("algorithms_available", names)
		mod.define("algorithms_guaranteed", names)
		mod.function("pbkdf2_hmac", pbkdf2)
		defineBlake2(mod)
		for name := range hashMakers {
			if strings.HasPrefix(name, "blake2") {
				continue
			}
			mod.function(name, func(m *Machine, a Args) (Value, error) {
				v, err := a.bind("openssl_"+name, 0, "string", "usedforsecurity")
				if err != nil {
					return Value{}, err
				}
				return m.startHash(name, v[0])
			})
		}
		mod.function("new", func(m *Machine, a Args) (Value, error) {
			v, err := a.bind("new", 1, "name", "data", "usedforsecurity")
			if err != nil {
				return Value{}, err
			}
			name, err := wantStr(v[0], "name must be a string")
			if err != nil {
				return Value{}, err
			}
			return m.startHash(name.s, v[1])
		})
	})
	r.unboxer(hashKind, loadHash)
	defineHashMethods(r)
}

// frozenNames is a frozenset of the names of hash functions.
func (r *registry) frozenNames(makers map[string]func() hash.Hash) Value {
	s := &set{}
	s.flags = shared
	for name := range makers {
		o := newStr(name)
		s.insert(o.ref(), None, o.tableHash())
	}
	v := s.value(true)
	r.identify(v, "hashlib.algorithms")
	return v
}

func (m *Machine) startHash(name string, data Value) (Value, error) {
	s, ok := newHash(name)
	if !ok {
		return Value{}, raise.Value("unsupported hash type %s", name)
	}
	if data.bound() {
		if err := m.feedHash(s, data); err != nil {
			return Value{}, err
		}
	}
	return m.box(hashType, s)
}

func (m *Machine) feedHash(s *hashState, data Value) error {
	data = plain(data)
	if data.kind() == kindStr {
		return raise.Type("Strings must be encoded before hashing")
	}
	b := data.bytes()
	if b == nil {
		return raise.Type("object supporting the buffer API required")
	}
	const portion = 64 << 10
	var buffer [1024]byte
	for rest := b.b; rest != ""; {
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

func defineHashMethods(r *registry) {
	r.hashMethod("update", 2, func(m *Machine, s *hashState, a Args) (Value, error) { return None, m.feedHash(s, a.v[1]) })
	r.hashMethod("digest", 1, func(m *Machine, s *hashState, a Args) (Value, error) {
		b, err := m.digest(s, a)
		if err != nil {
			return Value{}, err
		}
		return m.bytes(string(b))
	})
	r.hashMethod("hexdigest", 1, func(m *Machine, s *hashState, a Args) (Value, error) {
		b, err := m.digest(s, a)
		if err != nil {
			return Value{}, err
		}
		return m.str(hex.EncodeToString(b))
	})
	r.hashMethod("copy", 1, func(m *Machine, s *hashState, a Args) (Value, error) {
		c, ok := s.h.(hash.Cloner)
		if !ok {
			return Value{}, raise.Value("this hash cannot be copied")
		}
		h, err := c.Clone()
		if err != nil {
			return Value{}, raise.Value("this hash cannot be copied")
		}
		return m.box(hashType, &hashState{s.name, h})
	})
	for name, get := range map[string]func(s *hashState) Value{
		"name":        func(s *hashState) Value { return newStr(s.name).ref() },
		"digest_size": func(s *hashState) Value { return Int(int64(s.h.Size())) },
		"block_size":  func(s *hashState) Value { return Int(int64(s.h.BlockSize())) },
	} {
		r.property(hashType, name, func(m *Machine, a Args) (Value, error) {
			s, err := hashOfObject(name, a.v[0])
			if err != nil {
				return Value{}, err
			}
			return get(s), nil
		})
	}
}

func (r *registry) hashMethod(name string, args int, fn func(m *Machine, s *hashState, a Args) (Value, error)) {
	most := args
	if strings.HasSuffix(name, "digest") {
		most++ // the length, if the hash has none of its own
	}
	r.methodKw(hashType, name, args, most, func(m *Machine, a Args) (Value, error) {
		s, err := hashOfObject(name, a.v[0])
		if err != nil {
			return Value{}, err
		}
		return fn(m, s, a)
	})
}

func hashOfObject(name string, v Value) (*hashState, error) {
	if o := v.opaque(); o != nil {
		if s, ok := o.box.(*hashState); ok {
			return s, nil
		}
	}
	return nil, wrongReceiver(name, hashType, v)
}
