package decimal

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// anyNumber has a coefficient of any length up to two words, often with zeros or
// a five at the end.
func anyNumber(r *rand.Rand) *Decimal {
	n := new(big.Int).Lsh(new(big.Int).SetUint64(r.Uint64()), 64)
	n.Or(n, new(big.Int).SetUint64(r.Uint64()))
	n.Rsh(n, uint(r.IntN(128)))
	if power := powers[r.IntN(39)]; r.IntN(2) == 0 {
		n.Sub(n, new(big.Int).Mod(n, power))
		n.Add(n, new(big.Int).Rsh(new(big.Int).Mul(power, big.NewInt(r.Int64N(3))), 1))
	}
	if n.BitLen() > 128 {
		n.Rsh(n, 2)
	}
	return newFinite(r.IntN(2) == 0, n, r.Int64N(60)-30)
}

// pathOf are the two ways that an operation can go.
type pathOf struct {
	name         string
	swift        func(c *Context, a, b *Decimal) (*Decimal, bool, error)
	general      func(c *Context, a, b *Decimal) (*Decimal, error)
	taken, whole int
}

var wayOfNumbers = []*pathOf{
	{name: "add", swift: func(c *Context, a, b *Decimal) (*Decimal, bool, error) { return c.addWide(budget.Free, a, b, false) },
		general: func(c *Context, a, b *Decimal) (*Decimal, error) { return finished(c)(c.add(budget.Free, a, b)) }},
	{name: "sub", swift: func(c *Context, a, b *Decimal) (*Decimal, bool, error) { return c.addWide(budget.Free, a, b, true) },
		general: func(c *Context, a, b *Decimal) (*Decimal, error) {
			return finished(c)(c.add(budget.Free, a, b.CopyNegate()))
		}},
	{name: "mul", swift: func(c *Context, a, b *Decimal) (*Decimal, bool, error) { return c.mulWide(budget.Free, a, b) },
		general: func(c *Context, a, b *Decimal) (*Decimal, error) {
			z := new(big.Int).Mul(a.coef, b.coef)
			return c.finish(budget.Free, newFinite(a.negative != b.negative, z, a.exp+b.exp))
		}},
	{name: "div", swift: func(c *Context, a, b *Decimal) (*Decimal, bool, error) { return c.divWide(budget.Free, a, b) },
		general: func(c *Context, a, b *Decimal) (*Decimal, error) {
			z, err := c.quotient(budget.Free, a, b)
			if err != nil {
				return nil, err
			}
			z.negative = a.negative != b.negative
			return c.finish(budget.Free, z)
		}},
	{name: "quantize", swift: func(c *Context, a, b *Decimal) (*Decimal, bool, error) {
		return c.quantizeWide(budget.Free, a, b, c.Rounding)
	},
		general: func(c *Context, a, b *Decimal) (*Decimal, error) {
			coef, lost, err := rescale(budget.Free, a, b.exp, c.Rounding)
			if err != nil {
				return nil, err
			}
			return c.quantized(budget.Free, newFinite(a.negative, coef, b.exp), lost)
		}},
}

func finished(c *Context) func(*Decimal, error) (*Decimal, error) {
	return func(d *Decimal, err error) (*Decimal, error) {
		if err != nil {
			return nil, err
		}
		return c.finish(budget.Free, d)
	}
}

// TestTwoWords compares arithmetic in two words with arithmetic in any number of
// them, in every mode of rounding and with the same conditions.
func TestTwoWords(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 15_000 {
		a, b := anyNumber(r), anyNumber(r)
		c := Context{Prec: 1 + r.Int64N(40), Rounding: Rounding(r.IntN(len(roundings))), Emin: -999_999, Emax: 999_999}
		for _, way := range wayOfNumbers {
			way.compare(t, c, a, b)
		}
	}
	for _, way := range wayOfNumbers {
		if way.taken < way.whole/20 {
			t.Errorf("%s went the swift way %d times of %d", way.name, way.taken, way.whole)
		}
	}
}

func (way *pathOf) compare(t *testing.T, c Context, a, b *Decimal) {
	t.Helper()
	way.whole++
	swift, general := c, c
	got, ok, err := way.swift(&swift, a, b)
	if !ok {
		return
	}
	way.taken++
	want, wantErr := way.general(&general, a, b)
	if err != nil || wantErr != nil {
		t.Fatalf("%s: %v, %v", way.name, err, wantErr)
	}
	if shown(got) != shown(want) || swift.Flags != general.Flags {
		t.Fatalf("%s of %s and %s, %d digits, %s: got %s %v, want %s %v", way.name, shown(a), shown(b), c.Prec, c.Rounding,
			shown(got), swift.Flags.Names(), shown(want), general.Flags.Names())
	}
}

func shown(d *Decimal) string { return fmt.Sprintf("%t %d %sE%d", d.negative, d.form, d.coef, d.exp) }
