package page

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// countedEntries numbers the lines of entries, as a log does.
func countedEntries(all []api.LogEntry) (counted []api.LogEntry) {
	next, open := int64(1), map[string]bool{}
	for _, e := range all {
		e.Line, e.Continues = next, open[e.Stream]
		for part := range strings.Lines(e.Text) {
			if !open[e.Stream] {
				next++
			}
			open[e.Stream] = !strings.HasSuffix(part, "\n")
		}
		counted = append(counted, e)
	}
	return counted
}

// reading is a service that counts the entries of logs that are read.
type reading struct {
	*fake
	calls, entries int
}

func (s *reading) Logs(ctx context.Context, id string, after int64, follow bool) iter.Seq2[api.LogEntry, error] {
	s.calls++
	return func(yield func(api.LogEntry, error) bool) {
		for e, err := range s.fake.Logs(ctx, id, after, follow) {
			if s.entries++; !yield(e, err) {
				return
			}
		}
	}
}

// TestJumpsReadLittle holds a window anywhere in a long log to few entries, where these say
// their lines.
func TestJumpsReadLittle(t *testing.T) {
	var all []api.LogEntry
	for i := range 200_000 {
		all = append(all, api.LogEntry{Seq: int64(i + 1), Time: begin, Stream: logStreams[i%3], Text: fmt.Sprintf("line %d\n", i+1)})
	}
	b := newBrowser(t, &fake{logs: countedEntries(all)})
	for _, line := range []int64{1, 2, 700, 140_000, 199_999, 200_001} {
		s := &reading{fake: b.fake}
		b.page.Service = s
		data, err := b.page.readLog(t.Context(), "run-1", logQuery{Line: line}, 500)
		if err != nil {
			t.Fatal(err)
		}
		if got := textsOf(data.Lines); line <= 200_000 && got[0] != fmt.Sprintf("%d line %d", line, line) || line > 200_000 && len(got) > 0 {
			t.Errorf("from line %d: %q", line, got[:min(len(got), 3)])
		}
		if s.entries > 1000 || s.calls > 20 {
			t.Errorf("line %d took %d entries, by %d readings", line, s.entries, s.calls)
		}
	}
	b.page.Service = b.fake
	data, err := b.page.readLog(t.Context(), "run-1", logQuery{Tail: true}, 100)
	if got := textsOf(data.Lines); err != nil || !data.Numbered || got[0] != "199901 line 199901" {
		t.Errorf("the end begins with %q, numbered %v, %v", got[0], data.Numbered, err)
	}
}

// TestJumpsAreExact compares windows that begin anywhere in a log whose entries say their lines
// with those of the same log read from its beginning: streams write between each other, and
// entries end anywhere, some as the log was torn.
func TestJumpsAreExact(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		var all []api.LogEntry
		for i := range 600 {
			var text strings.Builder
			for range random.IntN(4) {
				text.WriteString(strings.Repeat("x", random.IntN(9)) + "\n")
			}
			if random.IntN(3) == 0 || text.Len() == 0 {
				text.WriteString("open ")
			}
			all = append(all, api.LogEntry{Seq: int64(i+1) + int64(i/100), Time: begin, Stream: logStreams[random.IntN(3)], Text: text.String()})
		}
		old, counted := newBrowser(t, &fake{logs: all}), newBrowser(t, &fake{logs: countedEntries(all)})
		for range 40 {
			q := logQuery{Line: 1 + random.Int64N(900)}
			if random.IntN(3) == 0 {
				q.Stream = logStreams[random.IntN(3)]
			}
			if random.IntN(3) == 0 {
				q.Text = "xx"
			}
			want, err := old.page.readLog(t.Context(), "run-1", q, 20)
			if err != nil {
				t.Fatal(err)
			}
			got, err := counted.page.readLog(t.Context(), "run-1", q, 20)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(textsOf(want.Lines), textsOf(got.Lines)); diff != "" || want.Next != got.Next || want.Before != got.Before {
				t.Fatalf("%+v: next %q and %q, before %q and %q (-from the beginning +by halving):\n%s", q, want.Next, got.Next, want.Before, got.Before, diff)
			}
		}
	}
}

// TestSearchesAreBounded: a search of a log of tiny lines ends, and says where to go on.
func TestSearchesAreBounded(t *testing.T) {
	var all []api.LogEntry
	for i := range 200 {
		all = append(all, api.LogEntry{Seq: int64(i + 1), Time: begin, Stream: "stdout", Text: strings.Repeat("\n", 16<<10)})
	}
	s := &reading{fake: &fake{logs: countedEntries(all)}}
	b := newBrowser(t, s.fake)
	b.page.Service = s
	data, err := b.page.readLog(t.Context(), "run-1", logQuery{Text: "x"}, 500)
	if err != nil || s.entries > maxSearched/(16<<10)+2 || !strings.Contains(data.Next, "at=") {
		t.Errorf("%d entries were read, next %q, %v", s.entries, data.Next, err)
	}
}
