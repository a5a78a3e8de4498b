package machine

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// binasciiError is binascii.Error, which base64 raises too.
var binasciiError = moduleException("Error", "binascii.Error", "ValueError")

// defineBase64 defines the modules base64 and binascii.
func defineBase64(r *registry) {
	r.nativeModule("binascii", func(mod *moduleMaker) {
		mod.class("Error", binasciiError)
		mod.counted("crc32", 1, 2, checksum(0, func(sum uint32, part []byte) uint32 { return crc32.Update(sum, crc32.IEEETable, part) }))
		mod.counted("crc_hqx", 2, 2, checksum(0, crcHQX))
		mod.function("hexlify", hexlify)
		mod.function("b2a_hex", hexlify)
		mod.counted("unhexlify", 1, 1, unhexlify)
		mod.counted("a2b_hex", 1, 1, unhexlify)
		mod.function("a2b_base64", func(m *Machine, a Args) (Value, error) {
			v, err := a.bind("a2b_base64", 1, "data", "strict_mode")
			if err != nil {
				return Value{}, err
			}
			return m.decode64(v[0], "", boundTruth(v[1], false))
		})
		mod.function("b2a_base64", func(m *Machine, a Args) (Value, error) {
			v, err := a.bind("b2a_base64", 1, "data", "newline")
			if err != nil {
				return Value{}, err
			}
			end := ""
			if boundTruth(v[1], true) {
				end = "\n"
			}
			return m.encode64(v[0], "", end)
		})
	})
	r.nativeModule("base64", func(mod *moduleMaker) {
		defineBase64Codecs(mod)
		defineBase32(mod)
		defineBase85(mod)
		mod.counted("b16encode", 1, 1, func(m *Machine, a Args) (Value, error) {
			return m.transcoded(a.v[0], 2, func(b string) string { return strings.ToUpper(hex.EncodeToString([]byte(b))) })
		})
		mod.function("b16decode", decode16)
	})
}

func defineBase64Codecs(mod *moduleMaker) {
	mod.function("b64encode", func(m *Machine, a Args) (Value, error) {
		v, err := a.bind("b64encode", 1, "s", "altchars")
		if err != nil {
			return Value{}, err
		}
		alt, err := m.altChars(v[1])
		if err != nil {
			return Value{}, err
		}
		return m.encode64(v[0], alt, "")
	})
	mod.function("b64decode", func(m *Machine, a Args) (Value, error) {
		v, err := a.bind("b64decode", 1, "s", "altchars", "validate")
		if err != nil {
			return Value{}, err
		}
		alt, err := m.altChars(v[1])
		if err != nil {
			return Value{}, err
		}
		return m.decode64(v[0], alt, boundTruth(v[2], false))
	})
	for _, f := range []struct{ name, alt string }{{"standard", ""}, {"urlsafe", "-_"}} {
		mod.counted(f.name+"_b64encode", 1, 1, func(m *Machine, a Args) (Value, error) { return m.encode64(a.v[0], f.alt, "") })
		mod.counted(f.name+"_b64decode", 1, 1, func(m *Machine, a Args) (Value, error) { return m.decode64(a.v[0], f.alt, false) })
	}
	mod.counted("encodebytes", 1, 1, func(m *Machine, a Args) (Value, error) {
		return m.transcoded(a.v[0], 2, func(b string) string {
			var out strings.Builder
			for len(b) > 0 {
				n := min(57, len(b))
				out.WriteString(base64.StdEncoding.EncodeToString([]byte(b[:n])) + "\n")
				b = b[n:]
			}
			return out.String()
		})
	})
	mod.counted("decodebytes", 1, 1, func(m *Machine, a Args) (Value, error) {
		if plain(a.v[0]).bytes() == nil {
			return Value{}, raise.Type("expected bytes-like object, not %s", typeName(a.v[0]))
		}
		return m.decode64(a.v[0], "", false)
	})
}

// altChars is the argument altchars: two characters in the place of "+/".
func (m *Machine) altChars(v Value) (string, error) {
	if !v.bound() || v.isNone() {
		return "", nil
	}
	s, err := m.asciiBytes(v)
	if err != nil {
		return "", err
	}
	if len(s) != 2 {
		repr, err := m.reprNative(v)
		if err != nil {
			return "", err
		}
		return "", raise.New("AssertionError", "%s", repr)
	}
	return s, nil
}

func bytesLike(v Value) (string, error) {
	if b := plain(v).bytes(); b != nil {
		return b.b, nil
	}
	return "", raise.Type("a bytes-like object is required, not '%s'", typeName(v))
}

// asciiBytes takes bytes, or a str of ASCII characters for them.
func (m *Machine) asciiBytes(v Value) (string, error) {
	p := plain(v)
	if b := p.bytes(); b != nil {
		return b.b, nil
	}
	s := p.str()
	if s == nil {
		return "", raise.Type("argument should be a bytes-like object or ASCII string, not '%s'", typeName(v))
	}
	if !s.flat() {
		return "", raise.Value("string argument should contain only ASCII characters")
	}
	return s.s, nil
}

// transcoded pays for bytes of at most factor times the length of v, plus a few,
// and makes them.
func (m *Machine) transcoded(v Value, factor int, do func(string) string) (Value, error) {
	b, err := bytesLike(v)
	if err != nil {
		return Value{}, err
	}
	if err := m.payCodec(len(b), factor); err != nil {
		return Value{}, err
	}
	return m.bytes(do(b))
}

// payCodec pays for two buffers of factor*n bytes and for filling them.
func (m *Machine) payCodec(n, factor int) error {
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

func (m *Machine) encode64(v Value, alt, end string) (Value, error) {
	return m.transcoded(v, 2, func(b string) string {
		s := base64.StdEncoding.EncodeToString([]byte(b)) + end
		if alt != "" {
			s = strings.NewReplacer("+", alt[:1], "/", alt[1:]).Replace(s)
		}
		return s
	})
}

// errCodec is a binascii.Error.
func (m *Machine) errCodec(format string, args ...any) error {
	o := &instance{class: binasciiError}
	t := &tuple{items: []Value{m.text(fmt.Sprintf(format, args...))}}
	m.spend(instanceBytes + tupleBytes)
	o.payload = t.value()
	return &thrown{exception: o.value()}
}

// decode64 decodes base64 as binascii.a2b_base64 does: what is not in the
// alphabet is skipped, unless strict.
func (m *Machine) decode64(v Value, alt string, strict bool) (Value, error) {
	s, err := m.asciiBytes(v)
	if err != nil {
		return Value{}, err
	}
	if err := m.payCodec(len(s), 1); err != nil {
		return Value{}, err
	}
	d := decoder64{m: m, out: make([]byte, 0, len(s)/4*3+3), alt: alt}
	if err := d.decode(s, strict); err != nil {
		return Value{}, err
	}
	return m.bytes(string(d.out))
}

// decoder64 decodes one text of base64.
type decoder64 struct {
	m    *Machine
	out  []byte
	alt  string
	have int  // characters of the current group of four
	left byte // bits of them that are not in out
}

func (d *decoder64) decode(s string, strict bool) error {
	if strict && s != "" && s[0] == '=' {
		return d.m.errCodec("Leading padding not allowed")
	}
	pads, padded := 0, false
	for i := range len(s) {
		if s[i] == '=' {
			padded = true
			if d.have >= 2 {
				if pads++; d.have+pads >= 4 {
					if strict && i+1 < len(s) {
						return d.m.errCodec("Excess data after padding")
					}
					return nil
				}
			}
			continue
		}
		bits, ok := d.digit(s[i])
		if !ok {
			if strict {
				return d.m.errCodec("Only base64 data is allowed")
			}
			continue
		}
		if strict && padded {
			return d.m.errCodec("Discontinuous padding not allowed")
		}
		pads = 0
		d.add(bits)
	}
	switch d.have {
	case 0:
		return nil
	case 1:
		return d.m.errCodec("Invalid base64-encoded string: number of data characters (%d) cannot be 1 more than a multiple of 4",
			len(d.out)/3*4+1)
	}
	return d.m.errCodec("Incorrect padding")
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
