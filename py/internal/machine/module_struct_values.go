package machine

import (
	"math"
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

func structPack(m *Machine, a Args) (Value, error) {
	if len(a.v) == 0 {
		return Value{}, raise.Type("missing format argument")
	}
	l, err := m.parseStruct(a.v[0])
	if err != nil {
		return Value{}, err
	}
	if given := len(a.v) - 1; given != l.values {
		return Value{}, badStruct("pack expected %d items for packing (got %d)", l.values, given)
	}
	if err := m.Alloc(2 * l.size); err != nil {
		return Value{}, err
	}
	if err := m.Work(l.size + 4*l.values); err != nil {
		return Value{}, err
	}
	out := make([]byte, l.size)
	args := a.v[1:]
	for _, f := range l.fields {
		n := f.values()
		for i := range n {
			at := f.at + i*f.size
			if err := m.packValue(l, f, out[at:at+f.width()], args[i]); err != nil {
				return Value{}, err
			}
		}
		args = args[n:]
	}
	return m.bytes(string(out))
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

func (m *Machine) packValue(l *structLayout, f structField, out []byte, v Value) error {
	p := plain(v)
	switch f.code {
	case 'c':
		if b := p.bytes(); b != nil && len(b.b) == 1 {
			out[0] = b.b[0]
			return nil
		}
		return badStruct("char format requires a bytes object of length 1")
	case 's', 'p':
		return packText(f, out, p)
	case '?':
		if b := p.bytes(); boundTruth(v, false) && (b == nil || b.b != "") {
			out[0] = 1
		}
		return nil
	case 'e', 'f', 'd':
		return m.packFloat(l, f, out, p)
	}
	return m.packInt(l, f, out, p)
}

func packText(f structField, out []byte, v Value) error {
	b := v.bytes()
	if b == nil {
		return badStruct("argument for '%c' must be a bytes object", f.code)
	}
	if f.code == 's' {
		copy(out, b.b)
		return nil
	}
	if len(out) > 0 {
		out[0] = byte(min(copy(out[1:], b.b), 255))
	}
	return nil
}

func (m *Machine) packFloat(l *structLayout, f structField, out []byte, v Value) error {
	if !v.isFloat() && !isIntegral(v) {
		return badStruct("required argument is not a float")
	}
	x, _, err := floatOf(v)
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

func tooLargeFloat(f structField, v Value) error {
	if isIntegral(v) {
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

func (m *Machine) packInt(l *structLayout, f structField, out []byte, v Value) error {
	if !isIntegral(v) {
		return badStruct("required argument is not an integer")
	}
	bits := 8 * f.size
	if b := v.big(); b != nil {
		if signed := f.code >= 'a'; signed || bits < 64 || b.v.BitLen() > 64 || b.v.Sign() < 0 {
			return l.outOfRange(f, bits, v)
		}
		putBits(out, b.v.Uint64(), l.big)
		return nil
	}
	n := int64(v.n)
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
func (l *structLayout) outOfRange(f structField, bits int, v Value) error {
	name := structNames[f.code]
	unsigned := f.code < 'a'
	fits := v.big() == nil
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
	case unsigned && (bigOf(v).Sign() < 0 || bigOf(v).BitLen() > 64), !unsigned && !fits:
		return badStruct("argument out of range")
	case unsigned:
		return badStruct("'%c' format requires 0 <= number <= %d", f.code, uint64(1)<<bits-1)
	}
	return badStruct("'%c' format requires %d <= number <= %d", f.code, -1<<(bits-1), 1<<(bits-1)-1)
}

// structUnpack is unpack, or unpack_from when there is an offset.
func (m *Machine) structUnpack(format, buffer, offset Value) (Value, error) {
	l, err := m.parseStruct(format)
	if err != nil {
		return Value{}, err
	}
	data, err := bytesLike(buffer)
	if err != nil {
		return Value{}, err
	}
	if offset.isNone() {
		if len(data) != l.size {
			return Value{}, badStruct("unpack requires a buffer of %d bytes", l.size)
		}
	} else if data, err = m.structPart(l, data, offset); err != nil {
		return Value{}, err
	}
	if err := m.Alloc(2*l.values*valueBytes + l.size); err != nil {
		return Value{}, err
	}
	if err := m.Work(l.size + 4*l.values); err != nil {
		return Value{}, err
	}
	values := make([]Value, 0, l.values)
	for _, f := range l.fields {
		for i := range f.values() {
			at := f.at + i*f.size
			v, err := m.unpackValue(l, f, data[at:at+f.width()])
			if err != nil {
				return Value{}, err
			}
			values = append(values, v)
		}
	}
	return m.newTupleCopy(values)
}

// structPart is the bytes of the buffer at an offset.
func (m *Machine) structPart(l *structLayout, data string, offset Value) (string, error) {
	at, err := m.boundInt(offset, 0)
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

func (m *Machine) unpackValue(l *structLayout, f structField, b string) (Value, error) {
	switch f.code {
	case 'c', 's':
		return m.bytes(b)
	case 'p':
		if b == "" {
			return m.bytes("")
		}
		return m.bytes(b[1 : 1+min(int(b[0]), len(b)-1)])
	}
	bits := bitsOf(b, l.big)
	switch f.code {
	case '?':
		return Bool(bits != 0), nil
	case 'e':
		return Float(num.FromHalf(uint16(bits))), nil
	case 'f':
		return Float(float64(math.Float32frombits(uint32(bits)))), nil
	case 'd':
		return Float(math.Float64frombits(bits)), nil
	case 'b', 'h', 'i', 'l', 'q', 'n':
		free := 64 - 8*f.size
		return Int(int64(bits<<free) >> free), nil
	}
	if int64(bits) >= 0 {
		return Int(int64(bits)), nil
	}
	return m.bigValue(new(big.Int).SetUint64(bits)), nil
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
