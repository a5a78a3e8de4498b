package machine

import (
	"math"

	"github.com/glovebox-dev/glovebox/py/internal/libm"
	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// defineMath defines the module math.
func defineMath(r *registry) {
	r.nativeModule("math", func(mod *moduleMaker) {
		for name, f := range map[string]float64{"pi": math.Pi, "e": math.E, "tau": 2 * math.Pi, "inf": math.Inf(1), "nan": math.NaN()} {
			mod.define(name, Float(f))
		}
		for name, f := range map[string]func(float64) (float64, error){
			"acos": libm.Acos, "acosh": libm.Acosh, "asin": libm.Asin, "atanh": libm.Atanh, "cos": libm.Cos, "cosh": libm.Cosh,
			"exp": libm.Exp, "exp2": libm.Exp2, "expm1": libm.Expm1, "gamma": libm.Gamma, "lgamma": libm.LGamma,
			"log1p": libm.Log1p, "sin": libm.Sin, "sinh": libm.Sinh, "sqrt": libm.Sqrt, "tan": libm.Tan,
		} {
			mod.ofFloat(name, f)
		}
		for name, f := range map[string]func(float64) float64{
			"asinh": libm.Asinh, "atan": libm.Atan, "cbrt": libm.Cbrt, "degrees": libm.Degrees, "erf": libm.Erf, "erfc": libm.Erfc,
			"fabs": math.Abs, "radians": libm.Radians, "tanh": libm.Tanh, "ulp": libm.Ulp,
		} {
			mod.ofFloat(name, func(x float64) (float64, error) { return f(x), nil })
		}
		defineMathPairs(mod)
		defineMathParts(mod)
		defineMathRounding(mod)
		defineMathSeries(mod)
		defineMathInts(mod)
	})
}

// floats defines a function of n floats, at most 2.
func (mod *moduleMaker) floats(name string, n int, fn func(m *Machine, x []float64) (Value, error)) {
	id := mod.name + "." + name
	mod.counted(name, n, n, func(m *Machine, a Args) (Value, error) {
		var x [2]float64
		for i, v := range a.v {
			f, err := m.real(v)
			if err == errForeign {
				return m.withReals(id, a)
			}
			if err != nil {
				return Value{}, err
			}
			x[i] = f
		}
		return fn(m, x[:n])
	})
}

func (mod *moduleMaker) ofFloat(name string, f func(float64) (float64, error)) {
	mod.floats(name, 1, func(m *Machine, x []float64) (Value, error) {
		y, err := f(x[0])
		return Float(y), err
	})
}

// real returns a number as a float. It returns errForeign when code of the
// program has to convert it.
func (m *Machine) real(v Value) (float64, error) {
	v = plain(v)
	switch v.kind() {
	case kindFloat:
		return v.float(), nil
	case kindInt, kindBool:
		return float64(int64(v.n)), nil
	case kindBigInt:
		return num.ToFloat(v.big().v)
	case kindInstance:
		if m.definesAny(v, "__float__", "__index__") {
			return 0, errForeign
		}
	}
	return 0, raise.Type("must be real number, not %s", typeName(v))
}

// definesAny reports whether the class of v has one of these methods, written
// in Python.
func (m *Machine) definesAny(v Value, names ...string) bool {
	for _, name := range names {
		if fn, ok := m.lookup(classOf(v), known.str(name)); ok && fn.kind() == kindFunction {
			return true
		}
	}
	return false
}

// withReals asks for the same call with every argument as a number.
func (m *Machine) withReals(id string, a Args) (Value, error) {
	args, err := m.newListCopy(a.v)
	if err != nil {
		return Value{}, err
	}
	names := None
	if a.names != nil {
		names = a.names.ref()
	}
	return m.then(m.intrinsic("with_reals"), known.natives[id], args, names)
}

func defineMathPairs(mod *moduleMaker) {
	for name, f := range map[string]func(x, y float64) (float64, error){
		"pow": libm.Pow, "fmod": libm.Fmod, "remainder": libm.Remainder,
		"atan2":     func(y, x float64) (float64, error) { return libm.Atan2(y, x), nil },
		"copysign":  func(x, y float64) (float64, error) { return math.Copysign(x, y), nil },
		"nextafter": func(x, y float64) (float64, error) { return libm.Nextafter(x, y), nil },
	} {
		mod.floats(name, 2, func(m *Machine, x []float64) (Value, error) {
			y, err := f(x[0], x[1])
			return Float(y), err
		})
	}
	mod.counted("ldexp", 2, 2, func(m *Machine, a Args) (Value, error) {
		x, err := m.real(a.v[0])
		if err != nil && err != errForeign {
			return Value{}, err
		}
		n := plain(a.v[1])
		if !isIntegral(n) {
			return Value{}, raise.Type("Expected an int as second argument to ldexp.")
		}
		if err == errForeign {
			return m.withReals("math.ldexp", a)
		}
		by, err := m.boundInt(n, 0)
		if err != nil {
			return Value{}, err
		}
		f, err := libm.Ldexp(x, by)
		return Float(f), err
	})
	mod.countedKw("isclose", 0, -1, mathIsClose)
}

func mathIsClose(m *Machine, a Args) (Value, error) {
	if a.len() > 2 {
		return Value{}, raise.Type("isclose() takes exactly 2 positional arguments (%d given)", a.len())
	}
	v, err := a.bind("isclose", 0, "a", "b", "rel_tol", "abs_tol")
	if err != nil {
		return Value{}, err
	}
	x := [4]float64{2: 1e-9}
	for i, name := range []string{"a", "b", "", ""} {
		if !v[i].bound() {
			if name != "" {
				return Value{}, raise.Type("isclose() missing required argument '%s' (pos %d)", name, i+1)
			}
			continue
		}
		f, err := m.real(v[i])
		if err == errForeign {
			return m.withReals("math.isclose", a)
		}
		if err != nil {
			return Value{}, err
		}
		x[i] = f
	}
	yes, err := libm.IsClose(x[0], x[1], x[2], x[3])
	return Bool(yes), err
}

// defineMathParts defines what takes floats apart and asks about them.
func defineMathParts(mod *moduleMaker) {
	for name, test := range map[string]func(float64) bool{
		"isnan": math.IsNaN,
		"isinf": func(f float64) bool { return math.IsInf(f, 0) },
		"isfinite": func(f float64) bool {
			return !math.IsInf(f, 0) && !math.IsNaN(f)
		},
	} {
		mod.floats(name, 1, func(m *Machine, x []float64) (Value, error) { return Bool(test(x[0])), nil })
	}
	mod.floats("modf", 1, func(m *Machine, x []float64) (Value, error) {
		if math.IsInf(x[0], 0) {
			return m.pair(Float(math.Copysign(0, x[0])), Float(x[0])), nil
		}
		whole := math.Trunc(x[0])
		return m.pair(Float(math.Copysign(x[0]-whole, x[0])), Float(whole)), nil
	})
	mod.floats("frexp", 1, func(m *Machine, x []float64) (Value, error) {
		f, e := math.Frexp(x[0])
		return m.pair(Float(f), Int(int64(e))), nil
	})
	mod.counted("log", 0, -1, mathLog)
	mod.counted("log2", 1, 1, func(m *Machine, a Args) (Value, error) {
		return m.logarithm("math.log2", a, libm.Log2, libm.Log2Big)
	})
	mod.counted("log10", 1, 1, func(m *Machine, a Args) (Value, error) {
		return m.logarithm("math.log10", a, libm.Log10, libm.Log10Big)
	})
}

// defineMathRounding defines floor, ceil and trunc.
func defineMathRounding(mod *moduleMaker) {
	for _, f := range []struct {
		name, method string
		do           func(float64) float64
	}{{"floor", "__floor__", math.Floor}, {"ceil", "__ceil__", math.Ceil}, {"trunc", "__trunc__", math.Trunc}} {
		id := "math." + f.name
		mod.counted(f.name, 1, 1, func(m *Machine, a Args) (Value, error) {
			v := a.v[0]
			if fn, ok := m.lookup(classOf(v), known.str(f.method)); ok && fn.kind() == kindFunction {
				return m.then(fn, v)
			}
			v = plain(v)
			if isIntegral(v) {
				return m.asInt(v), nil
			}
			if f.name == "trunc" && !v.isFloat() {
				return Value{}, raise.Type("type %s doesn't define __trunc__ method", typeName(v))
			}
			x, err := m.real(v)
			if err == errForeign {
				return m.withReals(id, a)
			}
			if err != nil {
				return Value{}, err
			}
			return m.floatInt(f.do(x))
		})
	}
}

// asInt turns a bool into an int.
func (m *Machine) asInt(v Value) Value {
	if v.kind() == kindBool {
		return Int(int64(v.n))
	}
	return v
}

// floatInt is the int that a whole float is.
func (m *Machine) floatInt(f float64) (Value, error) {
	if math.Abs(f) < 1<<62 {
		return Int(int64(f)), nil
	}
	b, err := num.FromFloat(f)
	if err != nil {
		return Value{}, err
	}
	return m.bigValue(b), nil
}
