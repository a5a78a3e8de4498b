package value_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	. "github.com/glovebox-dev/glovebox/value"
	"github.com/glovebox-dev/glovebox/value/valuetest"
)

type celsius float64

func TestNormalize(t *testing.T) {
	seven := 7
	for _, c := range []struct {
		typ      string
		in, want any
	}{
		{"int", uint8(7), int64(7)},
		{"Optional[int]", &seven, int64(7)},
		{"Optional[int]", (*int)(nil), nil},
		{"float", celsius(1.5), 1.5},
		{"float", float32(0.5), 0.5},
		{"timedelta", -time.Nanosecond, Timedelta{-1, 86399, 999_999}},
		{"datetime", time.Date(2024, 1, 1, 0, 0, 0, 999, time.UTC), AwareDateTime(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC))},
		{"tuple[float, ...]", []int{1}, Tuple{1.0}},
		{"Union[tuple[float, str], tuple[int, int]]", []any{1, 2}, Tuple{int64(1), int64(2)}},
		{"Any", [2]string{"a", "b"}, []any{"a", "b"}},
		{"bytes", []byte("x"), []byte("x")},
	} {
		got, err := Normalize(MustType(c.typ), c.in)
		if err != nil || !valuetest.Same(got, c.want) {
			t.Errorf("%s of %v = %#v, %v; want %#v", c.typ, c.in, got, err, c.want)
		}
	}
}

func TestNormalizeErrors(t *testing.T) {
	cyclic := []any{nil}
	cyclic[0] = cyclic
	for _, c := range []struct {
		typ  string
		in   any
		want string
	}{
		{"int", true, "expected int, got bool True"},
		{"bool", 1, "expected bool, got int 1"},
		{"int", 1.0, "expected int, got float 1.0"},
		{"float", int64(1<<53 + 1), "expected float, got int 9007199254740993, which is beyond 2^53, and no float is exactly that; use int, or round it with float(x) first"},
		{"str", nil, "expected str, got None"},
		{"str", "\xff", "expected str in UTF-8"},
		{"bytes", "a", `expected bytes, got str "a"`},
		{"list[dict[str, int]]", []any{map[string]any{"x": "abc"}}, `[0].x: expected int, got str "abc"`},
		{"dict[str, int]", map[string]string{"a b": ""}, `["a b"]: expected int, got str ""`},
		{"dict", map[float64]string{}, "expected a map with keys that are strings, ints, bools or dates"},
		{"dict", map[int]string{2023: ""}, `["2023"]: expected str as the key of a dict, got int 2023`},
		{"dict[int, int]", map[string]int{"a": 1}, `.a: expected int as the key of a dict, got str "a"`},
		{"set[int]", []any{1}, "expected set[int], got list of length 1"},
		{"set", Set{[]any{}}, "expected items of a set that have a hash, got list of length 0"},
		{"date", Date{2023, 2, 29}, "expected date in the years 1 to 9999, got 2023-02-29"},
		{"date", NaiveDateTime(time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)), "expected date, got datetime 2023-01-01T00:00:00"},
		{"time", TimeOfDay{Clock: 24 * time.Hour}, "expected time of a day"},
		{"Decimal", Decimal("1.2.3"), "expected Decimal"},
		{"Decimal", 1.5, "expected Decimal, got float 1.5"},
		{"list[int]", Tuple{1}, "expected list[int], got tuple of length 1"},
		{"tuple[int]", []any{}, "expected tuple[int], got list of length 0"},
		{"Any", cyclic, "expected at most 200 nested containers"},
		{"Any", struct{}{}, "got Go value of type struct {}"},
		{"datetime", time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), "expected datetime in the years 1 to 9999, got year 10000"},
		{"timedelta", Timedelta{0, 86400, 0}, "expected timedelta in normal form"},
		{"str", strings.Repeat("x", 100), ""},
	} {
		_, err := Normalize(MustType(c.typ), c.in)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.typ, err)
			}
			continue
		}
		var v *Error
		if !errors.As(err, &v) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %v: got %v, want %s", c.typ, c.in, err, c.want)
		}
	}
}
