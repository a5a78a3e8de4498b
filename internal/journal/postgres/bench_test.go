package postgres_test

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
	"github.com/glovebox-dev/glovebox/internal/journal/postgres/pgtest"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
)

// BenchmarkRun measures what a run without a call costs the journal, on a real disk: a
// submission that makes and starts it, and one that ends it, each waited for. Some make
// one run after the other, alone or beside others that do the same.
func BenchmarkRun(b *testing.B) {
	for _, at := range []int{1, 100} {
		b.Run(fmt.Sprintf("sqlite/at=%d", at), func(b *testing.B) {
			db, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "glovebox.db"), sqlite.Options{})
			must(b, err)
			defer db.Close()
			runAll(b, db.Journal(), at)
		})
		b.Run(fmt.Sprintf("postgres/at=%d", at), func(b *testing.B) {
			server := pgtest.StartOnDisk(b)
			runAll(b, open(b, server.URL(server.Create(b))).Journal(), at)
		})
	}
}

func runAll(b *testing.B, j journal.Journal, at int) {
	var next, group = atomic.Int64{}, sync.WaitGroup{}
	b.ResetTimer()
	for range at {
		group.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				if err := oneRun(j, int(n)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}

func oneRun(j journal.Journal, n int) error {
	created := journaltest.NewRun(fmt.Sprintf("run-%09d", n), n, nil)
	running := created.Record
	running.Status = api.StatusRunning
	begun := journaltest.Next(running, api.EventStarted, api.EventAttemptStarted)
	begun.Events = append(created.Events, begun.Events...)
	begun.Record.InputsPayload.Inline = []byte(`{"x":1}`)
	if err := j.Submit(begun).Wait(context.Background()); err != nil {
		return err
	}
	ended := journaltest.Ended(begun.Record, api.StatusSucceeded, 1)
	ended.Record.OutputsPayload.Inline = []byte(`{"result":2}`)
	return j.Submit(ended).Wait(context.Background())
}
