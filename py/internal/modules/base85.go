package modules

import (
	"encoding/binary"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// alphabet85 has the digits of base85 as git and Python write them.
const alphabet85 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"

func defineBase85(mod *machine.ModuleBuilder) {
	mod.Function("b85encode", func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		v, err := a.Bind("b85encode", 1, "b", "pad")
		if err != nil {
			return machine.Value{}, err
		}
		pad := machine.OptionalTruth(v[1], false)
		return transcoded(m, v[0], 2, func(b string) string { return encode85(b, pad) })
	})
	mod.Counted("b85decode", 1, 1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		s, err := asciiBytes(m, a.Arg(0))
		if err != nil {
			return machine.Value{}, err
		}
		if err := payCodec(m, len(s), 1); err != nil {
			return machine.Value{}, err
		}
		b, err := decode85(s)
		if err != nil {
			return machine.Value{}, err
		}
		return m.Bytes(string(b))
	})
}

// encode85 writes each four bytes as five digits. The last ones are filled up
// with zeros, which the result leaves out unless pad is set.
func encode85(b string, pad bool) string {
	var out strings.Builder
	for ; b != ""; b = b[min(4, len(b)):] {
		var group [4]byte
		n := copy(group[:], b)
		var digits [5]byte
		for i, rest := 4, binary.BigEndian.Uint32(group[:]); i >= 0; i-- {
			digits[i] = alphabet85[rest%85]
			rest /= 85
		}
		if pad {
			n = 4
		}
		out.Write(digits[:n+1])
	}
	return out.String()
}

func decode85(s string) ([]byte, error) {
	out := make([]byte, 0, len(s)/5*4+4)
	for at := 0; at < len(s); at += 5 {
		n := min(5, len(s)-at)
		var value uint64
		for i := range 5 {
			digit := 84 // what is missing at the end
			if i < n {
				if digit = strings.IndexByte(alphabet85, s[at+i]); digit < 0 {
					return nil, raise.Value("bad base85 character at position %d", at+i)
				}
			}
			value = value*85 + uint64(digit)
		}
		if value > 1<<32-1 {
			return nil, raise.Value("base85 overflow in hunk starting at byte %d", at)
		}
		group := binary.BigEndian.AppendUint32(nil, uint32(value))
		out = append(out, group[:n-1]...)
	}
	return out, nil
}
