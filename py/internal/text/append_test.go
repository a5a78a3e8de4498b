package text

import (
	"math"
	"testing"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// TestAppendAgrees formats values by many specs in both ways.
func TestAppendAgrees(t *testing.T) {
	appended := 0
	check := func(spec string, v any, got []byte, ok bool, want string, err error) {
		if !ok {
			return
		}
		appended++
		if err != nil || string(got) != want {
			t.Fatalf("format(%v, %q) = %q appended, want %q, %v", v, spec, got, want, err)
		}
	}
	for _, spec := range allSpecs() {
		s, err := ParseSpec(spec, "int")
		if err != nil {
			continue
		}
		for _, n := range []int64{0, 1, -1, 12, -123, 1234, 123456, -1234567, math.MaxInt64, math.MinInt64} {
			got, ok := s.AppendInt(nil, n)
			want, err := s.Int(budget.Free, Int{Small: n}, "int")
			check(spec, n, got, ok, want, err)
		}
		for _, f := range []float64{0, math.Copysign(0, -1), 1.5, -0.001, 999.995, 1234567.891, -1e22, 1e29, 1e30, 5e-324, math.NaN(), math.Inf(-1)} {
			got, ok := s.AppendFloat(nil, f)
			want, err := s.Float(budget.Free, f, "float")
			check(spec, f, got, ok, want, err)
		}
		for _, x := range []string{"", "a", "hello", "0123456789"} {
			got, ok := s.AppendStr(nil, x)
			want, err := s.Str(budget.Free, Of(x), "str")
			check(spec, x, got, ok, want, err)
		}
	}
	if appended < 1000 {
		t.Errorf("only %d results were appended", appended)
	}
}

func allSpecs() []string {
	specs := []string{""}
	for _, choices := range [][]string{
		{"", "<", ">", "^", "=", "*<", "0=", "é>"}, {"", "+", "-", " "}, {"", "z", "#"}, {"", "0"},
		{"", "3", "12"}, {"", ",", "_"}, {"", ".0", ".3"}, {"", "d", "x", "X", "b", "f", "e", "%", "s", "g"},
	} {
		var longer []string
		for _, s := range specs {
			for _, c := range choices {
				longer = append(longer, s+c)
			}
		}
		specs = longer
	}
	return specs
}
