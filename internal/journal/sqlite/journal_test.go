package sqlite_test

import (
	"path/filepath"
	"testing"

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

func newPath(t testing.TB) string { return filepath.Join(t.TempDir(), "glove%62ox #1?.db") }

func TestJournal(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) journal.Journal { return open(t, newPath(t)).Journal() })
}
