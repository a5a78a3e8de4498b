package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/journaltest"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
)

// BenchmarkSubmit measures what one call of an orchestrator costs the journal:
// a submission of two records with two events each, on a real disk.
func BenchmarkSubmit(b *testing.B) {
	for _, runs := range []int{1, 100, 1000} {
		b.Run(fmt.Sprintf("runs=%d", runs), func(b *testing.B) {
			db := open(b, filepath.Join(b.TempDir(), "glovebox.db"))
			submitAll(b, db.Journal(), runs)
		})
	}
}

func submitAll(b *testing.B, j journal.Journal, runs int) {
	parents := make([]journal.Change, runs)
	for i := range parents {
		parents[i] = journaltest.NewRun(fmt.Sprintf("run-%08d", i), i, nil)
		if err := j.Submit(parents[i]).Wait(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	var left atomic.Int64
	left.Store(int64(b.N))
	var group sync.WaitGroup
	b.ResetTimer()
	for i := range parents {
		group.Go(func() {
			for n := 0; left.Add(-1) >= 0; n++ {
				if err := call(j, &parents[i], n); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "submissions/s")
}

func call(j journal.Journal, parent *journal.Change, n int) error {
	call := journaltest.NewRun(fmt.Sprintf("%s-%08d", parent.Record.ID, n), n, &parent.Record)
	call.Record.Call = uint64(n + 1)
	call = withCreated(journaltest.Next(call.Record, api.EventStarted), call)
	*parent = journaltest.Next(parent.Record, api.EventCallEnded, api.EventCallStarted)
	return j.Submit(*parent, call).Wait(context.Background())
}

func withCreated(c, created journal.Change) journal.Change {
	c.Events = append(created.Events, c.Events...)
	return c
}

// BenchmarkList measures a page of a list of 100,000 runs.
func BenchmarkList(b *testing.B) {
	j := open(b, newPath(b)).Journal()
	var last journal.Receipt
	for i := range 100_000 {
		c := journaltest.NewRun(fmt.Sprintf("run-%06d", i), i, nil)
		if i%1000 != 0 {
			c = journaltest.NewRun(fmt.Sprintf("run-%06d", i), i, &journal.Record{Run: api.Run{ID: fmt.Sprintf("run-%06d", i/1000*1000), Root: fmt.Sprintf("run-%06d", i/1000*1000)}})
		}
		if i != 500 {
			c.Record.Status, c.Record.Ended = api.StatusSucceeded, c.Record.Created
		}
		last = j.Submit(c)
	}
	if err := last.Wait(b.Context()); err != nil {
		b.Fatal(err)
	}
	for _, q := range []api.RunQuery{
		{}, {Top: true}, {Task: "task"}, {Task: "none"}, {Kind: api.KindFunction}, {Root: "run-005000"}, {Parent: "run-005000"},
		{Status: []api.Status{api.StatusQueued}}, {Status: []api.Status{api.StatusQueued, api.StatusFailed, api.StatusSucceeded}},
		{Status: []api.Status{api.StatusQueued, api.StatusRunning}, Task: "task"}, {Top: true, Status: []api.Status{api.StatusSucceeded}},
		{Top: true, Task: "task"},
	} {
		b.Run(fmt.Sprintf("%s%s%s%s%v%v", q.Task, q.Kind, q.Root, q.Parent, q.Top, q.Status), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := j.List(b.Context(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("Unfinished", func(b *testing.B) {
		for b.Loop() {
			if _, err := j.Unfinished(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("CancelRequests", func(b *testing.B) {
		for b.Loop() {
			if _, err := j.CancelRequests(b.Context(), "process"); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "glovebox.db")
	if err := open(b, path).Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		db, err := sqlite.Open(b.Context(), path, sqlite.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
