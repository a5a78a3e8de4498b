package page

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

func TestTimelineCompressesIdleTimes(t *testing.T) {
	root := &branch{run: &api.Run{ID: "r", Task: "wait", Kind: api.KindOrchestrator, Status: api.StatusSucceeded, Created: begin, Started: begin, Ended: begin.Add(time.Hour), Calls: 2}}
	for i, at := range []time.Duration{0, time.Hour - 10*time.Second} {
		root.calls = append(root.calls, &branch{run: &api.Run{
			ID: fmt.Sprint("c", i), Task: fmt.Sprint("t", i), Kind: api.KindFunction, Status: api.StatusSucceeded, Created: begin.Add(at), Started: begin.Add(at), Ended: begin.Add(at + 10*time.Second),
		}})
	}
	line := newTimeline(root, begin.Add(2*time.Hour))
	if len(line.Gaps) != 1 || line.Gaps[0].Label != "59 min 40 s" || line.Gaps[0].Width != idleWidth {
		t.Fatalf("gaps: %+v", line.Gaps)
	}
	first, second := line.Rows[1].Bars[0], line.Rows[2].Bars[0]
	if half := (axisWidth - idleWidth) / 2; first.Width != half || second.Width != half || second.X != half+idleWidth {
		t.Errorf("bars: %+v, %+v", first, second)
	}
}

// TestAxisNamesRoundTimes: labels are round, have room, and none is in a gap.
func TestAxisNamesRoundTimes(t *testing.T) {
	at := func(d time.Duration) time.Time { return begin.Add(d) }
	for _, c := range []struct {
		whole time.Duration
		busy  []span
		want  string
	}{
		{2580 * time.Millisecond, []span{{begin, at(2580 * time.Millisecond)}}, "0, 500 ms, 1 s, 1.5 s, 2 s, 2.58 s"},
		{7 * time.Minute, []span{{begin, at(7 * time.Minute)}}, "0, 2 min 00 s, 4 min 00 s, 7 min 00 s"},
		{time.Hour, []span{{begin, at(10 * time.Second)}, {at(time.Hour - 10*time.Second), at(time.Hour)}}, "0, 5 s, 59 min 55 s, 1 h 00 min"},
		{0, nil, "0, 0 µs"},
	} {
		var labels []string
		for _, l := range newAxis(span{begin, at(c.whole)}, c.busy).ticks() {
			labels = append(labels, l.Label)
		}
		if got := strings.Join(labels, ", "); got != c.want {
			t.Errorf("%v: got %q, want %q", c.whole, got, c.want)
		}
	}
}

// TestTimelineShowsWhatNoStageCounted: the build of an image is before the attempt, and its
// time is not left out of the bar; the legend names the colours that are there, and no other.
func TestTimelineShowsWhatNoStageCounted(t *testing.T) {
	run := &api.Run{ID: "r", Task: "report", Kind: api.KindSandbox, Status: api.StatusSucceeded, Created: begin, Started: begin, Ended: begin.Add(12 * time.Second), Attempts: 1, Timings: api.Timings{Exec: 2 * time.Second, Total: 12 * time.Second}}
	line := newTimeline(&branch{run: run}, begin.Add(time.Minute))
	bars := line.Rows[0].Bars
	if len(bars) != 2 || bars[0].Class != "waits" || bars[0].Title != "waited until it could begin: 10 s" || bars[1].Class != "exec" || bars[1].X+bars[1].Width < axisWidth-1 {
		t.Errorf("bars: %+v", bars)
	}
	if want := []meaning{{"waits", "waited for calls, a time or an image"}, {"exec", "execution"}}; !cmp.Equal(line.Legend(), want) {
		t.Errorf("legend: %+v", line.Legend())
	}
}

// TestTimelineTellsWaitingFromWork: the bar of a caller has the times in which calls of it
// were under way, each once, over those in which it worked.
func TestTimelineTellsWaitingFromWork(t *testing.T) {
	at := func(seconds float64) time.Time { return begin.Add(time.Duration(seconds * float64(time.Second))) }
	run := &api.Run{ID: "r", Task: "flow", Kind: api.KindOrchestrator, Status: api.StatusRunning, Created: at(0), Started: at(0), Calls: 4}
	root := &branch{run: run}
	for _, c := range [][2]float64{{1, 3}, {2, 4}, {6, 7}, {9, 0}} {
		one := &api.Run{ID: fmt.Sprint(c), Task: fmt.Sprint("t", c), Kind: api.KindFunction, Status: api.StatusSucceeded, Created: at(c[0]), Started: at(c[0]), Ended: at(c[1])}
		if c[1] == 0 {
			one.Status, one.Ended = api.StatusRunning, time.Time{}
		}
		root.calls = append(root.calls, &branch{run: one})
	}
	row := newTimeline(root, at(10)).Rows[0]
	if len(row.Bars) != 1 || row.Bars[0].Class != "exec" || row.Bars[0].Title != "worked by itself: 5 s, waited for calls or slept: 5 s" {
		t.Errorf("bars: %+v", row.Bars)
	}
	if len(row.Paths) != 1 || row.Paths[0].Class != "waits" || strings.Count(row.Paths[0].D, "M") != 3 {
		t.Errorf("waiting: %+v", row.Paths)
	}
	root.more = 1
	if row := newTimeline(root, at(10)).Rows[0]; len(row.Paths) != 0 || row.Bars[0].Class != "waits" {
		t.Errorf("some calls are not known: %+v", row)
	}
}

func TestTimelineHasOneRowForManyCalls(t *testing.T) {
	root := &branch{run: &api.Run{ID: "r", Task: "many", Kind: api.KindOrchestrator, Status: api.StatusFailed, Created: begin, Started: begin, Ended: begin.Add(time.Minute), Calls: 2000}}
	for i := range 2000 {
		at := begin.Add(time.Duration(i) * 30 * time.Millisecond)
		status := api.StatusSucceeded
		if i == 1000 {
			status = api.StatusFailed
		}
		root.calls = append(root.calls, &branch{run: &api.Run{ID: fmt.Sprint(i), Task: "tool", Kind: api.KindFunction, Status: status, Created: at, Started: at, Ended: at.Add(20 * time.Millisecond)}})
	}
	line := newTimeline(root, begin.Add(time.Minute))
	if len(line.Rows) != 2 {
		t.Fatalf("%d rows", len(line.Rows))
	}
	row := line.Rows[1]
	if row.Count != 2000 || row.Note != "1 failed, 1999 succeeded" || row.Status != "failed" || row.List != "page/runs?parent=r&task=tool" {
		t.Errorf("%+v", row)
	}
	if len(row.Bars) != 0 || len(row.Paths) != 2 || row.Paths[1].Class != "s-failed" || strings.Count(row.Paths[1].D, "M") != 1 || len(row.Paths[0].D) > 8000 {
		t.Errorf("drawn as %+v", row.Paths)
	}
}

// TestTableKeepsColumns: the columns of records keep their order, and Numbers reports those
// of numbers alone, whatever the names and the lengths of rows are.
func TestTableKeepsColumns(t *testing.T) {
	records := recordsOf(json.RawMessage(`[{"to": "x", "amount": 1.5, "to": "y", "more": {"to": [1]}, "n": 1}, {"amount": "", "n": "2"}]`))
	if want := []string{"to", "amount", "more", "n"}; !cmp.Equal(records.Head, want) {
		t.Errorf("columns: got %q, want %q", records.Head, want)
	}
	if got, want := records.Numbers()[:4], []bool{false, true, false, true}; !cmp.Equal(got, want) {
		t.Errorf("numbers: got %v, want %v", got, want)
	}
	ragged := table{Head: []string{"a"}, Rows: [][]string{{"1", "x"}, {}}}
	if got, want := ragged.Numbers()[:2], []bool{true, false}; !cmp.Equal(got, want) {
		t.Errorf("ragged: got %v, want %v", got, want)
	}
}

func TestCompareLines(t *testing.T) {
	got := ""
	for _, l := range compareLines("a\nb\nc\nd\n", "a\nB\nc\ne\nd") {
		got += l.Sign + l.Text + "\n"
	}
	if want := " ⋯ @@ -1,4 +1,5 @@\n a\n-b\n+B\n c\n+e\n d\n"; got != want {
		t.Errorf("got %q, expected %q", got, want)
	}
	if same := compareLines("a\n", "a"); same != nil {
		t.Errorf("equal texts differ by %v", same)
	}
}

func TestWithoutEscapes(t *testing.T) {
	for text, want := range map[string]string{
		"\x1b[1;31mred\x1b[0m": "red", "10%\r20%\r100%": "100%", "a\r\nb": "a\nb", "\x1b]0;title\x07x": "x", "\x1b]8;;http://evil\x1b\\y": "y", "\x1b[": "", "\x1b": "", "x\x1b(By": "xBy", "done\r": "done",
	} {
		if got := withoutEscapes(text); got != want {
			t.Errorf("%q becomes %q, expected %q", text, got, want)
		}
	}
}

func TestLogHasWindowsAndSearch(t *testing.T) {
	f := hostileService()
	f.logs = nil
	for i := range int64(1200) {
		stream := "stdout"
		if i%100 == 99 {
			stream = "stderr"
		}
		f.logs = append(f.logs, api.LogEntry{Seq: i + 1, Time: begin, Stream: stream, Text: fmt.Sprintf("line %d\n", i+1)})
	}
	b := newBrowser(t, f)
	for address, want := range map[string]struct {
		count int
		first string
		next  string
	}{
		"":                          {500, "line 1<", "?at=500.0.501"},
		"?at=500.0.501":             {500, "line 501<", "?at=1000.0.1001"},
		"?at=1000.0.1001":           {200, "line 1001<", ""},
		"?stream=stderr":            {12, "line 100<", ""},
		"?text=LINE+1199":           {1, "line 1199<", ""},
		"?tail=1":                   {500, "line 701<", ""},
		"?text=no+such+line+at+all": {0, "", ""},
	} {
		page := b.get("/page/runs/run-1/log" + address)
		first := ""
		if _, after, ok := strings.Cut(page, `class="text">`); ok {
			first, _, _ = strings.Cut(after, "/")
		}
		next := ""
		if _, after, ok := strings.Cut(page, `rel="next" href="`); ok {
			next, _, _ = strings.Cut(after, `"`)
		}
		if n := strings.Count(page, `class="text">`); n != want.count || first != want.first || next != want.next {
			t.Errorf("%q: %d entries from %q, next %q; expected %+v", address, n, first, next, want)
		}
	}
}

func TestFormats(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-1: "0", 900 * time.Microsecond: "900 µs", 1500 * time.Microsecond: "1.5 ms", 999 * time.Millisecond: "999 ms", 12340 * time.Millisecond: "12.3 s",
		90 * time.Second: "1 min 30 s", 3*time.Hour + 4*time.Minute: "3 h 04 min", 50 * time.Hour: "2 days 2 h",
	} {
		if got := took(d); got != want {
			t.Errorf("%v is %q, expected %q", int64(d), got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 1000: "1000 B", 1024: "1 KiB", 1_234_567: "1.18 MiB", 1<<20 - 1: "1 MiB", 512 << 20: "512 MiB", 1 << 30: "1 GiB"} {
		if got := size(n); got != want {
			t.Errorf("%d is %q, expected %q", n, got, want)
		}
	}
}

// TestFollowRun tells a browser of a change, and of the end.
func TestFollowRun(t *testing.T) {
	f := hostileService()
	f.happens = make(chan api.Event)
	b := newBrowser(t, f)
	server := httptest.NewServer(b.page)
	defer server.Close()
	r := b.request("GET", server.URL+"/page/follow/runs/run-2", nil)
	r.RequestURI = ""
	resp, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	next := func() (text string) {
		for lines.Scan() {
			if e, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				return e
			}
		}
		return "nothing"
	}
	got := []string{next()} // of the events that there are
	f.happens <- api.Event{Run: "run-2", Seq: 2, Kind: api.EventCallStarted}
	got = append(got, next())
	close(f.happens)
	got = append(got, next())
	if got[len(got)-1] == "change" {
		got = append(got, next())
	}
	if want := "change change"; !strings.HasPrefix(strings.Join(got, " "), want) || got[len(got)-1] != "end" {
		t.Errorf("told %q, expected %q and end", got, want)
	}
}

// TestWatchersReadAListOnce has many look at one list.
func TestWatchersReadAListOnce(t *testing.T) {
	var ws watchers
	list, reads := make(chan int, 1), make(chan struct{}, 100)
	state := 0
	read := func(context.Context) (any, error) {
		select {
		case state = <-list:
		default:
		}
		select {
		case reads <- struct{}{}:
		default:
		}
		return state, nil
	}
	var all []chan struct{}
	for range 20 {
		changes, leave := ws.join("list", func(ctx context.Context, tell func()) { reread(ctx, read, tell) })
		defer leave()
		all = append(all, changes)
	}
	<-reads
	<-reads // what was there first was read
	if len(ws.all) != 1 {
		t.Errorf("%d watchers read the list", len(ws.all))
	}
	list <- 1
	for i, changes := range all {
		select {
		case <-changes:
		case <-time.After(30 * time.Second):
			t.Fatalf("browser %d was told nothing", i)
		}
	}
}

func TestSourceMarksLines(t *testing.T) {
	task := &api.Task{Name: "t", Code: "\n\nx = price(1)\ny = 1/0\n"}
	failure := &why{Exception: &api.Exception{Type: "ZeroDivisionError", Message: "division by zero", Frames: []api.Frame{{File: "t.py", Line: 4}}}}
	s := newSource(task, failure)
	s.markWaits(nil, []string{"desk.price"})
	s.cut()
	want := []line{{Number: 3, Text: "x = price(1)", Waits: true}, {Number: 4, Text: "y = 1/0", Failed: true, Note: "ZeroDivisionError: division by zero"}}
	if diff := cmp.Diff(want, s.Lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	long := &api.Task{Name: "t", Code: strings.Repeat("pass\n", 5000)}
	failure.Exception.Frames[0].Line = 3000
	s = newSource(long, failure)
	s.cut()
	if len(s.Lines) != maxShownLines || s.Lines[0].Number > 3000 || s.Lines[len(s.Lines)-1].Number < 3000 || !s.Cut {
		t.Errorf("%d lines from %d", len(s.Lines), s.Lines[0].Number)
	}
}

// TestWaitingLine tells two calls of one tool apart by their lines.
func TestWaitingLine(t *testing.T) {
	f := hostileService()
	run := f.runs[0]
	run.Status, run.Ended, run.Error, run.Calls = api.StatusRunning, time.Time{}, nil, 2
	f.task.Code = "price(1)\nprice(2)\nprice(3)"
	call := func(n uint64, status api.Status) *api.Run {
		return &api.Run{ID: fmt.Sprint("run-9", n), Task: "price", Parent: run.ID, Root: run.ID, Call: n, Line: int(n), Status: status, Created: begin}
	}
	f.runs = append(f.runs, call(1, api.StatusSucceeded), call(2, api.StatusRunning))
	text := newBrowser(t, f).get("/page/runs/" + run.ID)
	if strings.Count(text, `<tr class="waits"`) != 1 || !strings.Contains(text, `<tr class="waits" id="L2">`) {
		t.Errorf("not line 2 alone waits: %s", text)
	}
}

// TestSleepingRun shows the line that sleeps, and the time as waiting.
func TestSleepingRun(t *testing.T) {
	f := hostileService()
	run := f.runs[0]
	run.Status, run.SleepsUntil, run.Calls, run.Started, run.Ended, run.Error = api.StatusRunning, begin.Add(time.Hour), 0, begin, time.Time{}, nil
	f.task.Code = "import asyncio\nawait asyncio.sleep(60)\n1"
	b := newBrowser(t, f)
	text := b.get("/page/runs/" + run.ID)
	if !strings.Contains(text, `<tr class="waits" id="L2">`) || !strings.Contains(text, `class="bars waits"`) {
		t.Errorf("a run that sleeps: %s", text)
	}
	run.Status, run.SleepsUntil, run.Kind, run.Ended, run.Attempts = api.StatusSucceeded, time.Time{}, api.KindOrchestrator, begin.Add(time.Minute), 1
	run.Created, run.Timings = begin, api.Timings{Exec: time.Second}
	if text := b.get("/page/runs/" + run.ID); !strings.Contains(text, "slept or waited: 59 s") {
		t.Errorf("a run that slept: %s", text)
	}
	run.Status, run.SleepsUntil, run.Ended = api.StatusRunning, begin.Add(time.Hour), time.Time{}
	f.task.Code = "await sleep(1)\nawait sleep(2)"
	if text := b.get("/page/runs/" + run.ID); strings.Contains(text, `<tr class="waits"`) {
		t.Error("a line is marked that may not be the one")
	}
}

// TestScalarsArePlain shows a date as people write it.
func TestScalarsArePlain(t *testing.T) {
	p := newBrowser(t, hostileService()).page
	for typ, raw := range map[string]string{"date": `"2026-12-01"`, "Optional[Decimal]": `"1.50"`, "UUID": `"01234567-89ab-cdef-0123-456789abcdef"`} {
		var f field
		if p.describe(nil, &f, typeOf(typ), json.RawMessage(raw)); f.Text != strings.Trim(raw, `"`) {
			t.Errorf("%s: %s", typ, f.Text)
		}
	}
}
