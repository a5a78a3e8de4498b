package machine

import (
	"math/big"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/decimal"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// decimalType is the class of the values of _decimal, which programs never see.
var decimalType = moduleClass("value", "_decimal.value", kindOpaque, objectType)

// number is a decimal number.
type number struct{ d *decimal.Decimal }

// numberObject is an object with its number beside it, in one allocation.
type numberObject struct {
	opaque
	number number
}

// Size is that of the number.
func (n *number) Size() int { return n.d.Size() }

// Each visits nothing.
func (n *number) Each(func(Value)) {}

// decimalKind is how snapshots name a number.
const decimalKind = "_decimal.value"

// Save returns the sign, the digits, and the exponent or the letter of a
// special value.
func (n *number) Save() (string, []Value) {
	negative, digits, exp, kind, err := n.d.Tuple(budget.Free)
	if err != nil {
		return "", nil
	}
	end := Int(exp)
	if kind != 0 {
		end = newStr(string(rune(kind))).ref()
	}
	return decimalKind, []Value{Bool(negative), (&str{s: digits, length: -1}).value(), end}
}

func loadNumber(m *Machine, fields []Value) (Boxed, error) {
	if len(fields) != 3 || fields[1].str() == nil {
		return nil, errCorrupt
	}
	digits := fields[1].str().s
	if err := m.Alloc(2 * len(digits)); err != nil {
		return nil, err
	}
	values := []byte(digits)
	for i, c := range values {
		values[i] = c - '0' // decimalOfParts refuses what was no digit
	}
	d, err := m.decimalOfParts(fields[0].n != 0, string(values), fields[2])
	if err != nil {
		return nil, err
	}
	return &number{d}, nil
}

// defineDecimal defines the module _decimal, on which the module decimal
// stands; lib/decimal.py says what its functions take and return.
func defineDecimal(r *registry) {
	r.hiddenClass(decimalType)
	r.unboxer(decimalKind, loadNumber)
	r.nativeModule("_decimal", func(mod *moduleMaker) {
		mod.counted("call", 2, 5, decimalCall)
		mod.counted("from_int", 1, 1, func(m *Machine, a Args) (Value, error) {
			v := plain(a.v[0])
			if v.kind() != kindInt && v.kind() != kindBool && v.kind() != kindBigInt {
				return Value{}, raise.Type("an int is required, not '%s'", typeName(a.v[0]))
			}
			return m.decimal(decimal.FromInt(bigOf(v)), nil)
		})
		mod.counted("from_float", 1, 1, func(m *Machine, a Args) (Value, error) {
			v := plain(a.v[0])
			if !v.isFloat() {
				return Value{}, raise.Type("a float is required, not '%s'", typeName(a.v[0]))
			}
			return m.decimal(decimal.FromFloat(m, v.float()))
		})
		mod.counted("from_tuple", 3, 3, decimalFromTuple)
		mod.counted("format", 3, 3, decimalFormat)
		mod.counted("number_class", 2, 2, func(m *Machine, a Args) (Value, error) {
			c, err := m.decimalContext(a.v[0])
			if err != nil {
				return Value{}, err
			}
			d, err := decimalOf(a.v[1])
			if err != nil {
				return Value{}, err
			}
			s, err := c.NumberClass(m, d)
			if err != nil {
				return Value{}, err
			}
			return m.str(s)
		})
		defineDecimalCopies(mod)
		defineDecimalParts(mod)
		defineDecimalMethods(mod)
	})
}

// withDecimal makes a native of a function of one number.
func withDecimal(fn func(m *Machine, d *decimal.Decimal, a Args) (Value, error)) NativeFunc {
	return func(m *Machine, a Args) (Value, error) {
		d, err := decimalOf(a.v[0])
		if err != nil {
			return Value{}, err
		}
		return fn(m, d, a)
	}
}

// withDecimals makes a native of a function of two numbers.
func withDecimals(fn func(m *Machine, x, y *decimal.Decimal) (Value, error)) NativeFunc {
	return withDecimal(func(m *Machine, x *decimal.Decimal, a Args) (Value, error) {
		y, err := decimalOf(a.v[1])
		if err != nil {
			return Value{}, err
		}
		return fn(m, x, y)
	})
}

func defineDecimalCopies(mod *moduleMaker) {
	mod.counted("copy_abs", 1, 1, withDecimal(func(m *Machine, d *decimal.Decimal, a Args) (Value, error) {
		return m.decimal(d.CopyAbs(), nil)
	}))
	mod.counted("copy_negate", 1, 1, withDecimal(func(m *Machine, d *decimal.Decimal, a Args) (Value, error) {
		return m.decimal(d.CopyNegate(), nil)
	}))
	mod.counted("copy_sign", 2, 2, withDecimals(func(m *Machine, x, y *decimal.Decimal) (Value, error) {
		return m.decimal(x.CopySign(y), nil)
	}))
	mod.counted("same_quantum", 2, 2, withDecimals(func(m *Machine, x, y *decimal.Decimal) (Value, error) {
		return Bool(x.SameQuantum(y)), nil
	}))
	mod.counted("compare_total", 2, 2, withDecimals(func(m *Machine, x, y *decimal.Decimal) (Value, error) {
		n, err := decimal.CompareTotal(m, x, y)
		return Int(int64(n)), err
	}))
}

func defineDecimalParts(mod *moduleMaker) {
	mod.counted("parts", 1, 1, withDecimal(func(m *Machine, d *decimal.Decimal, a Args) (Value, error) { return m.decimalParts(d) }))
	mod.counted("text", 3, 3, withDecimal(decimalText))
	mod.counted("hash", 1, 1, withDecimal(func(m *Machine, d *decimal.Decimal, a Args) (Value, error) {
		h, err := d.Hash(m)
		return Int(h), err
	}))
	mod.counted("adjusted", 1, 1, withDecimal(func(m *Machine, d *decimal.Decimal, a Args) (Value, error) {
		n, err := d.Adjusted(m)
		return Int(n), err
	}))
	mod.counted("floated", 1, 1, withDecimal(func(m *Machine, d *decimal.Decimal, a Args) (Value, error) {
		f, err := d.Float(m)
		return Float(f), err
	}))
	mod.counted("truncated", 1, 1, withDecimal(func(m *Machine, d *decimal.Decimal, a Args) (Value, error) {
		return m.paidBig(d.Int(m))
	}))
	mod.counted("rounded", 2, 2, withDecimal(func(m *Machine, d *decimal.Decimal, a Args) (Value, error) {
		mode, err := rounding(a.v[1])
		if err != nil {
			return Value{}, err
		}
		return m.paidBig(d.ToInt(m, mode))
	}))
	mod.counted("ratio", 1, 1, withDecimal(func(m *Machine, d *decimal.Decimal, a Args) (Value, error) {
		n, k, err := d.Ratio(m)
		if err != nil {
			return Value{}, err
		}
		return m.pair(m.bigValue(n), m.bigValue(k)), nil
	}))
}

// paidBig makes an int of what a function has paid for.
func (m *Machine) paidBig(n *big.Int, err error) (Value, error) {
	if err != nil {
		return Value{}, err
	}
	return m.bigValue(n), nil
}

// decimal makes an object of a number.
func (m *Machine) decimal(d *decimal.Decimal, err error) (Value, error) {
	if err != nil {
		return Value{}, err
	}
	if err := m.Alloc(opaqueBytes + d.Size()); err != nil {
		return Value{}, err
	}
	return new(numberObject).of(d), nil
}

// of makes the object one of d.
func (n *numberObject) of(d *decimal.Decimal) Value {
	n.number.d = d
	n.class, n.box = decimalType, &n.number
	return n.opaque.value()
}

func decimalOf(v Value) (*decimal.Decimal, error) {
	if o := v.opaque(); o != nil {
		if n, ok := o.box.(*number); ok {
			return n.d, nil
		}
	}
	return nil, raise.Type("a decimal value is required, not '%s'", typeName(v))
}

func rounding(v Value) (decimal.Rounding, error) {
	if s := plain(v).str(); s != nil {
		if mode, ok := decimal.ParseRounding(s.s); ok {
			return mode, nil
		}
	}
	return 0, raise.Type("valid values for rounding are:\n  [ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_DOWN,\n" +
		"   ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN,\n   ROUND_05UP]")
}

// decimalContext reads (prec, rounding, Emin, Emax, capitals, clamp).
func (m *Machine) decimalContext(v Value) (*decimal.Context, error) {
	t := v.tuple()
	if t == nil || len(t.items) != 6 {
		return nil, raise.Type("a decimal context is required, not '%s'", typeName(v))
	}
	var n [6]int64
	for i, item := range t.items {
		if i == 1 {
			continue
		}
		var err error
		if n[i], err = m.boundInt(item, 0); err != nil {
			return nil, err
		}
	}
	mode, err := rounding(t.items[1])
	if err != nil {
		return nil, err
	}
	c := &decimal.Context{Prec: n[0], Rounding: mode, Emin: n[2], Emax: n[3], Clamp: n[5] != 0}
	return c, c.Validate()
}

// decimalFromTuple is from_tuple(sign, digits as bytes, exponent or letter).
func decimalFromTuple(m *Machine, a Args) (Value, error) {
	sign, err := m.boundInt(a.v[0], 0)
	if err != nil {
		return Value{}, err
	}
	digits := plain(a.v[1]).bytes()
	if digits == nil {
		return Value{}, raise.Type("bytes are required, not '%s'", typeName(a.v[1]))
	}
	d, err := m.decimalOfParts(sign != 0, digits.b, a.v[2])
	return m.decimal(d, err)
}

// decimalOfParts makes a number of digits, each a byte from 0 to 9, and an
// exponent or the letter of a special value.
func (m *Machine) decimalOfParts(negative bool, digits string, exponent Value) (*decimal.Decimal, error) {
	var kind byte
	var exp int64
	if s := plain(exponent).str(); s != nil {
		if s.s != "F" && s.s != "n" && s.s != "N" {
			return nil, raise.Value("string argument in the third position must be 'F', 'n' or 'N'")
		}
		kind = s.s[0]
	} else {
		var err error
		if exp, err = m.boundInt(exponent, 0); err != nil {
			return nil, err
		}
	}
	if err := m.Alloc(len(digits)); err != nil {
		return nil, err
	}
	if err := m.Work(len(digits)); err != nil {
		return nil, err
	}
	values := []byte(digits)
	for _, x := range values {
		if x > 9 {
			return nil, raise.Value("coefficient must be a tuple of digits")
		}
	}
	c := decimal.NewContext()
	c.Traps = 0
	return c.FromTuple(m, negative, values, exp, kind)
}

// decimalParts is (sign, digits as str, exponent or letter).
func (m *Machine) decimalParts(d *decimal.Decimal) (Value, error) {
	negative, digits, exp, kind, err := d.Tuple(m)
	if err != nil {
		return Value{}, err
	}
	s, err := m.str(digits)
	if err != nil {
		return Value{}, err
	}
	end := Int(exp)
	if kind != 0 {
		end = m.small(string(rune(kind)))
	}
	sign := Int(0)
	if negative {
		sign = Int(1)
	}
	return m.newTupleCopy([]Value{sign, s, end})
}

// decimalText is text(a, engineering, capitals).
func decimalText(m *Machine, d *decimal.Decimal, a Args) (Value, error) {
	write := d.String
	if boundTruth(a.v[1], false) {
		write = d.EngString
	}
	s, err := write(m)
	if err != nil {
		return Value{}, err
	}
	if !boundTruth(a.v[2], true) && d.IsFinite() {
		if err := m.Alloc(len(s)); err != nil {
			return Value{}, err
		}
		s = strings.ReplaceAll(s, "E", "e")
	}
	return m.str(s)
}

// decimalFormat is format(context, a, spec).
func decimalFormat(m *Machine, a Args) (Value, error) {
	c, err := m.decimalContext(a.v[0])
	if err != nil {
		return Value{}, err
	}
	d, err := decimalOf(a.v[1])
	if err != nil {
		return Value{}, err
	}
	spec, err := wantStr(a.v[2], "format arg must be str")
	if err != nil {
		return Value{}, err
	}
	s, err := c.Format(m, d, spec.s)
	if err != nil {
		return Value{}, err
	}
	return m.str(s)
}
