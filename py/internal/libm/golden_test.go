package libm_test

import (
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/libm"
)

// lastBit says of how many calls in a thousand the result may differ from that
// of the GNU C library in the last bits. Of functions that are not named, all
// must be equal.
var lastBit = map[string]float64{
	"exp": 4, "exp2": 4, "expm1": 4, "log": 2, "log2": 8, "log10": 4, "pow": 3,
	"sin": 4, "cos": 4, "tan": 6, "asin": 6, "acos": 6, "atan": 4, "atan2": 4,
	"sinh": 4, "cosh": 4, "tanh": 6, "asinh": 2, "acosh": 4, "atanh": 6,
	"erf": 60, "erfc": 200, "gamma": 4, "lgamma": 4, "cbrt": 500,
}

func plain(f func(float64) float64) func([]float64) (float64, error) {
	return func(a []float64) (float64, error) { return f(a[0]), nil }
}

func unary(f func(float64) (float64, error)) func([]float64) (float64, error) {
	return func(a []float64) (float64, error) { return f(a[0]) }
}

func binary(f func(x, y float64) (float64, error)) func([]float64) (float64, error) {
	return func(a []float64) (float64, error) { return f(a[0], a[1]) }
}

func plainBinary(f func(x, y float64) float64) func([]float64) (float64, error) {
	return func(a []float64) (float64, error) { return f(a[0], a[1]), nil }
}

var functions = map[string]func([]float64) (float64, error){
	"exp": unary(libm.Exp), "exp2": unary(libm.Exp2), "expm1": unary(libm.Expm1),
	"log": unary(libm.Log), "log2": unary(libm.Log2), "log10": unary(libm.Log10), "log1p": unary(libm.Log1p),
	"sin": unary(libm.Sin), "cos": unary(libm.Cos), "tan": unary(libm.Tan),
	"asin": unary(libm.Asin), "acos": unary(libm.Acos), "atan": plain(libm.Atan),
	"sinh": unary(libm.Sinh), "cosh": unary(libm.Cosh), "tanh": plain(libm.Tanh),
	"asinh": plain(libm.Asinh), "acosh": unary(libm.Acosh), "atanh": unary(libm.Atanh),
	"erf": plain(libm.Erf), "erfc": plain(libm.Erfc), "gamma": unary(libm.Gamma), "lgamma": unary(libm.LGamma),
	"sqrt": unary(libm.Sqrt), "cbrt": plain(libm.Cbrt), "ulp": plain(libm.Ulp),
	"degrees": plain(libm.Degrees), "radians": plain(libm.Radians),
	"pow": binary(libm.Pow), "fmod": binary(libm.Fmod), "remainder": binary(libm.Remainder),
	"atan2": plainBinary(libm.Atan2), "nextafter": plainBinary(libm.Nextafter),
	"ldexp": func(a []float64) (float64, error) { return libm.Ldexp(a[0], int64(a[1])) },
	"hypot": func(a []float64) (float64, error) { return libm.Hypot(budget.Free, a) },
	"fsum": func(a []float64) (float64, error) {
		var s libm.Sum
		for _, x := range a {
			if err := s.Add(x); err != nil {
				return 0, err
			}
		}
		return s.Result()
	},
}

var ofInts = map[string]func(*big.Int) (float64, error){
	"logint": libm.LogBig, "log2int": libm.Log2Big, "log10int": libm.Log10Big,
}

// TestGolden compares with what CPython computed, see testdata/generate.py.
func TestGolden(t *testing.T) {
	data, err := os.ReadFile("testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	calls, close := map[string]float64{}, map[string]float64{}
	for text := range strings.Lines(string(data)) {
		call, want, _ := strings.Cut(strings.TrimSuffix(text, "\n"), " = ")
		fields := strings.Fields(call)
		got, err := evaluate(t, fields[0], fields[1:])
		calls[fields[0]]++
		switch {
		case equal(got, err, want):
		case near(got, err, want):
			close[fields[0]]++
		default:
			t.Errorf("%s: got %x, %v, want %s", call, got, err, want)
		}
	}
	for name, n := range close {
		if n > 1+lastBit[name]*calls[name]/1000 || lastBit[name] == 0 {
			t.Errorf("%s: %.0f of %.0f differ in the last bits", name, n, calls[name])
		}
	}
}

func evaluate(t *testing.T, name string, words []string) (float64, error) {
	if f, ok := ofInts[name]; ok {
		n, _ := new(big.Int).SetString(words[0], 0)
		return f(n)
	}
	args := make([]float64, len(words))
	for i, w := range words {
		var err error
		if args[i], err = strconv.ParseFloat(w, 64); err != nil {
			t.Fatal(err)
		}
	}
	return functions[name](args)
}

func equal(got float64, err error, want string) bool {
	if err != nil {
		return err.Error() == want
	}
	w, parseErr := strconv.ParseFloat(want, 64)
	return parseErr == nil && (math.Float64bits(got) == math.Float64bits(w) || got != got && w != w)
}

func near(got float64, err error, want string) bool {
	w, parseErr := strconv.ParseFloat(want, 64)
	return err == nil && parseErr == nil && math.Abs(got-w) <= 3*libm.Ulp(w)
}
