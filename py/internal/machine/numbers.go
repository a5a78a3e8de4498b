package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// defineNumbers defines int, float and bool, the functions on numbers, and the
// operators of all built-in types as methods.
func defineNumbers(r *Registry) {
	defineInt(r)
	defineFloat(r)
	r.maker(boolType, 0, 1, boolMake)
	r.function("divmod", 2, 2, divmodBuiltin)
	r.functionKw("pow", 0, 3, powBuiltin)
	r.functionKw("round", 0, 2, roundBuiltin)
	r.function("chr", 1, 1, chrBuiltin)
	r.function("ord", 1, 1, ordBuiltin)
	for _, f := range []struct {
		name string
		text func(m *Machine, i text.Int) (string, error)
	}{
		{"hex", func(m *Machine, i text.Int) (string, error) { return text.HexText(m, i) }},
		{"oct", func(m *Machine, i text.Int) (string, error) { return text.OctText(m, i) }},
		{"bin", func(m *Machine, i text.Int) (string, error) { return text.BinText(m, i) }},
	} {
		r.function(f.name, 1, 1, func(m *Machine, a Args) (Value, error) {
			v := Plain(a.v[0])
			if m.ForeignIndex(v) {
				return m.reindexed(f.name, a, 0)
			}
			if !IsIntegral(v) {
				return Value{}, notInteger(v)
			}
			s, err := f.text(m, textInt(v))
			if err != nil {
				return Value{}, err
			}
			return m.Message(s), nil
		})
	}
	defineSlots(r)
}

// textInt is the int v as package text takes it.
func textInt(v Value) text.Int {
	if b := v.big(); b != nil {
		return text.Int{Big: b.v}
	}
	return text.Int{Small: int64(v.n)}
}

// fromText makes an int of one of package text.
func (m *Machine) fromText(i text.Int, err error) (Value, error) {
	if err != nil {
		return Value{}, err
	}
	if i.Big != nil {
		return m.BigInt(i.Big), nil
	}
	return Int(i.Small), nil
}

// boolMake is bool(x=False).
func boolMake(m *Machine, a Args) (Value, error) {
	if err := a.noNames("bool"); err != nil {
		return Value{}, err
	}
	if a.Len() == 1 {
		return False, nil
	}
	v := a.v[1]
	if k := v.Kind(); k == KindInstance || k == KindOpaque {
		return m.Then(m.Intrinsic("bool_of"), v)
	}
	yes, err := m.truth(v, contStore)
	return Bool(yes), err
}

// divmodBuiltin is divmod(x, y).
func divmodBuiltin(m *Machine, a Args) (Value, error) {
	x, y := a.v[0], a.v[1]
	v, err := m.divmod(x, y)
	if err != ErrNotImplemented {
		return v, err
	}
	if HasMethods(x) || HasMethods(y) {
		return m.Then(m.Intrinsic("divmod_of"), x, y)
	}
	return Value{}, unsupportedDivmod(x, y)
}

func unsupportedDivmod(x, y Value) error {
	return raise.Type("unsupported operand type(s) for divmod(): '%s' and '%s'", TypeName(x), TypeName(y))
}

// divmod is divmod(x, y) of numbers.
func (m *Machine) divmod(x, y Value) (Value, error) {
	switch {
	case !isNumber(x) || !isNumber(y):
		return Value{}, ErrNotImplemented
	case x.IsFloat() || y.IsFloat():
		return m.divmodFloat(x, y)
	}
	if y.Kind() != KindBigInt && y.n == 0 {
		return Value{}, errModulo
	}
	if x.Kind() != KindBigInt && y.Kind() != KindBigInt {
		if q, ok := num.FloorDiv(int64(x.n), int64(y.n)); ok {
			return m.Pair(Int(q), Int(num.Mod(int64(x.n), int64(y.n)))), nil
		}
	}
	q, rest, err := num.DivModBig(m, BigOf(x), BigOf(y))
	if err != nil {
		return Value{}, err
	}
	return m.Pair(m.BigInt(q), m.BigInt(rest)), nil
}

func (m *Machine) divmodFloat(x, y Value) (Value, error) {
	f, _, err := FloatOf(x)
	if err != nil {
		return Value{}, err
	}
	g, _, err := FloatOf(y)
	if err != nil {
		return Value{}, err
	}
	q, rest, err := num.DivModFloat(f, g)
	if err != nil {
		return Value{}, err
	}
	return m.Pair(Float(q), Float(rest)), nil
}

// powBuiltin is pow(base, exp, mod=None).
func powBuiltin(m *Machine, a Args) (Value, error) {
	if err := a.Only("pow", "base", "exp", "mod"); err != nil {
		return Value{}, err
	}
	x, y, mod := a.arg(0, "base"), a.arg(1, "exp"), a.arg(2, "mod")
	switch {
	case !x.Bound():
		return Value{}, raise.Type("pow() missing required argument 'base' (pos 1)")
	case !y.Bound():
		return Value{}, raise.Type("pow() missing required argument 'exp' (pos 2)")
	case mod.Bound() && !mod.IsNone():
		return m.powMod(x, y, mod)
	}
	v, err := m.binaryNative(opPow, x, y)
	if err != ErrNotImplemented {
		return v, err
	}
	if HasMethods(x) || HasMethods(y) {
		return m.Then(m.Intrinsic("pow_of"), x, y)
	}
	return Value{}, m.unsupportedOp("**", x, y)
}

func (m *Machine) powMod(x, y, mod Value) (Value, error) {
	if fn, ok := m.Lookup(ClassOf(x), binaryNames[opPow]); ok && !isBuiltIn(fn) && fn.Kind() != KindDescriptor {
		return m.Then(m.Intrinsic("pow_mod"), x, y, mod)
	}
	a, b, c := Plain(x), Plain(y), Plain(mod)
	if isNumber(a) && isNumber(b) && isNumber(c) && (a.IsFloat() || b.IsFloat() || c.IsFloat()) {
		return Value{}, raise.Type("pow() 3rd argument not allowed unless all arguments are integers")
	}
	if !IsIntegral(a) || !IsIntegral(b) || !IsIntegral(c) {
		return Value{}, raise.Type("unsupported operand type(s) for ** or pow(): '%s', '%s', '%s'", TypeName(x), TypeName(y), TypeName(mod))
	}
	if c.Kind() != KindBigInt && c.n == 0 {
		return Value{}, raise.Value("pow() 3rd argument cannot be 0")
	}
	if a.Kind() != KindBigInt && b.Kind() != KindBigInt && c.Kind() != KindBigInt && int64(b.n) >= 0 {
		return Int(num.PowMod(int64(a.n), int64(b.n), int64(c.n))), nil
	}
	n, err := num.PowModBig(m, BigOf(a), BigOf(b), BigOf(c))
	if err != nil {
		return Value{}, err
	}
	return m.BigInt(n), nil
}

// roundBuiltin is round(number, ndigits=None).
func roundBuiltin(m *Machine, a Args) (Value, error) {
	if err := a.Only("round", "number", "ndigits"); err != nil {
		return Value{}, err
	}
	v, digits := a.arg(0, "number"), OrNone(a.arg(1, "ndigits"))
	if !v.Bound() {
		return Value{}, raise.Type("round() missing required argument 'number' (pos 1)")
	}
	if isNumber(v) {
		return m.round(v, digits)
	}
	if fn, ok := m.Lookup(ClassOf(v), known.str("__round__")); ok {
		if digits.IsNone() {
			return m.Then(fn, v)
		}
		return m.Then(fn, v, digits)
	}
	return Value{}, raise.Type("type %s doesn't define __round__ method", TypeName(v))
}

// round rounds a number to digits, an int or None.
func (m *Machine) round(v, digits Value) (Value, error) {
	if digits.IsNone() {
		if v.IsFloat() {
			return m.fromText(text.RoundToInt(v.Float()))
		}
		return m.unary(opPlus, v)
	}
	if m.ForeignIndex(digits) {
		return m.Then(m.Intrinsic("round_to"), v, digits)
	}
	if digits = Plain(digits); !IsIntegral(digits) {
		return Value{}, notInteger(digits)
	}
	n := m.digits(digits)
	if v.IsFloat() {
		f, err := text.Round(v.Float(), int(n))
		return Float(f), err
	}
	if n >= 0 {
		return m.unary(opPlus, v)
	}
	b, err := num.RoundInt(m, BigOf(v), n)
	if err != nil {
		return Value{}, err
	}
	return m.BigInt(b), nil
}

// digits is an int as a number of digits, cut to what no number has.
func (m *Machine) digits(v Value) int64 {
	const far = 1 << 40
	if b := v.big(); b != nil {
		return far * int64(b.v.Sign())
	}
	return max(-far, min(int64(v.n), far))
}

// chrBuiltin is chr(i).
func chrBuiltin(m *Machine, a Args) (Value, error) {
	v := Plain(a.v[0])
	if m.ForeignIndex(v) {
		return m.reindexed("chr", a, 0)
	}
	if !IsIntegral(v) {
		return Value{}, notInteger(v)
	}
	n := int64(v.n)
	if v.Kind() == KindBigInt || n != int64(int32(n)) {
		return Value{}, raise.Overflow("Python int too large to convert to C int")
	}
	if n < 0 || n > 0x10ffff {
		return Value{}, raise.Value("chr() arg not in range(0x110000)")
	}
	return m.Str(text.Chr(rune(n)))
}

// ordBuiltin is ord(c).
func ordBuiltin(m *Machine, a Args) (Value, error) {
	n := 0
	switch o := Plain(a.v[0]).Self().(type) {
	case *Str:
		if n = o.len(); n == 1 {
			c, _ := text.DecodeRune(o.s)
			return Int(int64(c)), nil
		}
	case *Bytes:
		if n = len(o.b); n == 1 {
			return Int(int64(o.b[0])), nil
		}
	default:
		return Value{}, raise.Type("ord() expected string of length 1, but %s found", TypeName(a.v[0]))
	}
	return Value{}, raise.Type("ord() expected a character, but string of length %d found", n)
}
