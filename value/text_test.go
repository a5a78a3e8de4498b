package value_test

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	. "github.com/glovebox-dev/glovebox/value"
	"github.com/glovebox-dev/glovebox/value/valuetest"

	"pgregory.net/rapid"
)

func TestTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := valuetest.Type(2).Draw(t, "type")
		v := valuetest.Value(t, typ)
		switch f := v.(type) { // the text of these is their path alone
		case File:
			v = File{Path: f.Path}
		case Dir:
			v = Dir{Path: f.Path}
		case DataFrame:
			v = DataFrame{Path: f.Path}
		}
		data, err := EncodeText(typ, v)
		if err != nil {
			t.Fatalf("encode %s: %v", typ, err)
		}
		if typ.Kind != KindBytes {
			data = append(data, "\r\n"...)
		}
		back, err := DecodeText(typ, data)
		if err != nil {
			t.Fatalf("decode %s from %q: %v", typ, data, err)
		}
		if !valuetest.Same(v, back) {
			t.Fatalf("%s: %#v came back as %#v through %q", typ, v, back, data)
		}
	})
}

func TestDecodeText(t *testing.T) {
	date := time.Date(2024, 1, 2, 3, 4, 5, 600_000_000, time.UTC)
	india := AwareDateTime(date.In(time.FixedZone("", 0)))
	india.Offset = 5*time.Hour + 30*time.Minute
	for _, c := range []struct {
		typ, in string
		want    any
	}{
		{"str", "abc\n\n", "abc\n"},
		{"str", "abc\r\n", "abc"},
		{"str", "", ""},
		{"str", "\xed\xa0\x80", "\xed\xa0\x80"},
		{"bytes", "abc\n", []byte("abc\n")},
		{"bool", "True\n", true},
		{"bool", "0", false},
		{"int", " 42 \n", int64(42)},
		{"int", "-1_000", int64(-1000)},
		{"int", "+007", int64(7)},
		{"int", "9223372036854775808", new(big.Int).SetUint64(1 << 63)},
		{"float", "3", 3.0},
		{"float", ".5", 0.5},
		{"float", "5.", 5.0},
		{"float", "1_0.5e1_0", 10.5e10},
		{"float", "9007199254740994", float64(1<<53 + 2)},
		{"float", "9007199254740993.0", float64(1 << 53)},
		{"float", "-0", math.Copysign(0, -1)},
		{"float", "-Infinity", math.Inf(-1)},
		{"float", "+nan", math.NaN()},
		{"None", "", nil},
		{"None", "None\n", nil},
		{"datetime", "2024-01-02T03:04:05.6", NaiveDateTime(date)},
		{"datetime", "2024-01-02 03:04:05.600000Z", AwareDateTime(date)},
		{"datetime", "20240102T030405.6+0530", india},
		{"datetime", "2024-01-02T03:04:05,6000009+05:30", india},
		{"datetime", "2024-01-02", NaiveDateTime(time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC))},
		{"datetime", "2024-01-02T03", NaiveDateTime(time.Date(2024, 1, 2, 3, 0, 0, 0, time.UTC))},
		{"timedelta", "1 day, 0:00:00", Timedelta{1, 0, 0}},
		{"timedelta", "-1 day, 23:59:59.5", Timedelta{-1, 86399, 500_000}},
		{"timedelta", "-999999999 days, 0:00:00", Timedelta{-MaxDays, 0, 0}},
		{"timedelta", "12:00:01", Timedelta{0, 43201, 0}},
		{"timedelta", "PT36H", Timedelta{1, 43200, 0}},
		{"timedelta", "-P1W", Timedelta{-7, 0, 0}},
		{"timedelta", "1h30m", Timedelta{0, 5400, 0}},
		{"timedelta", "90", Timedelta{0, 90, 0}},
		{"timedelta", "-1.5", Timedelta{-1, 86398, 500_000}},
		{"list[int]", "[1, 2]\n", []any{int64(1), int64(2)}},
		{"Optional[int]", "null\n", nil},
		{"File", "data.json", File{Path: "data.json"}},
	} {
		got, err := DecodeText(MustType(c.typ), []byte(c.in))
		if err != nil || !valuetest.Same(got, c.want) {
			t.Errorf("%s from %q = %#v, %v; want %#v", c.typ, c.in, got, err, c.want)
		}
	}
}

func TestDecodeTextErrors(t *testing.T) {
	for _, c := range []struct{ typ, in, want string }{
		{"int", "", "expected int, got nothing: it is empty"},
		{"float", "\n", "expected float, got nothing: it is empty"},
		{"list[int]", " \n", "expected list[int], got nothing: it is empty"},
		{"int", "abc", `expected int, got "abc"`},
		{"int", "1.0", "expected int"},
		{"int", "1__0", "expected int"},
		{"int", "_1", "expected int"},
		{"int", "0x10", "expected int"},
		{"int", "--1", "expected int"},
		{"int", "1\u00a0", "expected int"},
		{"float", "0x1p3", "expected float"},
		{"float", "1e", "expected float"},
		{"float", ".", "expected float"},
		{"float", "1._5", "expected float"},
		{"float", "1e1.5", "expected float"},
		{"float", "9007199254740993", "expected float, got int 9007199254740993, which is beyond 2^53, and no float is exactly that"},
		{"float", "-9_007_199_254_740_993\n", "expected float, got int -9007199254740993, which is beyond 2^53"},
		{"float", "1" + strings.Repeat("0", 400), "expected float, got int of 1329 bits, which is out of its range"},
		{"float", "1e400", `expected float, got "1e400", which is out of its range`},
		{"float", "-.1e999", "which is out of its range"},
		{"list[float]", "[1e400]", `[0]: expected float, got "1e400", which is out of its range`},
		{"bool", "yes", `expected bool, got "yes"`},
		{"None", "0", `expected None, got "0"`},
		{"datetime", "2024-02-30", "expected datetime"},
		{"datetime", "0000-01-01", "expected datetime"},
		{"datetime", "2024-01-01T24:00", "expected datetime"},
		{"datetime", "2024-01-01T10:60", "expected datetime"},
		{"datetime", "2024-01-01T10:00+24:00", "expected datetime"},
		{"datetime", "2024-01-01T1000:00", "expected datetime"},
		{"datetime", "2024-01-01T10:0000", "expected datetime"},
		{"datetime", "2024-01-01T10:00.5", "expected datetime"},
		{"datetime", "2024-01-01T", "expected datetime"},
		{"datetime", "2024-01-01T10:00+", "expected datetime"},
		{"datetime", "2024-01-01T10:00ZZ", "expected datetime"},
		{"timedelta", "1 week, 0:00:00", "expected timedelta"},
		{"timedelta", "1:60:00", "expected timedelta"},
		{"timedelta", "1000000000 days, 0:00:00", "expected timedelta"},
		{"timedelta", "P", "expected timedelta"},
		{"timedelta", "PT", "expected timedelta"},
		{"timedelta", "P1Y", "expected timedelta"},
		{"timedelta", "99999999999999999999", "expected timedelta"},
		{"str", "\xff", "expected str in UTF-8"},
		{"File", "\n", "expected the path of a File"},
	} {
		_, err := DecodeText(MustType(c.typ), []byte(c.in))
		var v *Error
		if !errors.As(err, &v) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s from %q: got %v, want %s", c.typ, c.in, err, c.want)
		}
	}
}

func FuzzDecodeText(f *testing.F) {
	for typ, seed := range map[string]string{
		"datetime": "2024-01-02T03:04:05.6+05:30", "timedelta": "-1 day, 23:59:59.5", "float": "1_0.5e-3", "int": "-1_000", "str": "a\r\n", "Any": "[1]", "bool": "True",
	} {
		f.Add(typ, []byte(seed))
	}
	f.Fuzz(func(t *testing.T, spelling string, data []byte) {
		typ, err := ParseType(spelling)
		if err != nil {
			return
		}
		v, err := DecodeText(typ, data)
		if err != nil {
			return
		}
		again, err := EncodeText(typ, v)
		if err != nil {
			t.Fatalf("%s from %q gave %#v, which does not encode: %v", typ, data, v, err)
		}
		if typ.Kind != KindBytes {
			again = append(again, "\r\n"...)
		}
		if back, err := DecodeText(typ, again); err != nil || !valuetest.Same(v, back) {
			t.Fatalf("%s from %q: %#v came back as %#v through %q, %v", typ, data, v, back, again, err)
		}
	})
}
