// Package journaltest is the suite of journals: what every implementation must
// do, wherever it keeps the runs.
package journaltest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// Run judges a journal. Each call of open returns an empty one. The suite may
// close it, and whoever opened it may do so again.
func Run(t *testing.T, open func(t *testing.T) journal.Journal) {
	for name, test := range map[string]func(*testing.T, journal.Journal){
		"RoundTrip": roundTrip, "Sequence": sequence, "Exists": exists, "Orphan": orphan, "Together": together, "Defects": defects,
		"Inputs": inputs, "Fences": fences, "ClaimOnce": claimOnce, "Take": take, "TakeOnce": takeOnce, "TakeFitting": takeFitting, "TakeByRank": takeByRank, "TakeByPriority": takeByPriority, "TakeShared": takeShared, "Permits": permits, "PermitsAtOnce": permitsAtOnce, "TakePermitted": takePermitted, "Order": order, "AtOnce": atOnce, "Closed": closed, "Abandoned": abandoned,
		"Calls": calls, "Tries": tries, "Unfinished": unfinished, "Events": events, "Definitions": definitions,
		"Filters": filters, "Pages": pages, "PagesWhileGrowing": pagesWhileGrowing, "ForeignCursors": foreignCursors,
		"Cancel": cancel, "Approvals": approvals, "Snapshots": snapshots, "Prune": prune, "PruneByTask": pruneByTask, "References": references,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
	t.Run("Model", func(t *testing.T) { model(t, open) })
}

// epoch is when the runs of the suite begin.
func epoch() time.Time { return time.Date(2026, 2, 28, 23, 59, 59, 987654321, time.UTC) }

// NewRun returns the first change of a run that was created n seconds after a
// fixed moment. A parent may be nil.
func NewRun(id string, n int, parent *journal.Record) journal.Change {
	r := journal.Record{Fence: 1, Run: api.Run{
		ID: id, Root: id, Task: "task", Kind: api.KindSandbox, TaskDigest: "sha256:task", Status: api.StatusQueued,
		Created: epoch().Add(time.Duration(n) * time.Second),
	}}
	if parent != nil {
		r.Parent, r.Root = parent.ID, parent.Root
	}
	return Next(r, api.EventCreated)
}

// Next returns the change that adds events of some kinds to a record.
func Next(r journal.Record, kinds ...api.EventKind) journal.Change {
	c := journal.Change{Record: r}
	for _, kind := range kinds {
		c.Record.Seq++
		data, err := json.Marshal(map[string]any{"n": c.Record.Seq, "text": "a \"quoted\" <text>"})
		if err != nil {
			panic(err) // of a map of an int and a text
		}
		c.Events = append(c.Events, api.Event{Run: r.ID, Seq: c.Record.Seq, Time: r.Created.Add(time.Duration(c.Record.Seq)), Kind: kind, Data: data})
	}
	return c
}

// Ended returns the change that ends a run so many seconds after its creation.
func Ended(r journal.Record, status api.Status, after int) journal.Change {
	r.Status, r.Ended, r.Holder = status, r.Created.Add(time.Duration(after)*time.Second), ""
	return Next(r, api.EventEnded)
}

// submit carries changes out and returns the record of the last.
func submit(t *testing.T, j journal.Journal, changes ...journal.Change) journal.Record {
	t.Helper()
	if err := j.Submit(changes...).Wait(t.Context()); err != nil {
		t.Fatalf("submit %s: %v", changes[0].Record.ID, err)
	}
	return changes[len(changes)-1].Record
}

// refuse expects that changes are refused.
func refuse(t *testing.T, j journal.Journal, want error, changes ...journal.Change) {
	t.Helper()
	if err := j.Submit(changes...).Wait(t.Context()); !errors.Is(err, want) {
		t.Errorf("submit %s up to event %d: got error %v, want %v", changes[0].Record.ID, changes[0].Record.Seq, err, want)
	}
}

// load returns a record that is there.
func load(t *testing.T, j journal.Journal, id string) journal.Record {
	t.Helper()
	r, err := j.Load(t.Context(), id)
	if err != nil {
		t.Fatalf("load %s: %v", id, err)
	}
	return *r
}

// asWritten compares what came back with what went in; the journal gives a Num.
func asWritten() cmp.Option {
	return cmp.Options{cmpopts.EquateEmpty(), cmpopts.IgnoreFields(journal.Record{}, "Num")}
}

// same compares what came back with what went in.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, asWritten()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func ids(records []*journal.Record) []string {
	found := make([]string, len(records))
	for i, r := range records {
		found[i] = r.ID
	}
	return found
}

// full is a record with something in every field.
func full() journal.Change {
	c := NewRun("run-full", 0, nil)
	r := &c.Record
	r.Version, r.RerunOf, r.IdempotencyKey, r.Image, r.CachedRun = "task@3", "run-0", "key ü", "sha256:image", "run-x"
	r.Labels = map[string]string{"who": "ada", "ü": ""}
	r.Error = api.Errorf(api.Timeout, "took %s", "too long").WithDetails(api.Details{Limit: 3, Peak: 1 << 60, Stderr: "\x00\x01\u2028</script>"})
	r.Started, r.ExitCode, r.Attempts, r.Calls, r.Cached = r.Created.Add(time.Nanosecond), -1, 2, 3, true
	r.Timings.Total, r.Usage.PeakMemory = time.Hour+1, 1<<62
	r.Network = []api.Connection{{Time: r.Created, Host: "example.com", Port: 443, Reason: "no"}}
	r.Signature = &api.Signature{}
	r.InputsPayload = journal.Payload{Inline: json.RawMessage(`{"x": 1e400,  "s":"\ud800"}`)}
	r.OutputsPayload = journal.Payload{Blob: "00ff"}
	r.InputsDigest, r.Fresh, r.Reuse = "sha256:inputs", true, &journal.Reuse{Run: "run-0", Before: 1 << 63}
	r.Cache = &api.CacheExplanation{Run: r.ID, Verdict: "miss", Parts: []api.CachePart{{Name: "code", Value: "v"}}}
	r.Holder, r.Owner = "process-1", "ann"
	c.Blobs = []string{"aa", "bb", "aa"}
	c.Tasks = map[string]json.RawMessage{r.TaskDigest: json.RawMessage(`{"name" : "task"}`)}
	return c
}

func roundTrip(t *testing.T, j journal.Journal) {
	c := full()
	want := submit(t, j, c)
	got := load(t, j, want.ID)
	if diff := cmp.Diff(want, got, asWritten(), cmpopts.IgnoreUnexported(api.Error{})); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
	found, err := j.Events(t.Context(), want.ID, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "events", found, c.Events)
	listed, _, err := j.List(t.Context(), api.RunQuery{})
	if err != nil || len(listed) != 1 || listed[0].InputsPayload.Inline != nil || listed[0].OutputsPayload.Blob != "" {
		t.Errorf("a list has %+v, %v: want one record without payloads", listed, err)
	}
	id, err := j.ByKey(t.Context(), want.Owner, want.IdempotencyKey)
	if id != want.ID || err != nil {
		t.Errorf("by key: got %q, %v", id, err)
	}
	task, err := j.Task(t.Context(), want.TaskDigest)
	if err != nil || string(task) != `{"name" : "task"}` {
		t.Errorf("task: got %s, %v", task, err)
	}
	missing(t, j)
}

func missing(t *testing.T, j journal.Journal) {
	ctx := t.Context()
	_, load := j.Load(ctx, "run-missing")
	_, key := j.ByKey(ctx, "", "no key")
	_, none := j.ByKey(ctx, "", "")
	_, task := j.Task(ctx, "sha256:none")
	_, claim := j.Claim(ctx, "run-missing", "", "process")
	for what, err := range map[string]error{
		"load": load, "by key": key, "by no key": none, "task": task, "claim": claim, "cancel": j.RequestCancel(ctx, "run-missing", ""),
	} {
		if !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("%s of what is not there: got error %v, want %v", what, err, journal.ErrNotFound)
		}
	}
	if s, err := j.Snapshot(ctx, "run-missing"); s != nil || err != nil {
		t.Errorf("snapshot of what is not there: got %v, %v, want nothing", s, err)
	}
}

func sequence(t *testing.T, j journal.Journal) {
	r := submit(t, j, NewRun("run-a", 0, nil))
	refuse(t, j, journal.ErrSequence, Next(journal.Record{Run: api.Run{ID: "run-b", Status: api.StatusRunning}, Fence: 1}, api.EventStarted))
	ahead := r
	ahead.Seq++
	refuse(t, j, journal.ErrSequence, Next(ahead, api.EventStarted))
	late := NewRun("run-b", 0, nil)
	late.Record.Seq, late.Events[0].Seq = 2, 2
	refuse(t, j, journal.ErrSequence, late)
	next := Next(r, api.EventStarted, api.EventAttemptStarted)
	submit(t, j, next)
	refuse(t, j, journal.ErrSequence, next) // again
	silent := next
	silent.Events, silent.Record.Holder = nil, "process-1"
	submit(t, j, silent) // a record may change without an event
	same(t, "record", load(t, j, r.ID), silent.Record)
	same(t, "nothing of run-b", len(mustList(t, j, api.RunQuery{})), 1)
}

func mustList(t *testing.T, j journal.Journal, q api.RunQuery) []string {
	t.Helper()
	records, _, err := j.List(t.Context(), q)
	if err != nil {
		t.Fatalf("list %+v: %v", q, err)
	}
	return ids(records)
}

func exists(t *testing.T, j journal.Journal) {
	first := NewRun("run-a", 0, nil)
	first.Record.IdempotencyKey = "key"
	submit(t, j, first)
	refuse(t, j, journal.ErrExists, first)
	again := NewRun("run-b", 0, nil)
	again.Record.IdempotencyKey = "key"
	refuse(t, j, journal.ErrExists, again)
	again.Record.Owner = "ann" // whose keys are her own
	submit(t, j, again)
	if id, err := j.ByKey(t.Context(), "ann", "key"); id != "run-b" || err != nil {
		t.Errorf("by the key of ann: got %q, %v", id, err)
	}
	if _, err := j.ByKey(t.Context(), "bob", "key"); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("by a key that bob has not used: got %v", err)
	}
	submit(t, j, NewRun("run-c", 0, nil))
	submit(t, j, NewRun("run-d", 0, nil)) // no key is not a key
	same(t, "runs", mustList(t, j, api.RunQuery{}), []string{"run-d", "run-c", "run-b", "run-a"})
}

func orphan(t *testing.T, j journal.Journal) {
	refuse(t, j, journal.ErrNotFound, NewRun("run-b", 0, &journal.Record{Run: api.Run{ID: "run-a", Root: "run-a"}}))
	parent := NewRun("run-a", 0, nil)
	submit(t, j, parent, NewRun("run-b", 0, &parent.Record))
}

func together(t *testing.T, j journal.Journal) {
	a := submit(t, j, NewRun("run-a", 0, nil))
	stale := Next(a, api.EventStarted)
	stale.Record.Fence = 9
	refuse(t, j, journal.ErrFenced, NewRun("run-b", 0, nil), Next(a, api.EventStarted), stale)
	same(t, "nothing of run-b", mustList(t, j, api.RunQuery{}), []string{"run-a"})
	same(t, "nothing of run-a", load(t, j, "run-a"), a)
	started := Next(a, api.EventStarted)
	submit(t, j, started, NewRun("run-b", 0, nil), Next(started.Record, api.EventAttemptStarted)) // one run twice
	same(t, "number of the last event", load(t, j, "run-a").Seq, int64(3))
}

func defects(t *testing.T, j journal.Journal) {
	a := submit(t, j, NewRun("run-a", 0, nil))
	for name, spoil := range map[string]func(*journal.Change){
		"no id":                func(c *journal.Change) { c.Record.ID, c.Events[0].Run = "", "" },
		"event of another run": func(c *journal.Change) { c.Events[0].Run = "run-a" },
		"number of an event":   func(c *journal.Change) { c.Events[0].Seq = 7 },
		"no kind":              func(c *journal.Change) { c.Events[0].Kind = "" },
		"data no JSON":         func(c *journal.Change) { c.Events[0].Data = json.RawMessage(`{"a`) },
		"inputs no JSON":       func(c *journal.Change) { c.Record.InputsPayload.Inline = json.RawMessage(`nothing`) },
		"outputs too long": func(c *journal.Change) {
			c.Record.OutputsPayload.Inline = slices.Concat([]byte{'"'}, make([]byte, journal.MaxInline), []byte{'"'})
		},
		"definition no JSON":   func(c *journal.Change) { c.Tasks = map[string]json.RawMessage{"sha256:d": nil} },
		"ended without a time": func(c *journal.Change) { c.Record.Status = api.StatusFailed },
		"time without an end":  func(c *journal.Change) { c.Record.Ended = c.Record.Created },
		"time beyond JSON":     func(c *journal.Change) { c.Record.Started = time.Date(12345, 1, 1, 0, 0, 0, 0, time.UTC) },
		"fence":                func(c *journal.Change) { c.Record.Fence = 2 },
		"created twice": func(c *journal.Change) {
			c.Record.Seq, c.Events = 2, append(c.Events, api.Event{Run: "run-b", Seq: 2, Kind: api.EventCreated})
		},
	} {
		c := NewRun("run-b", 0, nil)
		spoil(&c)
		if err := j.Submit(Next(a, api.EventStarted), c).Wait(t.Context()); !errors.Is(err, &api.Error{Code: api.Internal}) {
			t.Errorf("%s: got error %v, want one of code internal", name, err)
		}
	}
	same(t, "runs", mustList(t, j, api.RunQuery{}), []string{"run-a"})
	same(t, "run-a", load(t, j, "run-a"), a)
}

func inputs(t *testing.T, j journal.Journal) {
	c := NewRun("run-a", 0, nil)
	c.Record.InputsPayload.Inline = json.RawMessage(`{"x":1}`)
	r := submit(t, j, c)
	r.InputsPayload = journal.Payload{}
	r.OutputsPayload.Inline = json.RawMessage(`{"y":2}`)
	r = submit(t, j, Ended(r, api.StatusFailed, 1))
	want := r
	want.InputsPayload.Inline = json.RawMessage(`{"x":1}`)
	same(t, "record", load(t, j, "run-a"), want)
	r.Status, r.Ended, r.OutputsPayload = api.StatusRunning, time.Time{}, journal.Payload{}
	r = submit(t, j, Next(r, api.EventStarted))
	r.InputsPayload = want.InputsPayload
	same(t, "record that goes on", load(t, j, "run-a"), r)
}

func fences(t *testing.T, j journal.Journal) {
	ctx := t.Context()
	a := submit(t, j, NewRun("run-a", 0, nil))
	first, err := j.Claim(ctx, "run-a", "", "process-1")
	if err != nil || first.Holder != "process-1" || first.Fence != 2 || first.Seq != a.Seq {
		t.Fatalf("claim of a run without owner: got %+v, %v", first, err)
	}
	refuse(t, j, journal.ErrFenced, Next(a, api.EventStarted))
	submit(t, j, Next(*first, api.EventStarted))
	for _, from := range []string{"", "process-3"} {
		if r, err := j.Claim(ctx, "run-a", from, "process-2"); !errors.Is(err, journal.ErrOwned) || r == nil || r.Holder != "process-1" {
			t.Errorf("claim from %q: got %+v, %v, want the record and %v", from, r, err, journal.ErrOwned)
		}
	}
	second, err := j.Claim(ctx, "run-a", "process-1", "process-2")
	if err != nil || second.Holder != "process-2" || second.Fence != 3 || second.Seq != 2 {
		t.Fatalf("claim from the owner: got %+v, %v", second, err)
	}
	behind := Next(*first, api.EventStarted)
	behind.Record.Seq, behind.Events[0].Seq = second.Seq+1, second.Seq+1
	refuse(t, j, journal.ErrFenced, behind)
	same(t, "record", load(t, j, "run-a"), *second)
	released := Ended(*second, api.StatusFailed, 1)
	submit(t, j, released)
	if r, err := j.Claim(ctx, "run-a", "", "process-3"); err != nil || r.Fence != 4 {
		t.Errorf("claim after the end: got %+v, %v", r, err)
	}
}

func claimOnce(t *testing.T, j journal.Journal) {
	submit(t, j, NewRun("run-a", 0, nil))
	const claimants = 16
	won := make(chan string, claimants)
	errs := make(chan error, claimants)
	for i := range claimants {
		go func() {
			owner := fmt.Sprintf("process-%d", i)
			_, err := j.Claim(context.Background(), "run-a", "", owner)
			if err == nil {
				won <- owner
			}
			errs <- err
		}()
	}
	for range claimants {
		if err := <-errs; err != nil && !errors.Is(err, journal.ErrOwned) {
			t.Errorf("claim: %v", err)
		}
	}
	if len(won) != 1 {
		t.Fatalf("%d owners of one run", len(won))
	}
	same(t, "owner", load(t, j, "run-a").Holder, <-won)
}
