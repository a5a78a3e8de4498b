package glovebox

import (
	"errors"
	"math"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

type (
	age   int
	label string
	loop  []loop
)

func TestTypeOf(t *testing.T) {
	tests := []struct {
		t    reflect.Type
		want string
	}{
		{reflect.TypeFor[int](), "int"}, {reflect.TypeFor[int8](), "int"}, {reflect.TypeFor[uint64](), "int"},
		{reflect.TypeFor[age](), "int"}, {reflect.TypeFor[*big.Int](), "int"}, {reflect.TypeFor[**big.Int](), "Optional[int]"},
		{reflect.TypeFor[float32](), "float"}, {reflect.TypeFor[float64](), "float"},
		{reflect.TypeFor[string](), "str"}, {reflect.TypeFor[label](), "str"}, {reflect.TypeFor[bool](), "bool"},
		{reflect.TypeFor[[]byte](), "bytes"}, {reflect.TypeFor[time.Time](), "datetime"}, {reflect.TypeFor[DateTime](), "datetime"},
		{reflect.TypeFor[time.Duration](), "timedelta"}, {reflect.TypeFor[Timedelta](), "timedelta"},
		{reflect.TypeFor[Date](), "date"}, {reflect.TypeFor[TimeOfDay](), "time"}, {reflect.TypeFor[Decimal](), "Decimal"},
		{reflect.TypeFor[UUID](), "UUID"}, {reflect.TypeFor[Set](), "set[Any]"}, {reflect.TypeFor[map[int]string](), "dict[int, str]"},
		{reflect.TypeFor[map[Date][]bool](), "dict[date, list[bool]]"}, {reflect.TypeFor[map[bool]age](), "dict[bool, int]"},
		{reflect.TypeFor[File](), "File"}, {reflect.TypeFor[Dir](), "Dir"}, {reflect.TypeFor[DataFrame](), "DataFrame"},
		{reflect.TypeFor[[]int](), "list[int]"}, {reflect.TypeFor[[][]byte](), "list[bytes]"},
		{reflect.TypeFor[map[string][]float64](), "dict[str, list[float]]"}, {reflect.TypeFor[map[label]int](), "dict[str, int]"},
		{reflect.TypeFor[*string](), "Optional[str]"}, {reflect.TypeFor[any](), "Any"}, {reflect.TypeFor[[]*int](), "list[Optional[int]]"},
	}
	for _, tt := range tests {
		got, err := typeOf(tt.t)
		if err != nil || got.String() != tt.want {
			t.Errorf("typeOf(%s) = %s, %v; want %s", tt.t, got, err, tt.want)
		}
	}
	for _, bad := range []reflect.Type{
		reflect.TypeFor[struct{ X int }](), reflect.TypeFor[map[float64]int](), reflect.TypeFor[chan int](), reflect.TypeFor[func()](),
		reflect.TypeFor[complex128](), reflect.TypeFor[loop](), reflect.TypeFor[error](), reflect.TypeFor[[2]int](),
	} {
		if got, err := typeOf(bad); !errors.Is(err, ErrInvalidType) {
			t.Errorf("typeOf(%s) = %s, %v; want invalid_type", bad, got, err)
		}
	}
}

// roundTrip sends v in as an input would go and takes it out as an output.
func roundTrip[T any](t *testing.T, v T) {
	t.Helper()
	typ, err := typeOf(reflect.TypeFor[T]())
	if err != nil {
		t.Errorf("typeOf(%T): %v", v, err)
		return
	}
	normal, err := value.Normalize(typ, valueOf(reflect.ValueOf(&v).Elem()))
	if err != nil {
		t.Errorf("Normalize(%s, %v): %v", typ, v, err)
		return
	}
	got, err := Get[T](&Result{api.Result{Outputs: []api.Output{{Name: "x", Type: typ, Value: normal}}}}, "x")
	equal := cmp.Options{
		cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 }),
		cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) }),
	}
	if diff := cmp.Diff(got, v, equal); diff != "" || err != nil {
		t.Errorf("%T: %v (-got +want):\n%s", v, err, diff)
	}
}

func TestValuesRoundTrip(t *testing.T) {
	roundTrip(t, 42)
	roundTrip(t, int8(-128))
	roundTrip(t, int64(math.MinInt64))
	roundTrip(t, uint64(math.MaxUint64))
	roundTrip(t, uint8(255))
	roundTrip(t, age(7))
	roundTrip(t, big.NewInt(5))
	roundTrip(t, new(big.Int).Exp(big.NewInt(10), big.NewInt(400), nil))
	roundTrip(t, 2.5)
	roundTrip(t, float32(0.25))
	roundTrip(t, math.Inf(-1))
	roundTrip(t, "naïve \x00 \"text\"\n")
	roundTrip(t, label("x"))
	roundTrip(t, true)
	roundTrip(t, []byte{0, 255})
	roundTrip(t, time.Date(2024, 1, 2, 3, 4, 5, 6000, time.FixedZone("", 3600)))
	roundTrip(t, Naive(time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC)))
	roundTrip(t, -90*time.Minute)
	roundTrip(t, Timedelta{Days: -999999999})
	roundTrip(t, []int{1, 2, 3})
	roundTrip(t, [][]string{{"a"}, {}})
	roundTrip(t, map[string][]float64{"a": {1, 2}, "b": {}})
	roundTrip(t, map[label]age{"x": 1})
	roundTrip(t, map[int]string{2024: "a", -1: "b"})
	roundTrip(t, map[uint8]any{1: nil, 2: "x"})
	roundTrip(t, map[bool]map[Date]*int{true: {{Year: 2024, Month: 2, Day: 29}: nil}})
	roundTrip(t, Date{Year: 1, Month: 1, Day: 1})
	roundTrip(t, TimeOfDay{Clock: time.Hour, Aware: true, Offset: -time.Minute})
	roundTrip(t, []Decimal{"1.50", "NaN"})
	roundTrip(t, UUID{1, 15: 2})
	roundTrip(t, Set{"x", int64(1)})
	roundTrip(t, new("text"))
	roundTrip(t, (*int)(nil))
	roundTrip(t, []*int{new(1), nil})
	roundTrip[any](t, "text")
	roundTrip[any](t, nil)
	roundTrip(t, File{Path: "/tmp/x"})
}

// get takes value out as a T.
func get[T any](value any) error {
	_, err := Get[T](&Result{api.Result{Outputs: []api.Output{{Name: "x", Value: value}}}}, "x")
	return err
}

func TestGetRefusesWhatDoesNotFit(t *testing.T) {
	huge := new(big.Int).Lsh(big.NewInt(1), 70)
	for name, err := range map[string]error{
		"too large":            get[int8](int64(300)),
		"negative":             get[uint](int64(-1)),
		"huge":                 get[int64](huge),
		"huge uint":            get[uint64](huge),
		"int as float":         get[float64](int64(1)),
		"float as int":         get[int](1.5),
		"str as bytes":         get[[]byte]("x"),
		"bytes as list":        get[[]int]([]byte("x")),
		"None as int":          get[int](nil),
		"naive as time":        get[time.Time](Naive(time.Unix(0, 0))),
		"long as duration":     get[time.Duration](Timedelta{Days: 999999999}),
		"list item":            get[[]int8]([]any{int64(1), int64(300)}),
		"dict of another type": get[map[string]bool](dict("a", int64(1))),
		"list as dict":         get[map[string]int]([]any{}),
		"dict as list":         get[[]int](dict("a", int64(1))),
		"file as str":          get[string](File{Path: "/x"}),
		"str as *big.Int":      get[*big.Int]("x"),
		"str as time":          get[time.Time]("x"),
		"str as duration":      get[time.Duration]("x"),
		"bool as str":          get[string](true),
	} {
		if !errors.Is(err, ErrBadOutput) {
			t.Errorf("%s: %v; want bad_output", name, err)
		}
	}
	if _, err := Get[int](&Result{}, "y"); !errors.Is(err, ErrMissingOutput) {
		t.Errorf("absent: %v; want missing_output", err)
	}
}

func dict(key string, v any) *Dict {
	d := value.NewDict()
	d.Set(key, v)
	return d
}

func TestScan(t *testing.T) {
	r := &Result{api.Result{Outputs: []api.Output{{Name: "mean", Value: 3.0}, {Name: "n", Value: int64(5)}}}}
	var mean float64
	var n int
	if err := r.Scan(&mean, &n); err != nil || mean != 3 || n != 5 {
		t.Errorf("Scan = %v, %v, %v", mean, n, err)
	}
	for _, dest := range [][]any{{&mean}, {&mean, n}, {&mean, nil}, {&mean, (*int)(nil)}, {&n, &mean}} {
		if err := r.Scan(dest...); !errors.Is(err, ErrBadOutput) {
			t.Errorf("Scan(%v) = %v; want bad_output", dest, err)
		}
	}
}
