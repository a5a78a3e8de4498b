package modules

import (
	"math"
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

func structPack(m *machine.Machine, a machine.Args) (machine.Value, error) {
	if len(a.All()) == 0 {
		return machine.Value{}, raise.Type("missing format argument")
	}
	l, err := parseStruct(m, a.Arg(0))
	if err != nil {
		return machine.Value{}, err
	}
	if given := len(a.All()) - 1; given != l.values {
		return machine.Value{}, badStruct("pack expected %d items for packing (got %d)", l.values, given)
	}
	if err := m.Alloc(2 * l.size); err != nil {
		return machine.Value{}, err
	}
	if err := m.Work(l.size + 4*l.values); err != nil {
		return machine.Value{}, err
	}
	out := make([]byte, l.size)
	args := a.All()[1:]
	for _, f := range l.fields {
		n := f.values()
		for i := range n {
			at := f.at + i*f.size
			if err := packValue(m, l, f, out[at:at+f.width()], args[i]); err != nil {
				return machine.Value{}, err
			}
		}
		args = args[n:]
	}
	return m.Bytes(string(out))
}

// values is how many values the field takes.
func (f structField) values() int {
	if f.code == 's' || f.code == 'p' {
		return 1
	}
	return f.count
}

// width is the bytes of one of its values.
func (f structField) width() int {
	if f.code == 's' || f.code == 'p' {
		return f.count
	}
	return f.size
}

func packValue(m *machine.Machine, l *structLayout, f structField, out []byte, v machine.Value) error {
	p := machine.Plain(v)
	switch f.code {
	case 'c':
		if b := p.Bytes(); b != nil && len(b.Data()) == 1 {
			out[0] = b.Data()[0]
			return nil
		}
		return badStruct("char format requires a bytes object of length 1")
	case 's', 'p':
		return packText(f, out, p)
	case '?':
		if b := p.Bytes(); machine.OptionalTruth(v, false) && (b == nil || b.Data() != "") {
			out[0] = 1
		}
		return nil
	case 'e', 'f', 'd':
		return packFloat(m, l, f, out, p)
	}
	return packInt(m, l, f, out, p)
}

func packText(f structField, out []byte, v machine.Value) error {
	b := v.Bytes()
	if b == nil {
		return badStruct("argument for '%c' must be a bytes object", f.code)
	}
	if f.code == 's' {
		copy(out, b.Data())
		return nil
	}
	if len(out) > 0 {
		out[0] = byte(min(copy(out[1:], b.Data()), 255))
	}
	return nil
}

func packFloat(m *machine.Machine, l *structLayout, f structField, out []byte, v machine.Value) error {
	if !v.IsFloat() && !machine.IsIntegral(v) {
		return badStruct("required argument is not a float")
	}
	x, _, err := machine.FloatOf(v)
	if err != nil {
		return badStruct("required argument is not a float")
	}
	var bits uint64
	switch f.code {
	case 'd':
		bits = math.Float64bits(x)
	case 'f':
		single := float32(x)
		if math.IsInf(float64(single), 0) && !math.IsInf(x, 0) && !l.native {
			return tooLargeFloat(f, v)
		}
		bits = uint64(math.Float32bits(single))
	default:
		half, ok := num.Half(x)
		if !ok {
			return tooLargeFloat(f, v)
		}
		bits = uint64(half)
	}
	putBits(out, bits, l.big)
	return nil
}

func tooLargeFloat(f structField, v machine.Value) error {
	if machine.IsIntegral(v) {
		return badStruct("int too large to convert")
	}
	return raise.Overflow("float too large to pack with %c format", f.code)
}

func putBits(out []byte, bits uint64, big bool) {
	for i := range out {
		at := i
		if big {
			at = len(out) - 1 - i
		}
		out[at] = byte(bits >> (8 * i))
	}
}

// structNames are how messages call the small ints.
var structNames = map[byte]string{'b': "byte", 'B': "ubyte", 'h': "short", 'H': "ushort"}

func packInt(m *machine.Machine, l *structLayout, f structField, out []byte, v machine.Value) error {
	if !machine.IsIntegral(v) {
		return badStruct("required argument is not an integer")
	}
	bits := 8 * f.size
	if b := v.BigInt(); b != nil {
		if signed := f.code >= 'a'; signed || bits < 64 || b.BitLen() > 64 || b.Sign() < 0 {
			return l.outOfRange(f, bits, v)
		}
		putBits(out, b.Uint64(), l.big)
		return nil
	}
	n := v.Int()
	fits := n>>(bits-1) == 0 || n>>(bits-1) == -1
	if unsigned := f.code < 'a' && f.code != 'P'; unsigned {
		fits = n >= 0 && (bits == 64 || n>>bits == 0)
	}
	if !fits {
		return l.outOfRange(f, bits, v)
	}
	putBits(out, uint64(n), l.big)
	return nil
}

// outOfRange is what CPython says of an int that does not fit: it depends on
// whether its C int would hold it, and on the order of the bytes.
func (l *structLayout) outOfRange(f structField, bits int, v machine.Value) error {
	name := structNames[f.code]
	unsigned := f.code < 'a'
	fits := v.BigInt() == nil
	if name != "" && fits && (f.size == 1 || !l.big) {
		if unsigned {
			return badStruct("%s format requires 0 <= number <= %d", name, 1<<bits-1)
		}
		return badStruct("%s format requires %d <= number <= %d", name, -1<<(bits-1), 1<<(bits-1)-1)
	}
	switch {
	case f.code == 'P' || l.big && f.size == 8:
		return badStruct("int too large to convert")
	case f.size == 1 || f.size == 8 || name != "" && !l.big:
		return badStruct("argument out of range")
	case unsigned && (machine.BigOf(v).Sign() < 0 || machine.BigOf(v).BitLen() > 64), !unsigned && !fits:
		return badStruct("argument out of range")
	case unsigned:
		return badStruct("'%c' format requires 0 <= number <= %d", f.code, uint64(1)<<bits-1)
	}
	return badStruct("'%c' format requires %d <= number <= %d", f.code, -1<<(bits-1), 1<<(bits-1)-1)
}

// structUnpack is unpack, or unpack_from when there is an offset.
func structUnpack(m *machine.Machine, format, buffer, offset machine.Value) (machine.Value, error) {
	l, err := parseStruct(m, format)
	if err != nil {
		return machine.Value{}, err
	}
	data, err := bytesLike(buffer)
	if err != nil {
		return machine.Value{}, err
	}
	if offset.IsNone() {
		if len(data) != l.size {
			return machine.Value{}, badStruct("unpack requires a buffer of %d bytes", l.size)
		}
	} else if data, err = structPart(m, l, data, offset); err != nil {
		return machine.Value{}, err
	}
	if err := m.Alloc(2*l.values*machine.ValueBytes + l.size); err != nil {
		return machine.Value{}, err
	}
	if err := m.Work(l.size + 4*l.values); err != nil {
		return machine.Value{}, err
	}
	values := make([]machine.Value, 0, l.values)
	for _, f := range l.fields {
		for i := range f.values() {
			at := f.at + i*f.size
			v, err := unpackValue(m, l, f, data[at:at+f.width()])
			if err != nil {
				return machine.Value{}, err
			}
			values = append(values, v)
		}
	}
	return m.NewTuple(values)
}

// structPart is the bytes of the buffer at an offset.
func structPart(m *machine.Machine, l *structLayout, data string, offset machine.Value) (string, error) {
	at, err := m.OptionalInt(offset, 0)
	if err != nil {
		return "", err
	}
	n := int64(len(data))
	switch {
	case at < 0 && at+int64(l.size) > 0:
		return "", badStruct("not enough data to unpack %d bytes at offset %d", l.size, at)
	case at < -n:
		return "", badStruct("offset %d out of range for %d-byte buffer", at, n)
	case at < 0:
		at += n
	}
	if n-at < int64(l.size) {
		return "", badStruct("unpack_from requires a buffer of at least %d bytes for unpacking %d bytes at offset %d (actual buffer size is %d)",
			at+int64(l.size), l.size, at, n)
	}
	return data[at : at+int64(l.size)], nil
}

func unpackValue(m *machine.Machine, l *structLayout, f structField, b string) (machine.Value, error) {
	switch f.code {
	case 'c', 's':
		return m.Bytes(b)
	case 'p':
		if b == "" {
			return m.Bytes("")
		}
		return m.Bytes(b[1 : 1+min(int(b[0]), len(b)-1)])
	}
	bits := bitsOf(b, l.big)
	switch f.code {
	case '?':
		return machine.Bool(bits != 0), nil
	case 'e':
		return machine.Float(num.FromHalf(uint16(bits))), nil
	case 'f':
		return machine.Float(float64(math.Float32frombits(uint32(bits)))), nil
	case 'd':
		return machine.Float(math.Float64frombits(bits)), nil
	case 'b', 'h', 'i', 'l', 'q', 'n':
		free := 64 - 8*f.size
		return machine.Int(int64(bits<<free) >> free), nil
	}
	if int64(bits) >= 0 {
		return machine.Int(int64(bits)), nil
	}
	return m.BigInt(new(big.Int).SetUint64(bits)), nil
}

func bitsOf(b string, big bool) uint64 {
	var bits uint64
	for i := range len(b) {
		at := i
		if !big {
			at = len(b) - 1 - i
		}
		bits = bits<<8 | uint64(b[at])
	}
	return bits
}
