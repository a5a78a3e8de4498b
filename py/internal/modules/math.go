package modules

import (
	"math"

	"github.com/glovebox-dev/glovebox/py/internal/libm"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// defineMath defines the module math.
func defineMath(r *machine.Registry) {
	r.Module("math", func(mod *machine.ModuleBuilder) {
		for name, f := range map[string]float64{"pi": math.Pi, "e": math.E, "tau": 2 * math.Pi, "inf": math.Inf(1), "nan": math.NaN()} {
			mod.Define(name, machine.Float(f))
		}
		for name, f := range map[string]func(float64) (float64, error){
			"acos": libm.Acos, "acosh": libm.Acosh, "asin": libm.Asin, "atanh": libm.Atanh, "cos": libm.Cos, "cosh": libm.Cosh,
			"exp": libm.Exp, "exp2": libm.Exp2, "expm1": libm.Expm1, "gamma": libm.Gamma, "lgamma": libm.LGamma,
			"log1p": libm.Log1p, "sin": libm.Sin, "sinh": libm.Sinh, "sqrt": libm.Sqrt, "tan": libm.Tan,
		} {
			floatFunc(mod, name, f)
		}
		for name, f := range map[string]func(float64) float64{
			"asinh": libm.Asinh, "atan": libm.Atan, "cbrt": libm.Cbrt, "degrees": libm.Degrees, "erf": libm.Erf, "erfc": libm.Erfc,
			"fabs": math.Abs, "radians": libm.Radians, "tanh": libm.Tanh, "ulp": libm.Ulp,
		} {
			floatFunc(mod, name, func(x float64) (float64, error) { return f(x), nil })
		}
		defineMathPairs(mod)
		defineMathParts(mod)
		defineMathRounding(mod)
		defineMathSeries(mod)
		defineMathInts(mod)
	})
}

// floatsFunc defines a function of n floats, at most 2.
func floatsFunc(mod *machine.ModuleBuilder, name string, n int, fn func(m *machine.Machine, x []float64) (machine.Value, error)) {
	id := mod.Name() + "." + name
	mod.Counted(name, n, n, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		var x [2]float64
		for i, v := range a.All() {
			f, err := realOf(m, v)
			if err == machine.ErrForeign {
				return withReals(m, id, a)
			}
			if err != nil {
				return machine.Value{}, err
			}
			x[i] = f
		}
		return fn(m, x[:n])
	})
}

func floatFunc(mod *machine.ModuleBuilder, name string, f func(float64) (float64, error)) {
	floatsFunc(mod, name, 1, func(m *machine.Machine, x []float64) (machine.Value, error) {
		y, err := f(x[0])
		return machine.Float(y), err
	})
}

// realOf returns a number as a float. It returns errForeign when code of the
// program has to convert it.
func realOf(m *machine.Machine, v machine.Value) (float64, error) {
	v = machine.Plain(v)
	switch v.Kind() {
	case machine.KindFloat:
		return v.Float(), nil
	case machine.KindInt, machine.KindBool:
		return float64(v.Int()), nil
	case machine.KindBigInt:
		return num.ToFloat(v.BigInt())
	case machine.KindInstance:
		if m.DefinesAny(v, "__float__", "__index__") {
			return 0, machine.ErrForeign
		}
	}
	return 0, raise.Type("must be real number, not %s", machine.TypeName(v))
}

// withReals asks for the same call with every argument as a number.
func withReals(m *machine.Machine, id string, a machine.Args) (machine.Value, error) {
	args, err := m.NewList(a.All())
	if err != nil {
		return machine.Value{}, err
	}
	return m.Then(m.Intrinsic("with_reals"), machine.NativeByID(id), args, a.Keywords())
}

func defineMathPairs(mod *machine.ModuleBuilder) {
	for name, f := range map[string]func(x, y float64) (float64, error){
		"pow": libm.Pow, "fmod": libm.Fmod, "remainder": libm.Remainder,
		"atan2":     func(y, x float64) (float64, error) { return libm.Atan2(y, x), nil },
		"copysign":  func(x, y float64) (float64, error) { return math.Copysign(x, y), nil },
		"nextafter": func(x, y float64) (float64, error) { return libm.Nextafter(x, y), nil },
	} {
		floatsFunc(mod, name, 2, func(m *machine.Machine, x []float64) (machine.Value, error) {
			y, err := f(x[0], x[1])
			return machine.Float(y), err
		})
	}
	mod.Counted("ldexp", 2, 2, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		x, err := realOf(m, a.Arg(0))
		if err != nil && err != machine.ErrForeign {
			return machine.Value{}, err
		}
		n := machine.Plain(a.Arg(1))
		if !machine.IsIntegral(n) {
			return machine.Value{}, raise.Type("Expected an int as second argument to ldexp.")
		}
		if err == machine.ErrForeign {
			return withReals(m, "math.ldexp", a)
		}
		by, err := m.OptionalInt(n, 0)
		if err != nil {
			return machine.Value{}, err
		}
		f, err := libm.Ldexp(x, by)
		return machine.Float(f), err
	})
	mod.CountedKw("isclose", 0, -1, mathIsClose)
}

func mathIsClose(m *machine.Machine, a machine.Args) (machine.Value, error) {
	if a.Len() > 2 {
		return machine.Value{}, raise.Type("isclose() takes exactly 2 positional arguments (%d given)", a.Len())
	}
	v, err := a.Bind("isclose", 0, "a", "b", "rel_tol", "abs_tol")
	if err != nil {
		return machine.Value{}, err
	}
	x := [4]float64{2: 1e-9}
	for i, name := range []string{"a", "b", "", ""} {
		if !v[i].Bound() {
			if name != "" {
				return machine.Value{}, raise.Type("isclose() missing required argument '%s' (pos %d)", name, i+1)
			}
			continue
		}
		f, err := realOf(m, v[i])
		if err == machine.ErrForeign {
			return withReals(m, "math.isclose", a)
		}
		if err != nil {
			return machine.Value{}, err
		}
		x[i] = f
	}
	yes, err := libm.IsClose(x[0], x[1], x[2], x[3])
	return machine.Bool(yes), err
}

// defineMathParts defines what takes floats apart and asks about them.
func defineMathParts(mod *machine.ModuleBuilder) {
	for name, test := range map[string]func(float64) bool{
		"isnan": math.IsNaN,
		"isinf": func(f float64) bool { return math.IsInf(f, 0) },
		"isfinite": func(f float64) bool {
			return !math.IsInf(f, 0) && !math.IsNaN(f)
		},
	} {
		floatsFunc(mod, name, 1, func(m *machine.Machine, x []float64) (machine.Value, error) { return machine.Bool(test(x[0])), nil })
	}
	floatsFunc(mod, "modf", 1, func(m *machine.Machine, x []float64) (machine.Value, error) {
		if math.IsInf(x[0], 0) {
			return m.Pair(machine.Float(math.Copysign(0, x[0])), machine.Float(x[0])), nil
		}
		whole := math.Trunc(x[0])
		return m.Pair(machine.Float(math.Copysign(x[0]-whole, x[0])), machine.Float(whole)), nil
	})
	floatsFunc(mod, "frexp", 1, func(m *machine.Machine, x []float64) (machine.Value, error) {
		f, e := math.Frexp(x[0])
		return m.Pair(machine.Float(f), machine.Int(int64(e))), nil
	})
	mod.Counted("log", 0, -1, mathLog)
	mod.Counted("log2", 1, 1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		return logarithm(m, "math.log2", a, libm.Log2, libm.Log2Big)
	})
	mod.Counted("log10", 1, 1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		return logarithm(m, "math.log10", a, libm.Log10, libm.Log10Big)
	})
}

// defineMathRounding defines floor, ceil and trunc.
func defineMathRounding(mod *machine.ModuleBuilder) {
	for _, f := range []struct {
		name, method string
		do           func(float64) float64
	}{{"floor", "__floor__", math.Floor}, {"ceil", "__ceil__", math.Ceil}, {"trunc", "__trunc__", math.Trunc}} {
		id := "math." + f.name
		mod.Counted(f.name, 1, 1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			v := a.Arg(0)
			if fn, ok := m.Lookup(machine.ClassOf(v), machine.SharedName(f.method)); ok && fn.Kind() == machine.KindFunction {
				return m.Then(fn, v)
			}
			v = machine.Plain(v)
			if machine.IsIntegral(v) {
				return asInt(m, v), nil
			}
			if f.name == "trunc" && !v.IsFloat() {
				return machine.Value{}, raise.Type("type %s doesn't define __trunc__ method", machine.TypeName(v))
			}
			x, err := realOf(m, v)
			if err == machine.ErrForeign {
				return withReals(m, id, a)
			}
			if err != nil {
				return machine.Value{}, err
			}
			return floatInt(m, f.do(x))
		})
	}
}

// asInt turns a bool into an int.
func asInt(m *machine.Machine, v machine.Value) machine.Value {
	if v.Kind() == machine.KindBool {
		return machine.Int(v.Int())
	}
	return v
}

// floatInt is the int that a whole float is.
func floatInt(m *machine.Machine, f float64) (machine.Value, error) {
	if math.Abs(f) < 1<<62 {
		return machine.Int(int64(f)), nil
	}
	b, err := num.FromFloat(f)
	if err != nil {
		return machine.Value{}, err
	}
	return m.BigInt(b), nil
}
