package calendar

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Delta is a duration in normal form: Seconds from 0 to 86399, Microseconds
// from 0 to 999999, and Days with the sign.
type Delta struct{ Days, Seconds, Microseconds int }

// maxDays is how long a duration may be.
const maxDays = 999_999_999

// Day is the length of a day in microseconds.
const Day = 86_400_000_000

// Micros returns the whole duration in microseconds.
func (d Delta) Micros() *big.Int {
	total := new(big.Int).Mul(big.NewInt(int64(d.Days)), big.NewInt(Day))
	return total.Add(total, big.NewInt(int64(d.Seconds)*1_000_000+int64(d.Microseconds)))
}

// FromMicros makes a duration of so many microseconds.
func FromMicros(us *big.Int) (Delta, error) {
	days, rest := new(big.Int).DivMod(us, big.NewInt(Day), new(big.Int))
	n := days.Int64()
	if !days.IsInt64() || n != int64(int32(n)) {
		return Delta{}, raise.Overflow("Python int too large to convert to C int")
	}
	if n > maxDays || n < -maxDays {
		return Delta{}, raise.Overflow("days=%d; must have magnitude <= %d", n, maxDays)
	}
	r := rest.Int64()
	return Delta{int(n), int(r / 1_000_000), int(r % 1_000_000)}, nil
}

// normal is NewDelta for fields that are out of range by little.
func normal(days, seconds, us int) (Delta, error) {
	seconds += floorDiv(us, 1_000_000)
	days += floorDiv(seconds, 86_400)
	if days > maxDays || days < -maxDays {
		return Delta{}, raise.Overflow("days=%d; must have magnitude <= %d", days, maxDays)
	}
	return Delta{days, floorMod(seconds, 86_400), floorMod(us, 1_000_000)}, nil
}

// Add returns d + e.
func (d Delta) Add(e Delta) (Delta, error) {
	return normal(d.Days+e.Days, d.Seconds+e.Seconds, d.Microseconds+e.Microseconds)
}

// Sub returns d - e.
func (d Delta) Sub(e Delta) (Delta, error) {
	return normal(d.Days-e.Days, d.Seconds-e.Seconds, d.Microseconds-e.Microseconds)
}

// Neg returns -d.
func (d Delta) Neg() (Delta, error) { return normal(-d.Days, -d.Seconds, -d.Microseconds) }

// Compare returns -1, 0 or 1.
func (d Delta) Compare(e Delta) int {
	switch {
	case d == e:
		return 0
	case d.Days < e.Days, d.Days == e.Days && d.Seconds < e.Seconds,
		d.Days == e.Days && d.Seconds == e.Seconds && d.Microseconds < e.Microseconds:
		return -1
	}
	return 1
}

// Mul returns d * n.
func (d Delta) Mul(n int64) (Delta, error) {
	us := d.Micros()
	return FromMicros(us.Mul(us, big.NewInt(n)))
}

// Div returns d / n, rounded half to even.
func (d Delta) Div(n int64) (Delta, error) {
	if n == 0 {
		return Delta{}, errDivision()
	}
	return FromMicros(roundDiv(d.Micros(), big.NewInt(n)))
}

// DivFloat returns d / f, rounded half to even.
func (d Delta) DivFloat(f float64) (Delta, error) {
	r, err := ratio(f)
	if err != nil {
		return Delta{}, err
	}
	if r.Sign() == 0 {
		return Delta{}, errDivision()
	}
	us := d.Micros()
	return FromMicros(roundDiv(us.Mul(us, r.Denom()), r.Num()))
}

// FloorDiv returns d // n.
func (d Delta) FloorDiv(n int64) (Delta, error) {
	if n == 0 {
		return Delta{}, errDivision()
	}
	q, _ := floorDivMod(d.Micros(), big.NewInt(n))
	return FromMicros(q)
}

// DivMod returns the quotient d // e and the remainder d % e.
func (d Delta) DivMod(e Delta) (*big.Int, Delta, error) {
	if e == (Delta{}) {
		return nil, Delta{}, errDivision()
	}
	q, r := floorDivMod(d.Micros(), e.Micros())
	rest, err := FromMicros(r)
	return q, rest, err
}

// Ratio returns d / e as a float.
func (d Delta) Ratio(e Delta) (float64, error) {
	if e == (Delta{}) {
		return 0, raise.ZeroDivision("division by zero")
	}
	f, _ := new(big.Rat).SetFrac(d.Micros(), e.Micros()).Float64()
	return f, nil
}

func errDivision() error { return raise.ZeroDivision("integer division or modulo by zero") }

func ratio(f float64) (*big.Rat, error) {
	if math.IsNaN(f) {
		return nil, raise.Value("cannot convert NaN to integer ratio")
	}
	if math.IsInf(f, 0) {
		return nil, raise.Overflow("cannot convert Infinity to integer ratio")
	}
	return new(big.Rat).SetFloat64(f), nil
}

func floorDivMod(a, b *big.Int) (*big.Int, *big.Int) {
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	if r.Sign() != 0 && r.Sign() != b.Sign() {
		q.Sub(q, big.NewInt(1))
		r.Add(r, b)
	}
	return q, r
}

// roundDiv divides and rounds half to even.
func roundDiv(a, b *big.Int) *big.Int {
	q, r := floorDivMod(a, b)
	twice := new(big.Int).Lsh(r, 1)
	switch twice.CmpAbs(b) {
	case 1:
		q.Add(q, big.NewInt(1))
	case 0:
		if q.Bit(0) == 1 {
			q.Add(q, big.NewInt(1))
		}
	}
	return q
}

// String returns the duration as str() does.
func (d Delta) String() string {
	var b strings.Builder
	if d.Days != 0 {
		plural := "s"
		if d.Days == 1 || d.Days == -1 {
			plural = ""
		}
		fmt.Fprintf(&b, "%d day%s, ", d.Days, plural)
	}
	fmt.Fprintf(&b, "%d:%02d:%02d", d.Seconds/3600, d.Seconds/60%60, d.Seconds%60)
	if d.Microseconds != 0 {
		fmt.Fprintf(&b, ".%06d", d.Microseconds)
	}
	return b.String()
}

// Repr returns the duration as repr() does.
func (d Delta) Repr() string {
	var parts []string
	for _, p := range []struct {
		name  string
		value int
	}{{"days", d.Days}, {"seconds", d.Seconds}, {"microseconds", d.Microseconds}} {
		if p.value != 0 {
			parts = append(parts, fmt.Sprintf("%s=%d", p.name, p.value))
		}
	}
	if parts == nil {
		return "datetime.timedelta(0)"
	}
	return "datetime.timedelta(" + strings.Join(parts, ", ") + ")"
}
