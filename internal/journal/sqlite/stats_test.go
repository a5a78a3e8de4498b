package sqlite_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cache"
	"github.com/glovebox-dev/glovebox/internal/journal/journaltest"
	"github.com/glovebox-dev/glovebox/internal/journal/tables"
)

func TestStats(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "glovebox.db"))
	parent := journaltest.NewRun("run-1", 1, nil)
	call := journaltest.NewRun("run-2", 2, &parent.Record)
	interrupted := journaltest.NewRun("run-3", 3, nil)
	interrupted.Record.Status = api.StatusInterrupted
	must(t, db.Journal().Submit(parent, call, interrupted).Wait(t.Context()))
	for i := range 3 {
		must(t, db.Cache().Put(t.Context(), cache.Entry{Key: fmt.Sprint(i), Task: "t", Size: 7, Created: time.Now(), Used: time.Now()}))
	}
	got, err := db.Stats(t.Context())
	must(t, err)
	if got.Bytes <= 0 {
		t.Errorf("the database has %d bytes", got.Bytes)
	}
	got.Bytes = 0
	want := tables.Stats{Runs: map[api.Status]int{parent.Record.Status: 1, api.StatusInterrupted: 1}, Calls: 1, Results: 3, Kept: 21}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Stats (-want +got):\n%s", diff)
	}
	must(t, db.QuickCheck(t.Context()))
}
