package decimal_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/decimal"
)

var free = budget.Free

// call is one operation of the golden file.
type call struct {
	context *decimal.Context
	words   []string
}

// operand parses the i-th operand, which leaves no trace in the context.
func (c call) operand(i int) *decimal.Decimal {
	d, err := decimal.NewContext().Parse(free, c.words[i])
	if err != nil {
		panic(err)
	}
	return d
}

func show(d *decimal.Decimal, err error) string {
	if err != nil {
		return err.Error()
	}
	s, err := d.String(free)
	if err != nil {
		return err.Error()
	}
	return s
}

func text(v any, err error) string {
	if err != nil {
		return err.Error()
	}
	if b, ok := v.(bool); ok {
		return map[bool]string{true: "True", false: "False"}[b]
	}
	return fmt.Sprint(v)
}

type unary = func(*decimal.Context, budget.Meter, *decimal.Decimal) (*decimal.Decimal, error)
type binary = func(*decimal.Context, budget.Meter, *decimal.Decimal, *decimal.Decimal) (*decimal.Decimal, error)

func one(f unary) func(call) string {
	return func(c call) string { return show(f(c.context, free, c.operand(0))) }
}

func two(f binary) func(call) string {
	return func(c call) string { return show(f(c.context, free, c.operand(0), c.operand(1))) }
}

var operations = map[string]func(call) string{
	"add": two((*decimal.Context).Add), "subtract": two((*decimal.Context).Sub), "multiply": two((*decimal.Context).Mul),
	"divide": two((*decimal.Context).Div), "floordiv": two((*decimal.Context).FloorDiv), "mod": two((*decimal.Context).Mod),
	"remainder_near": two((*decimal.Context).RemainderNear), "compare": two((*decimal.Context).Compare),
	"compare_signal": two((*decimal.Context).CompareSignal),
	"max":            two((*decimal.Context).Max), "min": two((*decimal.Context).Min),
	"max_mag": two((*decimal.Context).MaxMag), "min_mag": two((*decimal.Context).MinMag),
	"next_toward": two((*decimal.Context).NextToward), "power": two((*decimal.Context).Pow),
	"scaleb": two((*decimal.Context).Scaleb), "shift": two((*decimal.Context).Shift), "rotate": two((*decimal.Context).Rotate),
	"plus": one((*decimal.Context).Plus), "minus": one((*decimal.Context).Minus), "abs": one((*decimal.Context).Abs),
	"sqrt": one((*decimal.Context).Sqrt), "normalize": one((*decimal.Context).Normalize),
	"next_plus": one((*decimal.Context).NextPlus), "next_minus": one((*decimal.Context).NextMinus),
	"logb": one((*decimal.Context).Logb), "exp": one((*decimal.Context).Exp),
	"ln": one((*decimal.Context).Ln), "log10": one((*decimal.Context).Log10),
	"divmod": func(c call) string {
		q, r, err := c.context.DivMod(free, c.operand(0), c.operand(1))
		if err != nil {
			return err.Error()
		}
		return show(q, nil) + " " + show(r, nil)
	},
	"quantize": func(c call) string {
		return show(c.context.Quantize(free, c.operand(0), c.operand(1), c.context.Rounding))
	},
	"compare_total": func(c call) string { return text(decimal.CompareTotal(free, c.operand(0), c.operand(1))) },
	"equal":         func(c call) string { return text(c.context.Equal(free, c.operand(0), c.operand(1))) },
	"less": func(c call) string {
		order, ordered, err := c.context.Order(free, c.operand(0), c.operand(1))
		return text(ordered && order < 0, err)
	},
	"same_quantum": func(c call) string { return text(c.operand(0).SameQuantum(c.operand(1)), nil) },
	"copy_negate":  func(c call) string { return show(c.operand(0).CopyNegate(), nil) },
	"to_integral_value": func(c call) string {
		return show(c.context.ToIntegralValue(free, c.operand(0), c.context.Rounding))
	},
	"to_integral_exact": func(c call) string {
		return show(c.context.ToIntegralExact(free, c.operand(0), c.context.Rounding))
	},
	"number_class":  func(c call) string { return text(c.context.NumberClass(free, c.operand(0))) },
	"str":           func(c call) string { return show(c.operand(0), nil) },
	"to_eng_string": func(c call) string { return text(c.operand(0).EngString(free)) },
	"adjusted":      func(c call) string { return text(c.operand(0).Adjusted(free)) },
	"hash":          func(c call) string { return text(c.operand(0).Hash(free)) },
	"int":           func(c call) string { return text(c.operand(0).Int(free)) },
	"round":         func(c call) string { return text(c.operand(0).ToInt(free, decimal.RoundHalfEven)) },
	"round_places": func(c call) string {
		n, _ := strconv.ParseInt(c.words[1], 10, 64)
		return show(c.context.Round(free, c.operand(0), n))
	},
	"float": func(c call) string {
		f, err := c.operand(0).Float(free)
		return text(strconv.FormatFloat(f, 'g', -1, 64), err)
	},
	"as_integer_ratio": func(c call) string {
		n, d, err := c.operand(0).Ratio(free)
		return text(fmt.Sprint(n, " ", d), err)
	},
	"powmod": func(c call) string { return show(c.context.PowMod(free, c.operand(0), c.operand(1), c.operand(2))) },
	"fma":    func(c call) string { return show(c.context.FMA(free, c.operand(0), c.operand(1), c.operand(2))) },
	"parse": func(c call) string {
		data, _ := hex.DecodeString(strings.Join(c.words, ""))
		return show(c.context.Parse(free, string(data)))
	},
	"format": func(c call) string {
		spec, _ := hex.DecodeString(strings.Join(c.words[1:], ""))
		return text(c.context.Format(free, c.operand(0), string(spec)))
	},
}

// TestGolden compares with what CPython computed, see testdata/generate.py.
func TestGolden(t *testing.T) {
	data, err := os.ReadFile("testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "|")
		name, want, conditions := fields[0], fields[3], fields[4]
		c := call{context(t, fields[1]), strings.Fields(fields[2])}
		operation, trapped := strings.CutPrefix(name, "trapped ")
		if trapped {
			c.context.Traps = decimal.NewContext().Traps
		}
		got := operations[operation](c)
		if name == "float" {
			want = decimalFloat(want)
		}
		if got != want {
			t.Errorf("%s: got %s", line, got)
		} else if happened := flags(c.context); !trapped && name != "format" && happened != conditions {
			t.Errorf("%s: conditions %s", line, happened)
		}
	}
}

func context(t *testing.T, s string) *decimal.Context {
	t.Helper()
	c := decimal.NewContext()
	var mode string
	var clamp int
	if _, err := fmt.Sscan(s, &c.Prec, &mode, &c.Emin, &c.Emax, &clamp); err != nil {
		t.Fatal(err)
	}
	c.Rounding, _ = decimal.ParseRounding(mode)
	c.Clamp, c.Traps = clamp == 1, 0
	return c
}

// flags returns the conditions as Python's flags have them.
func flags(c *decimal.Context) string {
	var names []string
	for _, name := range c.Flags.Names() {
		switch name {
		case "ConversionSyntax", "DivisionImpossible", "DivisionUndefined", "InvalidContext":
			name = "InvalidOperation"
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func decimalFloat(s string) string {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return s
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

func TestFromFloat(t *testing.T) {
	for f, want := range map[float64]string{
		0.1:                    "0.1000000000000000055511151231257827021181583404541015625",
		math.Copysign(0, -1):   "-0",
		1e23:                   "99999999999999991611392",
		-0.5:                   "-0.5",
		math.Inf(-1):           "-Infinity",
		math.MaxFloat64 / 1e70: "",
	} {
		got := show(decimal.FromFloat(free, f))
		if want == "" {
			want = new(big.Float).SetFloat64(f).Text('f', 0)
		}
		if got != want {
			t.Errorf("%g: got %s, want %s", f, got, want)
		}
	}
}

func TestValidate(t *testing.T) {
	if err := decimal.NewContext().Validate(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*decimal.Context){
		"ValueError: valid range for prec is [1, MAX_PREC]": func(c *decimal.Context) { c.Prec = 0 },
		"ValueError: valid range for Emin is [MIN_EMIN, 0]": func(c *decimal.Context) { c.Emin = 1 },
		"ValueError: valid range for Emax is [0, MAX_EMAX]": func(c *decimal.Context) { c.Emax = -1 },
		"TypeError: valid values for rounding are:\n  [ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_DOWN,\n   ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN,\n   ROUND_05UP]": func(c *decimal.Context) { c.Rounding = 8 },
	} {
		c := decimal.NewContext()
		change(c)
		if err := c.Validate(); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
