package journaltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

func requests(t *testing.T, j journal.Journal, owner string) map[string]string {
	t.Helper()
	found, err := j.CancelRequests(t.Context(), owner)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func cancel(t *testing.T, j journal.Journal) {
	ctx := t.Context()
	for i, id := range []string{"run-a", "run-b"} {
		c := NewRun(id, i, nil)
		c.Record.Holder = "process-1"
		submit(t, j, c)
	}
	submit(t, j, NewRun("run-c", 3, nil))
	for _, id := range []string{"run-a", "run-c", "run-a"} {
		if err := j.RequestCancel(ctx, id, "because of "+id); err != nil {
			t.Fatal(err)
		}
	}
	same(t, "requests", requests(t, j, "process-1"), map[string]string{"run-a": "because of run-a"})
	same(t, "requests of others", requests(t, j, "process-2"), map[string]string{})
	if _, err := j.Claim(ctx, "run-c", "", "process-2"); err != nil {
		t.Fatal(err)
	}
	same(t, "requests after a claim", requests(t, j, "process-2"), map[string]string{"run-c": "because of run-c"})
	a := submit(t, j, Ended(load(t, j, "run-a"), api.StatusCanceled, 1))
	if err := j.RequestCancel(ctx, "run-a", "too late"); err != nil {
		t.Errorf("cancel of an ended run: %v", err)
	}
	a.Status, a.Ended, a.Holder = api.StatusRunning, time.Time{}, "process-1"
	submit(t, j, Next(a, api.EventStarted))
	same(t, "requests after the end", requests(t, j, "process-1"), map[string]string{})
}

func snapshots(t *testing.T, j journal.Journal) {
	ctx := t.Context()
	submit(t, j, NewRun("run-a", 0, nil))
	first := journal.Snapshot{Run: "run-a", Fence: 1, Attempt: 1, Started: 3, Answered: 2, Data: []byte{0, 255, 10}}
	second := journal.Snapshot{Run: "run-a", Fence: 1, Attempt: 2}
	for _, s := range []journal.Snapshot{first, second, first} {
		if err := j.SaveSnapshot(ctx, s); err != nil {
			t.Fatal(err)
		}
		got, err := j.Snapshot(ctx, "run-a")
		if err != nil {
			t.Fatal(err)
		}
		same(t, "snapshot", got, &s)
	}
	if _, err := j.Claim(ctx, "run-a", "", "process"); err != nil {
		t.Fatal(err)
	}
	for _, s := range []journal.Snapshot{second, {Run: "run-missing", Fence: 1}} {
		if err := j.SaveSnapshot(ctx, s); !errors.Is(err, journal.ErrFenced) {
			t.Errorf("save of %s with an old fence: got error %v, want %v", s.Run, err, journal.ErrFenced)
		}
	}
	if got, err := j.Snapshot(ctx, "run-a"); err != nil || got.Attempt != 1 {
		t.Errorf("snapshot after a refused one: got %+v, %v", got, err)
	}
}

func prune(t *testing.T, j journal.Journal) {
	grove(t, j)
	ctx, before := t.Context(), epoch().Add(60*time.Second)
	pruned, err := j.Prune(ctx, journal.Pruning{Before: before, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(pruned)
	same(t, "first tree", pruned, []string{"old", "old-call", "old-child"})
	if pruned, err = j.Prune(ctx, journal.Pruning{Before: before, Limit: 10}); err != nil {
		t.Fatal(err)
	}
	same(t, "the rest", pruned, []string{"old-single"})
	if pruned, err = j.Prune(ctx, journal.Pruning{Before: before, Limit: 10}); err != nil || len(pruned) > 0 {
		t.Errorf("nothing is left to prune: got %v, %v", pruned, err)
	}
	same(t, "what stays", mustList(t, j, api.RunQuery{}), []string{"running-call", "late-call", "running", "late"})
	goneWith(t, j)
}

// grove makes trees that ended early, late, and not yet.
func grove(t *testing.T, j journal.Journal) {
	plant := func(id string, n int, parent *journal.Record, number uint64, ended int) journal.Record {
		c := call(id, n, parent, number)
		c.Record.TaskDigest = "sha256:" + id
		c.Record.IdempotencyKey = "key of " + id
		c.Record.InputsPayload.Inline = json.RawMessage(`{}`)
		c.Tasks = map[string]json.RawMessage{c.Record.TaskDigest: json.RawMessage(`{}`)}
		c.Record.Labels = map[string]string{"of": id}
		c.Blobs = []string{"blob of " + id}
		r := submit(t, j, c)
		if err := j.SaveSnapshot(t.Context(), journal.Snapshot{Run: id, Fence: 1}); err != nil {
			t.Fatal(err)
		}
		if ended > 0 {
			r = submit(t, j, Ended(r, api.StatusSucceeded, ended))
		}
		return r
	}
	old := plant("old", 0, nil, 0, 10)
	child := plant("old-call", 1, &old, 1, 10)
	plant("old-child", 2, &child, 1, 10)
	plant("old-single", 3, nil, 0, 10)
	late := plant("late", 4, nil, 0, 10)
	running := plant("running", 5, nil, 0, 10)
	plant("late-call", 6, &late, 1, 54) // at the very moment
	plant("running-call", 7, &running, 1, 0)
}

func goneWith(t *testing.T, j journal.Journal) {
	ctx := t.Context()
	for _, id := range []string{"old", "old-call", "old-child", "old-single"} {
		if _, err := j.Load(ctx, id); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("load %s: %v", id, err)
		}
		if found, err := j.Events(ctx, id, 0, 9); len(found) > 0 || err != nil {
			t.Errorf("events of %s: %v, %v", id, found, err)
		}
		if s, err := j.Snapshot(ctx, id); s != nil || err != nil {
			t.Errorf("snapshot of %s: %v, %v", id, s, err)
		}
		if _, err := j.Task(ctx, "sha256:"+id); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("definition of %s: %v", id, err)
		}
		if _, err := j.ByKey(ctx, "", "key of "+id); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("key of %s: %v", id, err)
		}
	}
	if _, err := j.Task(ctx, "sha256:late-call"); err != nil {
		t.Errorf("a definition that is needed: %v", err)
	}
	same(t, "blobs", blobs(t, j), []string{"blob of late", "blob of late-call", "blob of running", "blob of running-call"})
	again := NewRun("old", 0, nil) // as if it had never been
	again.Record.Labels = map[string]string{"of": "old"}
	submit(t, j, again)
}

func blobs(t *testing.T, j journal.Journal) []string {
	t.Helper()
	var found []string
	err := j.References(t.Context(), func(digest string) error {
		found = append(found, digest)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func references(t *testing.T, j journal.Journal) {
	a := NewRun("run-a", 0, nil)
	a.Record.InputsPayload.Blob = "inputs"
	a.Blobs = []string{"one", "two"}
	r := submit(t, j, a)
	r.OutputsPayload.Blob = "outputs"
	submit(t, j, Next(r, api.EventAttemptEnded))
	want := []string{"inputs", "one", "outputs", "two"}
	same(t, "blobs", blobs(t, j), want)
	many := NewRun("run-b", 1, nil)
	for i := range 2500 {
		many.Blobs = append(many.Blobs, fmt.Sprintf("blob-%04d", i))
	}
	submit(t, j, many)
	same(t, "number of blobs", len(blobs(t, j)), 2504)
	stop := errors.New("enough")
	if err := j.References(t.Context(), func(string) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got error %v, want that of the caller", err)
	}
}
