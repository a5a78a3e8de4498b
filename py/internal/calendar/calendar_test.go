package calendar

import (
	"bufio"
	"encoding/json"
	"math/big"
	"os"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/regex"
)

// args are those of a line that testdata/golden.py writes.
type args []json.RawMessage

func (a args) ints(i int) []int {
	var v []int
	if json.Unmarshal(a[i], &v) != nil {
		panic(string(a[i]))
	}
	return v
}

func (a args) int(i int) int {
	n, err := strconv.Atoi(string(a[i]))
	if err != nil {
		panic(err)
	}
	return n
}

func (a args) str(i int) string {
	var s string
	if json.Unmarshal(a[i], &s) != nil {
		panic(string(a[i]))
	}
	return s
}

func (a args) float(i int) float64 {
	f, err := strconv.ParseFloat(a.str(i), 64)
	if err != nil {
		panic(err)
	}
	return f
}

func (a args) delta(i int) Delta {
	v := a.ints(i)
	return Delta{v[0], v[1], v[2]}
}

func (a args) moment(i int) (Date, Clock) {
	v := a.ints(i)
	return Date{v[0], v[1], v[2]}, Clock{v[3], v[4], v[5], v[6]}
}

func list(d Delta) []int { return []int{d.Days, d.Seconds, d.Microseconds} }

func flat(m Moment) []int {
	v := []int{m.Year, m.Month, m.Day, m.Hour, m.Minute, m.Second, m.Microsecond}
	if m.Zoned {
		v = append(v, list(m.Offset)...)
	}
	return v
}

func both[T, U any](f func(T) U) func(T, error) (any, error) {
	return func(v T, err error) (any, error) {
		if err != nil {
			return nil, err
		}
		return f(v), nil
	}
}

// calls are the functions that the golden file is about.
var calls = map[string]func(args) (any, error){
	"date": func(a args) (any, error) {
		d := Date{a.int(0), a.int(1), a.int(2)}
		y, w, k := d.ISO()
		return []any{d.Ordinal(), d.Weekday(), d.YearDay(), d.String(), y, w, k}, nil
	},
	"fromiso":  func(a args) (any, error) { return both(Date.String)(FromISO(a.int(0), a.int(1), a.int(2))) },
	"check":    func(a args) (any, error) { return nil, Date{a.int(0), a.int(1), a.int(2)}.Check() },
	"ordinal":  func(a args) (any, error) { return both(Date.String)(FromOrdinal(a.int(0))) },
	"add":      func(a args) (any, error) { return both(list)(a.delta(0).Add(a.delta(1))) },
	"sub":      func(a args) (any, error) { return both(list)(a.delta(0).Sub(a.delta(1))) },
	"neg":      func(a args) (any, error) { return both(list)(a.delta(0).Neg()) },
	"mul":      func(a args) (any, error) { return both(list)(a.delta(0).Mul(int64(a.int(1)))) },
	"div":      func(a args) (any, error) { return both(list)(a.delta(0).Div(int64(a.int(1)))) },
	"floordiv": func(a args) (any, error) { return both(list)(a.delta(0).FloorDiv(int64(a.int(1)))) },
	"divfloat": func(a args) (any, error) { return both(list)(a.delta(0).DivFloat(a.float(1))) },
	"ratio": func(a args) (any, error) {
		return both(func(f float64) float64 { return f })(a.delta(0).Ratio(a.delta(1)))
	},
	"floordivmod": func(a args) (any, error) {
		q, r, err := a.delta(0).DivMod(a.delta(1))
		return both(func(q *big.Int) any { return []any{q.String(), list(r)} })(q, err)
	},
	"show": func(a args) (any, error) {
		d := a.delta(0)
		return []any{d.String(), d.Repr()}, nil
	},
	"isodate": func(a args) (any, error) {
		return both(func(d Date) []int { return []int{d.Year, d.Month, d.Day} })(ParseDate(a.str(0)))
	},
	"isotime":     func(a args) (any, error) { return both(flat)(ParseTime(a.str(0))) },
	"isodatetime": func(a args) (any, error) { return both(flat)(ParseDateTime(a.str(0))) },
	"strftime": func(a args) (any, error) {
		d, c := a.moment(0)
		s, err := Strftime(budget.Free, a.str(1), Fields{Date: d, Clock: c})
		return both(func(s string) string { return s })(s, err)
	},
	"strptime": func(a args) (any, error) {
		l, err := NewLayout(budget.Free, a.str(1))
		if err != nil {
			return nil, err
		}
		return both(flat)(l.Parse(budget.Free, new(regex.Scratch), a.str(0)))
	},
}

func TestAgreesWithCPython(t *testing.T) {
	path := "testdata/golden.jsonl"
	if p := os.Getenv("CALENDAR_GOLDEN"); p != "" {
		path = p
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		check(t, lines.Bytes())
	}
}

func check(t *testing.T, line []byte) {
	t.Helper()
	var row []json.RawMessage
	if err := json.Unmarshal(line, &row); err != nil {
		t.Fatal(err)
	}
	name := args(row).str(0)
	var a args
	if err := json.Unmarshal(row[1], &a); err != nil {
		t.Fatal(err)
	}
	got, err := calls[name](a)
	if len(row) > 3 {
		if want := args(row).str(3); err == nil || err.Error() != want {
			t.Errorf("%s%s: got %v, error %v, want error %q", name, row[1], got, err, want)
		}
		return
	}
	if err != nil {
		t.Errorf("%s%s: error %v, want %s", name, row[1], err, row[2])
		return
	}
	if diff := cmp.Diff(reread(t, row[2]), reread(t, got)); diff != "" {
		t.Errorf("%s%s (-want +got):\n%s", name, row[1], diff)
	}
}

// reread brings a value into the form that encoding/json gives it.
func reread(t *testing.T, v any) any {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
