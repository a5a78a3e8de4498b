package modules

import (
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// structError is struct.error.
var structError = machine.NewExceptionClass("error", "struct.error", "Exception")

// structField is a code of a format with its count.
type structField struct {
	code  byte
	count int // of values, or of bytes for 's' and 'p'
	size  int // of one value
	at    int // its first byte
}

// structLayout is what a format means.
type structLayout struct {
	fields []structField
	values int
	size   int
	big    bool // the most significant byte comes first
	native bool // with the alignment and the sizes of a machine
}

// maxStructSize bounds what a format may describe.
const maxStructSize = 1 << 40

// structSizes are the bytes of each code, native and standard; 0 is a code that
// is not there.
var structSizes = map[byte][2]int{
	'x': {1, 1}, 'c': {1, 1}, 'b': {1, 1}, 'B': {1, 1}, '?': {1, 1}, 'h': {2, 2}, 'H': {2, 2}, 'i': {4, 4}, 'I': {4, 4},
	'l': {8, 4}, 'L': {8, 4}, 'q': {8, 8}, 'Q': {8, 8}, 'n': {8, 0}, 'N': {8, 0}, 'P': {8, 0},
	'e': {2, 2}, 'f': {4, 4}, 'd': {8, 8}, 's': {1, 1}, 'p': {1, 1},
}

func badStruct(format string, args ...any) error {
	return raise.New("struct.error", format, args...)
}

// parseStruct reads a format. Its length and what it describes are paid for.
func parseStruct(m *machine.Machine, v machine.Value) (*structLayout, error) {
	format, err := structFormat(m, v)
	if err != nil {
		return nil, err
	}
	if err := m.Alloc(48 * len(format)); err != nil {
		return nil, err
	}
	l := &structLayout{native: true}
	if format != "" {
		switch format[0] {
		case '<', '=':
			l.native = false
		case '>', '!':
			l.native, l.big = false, true
		case '@':
		default:
			return l, l.read(format)
		}
		format = format[1:]
	}
	return l, l.read(format)
}

func structFormat(m *machine.Machine, v machine.Value) (string, error) {
	p := machine.Plain(v)
	if b := p.Bytes(); b != nil {
		return b.Data(), nil
	}
	s := p.Str()
	if s == nil {
		return "", raise.Type("Struct() argument 1 must be a str or bytes object, not %s", machine.TypeName(v))
	}
	return s.Text(), nil
}

func (l *structLayout) read(format string) error {
	for i := 0; i < len(format); i++ {
		c := format[i]
		if isSpaceByte(c) {
			continue
		}
		count := 1
		if c >= '0' && c <= '9' {
			for count = 0; i < len(format) && format[i] >= '0' && format[i] <= '9'; i++ {
				if count = count*10 + int(format[i]-'0'); count > maxStructSize {
					return badStruct("total struct size too long")
				}
			}
			if i == len(format) {
				return badStruct("repeat count given without format specifier")
			}
			c = format[i]
		}
		if err := l.add(c, count); err != nil {
			return err
		}
	}
	return nil
}

func isSpaceByte(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func (l *structLayout) add(code byte, count int) error {
	sizes := structSizes[code]
	size := sizes[1]
	if l.native {
		size = sizes[0]
	}
	if size == 0 {
		return badStruct("bad char in struct format")
	}
	if l.native {
		l.size = (l.size + size - 1) / size * size
	}
	f := structField{code: code, count: count, size: size, at: l.size}
	if l.size += count * size; l.size > maxStructSize {
		return badStruct("total struct size too long")
	}
	switch code {
	case 'x':
		return nil
	case 's', 'p':
		l.values++
	default:
		l.values += count
	}
	l.fields = append(l.fields, f)
	return nil
}

// defineStruct defines the module _struct, on which the module struct stands.
func defineStruct(r *machine.Registry) {
	r.Module("_struct", func(mod *machine.ModuleBuilder) {
		mod.Class("error", structError)
		mod.Counted("calcsize", 1, 1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			l, err := parseStruct(m, a.Arg(0))
			if err != nil {
				return machine.Value{}, err
			}
			return machine.Int(int64(l.size)), nil
		})
		mod.Counted("pack", 0, -1, structPack)
		mod.Counted("unpack", 2, 2, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			return structUnpack(m, a.Arg(0), a.Arg(1), machine.None)
		})
		mod.Function("unpack_from", func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			v, err := a.Bind("unpack_from", 2, "format", "buffer", "offset")
			if err != nil {
				return machine.Value{}, err
			}
			if !v[2].Bound() {
				v[2] = machine.Int(0)
			}
			return structUnpack(m, v[0], v[1], v[2])
		})
	})
}
