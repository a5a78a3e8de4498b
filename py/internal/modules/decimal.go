package modules

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/decimal"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// defineDecimal defines the module _decimal, on which the module decimal
// stands; lib/decimal.py says what its functions take and return.
func defineDecimal(r *machine.Registry) {
	r.Module("_decimal", func(mod *machine.ModuleBuilder) {
		mod.Counted("call", 2, 5, decimalCall)
		mod.Counted("from_int", 1, 1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			v := machine.Plain(a.Arg(0))
			if v.Kind() != machine.KindInt && v.Kind() != machine.KindBool && v.Kind() != machine.KindBigInt {
				return machine.Value{}, raise.Type("an int is required, not '%s'", machine.TypeName(a.Arg(0)))
			}
			return m.Decimal(decimal.FromInt(machine.BigOf(v)), nil)
		})
		mod.Counted("from_float", 1, 1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			v := machine.Plain(a.Arg(0))
			if !v.IsFloat() {
				return machine.Value{}, raise.Type("a float is required, not '%s'", machine.TypeName(a.Arg(0)))
			}
			return m.Decimal(decimal.FromFloat(m, v.Float()))
		})
		mod.Counted("from_tuple", 3, 3, decimalFromTuple)
		mod.Counted("format", 3, 3, decimalFormat)
		mod.Counted("number_class", 2, 2, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			c, err := decimalContext(m, a.Arg(0))
			if err != nil {
				return machine.Value{}, err
			}
			d, err := machine.DecimalOf(a.Arg(1))
			if err != nil {
				return machine.Value{}, err
			}
			s, err := c.NumberClass(m, d)
			if err != nil {
				return machine.Value{}, err
			}
			return m.Str(s)
		})
		defineDecimalCopies(mod)
		defineDecimalParts(mod)
		defineDecimalMethods(mod)
	})
}

// withDecimal makes a native of a function of one number.
func withDecimal(fn func(m *machine.Machine, d *decimal.Decimal, a machine.Args) (machine.Value, error)) machine.NativeFunc {
	return func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		d, err := machine.DecimalOf(a.Arg(0))
		if err != nil {
			return machine.Value{}, err
		}
		return fn(m, d, a)
	}
}

// withDecimals makes a native of a function of two numbers.
func withDecimals(fn func(m *machine.Machine, x, y *decimal.Decimal) (machine.Value, error)) machine.NativeFunc {
	return withDecimal(func(m *machine.Machine, x *decimal.Decimal, a machine.Args) (machine.Value, error) {
		y, err := machine.DecimalOf(a.Arg(1))
		if err != nil {
			return machine.Value{}, err
		}
		return fn(m, x, y)
	})
}

func defineDecimalCopies(mod *machine.ModuleBuilder) {
	mod.Counted("copy_abs", 1, 1, withDecimal(func(m *machine.Machine, d *decimal.Decimal, a machine.Args) (machine.Value, error) {
		return m.Decimal(d.CopyAbs(), nil)
	}))
	mod.Counted("copy_negate", 1, 1, withDecimal(func(m *machine.Machine, d *decimal.Decimal, a machine.Args) (machine.Value, error) {
		return m.Decimal(d.CopyNegate(), nil)
	}))
	mod.Counted("copy_sign", 2, 2, withDecimals(func(m *machine.Machine, x, y *decimal.Decimal) (machine.Value, error) {
		return m.Decimal(x.CopySign(y), nil)
	}))
	mod.Counted("same_quantum", 2, 2, withDecimals(func(m *machine.Machine, x, y *decimal.Decimal) (machine.Value, error) {
		return machine.Bool(x.SameQuantum(y)), nil
	}))
	mod.Counted("compare_total", 2, 2, withDecimals(func(m *machine.Machine, x, y *decimal.Decimal) (machine.Value, error) {
		n, err := decimal.CompareTotal(m, x, y)
		return machine.Int(int64(n)), err
	}))
}

func defineDecimalParts(mod *machine.ModuleBuilder) {
	mod.Counted("parts", 1, 1, withDecimal(func(m *machine.Machine, d *decimal.Decimal, a machine.Args) (machine.Value, error) {
		return decimalParts(m, d)
	}))
	mod.Counted("text", 3, 3, withDecimal(decimalText))
	mod.Counted("hash", 1, 1, withDecimal(func(m *machine.Machine, d *decimal.Decimal, a machine.Args) (machine.Value, error) {
		h, err := d.Hash(m)
		return machine.Int(h), err
	}))
	mod.Counted("adjusted", 1, 1, withDecimal(func(m *machine.Machine, d *decimal.Decimal, a machine.Args) (machine.Value, error) {
		n, err := d.Adjusted(m)
		return machine.Int(n), err
	}))
	mod.Counted("floated", 1, 1, withDecimal(func(m *machine.Machine, d *decimal.Decimal, a machine.Args) (machine.Value, error) {
		f, err := d.Float(m)
		return machine.Float(f), err
	}))
	mod.Counted("truncated", 1, 1, withDecimal(func(m *machine.Machine, d *decimal.Decimal, a machine.Args) (machine.Value, error) {
		return m.PaidInt(d.Int(m))
	}))
	mod.Counted("rounded", 2, 2, withDecimal(func(m *machine.Machine, d *decimal.Decimal, a machine.Args) (machine.Value, error) {
		mode, err := rounding(a.Arg(1))
		if err != nil {
			return machine.Value{}, err
		}
		return m.PaidInt(d.ToInt(m, mode))
	}))
	mod.Counted("ratio", 1, 1, withDecimal(func(m *machine.Machine, d *decimal.Decimal, a machine.Args) (machine.Value, error) {
		n, k, err := d.Ratio(m)
		if err != nil {
			return machine.Value{}, err
		}
		return m.Pair(m.BigInt(n), m.BigInt(k)), nil
	}))
}

func rounding(v machine.Value) (decimal.Rounding, error) {
	if s := machine.Plain(v).Str(); s != nil {
		if mode, ok := decimal.ParseRounding(s.Text()); ok {
			return mode, nil
		}
	}
	return 0, raise.Type("valid values for rounding are:\n  [ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_DOWN,\n" +
		"   ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN,\n   ROUND_05UP]")
}

// decimalContext reads (prec, rounding, Emin, Emax, capitals, clamp).
func decimalContext(m *machine.Machine, v machine.Value) (*decimal.Context, error) {
	t := v.Tuple()
	if t == nil || len(t.Items()) != 6 {
		return nil, raise.Type("a decimal context is required, not '%s'", machine.TypeName(v))
	}
	var n [6]int64
	for i, item := range t.Items() {
		if i == 1 {
			continue
		}
		var err error
		if n[i], err = m.OptionalInt(item, 0); err != nil {
			return nil, err
		}
	}
	mode, err := rounding(t.Items()[1])
	if err != nil {
		return nil, err
	}
	c := &decimal.Context{Prec: n[0], Rounding: mode, Emin: n[2], Emax: n[3], Clamp: n[5] != 0}
	return c, c.Validate()
}

// decimalFromTuple is from_tuple(sign, digits as bytes, exponent or letter).
func decimalFromTuple(m *machine.Machine, a machine.Args) (machine.Value, error) {
	sign, err := m.OptionalInt(a.Arg(0), 0)
	if err != nil {
		return machine.Value{}, err
	}
	digits := machine.Plain(a.Arg(1)).Bytes()
	if digits == nil {
		return machine.Value{}, raise.Type("bytes are required, not '%s'", machine.TypeName(a.Arg(1)))
	}
	d, err := m.DecimalOfParts(sign != 0, digits.Data(), a.Arg(2))
	return m.Decimal(d, err)
}

// decimalParts is (sign, digits as str, exponent or letter).
func decimalParts(m *machine.Machine, d *decimal.Decimal) (machine.Value, error) {
	negative, digits, exp, kind, err := d.Tuple(m)
	if err != nil {
		return machine.Value{}, err
	}
	s, err := m.Str(digits)
	if err != nil {
		return machine.Value{}, err
	}
	end := machine.Int(exp)
	if kind != 0 {
		end = m.SmallStr(string(rune(kind)))
	}
	sign := machine.Int(0)
	if negative {
		sign = machine.Int(1)
	}
	return m.NewTuple([]machine.Value{sign, s, end})
}

// decimalText is text(a, engineering, capitals).
func decimalText(m *machine.Machine, d *decimal.Decimal, a machine.Args) (machine.Value, error) {
	write := d.String
	if machine.OptionalTruth(a.Arg(1), false) {
		write = d.EngString
	}
	s, err := write(m)
	if err != nil {
		return machine.Value{}, err
	}
	if !machine.OptionalTruth(a.Arg(2), true) && d.IsFinite() {
		if err := m.Alloc(len(s)); err != nil {
			return machine.Value{}, err
		}
		s = strings.ReplaceAll(s, "E", "e")
	}
	return m.Str(s)
}

// decimalFormat is format(context, a, spec).
func decimalFormat(m *machine.Machine, a machine.Args) (machine.Value, error) {
	c, err := decimalContext(m, a.Arg(0))
	if err != nil {
		return machine.Value{}, err
	}
	d, err := machine.DecimalOf(a.Arg(1))
	if err != nil {
		return machine.Value{}, err
	}
	spec, err := machine.WantStr(a.Arg(2), "format arg must be str")
	if err != nil {
		return machine.Value{}, err
	}
	s, err := c.Format(m, d, spec.Text())
	if err != nil {
		return machine.Value{}, err
	}
	return m.Str(s)
}
