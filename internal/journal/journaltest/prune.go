package journaltest

import (
	"slices"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// pruneByTask deletes the trees of one task, of all but some, and never those to keep.
func pruneByTask(t *testing.T, j journal.Journal) {
	for n, id := range []string{"a-1", "b-1", "a-2", "c-1", "b-2"} {
		c := NewRun(id, n, nil)
		c.Record.Task = id[:1]
		root := submit(t, j, c)
		below := call("under-"+id, n, &root, 1)
		below.Record.Task = "a" // a call goes with the run that made it
		submit(t, j, Ended(submit(t, j, below), api.StatusSucceeded, 10))
		submit(t, j, Ended(root, api.StatusSucceeded, 10))
	}
	for _, test := range []struct {
		what string
		p    journal.Pruning
		want []string
	}{
		{"of a task", journal.Pruning{Task: "a", Limit: 1}, []string{"a-1", "under-a-1"}},
		{"of none", journal.Pruning{Task: "x", Limit: 9}, nil},
		{"but of some", journal.Pruning{Except: []string{"b", "x"}, Limit: 9, Keep: map[string]bool{"a-2": true}}, []string{"c-1", "under-c-1"}},
		{"behind one to keep", journal.Pruning{Limit: 1, Keep: map[string]bool{"b-1": true, "gone": true}}, []string{"a-2", "under-a-2"}},
		{"the rest", journal.Pruning{Limit: 9}, []string{"b-1", "b-2", "under-b-1", "under-b-2"}},
	} {
		test.p.Before = epoch().Add(time.Minute)
		got, err := j.Prune(t.Context(), test.p)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(got)
		same(t, test.what, got, test.want)
	}
}
