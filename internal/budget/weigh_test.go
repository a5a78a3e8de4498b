package budget

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/value"
)

// hostile are values whose text is small for what they become.
func hostile(t testing.TB) map[string]struct {
	kind value.Type
	text string
} {
	kind := func(text string) value.Type {
		k, err := value.ParseType(text)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	keys := func(value string) string {
		var b strings.Builder
		for i := range 100_000 {
			fmt.Fprintf(&b, `"%x":%s,`, i, value)
		}
		return `{` + b.String() + `"z":` + value + `}`
	}
	list := func(item string) string { return "[" + strings.Repeat(item+",", 200_000) + item + "]" }
	type hostileValue = struct {
		kind value.Type
		text string
	}
	return map[string]hostileValue{
		"list[str]":       {kind("list[str]"), list(`"a"`)},
		"list[int]":       {kind("list[int]"), list(`1000`)},
		"list[float]":     {kind("list[float]"), list(`1.5`)},
		"list[bytes]":     {kind("list[bytes]"), list(`"AA=="`)},
		"list[list[int]]": {kind("list[list[int]]"), list(`[]`)},
		"set[int]":        {kind("set[int]"), "[" + ascending(200_000) + "]"},
		"list[Decimal]":   {kind("list[Decimal]"), list(`"1.5"`)},
		"list[datetime]":  {kind("list[datetime]"), list(`"2024-01-01T00:00:00+00:00"`)},
		"dict[str, int]":  {kind("dict[str, int]"), keys("1")},
		"Any of dicts":    {kind("Any"), list(`{"a":1}`)},
		"Any of tags":     {kind("Any"), list(`{"$tuple":[]}`)},
		"str":             {kind("str"), `"` + strings.Repeat("a", 4<<20) + `"`},
		"str of escapes":  {kind("str"), `"` + strings.Repeat(`\u0001`, 1<<20) + `"`},
	}
}

func ascending(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strconv.Itoa(i) + ",")
	}
	return b.String() + strconv.Itoa(n)
}

// held is what stays of a value and of its way to the answer, in bytes: decoded,
// held to its type, and written.
func held(t testing.TB, kind value.Type, text string) int64 {
	before := live()
	decoded, err := value.DecodeJSON(kind, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	normal, err := value.Normalize(kind, decoded)
	if err != nil {
		t.Fatal(err)
	}
	written, err := value.EncodeJSON(kind, normal)
	if err != nil {
		t.Fatal(err)
	}
	took := live() - before
	runtime.KeepAlive(decoded)
	runtime.KeepAlive(normal)
	runtime.KeepAlive(written)
	return took
}

func live() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestCostCoversWhatDecodingTakes holds the estimate to what values take, which
// is less than while they are made.
func TestCostCoversWhatDecodingTakes(t *testing.T) {
	for name, c := range hostile(t) {
		t.Run(name, func(t *testing.T) {
			if took, cost := held(t, c.kind, c.text), Cost([]byte(c.text)); took > cost {
				t.Errorf("text of %d bytes takes %d, and is charged %d", len(c.text), took, cost)
			}
		})
	}
}

func TestCost(t *testing.T) {
	quoted := `"` + strings.Repeat(`,[{:\"`, 10_000) + `"`
	if got, want := Cost([]byte(quoted)), int64(len(quoted)*perByte); got != want {
		t.Errorf("what stands in a string counts: %d, want %d", got, want)
	}
	if Cost([]byte("["+strings.Repeat("1,", 1000)+"1]")) != 0 {
		t.Error("a small text waits")
	}
	var s Scale
	text := `[` + strings.Repeat(`{"a\\":["b"]},`, 10_000) + `1]`
	for _, c := range []byte(text) {
		_, _ = s.Write([]byte{c})
	}
	if s.Cost() != Cost([]byte(text)) || s.objects != 10_000 || s.parts != 30_001 {
		t.Errorf("byte by byte %d, whole %d: %d objects, %d parts", s.Cost(), Cost([]byte(text)), s.objects, s.parts)
	}
}

// BenchmarkDecoding tells how many bytes of memory a byte of text takes, with
// all that is made on the way, and how many it is charged.
func BenchmarkDecoding(b *testing.B) {
	for name, c := range hostile(b) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.ReportMetric(float64(held(b, c.kind, c.text))/float64(len(c.text)), "held/B")
			}
			b.ReportMetric(float64(Cost([]byte(c.text)))/float64(len(c.text)), "charged/B")
		})
	}
}

// Long parts without strings are counted as wholes, and count the same.
func TestCostOfLongPartsWithoutStrings(t *testing.T) {
	numbers := strings.Repeat("1.5,[{", longPlain)
	text := numbers + `"` + numbers + `\"` + numbers + `":` + numbers + `"a"` + numbers[:longPlain-1] + `""`
	var bytewise, whole Scale
	for _, c := range []byte(text) {
		_, _ = bytewise.Write([]byte{c})
	}
	_, _ = whole.Write([]byte(text))
	if bytewise != whole || whole.objects == 0 {
		t.Errorf("byte by byte %+v, whole %+v", bytewise, whole)
	}
}
