package journaltest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// model does random things with a journal and with maps, and compares.
func model(t *testing.T, open func(t *testing.T) journal.Journal) {
	rapid.Check(t, func(rt *rapid.T) {
		m := &machine{journal: open(t), records: map[string]journal.Record{}, events: map[string][]api.Event{}, cancels: map[string]string{}}
		defer m.journal.Close()
		rt.Repeat(map[string]func(*rapid.T){
			"": m.check, "create": m.create, "append": m.append, "claim": m.claim, "cancel": m.cancel, "list": m.list, "prune": m.prune,
		})
	})
}

// machine is a journal and the model of it.
type machine struct {
	journal journal.Journal
	records map[string]journal.Record
	events  map[string][]api.Event
	cancels map[string]string
	order   []string // ids, as they were submitted
}

func drawID(t *rapid.T) string {
	return rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}).Draw(t, "id")
}

func drawStatus(t *rapid.T) api.Status {
	return rapid.SampledFrom([]api.Status{
		api.StatusQueued, api.StatusRunning, api.StatusInterrupted, api.StatusSucceeded, api.StatusFailed, api.StatusCanceled,
	}).Draw(t, "status")
}

// submit hands a change to the journal, and tells the model if it should work.
func (m *machine) submit(t *rapid.T, want error, c journal.Change) {
	if err := m.journal.Submit(c).Wait(context.Background()); !errors.Is(err, want) {
		t.Fatalf("submit %s: got error %v, want %v", c.Record.ID, err, want)
	}
	if want != nil {
		return
	}
	id := c.Record.ID
	if _, known := m.records[id]; !known {
		m.order = append(m.order, id)
	}
	m.records[id] = c.Record
	m.events[id] = append(m.events[id], c.Events...)
	if c.Record.Status.Ended() {
		delete(m.cancels, id)
	}
}

func drawLabels(t *rapid.T) map[string]string {
	return rapid.MapOfN(rapid.SampledFrom([]string{"l", "m"}), rapid.SampledFrom([]string{"", "1"}), 0, 2).Draw(t, "labels")
}

func drawOwner(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", "ann", "bob"}).Draw(t, "owner")
}

func (m *machine) create(t *rapid.T) {
	c := NewRun(drawID(t), rapid.IntRange(0, 5).Draw(t, "second"), nil)
	r := &c.Record
	want := error(nil)
	if parent := rapid.SampledFrom([]string{"", "", "a", "b"}).Draw(t, "parent"); parent != "" && parent != r.ID {
		above, known := m.records[parent]
		r.Parent, r.Root, r.Call = parent, cmp.Or(above.Root, parent), rapid.Uint64Range(0, 3).Draw(t, "call")
		if !known {
			want = journal.ErrNotFound
		}
	}
	r.Task = rapid.SampledFrom([]string{"x", "y"}).Draw(t, "task")
	r.Labels, r.Owner = drawLabels(t), drawOwner(t)
	r.IdempotencyKey = rapid.SampledFrom([]string{"", "", "k", "l"}).Draw(t, "key")
	r.InputsPayload.Inline = []byte(rapid.SampledFrom([]string{"", "{}", `{"x":1}`}).Draw(t, "inputs"))
	if m.taken(r) {
		want = journal.ErrExists
	}
	m.submit(t, want, c)
}

func (m *machine) taken(r *journal.Record) bool {
	_, known := m.records[r.ID]
	for _, other := range m.records {
		known = known || (r.IdempotencyKey != "" && other.IdempotencyKey == r.IdempotencyKey && other.Owner == r.Owner)
	}
	return known
}

func (m *machine) append(t *rapid.T) {
	id := drawID(t)
	r, known := m.records[id]
	want := error(nil)
	if !known {
		r, want = journal.Record{Run: api.Run{ID: id}, Fence: 1}, journal.ErrSequence
	}
	r.Attempts = rapid.IntRange(0, 9).Draw(t, "attempts")
	r.Holder = rapid.SampledFrom([]string{"", "p", "q"}).Draw(t, "owner")
	if r.Status, r.Ended = drawStatus(t), (time.Time{}); r.Status.Ended() {
		r.Ended = r.Created.Add(time.Duration(rapid.IntRange(1, 9).Draw(t, "seconds")) * time.Second)
	}
	if rapid.IntRange(0, 9).Draw(t, "early") == 0 {
		r.Seq, want = r.Seq+1, journal.ErrSequence
	}
	if rapid.IntRange(0, 9).Draw(t, "stale") == 0 {
		r.Fence--
		if known {
			want = journal.ErrFenced
		}
	}
	m.submit(t, want, Next(r, slices.Repeat([]api.EventKind{api.EventStarted}, rapid.IntRange(0, 3).Draw(t, "events"))...))
}

func (m *machine) claim(t *rapid.T) {
	id := drawID(t)
	from := rapid.SampledFrom([]string{"", "p", "q"}).Draw(t, "from")
	owner := rapid.SampledFrom([]string{"p", "q"}).Draw(t, "owner")
	r, known := m.records[id]
	want := error(nil)
	switch {
	case !known:
		want = journal.ErrNotFound
	case r.Holder != "" && r.Holder != from:
		want = journal.ErrOwned
	default:
		r.Holder, r.Fence = owner, r.Fence+1
		m.records[id] = r
	}
	got, err := m.journal.Claim(context.Background(), id, from, owner)
	if !errors.Is(err, want) {
		t.Fatalf("claim %s from %q: got error %v, want %v", id, from, err, want)
	}
	if known {
		compare(t, "claimed", *got, r)
	}
}

func (m *machine) cancel(t *rapid.T) {
	id := drawID(t)
	r, known := m.records[id]
	want := error(nil)
	if !known {
		want = journal.ErrNotFound
	}
	if err := m.journal.RequestCancel(context.Background(), id, "reason"); !errors.Is(err, want) {
		t.Fatalf("cancel %s: got error %v, want %v", id, err, want)
	}
	if known && !r.Status.Ended() {
		m.cancels[id] = "reason"
	}
}

func compare(t *rapid.T, what string, got, want any) {
	if diff := gocmp.Diff(want, got, asWritten()); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

// check holds everything that can be read to the model.
func (m *machine) check(t *rapid.T) {
	ctx := context.Background()
	unfinished := []string{}
	for _, id := range m.order {
		got, err := m.journal.Load(ctx, id)
		if err != nil {
			t.Fatalf("load %s: %v", id, err)
		}
		compare(t, "record", *got, m.records[id])
		events, err := m.journal.Events(ctx, id, 0, 1000)
		if err != nil {
			t.Fatalf("events of %s: %v", id, err)
		}
		compare(t, "events", events, m.events[id])
		if !got.Status.Ended() {
			unfinished = append(unfinished, id)
		}
	}
	found, err := m.journal.Unfinished(ctx)
	if err != nil {
		t.Fatalf("unfinished: %v", err)
	}
	compare(t, "unfinished", ids(found), unfinished)
	m.checkCancels(t)
}

func (m *machine) checkCancels(t *rapid.T) {
	for _, owner := range []string{"p", "q"} {
		want := maps.Clone(m.cancels)
		maps.DeleteFunc(want, func(id, _ string) bool { return m.records[id].Holder != owner })
		got, err := m.journal.CancelRequests(context.Background(), owner)
		if err != nil {
			t.Fatalf("cancel requests: %v", err)
		}
		compare(t, "cancel requests of "+owner, got, want)
	}
}

func (m *machine) list(t *rapid.T) {
	q := api.RunQuery{
		Limit: rapid.IntRange(1, 3).Draw(t, "limit"), Top: rapid.Bool().Draw(t, "top"),
		Task:     rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "task"),
		Parent:   rapid.SampledFrom([]string{"", "", "a", "b"}).Draw(t, "parent"),
		Owner:    drawOwner(t),
		Root:     rapid.SampledFrom([]string{"", "", "a"}).Draw(t, "root"),
		IDPrefix: rapid.SampledFrom([]string{"", "", "", "a", "b1", "_"}).Draw(t, "prefix"),
		Text:     rapid.SampledFrom([]string{"", "", "", "X", "fail", "<"}).Draw(t, "text"),
		Labels:   drawLabels(t),
		Status:   rapid.SliceOfN(rapid.Custom(drawStatus), 0, 3).Draw(t, "statuses"),
	}
	got := []string{}
	for {
		page, next, err := m.journal.List(context.Background(), q)
		if err != nil {
			t.Fatalf("list: %v", err)
		}
		got = append(got, ids(page)...)
		if q.Cursor = next; next == "" {
			break
		}
	}
	compare(t, fmt.Sprintf("list %+v", q), got, m.selected(q))
}

func hasText(r journal.Record, text string) bool {
	whole := r.Task
	if r.Error != nil {
		whole += "\n" + r.Error.Message + "\n" + string(r.Error.Code)
	}
	return strings.Contains(strings.ToLower(whole), strings.ToLower(text))
}

func hasLabels(r journal.Record, wanted map[string]string) bool {
	for name, text := range wanted {
		if got, ok := r.Labels[name]; !ok || got != text {
			return false
		}
	}
	return true
}

// selected lists the runs of the model.
func (m *machine) selected(q api.RunQuery) []string {
	found := []*journal.Record{}
	for _, r := range m.records {
		if (q.Task == "" || r.Task == q.Task) && (q.Parent == "" || r.Parent == q.Parent) && (q.Root == "" || r.Root == q.Root) &&
			(q.Owner == "" || r.Owner == q.Owner) && hasText(r, q.Text) && hasLabels(r, q.Labels) && (!q.Top || r.Parent == "") && strings.HasPrefix(r.ID, q.IDPrefix) && (len(q.Status) == 0 || slices.Contains(q.Status, r.Status)) {
			found = append(found, &r)
		}
	}
	slices.SortFunc(found, func(a, b *journal.Record) int {
		if q.Parent != "" {
			return cmp.Or(cmp.Compare(a.Call, b.Call), cmp.Compare(a.ID, b.ID))
		}
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(b.ID, a.ID))
	})
	return ids(found)
}

func (m *machine) prune(t *rapid.T) {
	before := epoch().Add(time.Duration(rapid.IntRange(0, 15).Draw(t, "before")) * time.Second)
	var want []string
	for _, id := range m.order {
		if m.finished(m.records[id].Root, before) {
			want = append(want, id)
		}
	}
	got, err := m.journal.Prune(context.Background(), journal.Pruning{Before: before, Limit: 100})
	if err != nil {
		t.Fatalf("prune: %v", err)
	}
	slices.Sort(got)
	compare(t, "pruned", got, slices.Sorted(slices.Values(want)))
	for _, id := range want {
		delete(m.records, id)
		delete(m.events, id)
		delete(m.cancels, id)
	}
	m.order = slices.DeleteFunc(m.order, func(id string) bool { return slices.Contains(want, id) })
}

// finished reports whether every run of a tree ended before a time.
func (m *machine) finished(root string, before time.Time) bool {
	for _, r := range m.records {
		if r.Root == root && (!r.Status.Ended() || !r.Ended.Before(before)) {
			return false
		}
	}
	return true
}
