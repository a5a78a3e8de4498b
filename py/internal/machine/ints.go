package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

func defineInt(r *Registry) {
	r.maker(intType, 0, -1, intMake)
	onInt := func(name string, fn func(m *Machine, v Value, a Args) (Value, error)) NativeFunc {
		return func(m *Machine, a Args) (Value, error) {
			v := Plain(a.v[0])
			if !IsIntegral(v) {
				return Value{}, WrongReceiver(name, intType, a.v[0])
			}
			return fn(m, v, a)
		}
	}
	self := func(m *Machine, v Value, a Args) (Value, error) { return m.unary(opPlus, v) }
	for _, name := range []string{"real", "numerator"} {
		r.Property(intType, name, onInt(name, self))
	}
	r.Property(intType, "imag", onInt("imag", func(m *Machine, v Value, a Args) (Value, error) { return Int(0), nil }))
	r.Property(intType, "denominator", onInt("denominator", func(m *Machine, v Value, a Args) (Value, error) { return Int(1), nil }))
	r.method(intType, "conjugate", 1, 1, onInt("conjugate", self))
	r.method(intType, "as_integer_ratio", 1, 1, onInt("as_integer_ratio", func(m *Machine, v Value, a Args) (Value, error) {
		n, err := m.unary(opPlus, v)
		return m.Pair(n, Int(1)), err
	}))
	r.method(intType, "bit_length", 1, 1, onInt("bit_length", func(m *Machine, v Value, a Args) (Value, error) {
		if b := v.big(); b != nil {
			return Int(int64(b.v.BitLen())), nil
		}
		return Int(int64(num.BitLen(int64(v.n)))), nil
	}))
	r.method(intType, "bit_count", 1, 1, onInt("bit_count", func(m *Machine, v Value, a Args) (Value, error) {
		if b := v.big(); b != nil {
			n, err := num.BitCountBig(m, b.v)
			return Int(int64(n)), err
		}
		return Int(int64(num.BitCount(int64(v.n)))), nil
	}))
	r.MethodKw(intType, "to_bytes", 1, 3, onInt("to_bytes", intToBytes))
	r.classMethod(intType, "from_bytes", 1, 3, intFromBytes)
}

// intMake is int(x=0) and int(x, base).
func intMake(m *Machine, a Args) (Value, error) {
	if err := a.Only("int", "base"); err != nil {
		return Value{}, err
	}
	if n := len(a.v) - 1; n > 2 {
		return Value{}, raise.Type("int() takes at most 2 arguments (%d given)", n)
	}
	base := a.arg(2, "base")
	if a.Len() == 1 {
		if base.Bound() {
			return Value{}, raise.Type("int() missing string argument")
		}
		return Int(0), nil
	}
	if base.Bound() {
		return m.intInBase(a.v[1], base)
	}
	return m.toInt(a.v[1])
}

// intInBase is int(x, base).
func (m *Machine) intInBase(x, base Value) (Value, error) {
	if m.ForeignIndex(base) {
		return m.Then(m.Intrinsic("int_in_base"), x, base)
	}
	b := Plain(base)
	if !IsIntegral(b) {
		return Value{}, notInteger(base)
	}
	n := int64(b.n)
	if b.Kind() == KindBigInt || n < 0 || n > 36 {
		n = -1
	}
	s, ok := numeral(Plain(x))
	if !ok {
		return Value{}, raise.Type("int() can't convert non-string with explicit base")
	}
	return m.fromText(text.ParseInt(m, s, int(n)))
}

// numeral returns the text of a str or bytes.
func numeral(v Value) (text.Str, bool) {
	switch o := v.Self().(type) {
	case *Str:
		return o.text(), true
	case *Bytes:
		return o.text(), true
	}
	return text.Str{}, false
}

// toInt is int(x).
func (m *Machine) toInt(x Value) (Value, error) {
	switch x.Kind() {
	case KindInt, KindBool, KindBigInt:
		return m.unary(opPlus, x)
	case KindFloat:
		return m.fromText(text.FloatToInt(x.Float()))
	case KindInstance, KindOpaque:
		if m.overrides(x, "__int__", "__index__", "__trunc__") {
			return m.Then(m.Intrinsic("int_of"), x)
		}
		if p := Plain(x); !p.Is(x) {
			return m.toInt(p)
		}
	}
	if s, ok := numeral(x); ok {
		return m.fromText(text.ParseInt(m, s, 10))
	}
	return Value{}, raise.Type("int() argument must be a string, a bytes-like object or a real number, not '%s'", TypeName(x))
}

// overrides reports whether the class of v, not the machine, defines one of the
// methods.
func (m *Machine) overrides(v Value, names ...string) bool {
	c := ClassOf(v)
	for _, name := range names {
		if fn, ok := m.Lookup(c, known.str(name)); ok && !isBuiltIn(fn) {
			return true
		}
	}
	return false
}

// intToBytes is int.to_bytes(length=1, byteorder='big', *, signed=False).
func intToBytes(m *Machine, v Value, a Args) (Value, error) {
	if err := a.Only("to_bytes", "length", "byteorder", "signed"); err != nil {
		return Value{}, err
	}
	length := a.arg(1, "length")
	if !length.Bound() {
		length = Int(1)
	}
	if m.ForeignIndex(length) {
		return m.Then(m.Intrinsic("int_to_bytes"), v, length, orDefault(a.arg(2, "byteorder"), SharedStr("big").Ref()),
			orDefault(a.Name("signed"), False))
	}
	n, err := m.wantIndex(length)
	if err != nil {
		return Value{}, err
	}
	order, signed, err := m.byteOptions("to_bytes", a)
	if err != nil {
		return Value{}, err
	}
	data, err := num.ToBytes(m, BigOf(v), n, order, signed)
	if err != nil {
		return Value{}, err
	}
	return m.Bytes(string(data))
}

func orDefault(v, missing Value) Value {
	if v.Bound() {
		return v
	}
	return missing
}

// byteOptions are the arguments byteorder and signed.
func (m *Machine) byteOptions(fn string, a Args) (order string, signed bool, err error) {
	order = "big"
	if v := a.arg(2, "byteorder"); v.Bound() {
		s := Plain(v).Str()
		if s == nil {
			return "", false, raise.Type("%s() argument 'byteorder' must be str, not %s", fn, TypeName(v))
		}
		order = s.s
	}
	if v := Plain(a.Name("signed")); v.Bound() {
		signed = true
		if !HasMethods(v) { // an instance is true, whatever its __bool__ says
			signed, err = m.truth(v, contStore)
		}
	}
	return order, signed, err
}

// intFromBytes is int.from_bytes(bytes, byteorder='big', *, signed=False).
func intFromBytes(m *Machine, a Args) (Value, error) {
	if err := a.Only("from_bytes", "bytes", "byteorder", "signed"); err != nil {
		return Value{}, err
	}
	v := a.arg(1, "bytes")
	if !v.Bound() {
		return Value{}, raise.Type("from_bytes() missing required argument 'bytes' (pos 1)")
	}
	order, signed, err := m.byteOptions("from_bytes", a)
	if err != nil {
		return Value{}, err
	}
	o := Plain(v).Bytes()
	if o == nil {
		return m.fromOther(v, a)
	}
	if err := m.Alloc(len(o.b)); err != nil {
		return Value{}, err
	}
	n, err := num.FromBytes(m, []byte(o.b), order, signed)
	if err != nil {
		return Value{}, err
	}
	if c := a.v[0]; !c.Is(intType.Ref()) {
		return m.Then(c, m.BigInt(n))
	}
	return m.BigInt(n), nil
}

// fromOther makes bytes of the argument of from_bytes first.
func (m *Machine) fromOther(v Value, a Args) (Value, error) {
	if isNumber(Plain(v)) || Plain(v).Str() != nil {
		return Value{}, raise.Type("cannot convert '%s' object to bytes", TypeName(v))
	}
	return m.Then(m.Intrinsic("int_from_bytes"), a.v[0], v, orDefault(a.arg(2, "byteorder"), SharedStr("big").Ref()),
		orDefault(a.Name("signed"), False))
}
