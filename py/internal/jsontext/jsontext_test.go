package jsontext

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// golden is what CPython does with a text; testdata/golden.py writes it.
type golden struct{ T, Err, Dumps, Raw, Indent, Tab string }

// bytesOf turns the Latin-1 of the golden file into the bytes it stands for.
func bytesOf(s string) string {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		b = append(b, byte(r))
	}
	return string(b)
}

func readGolden(t *testing.T) []golden {
	t.Helper()
	path := "testdata/golden.jsonl"
	if p := os.Getenv("JSON_GOLDEN"); p != "" {
		path = p
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []golden
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var g golden
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		for _, s := range []*string{&g.T, &g.Err, &g.Dumps, &g.Raw, &g.Indent, &g.Tab} {
			*s = bytesOf(*s)
		}
		all = append(all, g)
	}
	return all
}

// tokens decodes a whole text as json.loads, from a new decoder after each token.
func tokens(m budget.Meter, text string) ([]Token, error) {
	d := NewDecoder(m, text, 1000)
	if err := d.Start(); err != nil {
		return nil, err
	}
	var all []Token
	for {
		if len(text) < 1000 {
			var ok bool
			if d, ok = Restore(m, text, 1000, d.Save()); !ok {
				return nil, errors.New("a saved state is refused")
			}
		}
		t, err := d.Next()
		if err != nil {
			return nil, err
		}
		if t.Kind == EOF {
			return all, d.End()
		}
		all = append(all, t)
	}
}

// dump writes tokens back; duplicates of keys are up to the caller of the
// package, so the goldens that have them are dumped by the last.
func dump(e *Encoder, all []Token) (string, error) {
	var containers []Kind
	for i, t := range all {
		closing := t.Kind == EndArray || t.Kind == EndObject
		if n := len(containers); n > 0 && !closing && (t.Kind == Key || containers[n-1] == BeginArray) {
			if err := e.Item(); err != nil {
				return "", err
			}
		}
		if closing {
			containers = containers[:len(containers)-1]
		}
		if t.Kind == BeginArray || t.Kind == BeginObject {
			containers = append(containers, t.Kind)
		}
		if err := write(e, all[i]); err != nil {
			return "", err
		}
	}
	return string(e.Out), nil
}

func write(e *Encoder, t Token) error {
	switch t.Kind {
	case Null:
		return e.Raw("null")
	case True:
		return e.Raw("true")
	case False:
		return e.Raw("false")
	case Int:
		return e.Raw(strconv.FormatInt(t.Int, 10))
	case BigInt:
		return e.Raw(t.Text)
	case Constant:
		return e.Raw(t.Text)
	case Float:
		if s, ok, err := NonFinite(t.Float, true); ok {
			return errors.Join(err, e.Raw(s))
		}
		return e.Raw(repr(t.Float))
	case String:
		return e.String(t.Text)
	case Key:
		return e.Key(t.Text)
	case BeginArray:
		return e.Begin('[')
	case EndArray:
		return e.End(']')
	case BeginObject:
		return e.Begin('{')
	case EndObject:
		return e.End('}')
	}
	return errors.New("unknown token")
}

// repr is enough of float.__repr__ for these tests.
func repr(f float64) string {
	s := strconv.FormatFloat(f, 'e', -1, 64)
	if exp, _ := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:]); exp < -4 || exp >= 16 {
		return s
	}
	s = strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

func TestAgreesWithCPython(t *testing.T) {
	for _, g := range readGolden(t) {
		all, err := tokens(budget.Free, g.T)
		if got := message(err); got != g.Err {
			t.Errorf("%.60q: got error %q, want %q", g.T, got, g.Err)
		}
		if err != nil || g.Err != "" || strings.Contains(g.T, `"a":1,"a":2`) {
			continue
		}
		for want, e := range map[string]*Encoder{
			g.Dumps:  {ItemSeparator: ", ", KeySeparator: ": ", EscapeAll: true, m: budget.Free},
			g.Raw:    {ItemSeparator: ",", KeySeparator: ":", m: budget.Free},
			g.Indent: {ItemSeparator: ",", KeySeparator: ": ", EscapeAll: true, Indented: true, Indent: "  ", m: budget.Free},
			g.Tab:    {ItemSeparator: ",", KeySeparator: ": ", Indented: true, Indent: "\t", m: budget.Free},
		} {
			if got, err := dump(e, all); err != nil || got != want && !sameKeys(g.T) {
				t.Errorf("%q: got %q, %v, want %q", g.T, got, err, want)
			}
		}
	}
}

// sameKeys reports whether an object of a random text has a key twice.
func sameKeys(text string) bool {
	for i := range 4 {
		if strings.Count(text, `"k`+strconv.Itoa(i)+`"`) > 1 {
			return true
		}
	}
	return false
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestDepthIsLimited(t *testing.T) {
	for bracket, want := range map[string]string{
		"[":     "RecursionError: maximum recursion depth exceeded while decoding a JSON array from a unicode string",
		`{"a":`: "RecursionError: maximum recursion depth exceeded while decoding a JSON object from a unicode string",
	} {
		if _, err := tokens(budget.Free, strings.Repeat(bracket, 100_000)); message(err) != want {
			t.Errorf("%s: %v", bracket, err)
		}
	}
}

func TestLenientTakesControlCharacters(t *testing.T) {
	d := NewDecoder(budget.Free, "\"a\nb\"", 1)
	d.Lenient = true
	if tok, err := d.Next(); err != nil || tok.Text != "a\nb" {
		t.Errorf("%v, %v", tok, err)
	}
}

func TestNonFinite(t *testing.T) {
	nan, _ := strconv.ParseFloat("nan", 64)
	if s, ok, err := NonFinite(nan, true); s != "NaN" || !ok || err != nil {
		t.Errorf("%q %v %v", s, ok, err)
	}
	if _, _, err := NonFinite(nan, false); message(err) != "ValueError: Out of range float values are not JSON compliant" {
		t.Error(err)
	}
}

var errBroke = errors.New("broke")

// purse refuses once it is empty.
type purse struct{ bytes, units, largest int }

func (p *purse) Alloc(n int) error {
	if p.bytes -= n; p.bytes < 0 {
		return errBroke
	}
	return nil
}

func (p *purse) Work(n int) error {
	p.largest = max(p.largest, n)
	if p.units -= n; p.units < 0 {
		return errBroke
	}
	return nil
}

func TestReadingAndWritingArePaidFor(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for name, text := range map[string]string{
		"string": `"` + long + `"`, "escapes": `"` + strings.Repeat(`\n`, 1<<19) + `"`,
		"array": "[" + strings.Repeat("1,", 1<<19) + "1]", "digits": "0." + strings.Repeat("1", 1<<20), "error": strings.Repeat(" ", 1<<20),
	} {
		if _, err := tokens(&purse{bytes: 1 << 30, units: 1 << 19}, text); !errors.Is(err, errBroke) {
			t.Errorf("%s: time: %v", name, err)
		}
		p := &purse{bytes: 1 << 30, units: 1 << 30}
		if _, err := tokens(p, text); errors.Is(err, errBroke) || p.largest > 1_000_000 {
			t.Errorf("%s: %v, %d units at once", name, err, p.largest)
		}
	}
	if _, err := tokens(&purse{bytes: 1 << 19, units: 1 << 30}, `"`+long+`"`); !errors.Is(err, errBroke) {
		t.Errorf("memory: %v", err)
	}
	if _, err := AppendString(&purse{bytes: 1 << 19, units: 1 << 30}, nil, long, true); !errors.Is(err, errBroke) {
		t.Errorf("memory of writing: %v", err)
	}
	if _, err := AppendString(&purse{bytes: 1 << 30, units: 1 << 19}, nil, long, true); !errors.Is(err, errBroke) {
		t.Errorf("time of writing: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5e3,"\ud83d\ude00",null]}`, "[", `"\u12`, "-Infinity", "\ufeff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := tokens(&purse{bytes: 1 << 24, units: 1 << 26}, text)
		if err != nil {
			return
		}
		out, err := dump(NewEncoder(budget.Free), all)
		if err != nil {
			t.Fatal(err)
		}
		again, err := tokens(budget.Free, out)
		if err != nil || len(again) != len(all) {
			t.Fatalf("%q became %q: %v", text, out, err)
		}
	})
}

func FuzzRestore(f *testing.F) {
	f.Add(`{"a":[1]}`, 4, uint8(1), "{[")
	f.Fuzz(func(t *testing.T, text string, pos int, state uint8, stack string) {
		d, ok := Restore(budget.Free, text, 100, Saved{pos, state, stack})
		for ok {
			tok, err := d.Next()
			ok = err == nil && tok.Kind != EOF
		}
	})
}

func sample() string {
	var b strings.Builder
	b.WriteByte('[')
	for i := range 1000 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"id": ` + strconv.Itoa(i) + `, "name": "user name", "score": 1.5, "tags": ["a", "b"], "active": true}`)
	}
	b.WriteByte(']')
	return b.String()
}

func BenchmarkDecode(b *testing.B) {
	text := sample()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for range b.N {
		d := NewDecoder(budget.Free, text, 100)
		for {
			t, err := d.Next()
			if err != nil {
				b.Fatal(err)
			}
			if t.Kind == EOF {
				break
			}
		}
	}
}

func BenchmarkAppendString(b *testing.B) {
	s := strings.Repeat("plain text ", 10)
	b.SetBytes(int64(len(s)))
	var dst []byte
	for range b.N {
		dst, _ = AppendString(budget.Free, dst[:0], s, true)
	}
}

func BenchmarkStandardLibrary(b *testing.B) {
	text := []byte(sample())
	b.SetBytes(int64(len(text)))
	for range b.N {
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			b.Fatal(err)
		}
	}
}
