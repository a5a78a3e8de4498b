package text

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

var free = budget.Free

// call answers a line of testdata/golden.jsonl.gz.
type call func(a arguments) (any, error)

// arguments are decoded: string, rawBytes, float64, *big.Int, int, bool, nil, []any.
type arguments []any

type rawBytes string

func (a arguments) str(i int) Str {
	if b, ok := a[i].(rawBytes); ok {
		return Bytes(string(b))
	}
	return Of(a[i].(string))
}

func (a arguments) text(i int) string { return a.str(i).S }

func (a arguments) int(i int) int {
	if b, ok := a[i].(*big.Int); ok {
		return int(b.Int64())
	}
	return a[i].(int)
}

func (a arguments) big(i int) *big.Int {
	if b, ok := a[i].(*big.Int); ok {
		return b
	}
	return big.NewInt(int64(a[i].(int)))
}

// TestGolden compares every call with what CPython answered.
func TestGolden(t *testing.T) {
	f, err := os.Open("testdata/golden.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	calls := goldenCalls()
	wrong := map[string]int{}
	done := 0
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		name := checkLine(t, calls, lines.Text(), wrong)
		if name != "" {
			done++
		}
	}
	if done < 10000 {
		t.Errorf("only %d cases", done)
	}
	for name, n := range wrong {
		t.Errorf("%s: %d differences", name, n)
	}
}

func checkLine(t *testing.T, calls map[string]call, line string, wrong map[string]int) string {
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	var row []any
	if err := d.Decode(&row); err != nil {
		t.Fatal(err)
	}
	name := row[0].(string)
	f := calls[name]
	if f == nil {
		wrong["no call for "+name]++
		return ""
	}
	got, err := f(decodeGolden(row[1]).([]any))
	want := decodeGolden(row[2])
	if len(row) > 3 {
		message := decodeGolden(row[3]).(string)
		if err != nil && (err.Error() == message || strings.HasPrefix(message, "MemoryError") && strings.HasPrefix(err.Error(), "MemoryError")) {
			return name
		}
		want = message
	} else if err == nil && cmp.Equal(show(got), show(want)) {
		return name
	}
	if wrong[name]++; wrong[name] <= 8 {
		t.Errorf("%.300s\n got %s, %v\nwant %s", line, show(got), err, show(want))
	}
	return name
}

func decodeGolden(v any) any {
	switch v := v.(type) {
	case json.Number:
		n, err := strconv.Atoi(v.String())
		if err != nil {
			panic(err)
		}
		return n
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = decodeGolden(e)
		}
		return list
	case map[string]any:
		return decodeTagged(v)
	}
	return v
}

func decodeTagged(v map[string]any) any {
	for tag, x := range v {
		switch tag {
		case "s":
			var b []byte
			for _, c := range x.([]any) {
				n, _ := c.(json.Number).Int64()
				b = AppendRune(b, rune(n))
			}
			return string(b)
		case "b":
			b, _ := hex.DecodeString(x.(string))
			return rawBytes(b)
		case "f":
			return goldenFloat(x.(string))
		case "i":
			n, _ := new(big.Int).SetString(x.(string), 0)
			return n
		}
	}
	return v
}

func goldenFloat(s string) float64 {
	if s == "nan" {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err)
	}
	return f
}

// show writes a value so that equal ones look equal.
func show(v any) string {
	switch v := v.(type) {
	case float64:
		if math.IsNaN(v) {
			return "nan"
		}
		return fmt.Sprintf("float %x", math.Float64bits(v))
	case rawBytes:
		return fmt.Sprintf("%q", string(v))
	case []string:
		return fmt.Sprintf("%q", v)
	case [3]string:
		return fmt.Sprintf("%q", v)
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = show(e)
		}
		return "[" + strings.Join(parts, " ") + "]"
	case string:
		return fmt.Sprintf("%q", v)
	}
	return fmt.Sprint(v)
}
