package decimal_test

import (
	"errors"
	"testing"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/decimal"
)

var errSpent = errors.New("spent")

// purse is a meter that refuses when it is empty.
type purse struct{ bytes, units int }

func (p *purse) Alloc(bytes int) error {
	if p.bytes -= bytes; bytes < 0 || p.bytes < 0 {
		return errSpent
	}
	return nil
}

func (p *purse) Work(units int) error {
	if p.units -= units; units < 0 || units > 1_000_000 || p.units < 0 {
		return errSpent
	}
	return nil
}

// FuzzParse reads any text: what is read and written again stays the same.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"1", "-1.5e10", "nan12", "_1_", "٣", "1e-1999999999999999997", " inf ", "1e", "\xff", "0.0e1000000000000000000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c := decimal.NewContext()
		m := &purse{1 << 22, 1 << 30}
		d, err := c.Parse(m, s)
		if err != nil {
			return
		}
		written, err := d.String(m)
		if err != nil {
			t.Fatal(err)
		}
		again, err := c.Parse(m, written)
		if err != nil {
			t.Fatalf("%q is written as %q: %v", s, written, err)
		}
		if order, err := decimal.CompareTotal(m, d, again); err != nil || order != 0 {
			t.Fatalf("%q is written as %q, which is another number: %v", s, written, err)
		}
	})
}

// FuzzFormat formats any number by any specification.
func FuzzFormat(f *testing.F) {
	for _, s := range []string{"", ".2f", "*^20,.3e", "z010.1%", "€<999999999999999999", ".999999999999999999f", "999999999999999999"} {
		f.Add("12.5", s)
		f.Add("-1e999999", s)
		f.Add("0e-999999999999999999", s)
	}
	f.Fuzz(func(t *testing.T, number, spec string) {
		c := decimal.NewContext()
		m := &purse{1 << 22, 1 << 30}
		d, err := c.Parse(m, number)
		if err != nil {
			return
		}
		if s, err := c.Format(m, d, spec); err == nil && len(s) > 1<<22 {
			t.Fatalf("%d bytes were not paid for", len(s))
		}
	})
}

// FuzzArithmetic runs every operation on any two numbers within a budget: none
// may panic, or work without paying.
func FuzzArithmetic(f *testing.F) {
	for _, pair := range [][2]string{{"1e999999999999999999", "1e-999999999999999999"}, {"1e-1999999999999999997", "3"}, {"0e999999999999999999", "0e-1999999999999999997"},
		{"1.000000000000000000000000000001", "1e30"}, {"2", "0.5"}, {"-inf", "nan5"}, {"123456", "1e999999999999999999"}, {"9e999999", "-9e999999"}} {
		f.Add(pair[0], pair[1], int64(28))
	}
	f.Fuzz(func(t *testing.T, x, y string, prec int64) {
		m := &purse{1 << 22, 1 << 30}
		c := &decimal.Context{Prec: 1 + max(prec, -prec)%60, Rounding: decimal.Round05Up, Emin: decimal.MinEmin, Emax: decimal.MaxEmax}
		if prec < 0 {
			c = &decimal.Context{Prec: 1 + -(prec % 9), Rounding: decimal.RoundHalfEven, Emin: -20, Emax: 20, Clamp: true}
		}
		a, err := c.Parse(m, x)
		if err != nil {
			return
		}
		b, err := c.Parse(m, y)
		if err != nil {
			return
		}
		for _, op := range []binary{(*decimal.Context).Add, (*decimal.Context).Sub, (*decimal.Context).Mul, (*decimal.Context).Div,
			(*decimal.Context).FloorDiv, (*decimal.Context).Mod, (*decimal.Context).RemainderNear, (*decimal.Context).Pow,
			(*decimal.Context).Max, (*decimal.Context).NextToward, (*decimal.Context).Scaleb, (*decimal.Context).Shift, (*decimal.Context).Rotate} {
			check(t, c, a, b, op)
		}
		for _, op := range []unary{(*decimal.Context).Sqrt, (*decimal.Context).Exp, (*decimal.Context).Ln, (*decimal.Context).Log10,
			(*decimal.Context).Normalize, (*decimal.Context).NextMinus, (*decimal.Context).Logb} {
			check(t, c, a, b, func(c *decimal.Context, m budget.Meter, a, _ *decimal.Decimal) (*decimal.Decimal, error) {
				return op(c, m, a)
			})
		}
		for _, d := range []*decimal.Decimal{a, b} {
			m := &purse{1 << 22, 1 << 30}
			d.Int(m)
			d.Float(m)
			d.Ratio(m)
			d.Hash(m)
		}
	})
}

// check runs one operation, whose result must be one that can be written.
func check(t *testing.T, c *decimal.Context, a, b *decimal.Decimal, op binary) {
	t.Helper()
	m := &purse{1 << 22, 1 << 30}
	z, err := op(c, m, a, b)
	if err != nil || !z.IsFinite() {
		return
	}
	if _, err := z.String(m); err != nil {
		t.Fatal(err)
	}
}
