package modules

import (
	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/decimal"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// The operations of _decimal.call by the number of their operands.
type (
	decimalUnary  func(c *decimal.Context, m budget.Meter, x *decimal.Decimal) (*decimal.Decimal, error)
	decimalBinary func(c *decimal.Context, m budget.Meter, x, y *decimal.Decimal) (*decimal.Decimal, error)
	decimalOther  func(m *machine.Machine, c *decimal.Context, v []machine.Value) (machine.Value, error)
)

var decimalUnaries = map[string]decimalUnary{
	"plus":       (*decimal.Context).Plus,
	"minus":      (*decimal.Context).Minus,
	"abs":        (*decimal.Context).Abs,
	"sqrt":       (*decimal.Context).Sqrt,
	"exp":        (*decimal.Context).Exp,
	"ln":         (*decimal.Context).Ln,
	"log10":      (*decimal.Context).Log10,
	"logb":       (*decimal.Context).Logb,
	"next_plus":  (*decimal.Context).NextPlus,
	"next_minus": (*decimal.Context).NextMinus,
	"normalize":  (*decimal.Context).Normalize,
	"to_integral_exact": func(c *decimal.Context, m budget.Meter, x *decimal.Decimal) (*decimal.Decimal, error) {
		return c.ToIntegralExact(m, x, c.Rounding)
	},
}

var decimalBinaries = map[string]decimalBinary{
	"add":            (*decimal.Context).Add,
	"sub":            (*decimal.Context).Sub,
	"mul":            (*decimal.Context).Mul,
	"div":            (*decimal.Context).Div,
	"floordiv":       (*decimal.Context).FloorDiv,
	"mod":            (*decimal.Context).Mod,
	"pow":            (*decimal.Context).Pow,
	"remainder_near": (*decimal.Context).RemainderNear,
	"scaleb":         (*decimal.Context).Scaleb,
	"shift":          (*decimal.Context).Shift,
	"rotate":         (*decimal.Context).Rotate,
	"max":            (*decimal.Context).Max,
	"min":            (*decimal.Context).Min,
	"max_mag":        (*decimal.Context).MaxMag,
	"min_mag":        (*decimal.Context).MinMag,
	"compare":        (*decimal.Context).Compare,
	"compare_signal": (*decimal.Context).CompareSignal,
	"next_toward":    (*decimal.Context).NextToward,
}

var decimalOthers = map[string]decimalOther{
	"fma":               decimalFMA,
	"powmod":            decimalPowMod,
	"divmod":            decimalDivMod,
	"parse":             decimalParse,
	"quantize":          decimalQuantize,
	"to_integral_value": decimalToIntegral,
	"round":             decimalRound,
	"equal":             decimalEqual,
	"order":             decimalOrder,
}

// decimalCall is call(operation, context, *values): the result, and the
// conditions that occurred.
func decimalCall(m *machine.Machine, a machine.Args) (machine.Value, error) {
	name := a.Arg(0).Str()
	if name == nil {
		return machine.Value{}, raise.Type("an operation is required, not '%s'", machine.TypeName(a.Arg(0)))
	}
	c, err := decimalContext(m, a.Arg(1))
	if err != nil {
		return machine.Value{}, err
	}
	result, err := decimalOperation(m, name.Text(), c, a.All()[2:])
	if err != nil {
		return machine.Value{}, err
	}
	return m.Pair(result, machine.Int(int64(c.Flags))), nil
}

func decimalOperation(m *machine.Machine, name string, c *decimal.Context, v []machine.Value) (machine.Value, error) {
	if fn, ok := decimalOthers[name]; ok {
		return fn(m, c, v)
	}
	x, err := decimals(v)
	if err != nil {
		return machine.Value{}, err
	}
	if fn, ok := decimalUnaries[name]; ok && len(x) == 1 {
		return m.Decimal(fn(c, m, x[0]))
	}
	if fn, ok := decimalBinaries[name]; ok && len(x) == 2 {
		return m.Decimal(fn(c, m, x[0], x[1]))
	}
	return machine.Value{}, raise.Type("there is no operation '%s' of %d numbers", name, len(x))
}

func decimals(v []machine.Value) ([]*decimal.Decimal, error) {
	x := make([]*decimal.Decimal, len(v))
	for i := range v {
		var err error
		if x[i], err = machine.DecimalOf(v[i]); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// decimalOperands takes the first n values as numbers of which there must be
// more in all.
func decimalOperands(v []machine.Value, n, all int) ([]*decimal.Decimal, error) {
	if len(v) != all {
		return nil, raise.Type("expected %d values, got %d", all, len(v))
	}
	return decimals(v[:n])
}

func decimalFMA(m *machine.Machine, c *decimal.Context, v []machine.Value) (machine.Value, error) {
	x, err := decimalOperands(v, 3, 3)
	if err != nil {
		return machine.Value{}, err
	}
	return m.Decimal(c.FMA(m, x[0], x[1], x[2]))
}

func decimalPowMod(m *machine.Machine, c *decimal.Context, v []machine.Value) (machine.Value, error) {
	x, err := decimalOperands(v, 3, 3)
	if err != nil {
		return machine.Value{}, err
	}
	return m.Decimal(c.PowMod(m, x[0], x[1], x[2]))
}

func decimalDivMod(m *machine.Machine, c *decimal.Context, v []machine.Value) (machine.Value, error) {
	x, err := decimalOperands(v, 2, 2)
	if err != nil {
		return machine.Value{}, err
	}
	q, rest, err := c.DivMod(m, x[0], x[1])
	first, err := m.Decimal(q, err)
	if err != nil {
		return machine.Value{}, err
	}
	second, err := m.Decimal(rest, nil)
	return m.Pair(first, second), err
}

func decimalParse(m *machine.Machine, c *decimal.Context, v []machine.Value) (machine.Value, error) {
	if len(v) != 1 || machine.Plain(v[0]).Str() == nil {
		return machine.Value{}, raise.Type("a str is required")
	}
	return m.Decimal(c.Parse(m, machine.Plain(v[0]).Str().Text()))
}

func decimalQuantize(m *machine.Machine, c *decimal.Context, v []machine.Value) (machine.Value, error) {
	x, err := decimalOperands(v, 2, 3)
	if err != nil {
		return machine.Value{}, err
	}
	mode, err := rounding(v[2])
	if err != nil {
		return machine.Value{}, err
	}
	return m.Decimal(c.Quantize(m, x[0], x[1], mode))
}

func decimalToIntegral(m *machine.Machine, c *decimal.Context, v []machine.Value) (machine.Value, error) {
	x, err := decimalOperands(v, 1, 2)
	if err != nil {
		return machine.Value{}, err
	}
	mode, err := rounding(v[1])
	if err != nil {
		return machine.Value{}, err
	}
	return m.Decimal(c.ToIntegralValue(m, x[0], mode))
}

func decimalRound(m *machine.Machine, c *decimal.Context, v []machine.Value) (machine.Value, error) {
	x, err := decimalOperands(v, 1, 2)
	if err != nil {
		return machine.Value{}, err
	}
	places, err := m.OptionalInt(v[1], 0)
	if err != nil {
		return machine.Value{}, err
	}
	return m.Decimal(c.Round(m, x[0], places))
}

func decimalEqual(m *machine.Machine, c *decimal.Context, v []machine.Value) (machine.Value, error) {
	x, err := decimalOperands(v, 2, 2)
	if err != nil {
		return machine.Value{}, err
	}
	same, err := c.Equal(m, x[0], x[1])
	return machine.Bool(same), err
}

func decimalOrder(m *machine.Machine, c *decimal.Context, v []machine.Value) (machine.Value, error) {
	x, err := decimalOperands(v, 2, 2)
	if err != nil {
		return machine.Value{}, err
	}
	order, ordered, err := c.Order(m, x[0], x[1])
	if !ordered {
		return machine.None, err
	}
	return machine.Int(int64(order)), err
}
