package value_test

import (
	"strings"
	"testing"
	"time"

	. "github.com/glovebox-dev/glovebox/value"
	"github.com/glovebox-dev/glovebox/value/valuetest"
)

func intDict(pairs ...any) *Dict {
	d := NewDictBy(KindInt)
	for i := 0; i < len(pairs); i += 2 {
		d.Set(KeyText(pairs[i]), pairs[i+1])
	}
	return d
}

// TestRareJSON writes sets, dates, decimals and keys that are no str, and reads
// them back.
func TestRareJSON(t *testing.T) {
	leap := Date{2024, 2, 29}
	late := TimeOfDay{Clock: 13*time.Hour + 5*time.Minute + time.Microsecond, Aware: true, Offset: 2 * time.Hour}
	id := UUID{0x12, 0x34, 15: 0xff}
	for _, c := range []struct {
		typ   string
		value any
		want  string
	}{
		{"date", leap, `"2024-02-29"`},
		{"time", late, `"13:05:00.000001+02:00"`},
		{"Decimal", Decimal("1.50"), `"1.50"`},
		{"Decimal", int64(5), `"5"`},
		{"UUID", id, `"12340000-0000-0000-0000-0000000000ff"`},
		{"set[int]", Set{int64(3), int64(10), int64(3), int64(1)}, `[1,10,3]`},
		{"set", Set{Tuple{"a"}, "b"}, `["b",{"$tuple":["a"]}]`},
		{"dict[int, str]", map[int]string{2024: "b", -1: "c", 10: "a"}, `{"-1":"c","10":"a","2024":"b"}`},
		{"dict[int, str]", map[uint8]string{7: "x"}, `{"7":"x"}`},
		{"dict[bool, int]", map[bool]int{true: 1, false: 0}, `{"false":0,"true":1}`},
		{"dict[date, float]", map[Date]float64{leap: 1}, `{"2024-02-29":1.0}`},
		{"dict[int, int]", NewDict(), `{}`},
		{"Any", leap, `{"$date":"2024-02-29"}`},
		{"Any", late, `{"$time":"13:05:00.000001+02:00"}`},
		{"Union[int, Decimal]", Decimal("1E+3"), `{"$decimal":"1E+3"}`},
		{"Union[UUID, str]", id, `{"$uuid":"12340000-0000-0000-0000-0000000000ff"}`},
		{"Any", Set{"b", "a"}, `{"$set":["a","b"]}`},
		{"Any", intDict(int64(1), Set{}), `{"$dict[int]":{"1":{"$set":[]}}}`},
		{"Any", []any{map[bool]int{true: 1}, map[Date]int{leap: 1}}, `[{"$dict[bool]":{"true":1}},{"$dict[date]":{"2024-02-29":1}}]`},
		{"Optional[set[date]]", Set{leap}, `["2024-02-29"]`},
	} {
		typ := MustType(c.typ)
		got, err := EncodeJSON(typ, c.value)
		if err != nil || string(got) != c.want {
			t.Errorf("%s of %v = %s, %v; want %s", c.typ, c.value, got, err, c.want)
			continue
		}
		back, err := DecodeJSON(typ, got)
		if again, _ := EncodeJSON(typ, back); err != nil || string(again) != c.want {
			t.Errorf("%s from %s = %#v, %v", c.typ, got, back, err)
		}
	}
}

func TestRareJSONOfOthers(t *testing.T) {
	for _, c := range []struct {
		typ, in string
		want    any
	}{
		{"Decimal", "1.50", Decimal("1.50")},
		{"Decimal", `"  1"`, nil},
		{"Decimal", `"1_000e-2"`, Decimal("10.00")},
		{"UUID", `"{1234000000000000000000000000000F}"`, UUID{0x12, 0x34, 15: 0x0f}},
		{"date", `"20240229"`, Date{2024, 2, 29}},
		{"date", `"2023-02-29"`, nil},
		{"date", `"2024-02-29T00:00:00"`, nil},
		{"time", `"13:05"`, TimeOfDay{Clock: 13*time.Hour + 5*time.Minute}},
		{"time", `"24:00"`, nil},
		{"set[int]", "[2, 1, 2]", Set{int64(2), int64(1), int64(2)}},
		{"set", "[[]]", nil},
		{"set", `[{"$file": {"path": "/a"}}]`, nil},
		{"dict[int, int]", `{"007": 1}`, intDict(int64(7), int64(1))},
		{"dict[int, int]", `{"7": 1, "07": 2}`, nil},
		{"dict[int, int]", `{"x": 1}`, nil},
		{"dict[bool, int]", `{"True": 1}`, nil},
		{"Any", `{"$dict[float]": 1}`, nil},
	} {
		got, err := DecodeJSON(MustType(c.typ), []byte(c.in))
		if c.want == nil {
			if _, isDict := got.(*Dict); err == nil && !(isDict && c.typ == "Any") { // what is no tag is a key
				t.Errorf("%s from %s = %#v, want an error", c.typ, c.in, got)
			}
			continue
		}
		if err != nil || !valuetest.Same(got, c.want) {
			t.Errorf("%s from %s = %#v, %v; want %#v", c.typ, c.in, got, err, c.want)
		}
	}
}

// TestDeepSets: each set within another costs a sort of all that is in it.
func TestDeepSets(t *testing.T) {
	nested := func(n int) any {
		var v any = strings.Repeat("x", 1<<20)
		for range n {
			v = Tuple{Set{v, "a"}, "z"}
		}
		return v
	}
	typ := Type{Kind: KindAny}
	text, err := EncodeJSON(typ, nested(16))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := DecodeJSON(typ, text); err != nil {
		t.Error(err)
	}
	for _, n := range []int{17, 90} {
		if _, err := Normalize(typ, nested(n)); err == nil || !strings.Contains(err.Error(), "at most 16 sets within each other") {
			t.Errorf("%d sets within each other: %v", n, err)
		}
	}
	if _, err := DecodeJSON(typ, []byte(strings.Repeat(`{"$set":[`, 17)+strings.Repeat("]}", 17))); err == nil {
		t.Error("17 sets within each other are read")
	}
}

// TestParseDecimal compares with what Python's str(Decimal(text)) is.
func TestParseDecimal(t *testing.T) {
	for in, want := range map[string]string{
		"1": "1", "+1.50": "1.50", "-0": "-0", "00.10": "0.10", ".5": "0.5", "5.": "5", "1e3": "1E+3", "12e-3": "0.012", "1e-7": "1E-7",
		"0e5": "0E+5", "0.0000001": "1E-7", "0.000001": "0.000001", "123456e-10": "0.0000123456", "-inf": "-Infinity", "nan": "NaN",
		"sNaN007": "sNaN7", "NaN0": "NaN", "1_0": "10", "9e999999999999999999": "9E+999999999999999999", "1234.5e4": "1.2345E+7",
	} {
		if got, ok := ParseDecimal(in); !ok || string(got) != want {
			t.Errorf("%q is %q, %t; want %q", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "-", ".", "1.2.3", "e5", "1e", "0x1", "1e1000000000000000000", "1e99999999999999999999", "infinit", "nan-1", strings.Repeat("1", 100_001)} {
		if got, ok := ParseDecimal(in); ok {
			t.Errorf("%q is %q, and should be nothing", in, got)
		}
	}
}

// TestNormalizePlain: what a program gives away under Any is plain JSON, and
// what is declared stays what it is.
func TestNormalizePlain(t *testing.T) {
	leap := Date{2024, 2, 29}
	mixed := NewDictBy(KindAny)
	mixed.Set("1", leap)
	for _, c := range []struct {
		typ  string
		in   any
		want string
	}{
		{"Any", Set{"b", "a"}, `["b","a"]`},
		{"Any", []any{leap, Decimal("1.50"), UUID{}, TimeOfDay{}}, `["2024-02-29","1.50","00000000-0000-0000-0000-000000000000","00:00:00"]`},
		{"Any", intDict(int64(2023), Tuple{leap}), `{"2023":{"$tuple":["2024-02-29"]}}`},
		{"Any", mixed, `{"1":"2024-02-29"}`},
		{"list[Any]", []any{Set{int64(1)}}, `[[1]]`},
		{"dict[int, Any]", intDict(int64(1), Set{}), `{"1":[]}`},
		{"Optional[date]", leap, `"2024-02-29"`},
		{"Union[date, str]", leap, `{"$date":"2024-02-29"}`},
		{"tuple[set[date], Any]", Tuple{Set{leap}, Set{leap}}, `[["2024-02-29"],["2024-02-29"]]`},
	} {
		v, err := NormalizePlain(MustType(c.typ), c.in)
		if err != nil {
			t.Errorf("%s: %v", c.typ, err)
			continue
		}
		if got, err := EncodeJSON(MustType(c.typ), v); err != nil || string(got) != c.want {
			t.Errorf("%s of %v is %s, %v; want %s", c.typ, c.in, got, err, c.want)
		}
	}
	if _, err := NormalizePlain(MustType("dict[int, date]"), mixed); err == nil {
		t.Error("keys of several kinds are no ints")
	}
}
