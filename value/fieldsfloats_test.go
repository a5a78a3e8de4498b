package value

import (
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
)

// TestOfFloats compares Fields of floats with those of the same list.
func TestOfFloats(t *testing.T) {
	p := Param{Name: "x \"y\"", Type: MustType("list[float]")}
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 1e300, 0.1}
	for _, n := range []int{0, 1, 6, floatsAtOnce - 1, floatsAtOnce, floatsAtOnce + 1, 3 * floatsAtOnce} {
		floats := make([]float64, n)
		for i := range floats {
			floats[i] = float64(i) * special[i%len(special)]
		}
		want, err := Check([]Param{p}, map[string]any{p.Name: floats})
		if err != nil {
			t.Fatal(err)
		}
		f := OfFloats(p, floats)
		if string(f.JSON()) != string(want.JSON()) || f.Digest() != want.Digest() || f.Len() != 1 || !f.Equal(want) {
			t.Errorf("%d floats are %.200s, want %.200s", n, f.JSON(), want.JSON())
		}
		read, err := io.ReadAll(iotest.OneByteReader(f.Reader()))
		if err != nil || string(read) != string(want.JSON()) {
			t.Errorf("%d floats read as %.200s, %v", n, read, err)
		}
		a, _ := f.Value(p.Name)
		b, _ := want.Value(p.Name)
		if texts := [2]string{Quote(string(appendTyped(nil, p.Type, a))), Quote(string(appendTyped(nil, p.Type, b)))}; texts[0] != texts[1] {
			t.Errorf("%d floats have the values %v", n, texts)
		}
		if count, items, ok := f.Floats(p.Name); !ok || count != n || len(slices.Collect(items)) != n {
			t.Errorf("%d floats are given as %d, %t", n, count, ok)
		}
		if written := f.Written(); string(written.JSON()) != string(want.JSON()) {
			t.Errorf("%d floats are written as %.200s", n, written.JSON())
		}
	}
}

// TestCheckFieldsAsValues gives Fields for the value of their parameter.
func TestCheckFieldsAsValues(t *testing.T) {
	x, n := Param{Name: "x", Type: MustType("list[float]")}, Param{Name: "n", Type: MustType("int"), Default: []byte("7")}
	floats := OfFloats(x, []float64{1, 2.5})
	for want, params := range map[string][]Param{`{"x":[1.0,2.5]}`: {x}, `{"n":7,"x":[1.0,2.5]}`: {n, x}} {
		f, err := CheckOwned(params, map[string]any{"x": floats})
		if err != nil || string(f.JSON()) != want {
			t.Errorf("%s, %v; want %s", f.JSON(), err, want)
		}
		read, err := io.ReadAll(f.Reader())
		if err != nil || string(read) != want {
			t.Errorf("read %s, %v; want %s", read, err, want)
		}
	}
	for _, p := range []Param{{Name: "x", Type: MustType("list[int]")}, {Name: "x", Type: MustType("Any")}, {Name: "y", Type: x.Type}} {
		if f, err := Check([]Param{p}, map[string]any{p.Name: floats}); err == nil {
			t.Errorf("%s %s takes Fields of another parameter: %s", p.Name, p.Type, f.JSON())
		}
	}
}

func TestFloatsOfAText(t *testing.T) {
	params := []Param{{Name: "x", Type: MustType("list[float]")}, {Name: "n", Type: MustType("list[int]")}}
	for text, want := range map[string][]float64{
		`{"x": []}`: {}, `{"x": [1]}`: {1}, `{"x": [1.5, -2e300, 3], "n": [1]}`: {1.5, -2e300, 3},
		`{"x": ["Infinity", 0.1, "-Infinity"]}`: {math.Inf(1), 0.1, math.Inf(-1)},
	} {
		f, err := Decode("input", params, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		count, items, ok := f.Floats("x")
		if !ok || count != len(want) {
			t.Errorf("%s: %d items, %v", text, count, ok)
			continue
		}
		for range 2 { // as often as one likes
			if got := slices.Collect(items); !slices.Equal(got, want) {
				t.Errorf("%s: %v", text, got)
			}
		}
		for first := range items {
			if first != want[0] {
				t.Errorf("%s begins with %v", text, first)
			}
			break
		}
		if _, _, ok := f.Floats("n"); ok {
			t.Error("ints are given as floats")
		}
	}
}

func TestDecodeInput(t *testing.T) {
	for _, c := range []struct{ typ, text, want string }{
		{"list[float]", " [1, 2.50]\n", `{"x":[1.0,2.5]}`}, {"str", "a\n", `{"x":"a\n"}`}, {"bytes", "a\n", `{"x":"YQo="}`},
		{"Any", `{"a": [null]}`, `{"x":{"a":[null]}}`}, {"int", "+1_000", `{"x":1000}`}, {"float", "nan", `{"x":"NaN"}`},
		{"set[int]", "[2, 1, 2]", `{"x":[1,2]}`}, {"Optional[int]", "null", `{"x":null}`},
	} {
		f, err := DecodeInput(Param{Name: "x", Type: MustType(c.typ)}, []byte(c.text))
		if err != nil || string(f.JSON()) != c.want {
			t.Errorf("%s of %q: %s, %v", c.typ, c.text, f.JSON(), err)
		}
	}
	for typ, text := range map[string]string{"list[int]": "[1.5]", "list[str]": `["a"] 1`, "int": "x", "dict[str, int]": "", "Any": "[1"} {
		if f, err := DecodeInput(Param{Name: "x", Type: MustType(typ)}, []byte(text)); err == nil {
			t.Errorf("%s of %q: %s", typ, text, f.JSON())
		}
	}
}

func TestMerge(t *testing.T) {
	one := func(name, text string) Fields {
		f, err := DecodeInput(Param{Name: name, Type: MustType("list[int]")}, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for want, parts := range map[string][]Fields{
		`{}`: {}, `{"a":[1]}`: {{}, one("a", "[1]")}, `{"b":[2],"a":[1]}`: {one("b", "[2]"), {}, one("a", "[1]"), one("b", "[3]")},
	} {
		if got := Merge(parts...); string(got.JSON()) != want {
			t.Errorf("%s, want %s", got.JSON(), want)
		}
	}
}

// CheckOwned gives what Check gives, and keeps lists of numbers.
func TestCheckOwned(t *testing.T) {
	params := []Param{{Name: "x", Type: MustType("list[float]")}}
	for _, list := range [][]any{{1.5, 2.0}, {}, {int64(1), 2.5}, {1}} {
		own, err := CheckOwned(params, map[string]any{"x": list})
		if err != nil {
			t.Fatal(err)
		}
		copied, err := Check(params, map[string]any{"x": list})
		if err != nil || !own.Equal(copied) || own.Digest() != copied.Digest() {
			t.Errorf("%v: %s, %s, %v", list, own.JSON(), copied.JSON(), err)
		}
		if text, ok := own.ValueJSON("x", params[0].Type); !ok || `{"x":`+string(text)+`}` != string(own.JSON()) {
			t.Errorf("%v: %s is no part of %s", list, text, own.JSON())
		}
	}
	for _, list := range [][]any{{"1"}, {1.5, nil}, {true}} {
		if f, err := CheckOwned(params, map[string]any{"x": list}); err == nil {
			t.Errorf("%v: %s", list, f.JSON())
		}
	}
}

func TestReadFloats(t *testing.T) {
	params := []Param{{Name: "x", Type: MustType("list[float]")}}
	read := func(text string) (Fields, bool) {
		return ReadFloats(params, io.NewSectionReader(strings.NewReader(text), 0, int64(len(text))))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var text strings.Builder
		text.WriteString(`{"x": [1`)
		for range random.IntN(30_000) {
			text.WriteString(strings.Repeat(" ", random.IntN(3)) + "," + strings.Repeat("\n", random.IntN(3)))
			text.WriteString(strconv.FormatFloat(random.NormFloat64(), 'e', random.IntN(18), 64))
		}
		text.WriteString(strings.Repeat(" ", random.IntN(400)) + "]}")
		want, err := Decode("input", params, []byte(text.String()))
		got, ok := read(text.String())
		if err != nil || !ok || string(got.JSON()) != string(want.JSON()) {
			t.Fatalf("%d bytes: taken %t, %v", text.Len(), ok, err)
		}
	}
	many := `{"x":[` + strings.Repeat("1.5,", 20_000)
	for _, text := range []string{
		``, `{}`, `[]`, `{"y":[1]}`, `{"x":[1],"x":[2]}`, `{"x":[1]} 2`, `{"x":[1`, `{"x":["NaN"]}`, many, many + "]}", many + "1]", many + "1]}}", many + `null]}`,
		many + strings.Repeat("9", windowSize) + "]}", many + strings.Repeat(" ", windowSize) + "2]}", many + "1" + strings.Repeat("0", numberLength) + "]}",
	} {
		if got, ok := read(text); ok {
			t.Errorf("%.80s... of %d bytes is taken: %.80s", text, len(text), got.JSON())
		}
	}
	if _, ok := ReadFloats([]Param{{Name: "x", Type: MustType("list[int]")}}, io.NewSectionReader(strings.NewReader(`{"x":[1]}`), 0, 9)); ok {
		t.Error("ints are taken for floats")
	}
}
