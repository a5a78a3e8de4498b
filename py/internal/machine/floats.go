package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

func defineFloat(r *Registry) {
	r.maker(floatType, 0, 1, floatMake)
	onFloat := func(name string, fn func(m *Machine, f float64) (Value, error)) NativeFunc {
		return func(m *Machine, a Args) (Value, error) {
			v := Plain(a.v[0])
			if !v.IsFloat() {
				return Value{}, WrongReceiver(name, floatType, a.v[0])
			}
			return fn(m, v.Float())
		}
	}
	self := func(m *Machine, f float64) (Value, error) { return Float(f), nil }
	r.Property(floatType, "real", onFloat("real", self))
	r.Property(floatType, "imag", onFloat("imag", func(m *Machine, f float64) (Value, error) { return Float(0), nil }))
	r.method(floatType, "conjugate", 1, 1, onFloat("conjugate", self))
	r.method(floatType, "is_integer", 1, 1, onFloat("is_integer", func(m *Machine, f float64) (Value, error) {
		return Bool(text.IsInteger(f)), nil
	}))
	r.method(floatType, "hex", 1, 1, onFloat("hex", func(m *Machine, f float64) (Value, error) {
		return m.Message(text.FloatHex(f)), nil
	}))
	r.method(floatType, "as_integer_ratio", 1, 1, onFloat("as_integer_ratio", floatRatio))
	r.classMethod(floatType, "fromhex", 2, 2, floatFromHex)
}

// floatMake is float(x=0.0).
func floatMake(m *Machine, a Args) (Value, error) {
	if err := a.noNames("float"); err != nil {
		return Value{}, err
	}
	if a.Len() == 1 {
		return Float(0), nil
	}
	return m.toFloat(a.v[1])
}

// toFloat is float(x).
func (m *Machine) toFloat(x Value) (Value, error) {
	if f, ok, err := FloatOf(x); ok || err != nil {
		return Float(f), err
	}
	if k := x.Kind(); k == KindInstance || k == KindOpaque {
		if m.overrides(x, "__float__", "__index__") {
			return m.Then(m.Intrinsic("float_of"), x)
		}
		if p := Plain(x); !p.Is(x) {
			return m.toFloat(p)
		}
	}
	if s, ok := numeral(x); ok {
		f, err := text.ParseFloat(m, s)
		return Float(f), err
	}
	return Value{}, raise.Type("float() argument must be a string or a real number, not '%s'", TypeName(x))
}

func floatRatio(m *Machine, f float64) (Value, error) {
	n, d, err := text.IntegerRatio(f)
	if err != nil {
		return Value{}, err
	}
	x, err := m.fromText(n, nil)
	if err != nil {
		return Value{}, err
	}
	y, err := m.fromText(d, nil)
	return m.Pair(x, y), err
}

// floatFromHex is float.fromhex(string).
func floatFromHex(m *Machine, a Args) (Value, error) {
	if err := a.noNames("float.fromhex"); err != nil {
		return Value{}, err
	}
	s := Plain(a.v[1]).Str()
	if s == nil {
		return Value{}, raise.Type("bad argument type for built-in operation")
	}
	f, err := text.FloatFromHex(m, s.text())
	if err != nil {
		return Value{}, err
	}
	if c := a.v[0]; !c.Is(floatType.Ref()) {
		return m.Then(c, Float(f))
	}
	return Float(f), nil
}
