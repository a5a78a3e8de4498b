package decimal

import (
	"testing"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// TestShortNumbers compares the quick reader with the parser, which also takes an
// exponent.
func TestShortNumbers(t *testing.T) {
	for _, s := range []string{"0", "-0", "+0.00", "5.", ".5", "-.5", "007", "9999999999999999999", "-9.999999999999999999", "99999999999999999999",
		"18446744073709551615", "1844674407370955161.5", "18446744073709551616", "999999999999999999.99", "1234567890123456789."} {
		got, err := NewContext().Parse(budget.Free, s)
		if err != nil {
			t.Fatal(s, err)
		}
		want, err := NewContext().Parse(budget.Free, s+"e0")
		if err != nil {
			t.Fatal(s, err)
		}
		if shown(got) != shown(want) {
			t.Errorf("%s is read as %s, want %s", s, shown(got), shown(want))
		}
	}
	for _, s := range []string{"", ".", "-", "+.", "--1", "1.2.3", "1_0", " 1", "1e5", "nan", "٣"} {
		if NewContext().short(s) != nil {
			t.Errorf("%q is no short number", s)
		}
	}
}
