package page

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// entries cuts a text as a log does: anywhere.
func entries(text string, size int) (all []api.LogEntry) {
	for len(text) > 0 {
		n := min(size, len(text))
		all = append(all, api.LogEntry{Seq: int64(len(all) + 1), Time: begin, Stream: "stdout", Text: text[:n]})
		text = text[n:]
	}
	return all
}

func textsOf(lines []logLine) (texts []string) {
	for _, l := range lines {
		texts = append(texts, fmt.Sprint(l.Number, " ", l.Text()))
	}
	return texts
}

// TestWindowsOfALog reads a log window by window: each line once, whole, with its number,
// wherever entries were cut.
func TestWindowsOfALog(t *testing.T) {
	var text strings.Builder
	var want []string
	for i := range 2345 {
		fmt.Fprintf(&text, "the line %d\n", i+1)
		want = append(want, fmt.Sprintf("%d the line %d", i+1, i+1))
	}
	for _, size := range []int{7, 13, 1000, 1 << 20} {
		b := newBrowser(t, &fake{logs: entries(text.String(), size)})
		var got []string
		q, rounds := logQuery{}, 0
		for ; rounds < 10; rounds++ {
			data, err := b.page.readLog(t.Context(), "run-1", q, 500)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, textsOf(data.Lines)...)
			if data.Next == "" {
				break
			}
			v, err := url.ParseQuery(data.Next[1:])
			if err != nil {
				t.Fatal(err)
			}
			if q, err = readLogQuery(v); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || rounds != 4 {
			t.Fatalf("entries of %d bytes, %d windows (-want +got):\n%s", size, rounds+1, diff)
		}
		found, err := b.page.readLog(t.Context(), "run-1", logQuery{Text: "LINE 2340", Line: 5}, 500)
		if err != nil || len(found.Lines) != 1 || found.Lines[0].Number != 2340 {
			t.Errorf("found %q, %v", textsOf(found.Lines), err)
		}
		from, err := b.page.readLog(t.Context(), "run-1", logQuery{Line: 2000}, 3)
		if err != nil || fmt.Sprint(textsOf(from.Lines)) != "[2000 the line 2000 2001 the line 2001 2002 the line 2002]" || from.Before != "?line=1997" {
			t.Errorf("from line 2000: %q, before %q, %v", textsOf(from.Lines), from.Before, err)
		}
	}
}

// TestStreamsApart holds lines that streams write between each other together.
func TestStreamsApart(t *testing.T) {
	f := &fake{runs: []*api.Run{{ID: "run-1", Status: api.StatusSucceeded}}}
	for i, e := range []struct{ stream, text string }{{"stdout", "one "}, {"stderr", "bad\n"}, {"stdout", "two\nopen"}, {"stderr", "worse"}} {
		f.logs = append(f.logs, api.LogEntry{Seq: int64(i + 1), Time: begin, Stream: e.stream, Text: e.text})
	}
	b := newBrowser(t, f)
	for stream, want := range map[string]string{"": "[1 one two 2 bad 3 open 4 worse]", "stderr": "[2 bad 4 worse]", "stdout": "[1 one two 3 open]", "system": "[]"} {
		data, err := b.page.readLog(t.Context(), "run-1", logQuery{Stream: stream}, 500)
		if got := fmt.Sprint(textsOf(data.Lines)); err != nil || got != want {
			t.Errorf("%s: %s, expected %s, %v", stream, got, want, err)
		}
	}
	data, err := b.page.readLog(t.Context(), "run-1", logQuery{}, 500)
	if err != nil || data.End != (place{After: 2, Skip: 1, Number: 3}) {
		t.Errorf("reading goes on at %v, %v; expected the first line that is not complete", data.End, err)
	}
	follow := b.get("/page/follow/runs/run-1/log?at=" + data.End.String())
	if !strings.Contains(follow, `{"number":3,"time":"`+begin.Format(time.RFC3339)+`","stream":"stdout","text":"open"}`) || !strings.Contains(follow, `"text":"worse"`) {
		t.Errorf("followed:\n%s", follow)
	}
}

// TestMillionLines holds a window of a long log to a small answer, and a search to every
// line.
func TestMillionLines(t *testing.T) {
	var text strings.Builder
	for i := range 1_000_000 {
		fmt.Fprintf(&text, "line %d\n", i+1)
	}
	b := newBrowser(t, &fake{runs: []*api.Run{{ID: "run-1", Status: api.StatusSucceeded}}, logs: entries(text.String(), 32<<10)})
	for address, want := range map[string]string{
		"/page/runs/run-1/log": ">500</a>", "/page/runs/run-1/log?line=700000": ">line 700000<", "/page/runs/run-1/log?text=line+999999": "?line=999999", "/page/runs/run-1/log?tail=1": ">line 1000000<",
	} {
		page := b.get(address)
		if !strings.Contains(page, want) || len(page) > 150_000 {
			t.Errorf("%s has %d bytes, and %q: %v", address, len(page), want, strings.Contains(page, want))
		}
	}
}

func TestPlacesInALog(t *testing.T) {
	b := newBrowser(t, hostileService())
	for _, query := range []string{"at=1", "at=1.2.x", "at=1.-2.3", "at=-99999999.0.0", "at=1.2.3%0a", "line=0", "line=x", "stream=stdin", "at=9223372036854775808.0.0"} {
		if w := b.do(b.request("GET", "/page/runs/run-1/log?"+query, nil)); w.Code/100 != 4 {
			t.Errorf("%s: %d", query, w.Code)
		}
	}
}
