package sqlite_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/cache"
	"github.com/glovebox-dev/glovebox/internal/cache/cachetest"
	"github.com/glovebox-dev/glovebox/internal/catalog"
	"github.com/glovebox-dev/glovebox/internal/catalog/catalogtest"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/journaltest"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
)

// open opens a database that is closed at the end of the test.
func open(t testing.TB, path string) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatalf("open %s: %v", path, err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close %s: %v", path, err)
		}
	})
	return db
}

// newPath names a database in memory, where syncs cost nothing.
func newPath(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "glovebox-test-")
	if err != nil {
		dir = t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, "glove%62ox #1?.db")
}

func TestJournal(t *testing.T) {
	t.Parallel()
	journaltest.Run(t, func(t *testing.T) journal.Journal { return open(t, newPath(t)).Journal() })
}

func TestSessions(t *testing.T) {
	t.Parallel()
	journaltest.RunSessions(t, func(t *testing.T) journal.Sessions { return open(t, newPath(t)).Sessions() })
}

func TestSchedules(t *testing.T) {
	t.Parallel()
	journaltest.RunSchedules(t, func(t *testing.T) journal.Schedules { return open(t, newPath(t)).Schedules() })
}

func TestHooks(t *testing.T) {
	journaltest.RunHooks(t, open(t, newPath(t)).Hooks())
}

func TestOwners(t *testing.T) {
	db := open(t, newPath(t))
	journaltest.RunOwners(t, db.Journal(), db.Owners())
}

func TestDeliveries(t *testing.T) {
	db := open(t, newPath(t))
	journaltest.RunDeliveries(t, db.Journal(), db.Deliveries())
}

func TestCache(t *testing.T) {
	cachetest.Run(t, func(t *testing.T) cache.Store { return open(t, newPath(t)).Cache() })
}

func TestCatalog(t *testing.T) {
	catalogtest.Run(t, func(t *testing.T) catalog.Store { return open(t, newPath(t)).Catalog() })
}
