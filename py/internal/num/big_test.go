package num_test

import (
	"errors"
	"math/big"
	"math/rand"
	"testing"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/num"
	"pgregory.net/rapid"
)

func random(r *rand.Rand, bits int) *big.Int {
	z := new(big.Int).Rand(r, new(big.Int).Lsh(big.NewInt(1), uint(bits)))
	return z.SetBit(z, bits-1, 1)
}

// TestLong compares what is split into parts with math/big.
func TestLong(t *testing.T) {
	if testing.Short() {
		t.Skip("computes with millions of digits: run without -short")
	}
	r := rand.New(rand.NewSource(1))
	for _, size := range []struct{ a, b int }{
		{900_000, 800_000}, {2_000_000, 100_000}, {1_500_000, 700_001}, {1_400_000, 1_000_000}, {1_000_001, 900_000},
	} {
		a, b := random(r, size.a), random(r, size.b)
		a.Neg(a)
		product, err := num.MulBig(budget.Free, a, b)
		equal(t, "mul", product, new(big.Int).Mul(a, b), err)
		q, rest, err := num.DivModBig(budget.Free, a, b)
		equal(t, "mod", rest, new(big.Int).Mod(a, b), err)
		equal(t, "div", q, new(big.Int).Div(a, b), err)
		exact, err := num.FloorDivBig(budget.Free, product, b)
		equal(t, "exact div", exact, a, err)
		g, err := num.GcdBig(budget.Free, product, new(big.Int).Mul(b, big.NewInt(12345)))
		equal(t, "gcd", g, new(big.Int).GCD(nil, nil, new(big.Int).Abs(product), new(big.Int).Mul(b, big.NewInt(12345))), err)
	}
	n := random(r, 1_000_000)
	root, err := num.IsqrtBig(budget.Free, n)
	equal(t, "isqrt", root, new(big.Int).Sqrt(n), err)
	power, err := num.PowBig(budget.Free, big.NewInt(-6), big.NewInt(400_001))
	equal(t, "pow", power, new(big.Int).Exp(big.NewInt(-6), big.NewInt(400_001), nil), err)
}

func equal(t *testing.T, what string, got, want *big.Int, err error) {
	t.Helper()
	if err != nil || got.Cmp(want) != 0 {
		t.Errorf("%s is wrong, error %v", what, err)
	}
}

// TestGcdLong checks Lehmer's steps, which only long ints take.
func TestGcdLong(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 5 {
		common := random(r, 5000)
		a, b := random(r, 80_000), random(r, 70_000)
		a.Mul(a, common)
		b.Mul(b, common)
		g, err := num.GcdBig(budget.Free, a, b)
		equal(t, "gcd", g, new(big.Int).GCD(nil, nil, a, b), err)
	}
}

func TestPowModLong(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for _, size := range []struct{ a, n, mod int }{{3000, 3000, 3000}, {9000, 300, 8000}, {70_000, 12, 66_000}} {
		a, n, mod := random(r, size.a), random(r, size.n), random(r, size.mod)
		mod.SetBit(mod, 0, 1)
		got, err := num.PowModBig(budget.Free, a, n, mod)
		equal(t, "pow", got, new(big.Int).Exp(a, n, mod), err)
		inverse, err := num.PowModBig(budget.Free, a, big.NewInt(-1), mod)
		if err != nil {
			continue // not invertible, as chance has it
		}
		inverse.Mod(inverse.Mul(inverse, a), mod)
		equal(t, "inverse", inverse, big.NewInt(1), nil)
	}
}

func TestSmallPowMod(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, mod := rapid.Int64().Draw(t, "a"), rapid.Int64().Filter(func(x int64) bool { return x != 0 }).Draw(t, "mod")
		n := rapid.Int64Range(0, 1<<62).Draw(t, "n")
		want, err := num.PowModBig(budget.Free, big.NewInt(a), big.NewInt(n), big.NewInt(mod))
		if got := num.PowMod(a, n, mod); err != nil || !want.IsInt64() || got != want.Int64() {
			t.Fatalf("got %d, want %v, %v", got, want, err)
		}
	})
}

func TestCompareFloat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Int64().Draw(t, "a")
		f := rapid.OneOf(rapid.Float64(), rapid.Just(float64(a)), rapid.Just(float64(a)+0.5)).Filter(func(f float64) bool { return f == f }).Draw(t, "f")
		if got, want := num.CompareFloat(a, f), num.CompareFloatBig(big.NewInt(a), f); got != want {
			t.Fatalf("got %d, want %d", got, want)
		}
	})
}

// TestTooLarge asks for ints above the cap: they are refused with an exception,
// before anything is paid or computed.
func TestTooLarge(t *testing.T) {
	huge := new(big.Int).Lsh(big.NewInt(1), num.MaxBits-1)
	ten := big.NewInt(10)
	giant := big.NewInt(1e18)
	beyond := new(big.Int).Lsh(big.NewInt(1), 80)
	for name, f := range map[string]func(budget.Meter) (*big.Int, error){
		"pow":        func(m budget.Meter) (*big.Int, error) { return num.PowBig(m, ten, giant) },
		"pow far":    func(m budget.Meter) (*big.Int, error) { return num.PowBig(m, ten, beyond) },
		"pow huge":   func(m budget.Meter) (*big.Int, error) { return num.PowBig(m, huge, big.NewInt(2)) },
		"shift":      func(m budget.Meter) (*big.Int, error) { return num.ShlBig(m, ten, big.NewInt(1e9)) },
		"shift far":  func(m budget.Meter) (*big.Int, error) { return num.ShlBig(m, ten, beyond) },
		"mul":        func(m budget.Meter) (*big.Int, error) { return num.MulBig(m, huge, huge) },
		"factorial":  func(m budget.Meter) (*big.Int, error) { return num.Factorial(m, big.NewInt(1e7)) },
		"factorial+": func(m budget.Meter) (*big.Int, error) { return num.Factorial(m, giant) },
		"comb":       func(m budget.Meter) (*big.Int, error) { return num.Comb(m, giant, big.NewInt(1e7)) },
		"comb half":  func(m budget.Meter) (*big.Int, error) { return num.Comb(m, giant, big.NewInt(5e17)) },
		"perm":       func(m budget.Meter) (*big.Int, error) { return num.Perm(m, giant, big.NewInt(1e6)) },
	} {
		if _, err := f(&counter{left: 2}); err == nil || err.Error() != "OverflowError: too many digits in integer" {
			t.Errorf("%s: got error %v", name, err)
		}
	}
	sum, err := num.AddBig(budget.Free, huge, huge)
	if err == nil {
		t.Errorf("a sum of %d bits was not refused", sum.BitLen())
	}
}

var errRefused = errors.New("refused")

// TestRefused lets the meter refuse at each payment in turn: the error must
// come back as it is, and portions must be small.
func TestRefused(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	a, b, c := random(r, 700_000), random(r, 600_000), random(r, 200_000)
	for name, f := range map[string]func(m budget.Meter) error{
		"mul":    func(m budget.Meter) error { _, err := num.MulBig(m, a, b); return err },
		"div":    func(m budget.Meter) error { _, err := num.FloorDivBig(m, a, b); return err },
		"digits": func(m budget.Meter) error { _, err := num.FloorDivBig(m, a, c); return err },
		"isqrt":  func(m budget.Meter) error { _, err := num.IsqrtBig(m, c); return err },
		"pow":    func(m budget.Meter) error { _, err := num.PowBig(m, big.NewInt(7), big.NewInt(100_000)); return err },
		"comb":   func(m budget.Meter) error { _, err := num.Comb(m, big.NewInt(5000), big.NewInt(2500)); return err },
	} {
		all := &counter{left: 1 << 30}
		if err := f(all); err != nil {
			t.Fatal(name, err)
		}
		payments := 1<<30 - all.left
		for _, at := range []int{0, 1, payments / 2, payments - 1} {
			if err := f(&counter{left: at}); !errors.Is(err, errRefused) {
				t.Errorf("%s, refused payment %d of %d: got error %v", name, at, payments, err)
			}
		}
		if all.largest > 1_000_000 {
			t.Errorf("%s paid %d units at once", name, all.largest)
		}
	}
}

// counter refuses after some payments, and keeps the largest portion of work.
type counter struct{ left, largest int }

func (c *counter) Alloc(int) error { return c.Work(0) }

func (c *counter) Work(units int) error {
	c.largest = max(c.largest, units)
	if c.left == 0 {
		return errRefused
	}
	c.left--
	return nil
}
