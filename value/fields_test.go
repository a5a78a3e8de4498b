package value

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var someTypes = []string{
	"int", "float", "str", "bool", "None", "bytes", "Any", "list", "list[float]", "list[int]", "dict[str, float]", "dict[str, Any]", "dict[int, str]",
	"tuple[int, str]", "tuple[float, ...]", "Optional[list[str]]", "Union[int, str]", "set[int]", "File", "list[Optional[File]]", "Decimal", "datetime",
}

// Decode checks and rewrites a text in one pass; member by member the text is
// decoded, normalized and encoded again. Both must say the same of every text.
func checkOnePass(t *testing.T, typ Type, member []byte) {
	t.Helper()
	params := []Param{{Name: "x", Type: typ}}
	text := append(append([]byte(`{"x":`), member...), '}')
	slow, slowErr := decodeEach("input", params, text)
	if floats, ok := decodeFloats(params, text); ok && (slowErr != nil || string(floats.JSON()) != string(slow.JSON())) {
		t.Fatalf("%s from %.300q: floats are %s; member by member %s, %v", typ, member, floats.JSON(), slow.JSON(), slowErr)
	}
	fast, ok := rewrite(params, text)
	if ok != (slowErr == nil) {
		t.Fatalf("%s from %.300q: one pass takes it: %t; member by member: %v", typ, member, ok, slowErr)
	}
	if !ok {
		return
	}
	if string(fast.JSON()) != string(slow.JSON()) || fast.Digest() != slow.Digest() {
		t.Fatalf("%s from %.300q: %s in one pass, %s member by member", typ, member, fast.JSON(), slow.JSON())
	}
	if fast.HoldsFiles("x") != slow.HoldsFiles("x") {
		t.Fatalf("%s from %.300q: files %t, %t", typ, member, fast.HoldsFiles("x"), slow.HoldsFiles("x"))
	}
	a, _ := fast.Value("x")
	again, err := EncodeJSON(typ, a)
	if err != nil || string(again) != string(slow.at("x").json()) {
		t.Fatalf("%s from %.300q: the value is %s, %v; want %s", typ, member, again, err, slow.at("x").json())
	}
	if members, err := Split(fast.JSON()); err != nil || len(members) != 1 || string(members["x"]) != string(slow.at("x").json()) {
		t.Fatalf("%s from %.300q: split into %s, %v", typ, member, members, err)
	}
}

func TestSplit(t *testing.T) {
	members, err := Split([]byte(`{"a":[1,{"b":"],}"}],"b\"":"\"}","c":-1.5}`))
	want := map[string]json.RawMessage{"a": []byte(`[1,{"b":"],}"}]`), `b"`: []byte(`"\"}"`), "c": []byte(`-1.5`)}
	if diff := cmp.Diff(want, members); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	if members, err := Split([]byte("{}")); err != nil || len(members) != 0 {
		t.Errorf("nothing: %v, %v", members, err)
	}
	for _, text := range []string{``, `[]`, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":[1}`, `{"a":"b}`, `{"a":1,`} {
		if members, err := Split([]byte(text)); err == nil {
			t.Errorf("%s: split into %s", text, members)
		}
	}
}

func TestOnePass(t *testing.T) {
	for _, member := range []string{
		`null`, `1`, `-0`, `0`, `1.0`, `-0.0`, `1e400`, `1E2`, `123456789012345678`, `9007199254740993`, `[1,2.50,3e5]`, `[1, "a"]`, `[1,]`, `{"a":1,"a":2}`,
		`{"a": 1, "$b": 2}`, `{"$tuple":[1]}`, `{"\u0024tuple":[1]}`, `{"$float":"NaN"}`, `"NaN"`, `"a\u0041"`, `"\ud800"`, `"\ud83d\ude00"`, `"ü"`, `"` + "\x7f" + `"`,
		"\"\xff\"", `{"$str":"7aCA7bCA"}`, `[{"path":"a"},null,"b"]`, `{"path":"a","size":1}`, `[[[[]]]]`, `{"1":"a","2":"b"}`, `{"01":"a","1":"b"}`, `[1,"a",2]`, `[3,1,2,1]`,
		`"2024-01-01"`, `1.50`, `01`, `1.`, `.5`, `+1`, `tru`, `true`, `false`, `[`, `"`, ``, ` [ 1 , 2 ] `, `{}`, `[]`, `{"a":{"$date":"2024-01-01"}}`, `["x",{"$file":{"path":"f"}}]`,
		strings.Repeat("[", 199) + strings.Repeat("]", 199), strings.Repeat("[", 201) + strings.Repeat("]", 201), strings.Repeat(`{"a":`, 200) + `"f"` + strings.Repeat("}", 200),
		strings.Repeat("[", 200) + `"f"` + strings.Repeat("]", 200), strings.Repeat("[", 199) + `{"$tuple":[{"$file":"f"}]}` + strings.Repeat("]", 199),
		strings.Repeat("[", 198) + `{"$tuple":[{"$file":"f"}]}` + strings.Repeat("]", 198), strings.Repeat("9", 5000), `{"a":1}x`, `1 2`, "{\"\xed\xa0\x80\xed\xb0\x80\":1}",
	} {
		for _, typ := range someTypes {
			checkOnePass(t, MustType(typ), []byte(member))
		}
	}
}

// FuzzOnePass looks for a text of which the one pass says something else than
// decoding, normalizing and encoding.
func FuzzOnePass(f *testing.F) {
	for i, seed := range []string{`[1,2.5,-0,1e5,"NaN"]`, `{"a":[1,null],"b":"\ud800"}`, `{"$tuple":[1,{"$set":[2]}]}`, `[{"path":"x"},"y"]`, `"\u0024"`} {
		f.Add([]byte(seed), uint8(i))
	}
	f.Fuzz(func(t *testing.T, member []byte, n uint8) {
		checkOnePass(t, MustType(someTypes[int(n)%len(someTypes)]), member)
	})
}

func TestDecode(t *testing.T) {
	params := []Param{{Name: "a", Type: MustType("float")}, {Name: "b", Type: MustType("str"), Default: []byte(`"d"`)}, {Name: "c", Type: MustType("list[File]")}}
	for text, want := range map[string]string{
		``:                                   `{}`,
		`null`:                               `{}`,
		`{ "a" : 1 , "b":"x","c":[] }`:       `{"a":1.0,"b":"x","c":[]}`,
		`{"c":["f"],"a":2.50}`:               `{"a":2.5,"c":[{"path":"f"}]}`,
		`{"b":"\u00fc","a":1e300}`:           `{"a":1e+300,"b":"ü"}`,
		`{"c":[{"path":"f","size":3}]}`:      `{"c":[{"path":"f","size":3}]}`,
		`{"a":1,"c":[],"b":"a b"}` + "\n  ":  `{"a":1.0,"b":"a b","c":[]}`,
		`{"a":123456789,"b":"c","c":["/x"]}`: `{"a":1.23456789e+08,"b":"c","c":[{"path":"/x"}]}`,
	} {
		f, err := Decode("input", params, []byte(text))
		if err != nil || string(f.JSON()) != want {
			t.Errorf("%s gave %s, %v; want %s", text, f.JSON(), err, want)
			continue
		}
		checked, err := CheckSome(params, f.Map())
		if err != nil || string(checked.JSON()) != want || checked.Digest() != f.Digest() {
			t.Errorf("%s: its values give %s, %v", text, checked.JSON(), err)
		}
	}
}

func TestComplete(t *testing.T) {
	params := []Param{{Name: "a", Type: MustType("int")}, {Name: "b", Type: MustType("str"), Default: []byte(`"d"`)}}
	f, err := Decode("input", params, []byte(`{"a":1}`))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := f.Complete(params)
	if err != nil || string(whole.JSON()) != `{"a":1,"b":"d"}` || whole.Len() != 2 {
		t.Errorf("got %s, %v", whole.JSON(), err)
	}
	if same, err := whole.Complete(params); err != nil || same != whole {
		t.Errorf("complete Fields are made again: %v", err)
	}
	loose := []Param{{Name: "a", Type: MustType("Any")}, {Name: "b", Type: MustType("Any")}}
	if other, err := whole.Complete(loose); err != nil || string(other.JSON()) != `{"a":1,"b":"d"}` || !other.Params()[0].Type.Equal(MustType("Any")) {
		t.Errorf("as Any: %s, %v", other.JSON(), err)
	}
	if _, err := whole.Complete([]Param{{Name: "a", Type: MustType("str")}, {Name: "b", Type: MustType("str")}}); err == nil || err.Error() != "input a: expected str, got int 1" {
		t.Errorf("as str: %v", err)
	}
	if _, err := (Fields{}).Complete(params); err == nil || !strings.Contains(err.Error(), `input "a" is missing`) {
		t.Errorf("of nothing: %v", err)
	}
	if _, err := whole.Complete(params[:1]); err == nil || !strings.Contains(err.Error(), `input "b" is not declared`) {
		t.Errorf("of fewer: %v", err)
	}
}

func TestMapFilesOfFields(t *testing.T) {
	params := []Param{{Name: "a", Type: MustType("list[float]")}, {Name: "b", Type: MustType("Any")}}
	f, err := Check(params, map[string]any{"a": []float64{1, 2}, "b": []any{File{Path: "x"}, 1}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	g, err := f.MapFiles(func(name string, file any) (any, error) {
		names = append(names, name)
		return File{Path: "y", SHA256: "ab"}, nil
	})
	if want := `{"a":[1.0,2.0],"b":[{"$file":{"path":"y","sha256":"ab"}},1]}`; err != nil || string(g.JSON()) != want || string(f.JSON()) == want {
		t.Errorf("got %s, %v", g.JSON(), err)
	}
	if g.at("a") != f.at("a") {
		t.Error("a value without files is not shared")
	}
	if diff := cmp.Diff([]string{"b"}, names); diff != "" {
		t.Error(diff)
	}
	for _, wrong := range []any{Dir{Path: "y"}, "y", File{Path: "\xff"}} {
		if _, err := f.MapFiles(func(string, any) (any, error) { return wrong, nil }); err == nil {
			t.Errorf("%#v takes the place of a File", wrong)
		}
	}
	plain, err := Check(params[:1], map[string]any{"a": []float64{1}})
	if same, errMap := plain.MapFiles(nil); err != nil || errMap != nil || same != plain {
		t.Errorf("Fields without files are made again: %v %v", err, errMap)
	}
}

// Many may ask for the same Fields at once.
func TestFieldsAreShared(t *testing.T) {
	f, err := Decode("input", []Param{{Name: "a", Type: MustType("list[int]")}}, []byte(`{"a":[1,2,3]}`))
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if v, ok := f.Value("a"); !ok || len(v.([]any)) != 3 || f.Digest() == "" || string(f.JSON()) != `{"a":[1,2,3]}` {
				t.Errorf("got %v", v)
			}
		})
	}
	all.Wait()
}

func TestNumbersInOnePass(t *testing.T) {
	for _, n := range []float64{0, 1, -1, 0.1, 1e21, 1e-7, 123456.789, math.MaxFloat64, math.SmallestNonzeroFloat64, 1 << 53, 1<<53 + 2} {
		for _, format := range []byte{'g', 'e', 'f'} {
			text := strconv.FormatFloat(n, format, -1, 64)
			checkOnePass(t, MustType("float"), []byte(text))
			checkOnePass(t, MustType("Any"), []byte(text))
			checkOnePass(t, MustType("int"), []byte(text))
		}
	}
}

// million is a list of so many floats as Python writes them.
func million() []byte {
	b := []byte(`{"values":[`)
	for i := range 1_000_000 {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendFloat(b, math.Sqrt(float64(i)+0.5), 'g', -1, 64)
	}
	return append(b, "]}"...)
}

func BenchmarkDecodeMillionFloats(b *testing.B) {
	params, text := []Param{{Name: "values", Type: MustType("list[float]")}}, million()
	for _, way := range []struct {
		name string
		do   func() error
	}{
		{"one pass", func() error { _, err := Decode("input", params, text); return err }},
		{"member by member", func() error {
			f, err := decodeEach("input", params, text)
			_ = f.JSON()
			return err
		}},
	} {
		b.Run(way.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if err := way.do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestWritten(t *testing.T) {
	params := []Param{{Name: "a", Type: MustType("list[float]")}, {Name: "c", Type: MustType("str")}, {Name: "b", Type: MustType("Any")}, {Name: "a", Type: MustType("int")}}
	f, err := CheckSome(params[:3], map[string]any{"a": []any{1}, "b": []any{File{Path: "x"}, "ü"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []Fields{f, newFields(params, f.named), {}, newFields(nil, nil)} {
		w := f.Written()
		if string(w.JSON()) != string(f.JSON()) || w.Digest() != f.Digest() || w.HoldFiles() != f.HoldFiles() || w.Len() != f.Len() {
			t.Errorf("got %s, want %s", w.JSON(), f.JSON())
		}
		if diff := cmp.Diff(f.Map(), w.Map()); diff != "" {
			t.Error(diff)
		}
	}
}

func ExampleFields() {
	params := []Param{{Name: "prices", Type: MustType("list[float]")}, {Name: "days", Type: MustType("int"), Default: []byte("7")}}
	f, err := Decode("input", params, []byte(`{"prices": [1, 2.50]}`))
	if err != nil {
		panic(err)
	}
	f, err = f.Complete(params)
	fmt.Println(string(f.JSON()), err)

	_, err = Check(params, map[string]any{"prices": []any{1, "two"}})
	fmt.Println(err)
	// Output:
	// {"prices":[1.0,2.5],"days":7} <nil>
	// input prices: [1]: expected float, got str "two"
}
