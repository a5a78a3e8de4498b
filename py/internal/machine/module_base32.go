package machine

import (
	"encoding/base32"
	"encoding/hex"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// defineBase32 defines the codecs to base 32.
func defineBase32(mod *moduleMaker) {
	for name, encoding := range map[string]*base32.Encoding{"b32": base32.StdEncoding, "b32hex": base32.HexEncoding} {
		mod.counted(name+"encode", 1, 1, func(m *Machine, a Args) (Value, error) {
			return m.transcoded(a.v[0], 2, func(b string) string { return encoding.EncodeToString([]byte(b)) })
		})
		params := []string{"s", "casefold", "map01"}
		if name == "b32hex" {
			params = params[:2]
		}
		mod.function(name+"decode", func(m *Machine, a Args) (Value, error) {
			v, err := a.bind(name+"decode", 1, params...)
			if err != nil {
				return Value{}, err
			}
			return m.decode32(encoding, v[0], boundTruth(v[1], false), v[2])
		})
	}
}

func (m *Machine) decode32(encoding *base32.Encoding, v Value, fold bool, map01 Value) (Value, error) {
	s, err := m.asciiBytes(v)
	if err != nil {
		return Value{}, err
	}
	if err := m.payCodec(len(s), 2); err != nil {
		return Value{}, err
	}
	if len(s)%8 != 0 {
		return Value{}, m.errCodec("Incorrect padding")
	}
	if map01.bound() && !map01.isNone() {
		one, err := m.asciiBytes(map01)
		if err != nil {
			return Value{}, err
		}
		s = strings.NewReplacer("0", "O", "1", one[:min(1, len(one))]).Replace(s)
	}
	if fold {
		s = strings.ToUpper(s)
	}
	digits := strings.TrimRight(s, "=")
	for _, c := range []byte(digits) {
		if strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", c) < 0 && encoding == base32.StdEncoding ||
			strings.IndexByte("0123456789ABCDEFGHIJKLMNOPQRSTUV", c) < 0 && encoding == base32.HexEncoding {
			return Value{}, m.errCodec("Non-base32 digit found")
		}
	}
	b, err := encoding.WithPadding(base32.NoPadding).DecodeString(digits)
	if pad := len(s) - len(digits); err != nil || pad != 0 && pad != 1 && pad != 3 && pad != 4 && pad != 6 {
		return Value{}, m.errCodec("Incorrect padding")
	}
	return m.bytes(string(b))
}

func decode16(m *Machine, a Args) (Value, error) {
	v, err := a.bind("b16decode", 1, "s", "casefold")
	if err != nil {
		return Value{}, err
	}
	s, err := m.asciiBytes(v[0])
	if err != nil {
		return Value{}, err
	}
	if err := m.payCodec(len(s), 1); err != nil {
		return Value{}, err
	}
	if boundTruth(v[1], false) {
		s = strings.ToUpper(s)
	}
	for _, c := range []byte(s) {
		if strings.IndexByte("0123456789ABCDEF", c) < 0 {
			return Value{}, m.errCodec("Non-base16 digit found")
		}
	}
	return m.unhexed(s)
}

func unhexlify(m *Machine, a Args) (Value, error) {
	s, err := m.asciiBytes(a.v[0])
	if err != nil {
		return Value{}, err
	}
	if err := m.payCodec(len(s), 1); err != nil {
		return Value{}, err
	}
	return m.unhexed(s)
}

func (m *Machine) unhexed(s string) (Value, error) {
	if len(s)%2 != 0 {
		return Value{}, m.errCodec("Odd-length string")
	}
	b, err := hex.DecodeString(s)
	if err != nil {
		return Value{}, m.errCodec("Non-hexadecimal digit found")
	}
	return m.bytes(string(b))
}

func hexlify(m *Machine, a Args) (Value, error) {
	v, err := a.bind("hexlify", 1, "data", "sep", "bytes_per_sep")
	if err != nil {
		return Value{}, err
	}
	b, err := bytesLike(v[0])
	if err != nil {
		return Value{}, err
	}
	var sep *string
	if v[1].bound() {
		s, err := m.asciiBytes(v[1])
		if err != nil {
			return Value{}, err
		}
		sep = &s
	}
	group, err := m.boundInt(v[2], 1)
	if err != nil {
		return Value{}, err
	}
	s, err := text.Hex(m, b, sep, int(group))
	if err != nil {
		return Value{}, err
	}
	return m.bytes(s)
}
