package runlog

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
)

var someTime = time.Date(2026, 11, 28, 9, 30, 59, 120_000_000, time.UTC)

// lineOf writes an entry as a Log does.
func lineOf(t testing.TB, e api.LogEntry) []byte {
	line, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// checkDecode holds decoding to what encoding/json sees in a line.
func checkDecode(t *testing.T, d *decoder, line []byte) {
	var want api.LogEntry
	wantErr := json.Unmarshal(line, &want)
	if wantErr != nil {
		want = api.LogEntry{}
	}
	if got, err := d.decode(line); (err == nil) != (wantErr == nil) || !reflect.DeepEqual(got, want) {
		t.Errorf("%q is %+v, %v; encoding/json sees %+v, %v", line, got, err, want, wantErr)
	}
}

// TestDecode compares entries of all kinds, and each of them damaged in many ways, with what
// encoding/json sees in them.
func TestDecode(t *testing.T) {
	texts := []string{"a line\n", "", "\"quoted\" \\ / \b\f\r\t\x00\x1f\x7f", "<b>&amp; é 日本 🦊\u2028", strings.Repeat("x", 1000) + "\n", "\n\n\n"}
	var lines [][]byte
	for i, text := range texts {
		for _, stream := range []string{"stdout", "stderr", "system", "other"} {
			at := someTime.Add(time.Duration(i) * 345_678_901)
			lines = append(lines, lineOf(t, api.LogEntry{Seq: int64(i + 1), Time: at, Stream: stream, Text: text}),
				lineOf(t, api.LogEntry{Seq: 1 << 50, Line: int64(i + 1), Continues: i%2 == 0, Time: at.Truncate(time.Second), Stream: stream, Text: text}),
				lineOf(t, api.LogEntry{Seq: 2, Line: 3, Time: at, Stream: stream, Data: []byte(text), Cut: true}),
				lineOf(t, api.LogEntry{Seq: 3, Time: at, Stream: stream, Data: []byte(text + "\xff")}))
		}
	}
	for _, strange := range []string{
		`{"seq":01,"time":"2026-11-28T09:30:59Z","stream":"stdout","text":"x"}`, `{"seq":-1,"time":"2026-11-28T09:30:59Z","stream":"stdout","text":"x"}`,
		`{"seq":99999999999999999999,"time":"2026-11-28T09:30:59Z","stream":"stdout","text":"x"}`, `{"seq":1,"time":"2026-02-30T09:30:59Z","stream":"stdout","text":"x"}`,
		`{"seq":1,"time":"2026-11-28T09:30:59.1234567890Z","stream":"stdout","text":"x"}`, `{"seq":1,"time":"2026-11-28T09:30:59.Z","stream":"stdout","text":"x"}`,
		`{"seq":1,"time":"2026-11-28T09:30:59+01:00","stream":"stdout","text":"x"}`, `{"seq":1,"time":"2026-11-28T09:30:59Z","stream":"stdout","text":"\ud83e\udd8a \ud800 \u00zz"}`,
		`{"seq":1,"time":"2026-11-28T09:30:59Z","stream":"stdout","text":"\ud83e\udd8a \ud800 \u00e9"}`, `{"seq":1,"time":"2026-11-28T09:30:59Z","stream":"stdout","text":"x"} {}`,
		`{"seq":1,"time":"2026-11-28T09:30:59Z","stream":"stdout","text":"x","text":"y"}`, `{"seq":1,"time":"2026-11-28T09:30:59Z","stream":"stdout","data":""}`,
		`{"seq":1,"time":"2026-11-28T09:30:59Z","stream":"stdout","data":"eA\n=="}`, "{\"seq\":1,\"time\":\"2026-11-28T09:30:59Z\",\"stream\":\"stdout\",\"data\":\"eA\r==\"}", `{"seq":1,"time":"2026-11-28T09:30:59Z","stream":"stdout","data":"eA"}`, `{"seq":1,"line":0,"time":"2026-11-28T09:30:59Z","stream":"stdout","text":"\'"}`, "{}", "null", "", "7",
		"{\"seq\":1,\"time\":\"2026-11-28T09:30:59Z\",\"stream\":\"stdout\",\"text\":\"\xff\"}", `{"seq":1,"time":"2026-11-28T09:30:59Z","stream":"stdout","text":"\u+0ff \u00_f"}`,
	} {
		lines = append(lines, []byte(strange))
	}
	random := rand.New(rand.NewPCG(1, 2))
	var d decoder
	for _, line := range lines {
		checkDecode(t, &d, line)
		for range 500 {
			damaged := append([]byte(nil), line...)
			for range 1 + random.IntN(3) {
				if len(damaged) == 0 {
					break
				}
				switch i := random.IntN(len(damaged)); random.IntN(3) {
				case 0:
					damaged[i] = byte(random.IntN(256))
				case 1:
					damaged = append(damaged[:i], damaged[i+1:]...)
				default:
					damaged = damaged[:i]
				}
			}
			checkDecode(t, &d, damaged)
		}
	}
}

// TestUsualEntriesAreReadDirectly holds what programs mostly print to the way that makes a
// search of a million lines bearable.
func TestUsualEntriesAreReadDirectly(t *testing.T) {
	var d decoder
	for _, text := range []string{"a line\n", "<tag> & \"quotes\" \\ \t\r\n", "é 日本 🦊\n", "no text \xff\n"} {
		e := api.LogEntry{Seq: 7, Line: 8, Continues: true, Time: someTime, Stream: "stderr", Text: text}
		if !utf8.ValidString(text) {
			e.Text, e.Data = "", []byte(text)
		}
		line := lineOf(t, e)
		if e, ok := d.usual(line); !ok || string(e.Bytes()) != text {
			t.Errorf("%s is read by reflection", line)
		}
		if n := testing.AllocsPerRun(100, func() { _, _ = d.decode(line) }); n > 1 {
			t.Errorf("%s takes %v allocations", line, n)
		}
	}
}

// FuzzDecode holds decoding to what encoding/json sees in any line.
func FuzzDecode(f *testing.F) {
	f.Add(lineOf(f, api.LogEntry{Seq: 1, Line: 1, Time: someTime, Stream: "stdout", Text: "a \"line\"\n"}))
	f.Add([]byte(`{"seq":1,"time":"2026-11-28T09:30:59Z","stream":"system","text":"\u00e9\ud83e\udd8a","cut":true}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var d decoder
		checkDecode(t, &d, line)
		checkDecode(t, &d, line)
	})
}
