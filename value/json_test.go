package value_test

import (
	"encoding/json"
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

func TestJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := valuetest.Type(3).Draw(t, "type")
		v := valuetest.Value(t, typ)
		data, err := EncodeJSON(typ, v)
		if err != nil {
			t.Fatalf("encode %s: %v", typ, err)
		}
		if !json.Valid(data) {
			t.Fatalf("%s is not JSON", data)
		}
		back, err := DecodeJSON(typ, data)
		if err != nil {
			t.Fatalf("decode %s from %s: %v", typ, data, err)
		}
		if !valuetest.Same(v, back) {
			t.Fatalf("%s: %#v came back as %#v through %s", typ, v, back, data)
		}
	})
}

func TestEncodeJSON(t *testing.T) {
	d := NewDict()
	d.Set("z", int64(1))
	d.Set("a", nil)
	tagged := NewDict()
	tagged.Set("$tuple", "x")
	huge := new(big.Int).Exp(big.NewInt(10), big.NewInt(400), nil)
	for _, c := range []struct {
		typ   string
		value any
		want  string
	}{
		{"int", 5, "5"},
		{"int", uint64(math.MaxUint64), "18446744073709551615"},
		{"int", huge, "1" + strings.Repeat("0", 400)},
		{"float", 1, "1.0"},
		{"float", math.Copysign(0, -1), "-0.0"},
		{"float", 1e100, "1e+100"},
		{"float", math.NaN(), `"NaN"`},
		{"float", math.Inf(-1), `"-Infinity"`},
		{"str", "a\"\\\n\x00😀", `"a\"\\\n\u0000😀"`},
		{"str", "\xed\xa0\xbd", `"\ud83d"`},
		{"str", "\xed\xa0\xbd\xed\xb8\x80", `{"$str":"7aC97biA"}`},
		{"bytes", []byte{0, 255}, `"AP8="`},
		{"None", nil, "null"},
		{"Optional[int]", nil, "null"},
		{"Optional[bytes]", []byte("a"), `"YQ=="`},
		{"datetime", time.Date(2024, 1, 2, 3, 4, 5, 6000, time.FixedZone("", -5400)), `"2024-01-02T03:04:05.000006-01:30"`},
		{"datetime", NaiveDateTime(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)), `"0001-01-01T00:00:00"`},
		{"timedelta", -time.Second / 2, `"-PT0.5S"`},
		{"timedelta", Timedelta{-MaxDays, 0, 0}, `"-P999999999D"`},
		{"timedelta", Timedelta{}, `"PT0S"`},
		{"list[int]", []int8{1, 2}, "[1,2]"},
		{"tuple[int, str]", []any{1, "a"}, `[1,"a"]`},
		{"dict", d, `{"z":1,"a":null}`},
		{"dict[str, int]", map[string]int{"b": 1, "a": 2}, `{"a":2,"b":1}`},
		{"dict", tagged, `{"$tuple":"x"}`},
		{"Any", tagged, `{"$dict":{"$tuple":"x"}}`},
		{"Any", Tuple{1, 2.0}, `{"$tuple":[1,2.0]}`},
		{"Any", math.NaN(), `{"$float":"NaN"}`},
		{"Union[int, bytes]", []byte("a"), `{"$bytes":"YQ=="}`},
		{"Union[float, int]", 1, "1"},
		{"Union[float, str]", 1, "1.0"},
		{"File", File{Path: "/a", Size: 3}, `{"path":"/a","size":3}`},
		{"Any", &Dir{Path: "/a", Files: 2}, `{"$dir":{"path":"/a","files":2}}`},
	} {
		got, err := EncodeJSON(MustType(c.typ), c.value)
		if err != nil || string(got) != c.want {
			t.Errorf("%s of %v = %s, %v; want %s", c.typ, c.value, got, err, c.want)
		}
	}
}

func TestDecodeJSONOfOthers(t *testing.T) {
	for _, c := range []struct {
		typ, in string
		want    any
	}{
		{"float", " 1 ", 1.0},
		{"str", `"\ud83d\ude00\/"`, "😀/"},
		{"str", `"\ud83dx"`, "\xed\xa0\xbdx"},
		{"datetime", `"2024-01-01"`, NaiveDateTime(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC))},
		{"timedelta", `"1:00:00"`, NewTimedelta(time.Hour)},
		{"Union[float, str]", "1", 1.0},
		{"int", "-0", int64(0)},
		{"list[File]", `["/a"]`, []any{File{Path: "/a"}}},
		{"Optional[Dir]", `"/a"`, Dir{Path: "/a"}},
	} {
		got, err := DecodeJSON(MustType(c.typ), []byte(c.in))
		if err != nil || !valuetest.Same(got, c.want) {
			t.Errorf("%s from %s = %#v, %v; want %#v", c.typ, c.in, got, err, c.want)
		}
	}
	v, err := DecodeJSON(Type{Kind: KindAny}, []byte(`{"$ref": "#/a", "x": [1]}`))
	if d, ok := v.(*Dict); err != nil || !ok || d.Len() != 2 {
		t.Errorf("a key that starts with a dollar and is no tag is a key: got %#v, %v", v, err)
	}
}

func TestDecodeJSONErrors(t *testing.T) {
	for _, c := range []struct{ typ, in, want string }{
		{"int", `"abc"`, `expected int, got JSON "\"abc\""`},
		{"int", `true`, `expected int, got JSON "true"`},
		{"int", `1.0`, `expected int, got JSON "1.0"`},
		{"bool", `1`, `expected bool, got JSON "1"`},
		{"float", `"nan"`, `expected float, got str "nan"`},
		{"float", `1e999`, `out of its range`},
		{"float", `9007199254740993`, `expected float, got int 9007199254740993`},
		{"list[dict[str, int]]", `[{}, {"x": "a"}]`, `[1].x: expected int, got JSON "\"a\""`},
		{"list[int]", `[1.0]`, `[0]: expected int, got JSON "1.0"`},
		{"list[int]", `["a\"]b"]`, `[0]: expected int, got JSON "\"a\\\"]b\""`},
		{"dict[str, int]", `{"x": [1]}`, `x: expected int, got JSON "[1]}"`},
		{"dict[str, int]", `{"a b": 1, "a b": 2}`, `["a b"]: expected every key once`},
		{"tuple[int, int]", `[1]`, `expected tuple[int, int], got tuple of length 1`},
		{"tuple[int]", `[1, 2]`, `[1]: expected the end of tuple[int], got one more item`},
		{"Union[int, str]", `1.5`, `expected Union[int, str], got float 1.5`},
		{"bytes", `"a"`, `expected bytes in base64`},
		{"datetime", `"2024-13-01"`, `expected datetime, got str "2024-13-01"`},
		{"timedelta", `"P1Y"`, `expected timedelta`},
		{"int", `1 2`, `expected JSON, got "2" at byte 2`},
		{"int", `01`, `expected JSON`},
		{"int", ``, `text that ends too early`},
		{"Any", `[1, `, `text that ends too early`},
		{"Any", `{"$tuple": 1}`, `["$tuple"]: expected tuple[Any, ...]`},
		{"Any", `{"$bytes": "YQ==", "x": 1}`, `expected JSON, got ", \"x\": 1}" at byte 17`},
		{"Any", `{"a": NaN}`, `.a: expected JSON`},
		{"str", "\"\xff\"", `expected JSON in UTF-8`},
		{"str", "\"a\nb\"", `expected JSON`},
		{"str", `"\x"`, `expected JSON`},
		{"str", `"\ud83`, `expected JSON`},
		{"File", `""`, `expected the path of a File, got nothing`},
		{"File", `{"size": 1}`, `expected File with a "path"`},
		{"File", `{"path": "/a", "files": 1}`, `.files: expected no such key`},
		{"int", strings.Repeat("9", MaxIntDigits+1), `int of at most 100000 digits`},
		{"Any", strings.Repeat("[", 100_000), `at most 200 nested containers`},
		{"Any", strings.Repeat(`{"$tuple":[`, 100_000), `at most 200 nested containers`},
	} {
		_, err := DecodeJSON(MustType(c.typ), []byte(c.in))
		var v *Error
		if !errors.As(err, &v) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s from %.40s: got %v, want %s", c.typ, c.in, err, c.want)
		}
	}
}

func TestDecodeJSONIsBounded(t *testing.T) {
	for _, c := range []struct {
		item string
		cost int
	}{{"0,", 1}, {"{},", 1 + ContainerCost}, {`{"":0},`, 1 + ContainerCost + KeyCost + 1}} {
		list := "[" + strings.Repeat(c.item, MaxCost/c.cost+1) + "0]"
		_, err := DecodeJSON(MustType("list"), []byte(list))
		if err == nil || !strings.HasSuffix(err.Error(), "at most 4194304 parts (a File holds more), got more") {
			t.Errorf("too many times %s: %.200v", c.item, err)
		}
		var e *Error
		if !errors.As(err, &e) || e.Limit != MaxCost {
			t.Errorf("too many times %s: the limit of %#v is not %d", c.item, e, MaxCost)
		}
		enough := "[" + strings.Repeat(c.item, 10_000) + "0]"
		if _, err := DecodeJSON(MustType("list"), []byte(enough)); err != nil {
			t.Errorf("10000 times %s: %v", c.item, err)
		}
	}
}

func TestDeepestValue(t *testing.T) {
	for _, leaf := range []any{[]any{}, Tuple{}, NewDict(), File{Path: "/a"}} {
		deepest := leaf
		for range MaxValueDepth - 1 {
			deepest = []any{deepest}
		}
		data, err := EncodeJSON(Type{Kind: KindAny}, deepest)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := DecodeJSON(Type{Kind: KindAny}, data); err != nil || !valuetest.Same(deepest, back) {
			t.Errorf("%T at the bottom: %v", leaf, err)
		}
		if _, err := EncodeJSON(Type{Kind: KindAny}, []any{deepest}); err == nil {
			t.Errorf("%T one deeper is encoded, but cannot be decoded", leaf)
		}
	}
}

func TestLongestInt(t *testing.T) {
	greatest := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), MaxIntBits), big.NewInt(1)).String()
	for _, literal := range []string{strings.Repeat("9", MaxIntDigits-1), "-" + strings.Repeat("7", MaxIntDigits-1), greatest, "-" + greatest} {
		v, err := DecodeJSON(Type{Kind: KindInt}, []byte(literal))
		if err != nil {
			t.Fatal(err)
		}
		if back, err := EncodeJSON(Type{Kind: KindInt}, v); err != nil || string(back) != literal {
			t.Errorf("an int of %d digits came back as %.20s..., %v", len(literal), back, err)
		}
	}
}

func FuzzDecodeJSON(f *testing.F) {
	for _, seed := range []string{`1`, `-1.5e3`, `"a\ud83d\n"`, `{"$tuple":[1,{"$float":"NaN"}]}`, `{"a":[null,true]}`, `{"$dict":{"$dict":{}}}`, `{"$str":"7aC97biA"}`, `"P1DT0.5S"`} {
		f.Add("Any", []byte(seed))
		f.Add("Union[datetime, timedelta, list[float], dict[str, tuple[int, ...]]]", []byte(seed))
	}
	f.Fuzz(func(t *testing.T, spelling string, data []byte) {
		typ, err := ParseType(spelling)
		if err != nil {
			return
		}
		v, err := DecodeJSON(typ, data)
		if err != nil {
			return
		}
		again, err := EncodeJSON(typ, v)
		if err != nil {
			t.Fatalf("%s from %q gave %#v, which does not encode: %v", typ, data, v, err)
		}
		if back, err := DecodeJSON(typ, again); err != nil || !valuetest.Same(v, back) {
			t.Fatalf("%s from %q: %#v came back as %#v, %v", typ, data, v, back, err)
		}
	})
}
