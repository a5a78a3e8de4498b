package modules

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// binasciiError is binascii.Error, which base64 raises too.
var binasciiError = machine.NewExceptionClass("Error", "binascii.Error", "ValueError")

// defineBase64 defines the modules base64 and binascii.
func defineBase64(r *machine.Registry) {
	r.Module("binascii", func(mod *machine.ModuleBuilder) {
		mod.Class("Error", binasciiError)
		mod.Counted("crc32", 1, 2, checksum(0, func(sum uint32, part []byte) uint32 { return crc32.Update(sum, crc32.IEEETable, part) }))
		mod.Counted("crc_hqx", 2, 2, checksum(0, crcHQX))
		mod.Function("hexlify", hexlify)
		mod.Function("b2a_hex", hexlify)
		mod.Counted("unhexlify", 1, 1, unhexlify)
		mod.Counted("a2b_hex", 1, 1, unhexlify)
		mod.Function("a2b_base64", func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			v, err := a.Bind("a2b_base64", 1, "data", "strict_mode")
			if err != nil {
				return machine.Value{}, err
			}
			return decode64(m, v[0], "", machine.OptionalTruth(v[1], false))
		})
		mod.Function("b2a_base64", func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			v, err := a.Bind("b2a_base64", 1, "data", "newline")
			if err != nil {
				return machine.Value{}, err
			}
			end := ""
			if machine.OptionalTruth(v[1], true) {
				end = "\n"
			}
			return encode64(m, v[0], "", end)
		})
	})
	r.Module("base64", func(mod *machine.ModuleBuilder) {
		defineBase64Codecs(mod)
		defineBase32(mod)
		defineBase85(mod)
		mod.Counted("b16encode", 1, 1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			return transcoded(m, a.Arg(0), 2, func(b string) string { return strings.ToUpper(hex.EncodeToString([]byte(b))) })
		})
		mod.Function("b16decode", decode16)
	})
}

func defineBase64Codecs(mod *machine.ModuleBuilder) {
	mod.Function("b64encode", func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		v, err := a.Bind("b64encode", 1, "s", "altchars")
		if err != nil {
			return machine.Value{}, err
		}
		alt, err := altChars(m, v[1])
		if err != nil {
			return machine.Value{}, err
		}
		return encode64(m, v[0], alt, "")
	})
	mod.Function("b64decode", func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		v, err := a.Bind("b64decode", 1, "s", "altchars", "validate")
		if err != nil {
			return machine.Value{}, err
		}
		alt, err := altChars(m, v[1])
		if err != nil {
			return machine.Value{}, err
		}
		return decode64(m, v[0], alt, machine.OptionalTruth(v[2], false))
	})
	for _, f := range []struct{ name, alt string }{{"standard", ""}, {"urlsafe", "-_"}} {
		mod.Counted(f.name+"_b64encode", 1, 1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			return encode64(m, a.Arg(0), f.alt, "")
		})
		mod.Counted(f.name+"_b64decode", 1, 1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			return decode64(m, a.Arg(0), f.alt, false)
		})
	}
	mod.Counted("encodebytes", 1, 1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		return transcoded(m, a.Arg(0), 2, func(b string) string {
			var out strings.Builder
			for len(b) > 0 {
				n := min(57, len(b))
				out.WriteString(base64.StdEncoding.EncodeToString([]byte(b[:n])) + "\n")
				b = b[n:]
			}
			return out.String()
		})
	})
	mod.Counted("decodebytes", 1, 1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		if machine.Plain(a.Arg(0)).Bytes() == nil {
			return machine.Value{}, raise.Type("expected bytes-like object, not %s", machine.TypeName(a.Arg(0)))
		}
		return decode64(m, a.Arg(0), "", false)
	})
}

// altChars is the argument altchars: two characters in the place of "+/".
func altChars(m *machine.Machine, v machine.Value) (string, error) {
	if !v.Bound() || v.IsNone() {
		return "", nil
	}
	s, err := asciiBytes(m, v)
	if err != nil {
		return "", err
	}
	if len(s) != 2 {
		repr, err := m.ReprNative(v)
		if err != nil {
			return "", err
		}
		return "", raise.New("AssertionError", "%s", repr)
	}
	return s, nil
}

func bytesLike(v machine.Value) (string, error) {
	if b := machine.Plain(v).Bytes(); b != nil {
		return b.Data(), nil
	}
	return "", raise.Type("a bytes-like object is required, not '%s'", machine.TypeName(v))
}

// asciiBytes takes bytes, or a str of ASCII characters for them.
func asciiBytes(m *machine.Machine, v machine.Value) (string, error) {
	p := machine.Plain(v)
	if b := p.Bytes(); b != nil {
		return b.Data(), nil
	}
	s := p.Str()
	if s == nil {
		return "", raise.Type("argument should be a bytes-like object or ASCII string, not '%s'", machine.TypeName(v))
	}
	if !s.Flat() {
		return "", raise.Value("string argument should contain only ASCII characters")
	}
	return s.Text(), nil
}

// transcoded pays for bytes of at most factor times the length of v, plus a few,
// and makes them.
func transcoded(m *machine.Machine, v machine.Value, factor int, do func(string) string) (machine.Value, error) {
	b, err := bytesLike(v)
	if err != nil {
		return machine.Value{}, err
	}
	if err := payCodec(m, len(b), factor); err != nil {
		return machine.Value{}, err
	}
	return m.Bytes(do(b))
}

// payCodec pays for two buffers of factor*n bytes and for filling them.
func payCodec(m *machine.Machine, n, factor int) error {
	if err := m.Alloc(2*factor*n + 16); err != nil {
		return err
	}
	const portion = 1 << 18
	for ; n > 0; n -= portion {
		if err := m.Work(3 * min(n, portion)); err != nil {
			return err
		}
	}
	return nil
}

func encode64(m *machine.Machine, v machine.Value, alt, end string) (machine.Value, error) {
	return transcoded(m, v, 2, func(b string) string {
		s := base64.StdEncoding.EncodeToString([]byte(b)) + end
		if alt != "" {
			s = strings.NewReplacer("+", alt[:1], "/", alt[1:]).Replace(s)
		}
		return s
	})
}

// errCodec is a binascii.Error.
func errCodec(m *machine.Machine, format string, args ...any) error {
	o := machine.NewException(binasciiError, m.Message(fmt.Sprintf(format, args...)))
	m.Spend(machine.InstanceBytes + machine.TupleBytes)
	return o.Raise()
}

// decode64 decodes base64 as binascii.a2b_base64 does: what is not in the
// alphabet is skipped, unless strict.
func decode64(m *machine.Machine, v machine.Value, alt string, strict bool) (machine.Value, error) {
	s, err := asciiBytes(m, v)
	if err != nil {
		return machine.Value{}, err
	}
	if err := payCodec(m, len(s), 1); err != nil {
		return machine.Value{}, err
	}
	d := decoder64{m: m, out: make([]byte, 0, len(s)/4*3+3), alt: alt}
	if err := d.decode(s, strict); err != nil {
		return machine.Value{}, err
	}
	return m.Bytes(string(d.out))
}

// decoder64 decodes one text of base64.
type decoder64 struct {
	m    *machine.Machine
	out  []byte
	alt  string
	have int  // characters of the current group of four
	left byte // bits of them that are not in out
}

func (d *decoder64) decode(s string, strict bool) error {
	if strict && s != "" && s[0] == '=' {
		return errCodec(d.m, "Leading padding not allowed")
	}
	pads, padded := 0, false
	for i := range len(s) {
		if s[i] == '=' {
			padded = true
			if d.have >= 2 {
				if pads++; d.have+pads >= 4 {
					if strict && i+1 < len(s) {
						return errCodec(d.m, "Excess data after padding")
					}
					return nil
				}
			}
			continue
		}
		bits, ok := d.digit(s[i])
		if !ok {
			if strict {
				return errCodec(d.m, "Only base64 data is allowed")
			}
			continue
		}
		if strict && padded {
			return errCodec(d.m, "Discontinuous padding not allowed")
		}
		pads = 0
		d.add(bits)
	}
	switch d.have {
	case 0:
		return nil
	case 1:
		return errCodec(d.m, "Invalid base64-encoded string: number of data characters (%d) cannot be 1 more than a multiple of 4",
			len(d.out)/3*4+1)
	}
	return errCodec(d.m, "Incorrect padding")
}

func (d *decoder64) digit(c byte) (byte, bool) {
	if d.alt != "" {
		switch c {
		case d.alt[0]:
			return 62, true
		case d.alt[1]:
			return 63, true
		}
	}
	switch {
	case c >= 'A' && c <= 'Z':
		return c - 'A', true
	case c >= 'a' && c <= 'z':
		return c - 'a' + 26, true
	case c >= '0' && c <= '9':
		return c - '0' + 52, true
	case c == '+':
		return 62, true
	case c == '/':
		return 63, true
	}
	return 0, false
}

// add takes six bits.
func (d *decoder64) add(bits byte) {
	switch d.have {
	case 0:
		d.left = bits
	case 1:
		d.out = append(d.out, d.left<<2|bits>>4)
		d.left = bits & 0xf
	case 2:
		d.out = append(d.out, d.left<<4|bits>>2)
		d.left = bits & 3
	case 3:
		d.out = append(d.out, d.left<<6|bits)
		d.left = 0
	}
	d.have = (d.have + 1) % 4
}
