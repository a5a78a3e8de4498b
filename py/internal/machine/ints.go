package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

func defineInt(r *registry) {
	r.maker(intType, 0, -1, intMake)
	onInt := func(name string, fn func(m *Machine, v Value, a Args) (Value, error)) NativeFunc {
		return func(m *Machine, a Args) (Value, error) {
			v := plain(a.v[0])
			if !isIntegral(v) {
				return Value{}, wrongReceiver(name, intType, a.v[0])
			}
			return fn(m, v, a)
		}
	}
	self := func(m *Machine, v Value, a Args) (Value, error) { return m.unary(opPlus, v) }
	for _, name := range []string{"real", "numerator"} {
		r.property(intType, name, onInt(name, self))
	}
	r.property(intType, "imag", onInt("imag", func(m *Machine, v Value, a Args) (Value, error) { return Int(0), nil }))
	r.property(intType, "denominator", onInt("denominator", func(m *Machine, v Value, a Args) (Value, error) { return Int(1), nil }))
	r.method(intType, "conjugate", 1, 1, onInt("conjugate", self))
	r.method(intType, "as_integer_ratio", 1, 1, onInt("as_integer_ratio", func(m *Machine, v Value, a Args) (Value, error) {
		n, err := m.unary(opPlus, v)
		return m.pair(n, Int(1)), err
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
	r.methodKw(intType, "to_bytes", 1, 3, onInt("to_bytes", intToBytes))
	r.classMethod(intType, "from_bytes", 1, 3, intFromBytes)
}

// intMake is int(x=0) and int(x, base).
func intMake(m *Machine, a Args) (Value, error) {
	if err := a.only("int", "base"); err != nil {
		return Value{}, err
	}
	if n := len(a.v) - 1; n > 2 {
		return Value{}, raise.Type("int() takes at most 2 arguments (%d given)", n)
	}
	base := a.arg(2, "base")
	if a.len() == 1 {
		if base.bound() {
			return Value{}, raise.Type("int() missing string argument")
		}
		return Int(0), nil
	}
	if base.bound() {
		return m.intInBase(a.v[1], base)
	}
	return m.toInt(a.v[1])
}

// intInBase is int(x, base).
func (m *Machine) intInBase(x, base Value) (Value, error) {
	if m.foreignIndex(base) {
		return m.then(m.intrinsic("int_in_base"), x, base)
	}
	b := plain(base)
	if !isIntegral(b) {
		return Value{}, notInteger(base)
	}
	n := int64(b.n)
	if b.kind() == kindBigInt || n < 0 || n > 36 {
		n = -1
	}
	s, ok := numeral(plain(x))
	if !ok {
		return Value{}, raise.Type("int() can't convert non-string with explicit base")
	}
	return m.fromText(text.ParseInt(m, s, int(n)))
}

// numeral returns the text of a str or bytes.
func numeral(v Value) (text.Str, bool) {
	switch o := v.self().(type) {
	case *str:
		return o.text(), true
	case *bytesObject:
		return o.text(), true
	}
	return text.Str{}, false
}

// toInt is int(x).
func (m *Machine) toInt(x Value) (Value, error) {
	switch x.kind() {
	case kindInt, kindBool, kindBigInt:
		return m.unary(opPlus, x)
	case kindFloat:
		return m.fromText(text.FloatToInt(x.float()))
	case kindInstance, kindOpaque:
		if m.overrides(x, "__int__", "__index__", "__trunc__") {
			return m.then(m.intrinsic("int_of"), x)
		}
		if p := plain(x); !p.is(x) {
			return m.toInt(p)
		}
	}
	if s, ok := numeral(x); ok {
		return m.fromText(text.ParseInt(m, s, 10))
	}
	return Value{}, raise.Type("int() argument must be a string, a bytes-like object or a real number, not '%s'", typeName(x))
}

// overrides reports whether the class of v, not the machine, defines one of the
// methods.
func (m *Machine) overrides(v Value, names ...string) bool {
	c := classOf(v)
	for _, name := range names {
		if fn, ok := m.lookup(c, known.str(name)); ok && !isBuiltIn(fn) {
			return true
		}
	}
	return false
}

// intToBytes is int.to_bytes(length=1, byteorder='big', *, signed=False).
func intToBytes(m *Machine, v Value, a Args) (Value, error) {
	if err := a.only("to_bytes", "length", "byteorder", "signed"); err != nil {
		return Value{}, err
	}
	length := a.arg(1, "length")
	if !length.bound() {
		length = Int(1)
	}
	if m.foreignIndex(length) {
		return m.then(m.intrinsic("int_to_bytes"), v, length, orDefault(a.arg(2, "byteorder"), newStr("big").ref()),
			orDefault(a.name("signed"), False))
	}
	n, err := m.wantIndex(length)
	if err != nil {
		return Value{}, err
	}
	order, signed, err := m.byteOptions("to_bytes", a)
	if err != nil {
		return Value{}, err
	}
	data, err := num.ToBytes(m, bigOf(v), n, order, signed)
	if err != nil {
		return Value{}, err
	}
	return m.bytes(string(data))
}

func orDefault(v, missing Value) Value {
	if v.bound() {
		return v
	}
	return missing
}

// byteOptions are the arguments byteorder and signed.
func (m *Machine) byteOptions(fn string, a Args) (order string, signed bool, err error) {
	order = "big"
	if v := a.arg(2, "byteorder"); v.bound() {
		s := plain(v).str()
		if s == nil {
			return "", false, raise.Type("%s() argument 'byteorder' must be str, not %s", fn, typeName(v))
		}
		order = s.s
	}
	if v := plain(a.name("signed")); v.bound() {
		signed = true
		if !hasMethods(v) { // an instance is true, whatever its __bool__ says
			signed, err = m.truth(v, contStore)
		}
	}
	return order, signed, err
}

// intFromBytes is int.from_bytes(bytes, byteorder='big', *, signed=False).
func intFromBytes(m *Machine, a Args) (Value, error) {
	if err := a.only("from_bytes", "bytes", "byteorder", "signed"); err != nil {
		return Value{}, err
	}
	v := a.arg(1, "bytes")
	if !v.bound() {
		return Value{}, raise.Type("from_bytes() missing required argument 'bytes' (pos 1)")
	}
	order, signed, err := m.byteOptions("from_bytes", a)
	if err != nil {
		return Value{}, err
	}
	o := plain(v).bytes()
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
	if c := a.v[0]; !c.is(intType.ref()) {
		return m.then(c, m.bigValue(n))
	}
	return m.bigValue(n), nil
}

// fromOther makes bytes of the argument of from_bytes first.
func (m *Machine) fromOther(v Value, a Args) (Value, error) {
	if isNumber(plain(v)) || plain(v).str() != nil {
		return Value{}, raise.Type("cannot convert '%s' object to bytes", typeName(v))
	}
	return m.then(m.intrinsic("int_from_bytes"), a.v[0], v, orDefault(a.arg(2, "byteorder"), newStr("big").ref()),
		orDefault(a.name("signed"), False))
}
