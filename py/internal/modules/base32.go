package modules

import (
	"encoding/base32"
	"encoding/hex"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// defineBase32 defines the codecs to base 32.
func defineBase32(mod *machine.ModuleBuilder) {
	for name, encoding := range map[string]*base32.Encoding{"b32": base32.StdEncoding, "b32hex": base32.HexEncoding} {
		mod.Counted(name+"encode", 1, 1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			return transcoded(m, a.Arg(0), 2, func(b string) string { return encoding.EncodeToString([]byte(b)) })
		})
		params := []string{"s", "casefold", "map01"}
		if name == "b32hex" {
			params = params[:2]
		}
		mod.Function(name+"decode", func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			v, err := a.Bind(name+"decode", 1, params...)
			if err != nil {
				return machine.Value{}, err
			}
			return decode32(m, encoding, v[0], machine.OptionalTruth(v[1], false), v[2])
		})
	}
}

func decode32(m *machine.Machine, encoding *base32.Encoding, v machine.Value, fold bool, map01 machine.Value) (machine.Value, error) {
	s, err := asciiBytes(m, v)
	if err != nil {
		return machine.Value{}, err
	}
	if err := payCodec(m, len(s), 2); err != nil {
		return machine.Value{}, err
	}
	if len(s)%8 != 0 {
		return machine.Value{}, errCodec(m, "Incorrect padding")
	}
	if map01.Bound() && !map01.IsNone() {
		one, err := asciiBytes(m, map01)
		if err != nil {
			return machine.Value{}, err
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
			return machine.Value{}, errCodec(m, "Non-base32 digit found")
		}
	}
	b, err := encoding.WithPadding(base32.NoPadding).DecodeString(digits)
	if pad := len(s) - len(digits); err != nil || pad != 0 && pad != 1 && pad != 3 && pad != 4 && pad != 6 {
		return machine.Value{}, errCodec(m, "Incorrect padding")
	}
	return m.Bytes(string(b))
}

func decode16(m *machine.Machine, a machine.Args) (machine.Value, error) {
	v, err := a.Bind("b16decode", 1, "s", "casefold")
	if err != nil {
		return machine.Value{}, err
	}
	s, err := asciiBytes(m, v[0])
	if err != nil {
		return machine.Value{}, err
	}
	if err := payCodec(m, len(s), 1); err != nil {
		return machine.Value{}, err
	}
	if machine.OptionalTruth(v[1], false) {
		s = strings.ToUpper(s)
	}
	for _, c := range []byte(s) {
		if strings.IndexByte("0123456789ABCDEF", c) < 0 {
			return machine.Value{}, errCodec(m, "Non-base16 digit found")
		}
	}
	return unhexed(m, s)
}

func unhexlify(m *machine.Machine, a machine.Args) (machine.Value, error) {
	s, err := asciiBytes(m, a.Arg(0))
	if err != nil {
		return machine.Value{}, err
	}
	if err := payCodec(m, len(s), 1); err != nil {
		return machine.Value{}, err
	}
	return unhexed(m, s)
}

func unhexed(m *machine.Machine, s string) (machine.Value, error) {
	if len(s)%2 != 0 {
		return machine.Value{}, errCodec(m, "Odd-length string")
	}
	b, err := hex.DecodeString(s)
	if err != nil {
		return machine.Value{}, errCodec(m, "Non-hexadecimal digit found")
	}
	return m.Bytes(string(b))
}

func hexlify(m *machine.Machine, a machine.Args) (machine.Value, error) {
	v, err := a.Bind("hexlify", 1, "data", "sep", "bytes_per_sep")
	if err != nil {
		return machine.Value{}, err
	}
	b, err := bytesLike(v[0])
	if err != nil {
		return machine.Value{}, err
	}
	var sep *string
	if v[1].Bound() {
		s, err := asciiBytes(m, v[1])
		if err != nil {
			return machine.Value{}, err
		}
		sep = &s
	}
	group, err := m.OptionalInt(v[2], 1)
	if err != nil {
		return machine.Value{}, err
	}
	s, err := text.Hex(m, b, sep, int(group))
	if err != nil {
		return machine.Value{}, err
	}
	return m.Bytes(s)
}
