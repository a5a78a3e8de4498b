package postgres_test

import (
	"flag"
	"sync"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/cache"
	"github.com/glovebox-dev/glovebox/internal/cache/cachetest"
	"github.com/glovebox-dev/glovebox/internal/catalog"
	"github.com/glovebox-dev/glovebox/internal/catalog/catalogtest"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/journaltest"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres/pgtest"
)

// open opens a database that is closed at the end of the test.
func open(t testing.TB, url string) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), url, postgres.Options{Home: "home"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return db
}

// ready is a database of the shared server with empty tables.
var ready struct {
	sync.Mutex
	name string
}

// newURL is that of a database with empty tables.
func newURL(t testing.TB) string { return pgtest.Shared(t).URL(newDatabase(t)) }

func newDatabase(t testing.TB) string {
	t.Helper()
	s := pgtest.Shared(t)
	ready.Lock()
	defer ready.Unlock()
	if ready.name == "" {
		s.SQL(t, "postgres", "CREATE DATABASE ready")
		db, err := postgres.Open(t.Context(), s.URL("ready"), postgres.Options{Home: "home"})
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		ready.name = "ready"
	}
	return s.Copy(t, ready.name)
}

func TestJournal(t *testing.T) {
	t.Parallel()
	checks := "40"
	if testing.Short() {
		checks = "5"
	}
	if err := flag.Set("rapid.checks", checks); err != nil { // each makes connections of its own
		t.Fatal(err)
	}
	var last struct {
		test, database string
		db             *postgres.DB
	}
	journaltest.Run(t, func(t *testing.T) journal.Journal {
		server := pgtest.Shared(t)
		if last.test == t.Name() { // which wants a hundred
			last.db.Close()
			server.SQL(t, last.database, `TRUNCATE runs, run_labels, inputs, events, definitions, blob_refs, snapshots, cancel_requests, approvals, deliveries RESTART IDENTITY`)
		} else {
			last.test, last.database = t.Name(), newDatabase(t)
		}
		last.db = open(t, server.URL(last.database))
		return last.db.Journal()
	})
}

func TestSessions(t *testing.T) {
	t.Parallel()
	journaltest.RunSessions(t, func(t *testing.T) journal.Sessions { return open(t, newURL(t)).Sessions() })
}

func TestSchedules(t *testing.T) {
	t.Parallel()
	journaltest.RunSchedules(t, func(t *testing.T) journal.Schedules { return open(t, newURL(t)).Schedules() })
}

func TestHooks(t *testing.T) {
	journaltest.RunHooks(t, open(t, newURL(t)).Hooks())
}

func TestOwners(t *testing.T) {
	db := open(t, newURL(t))
	journaltest.RunOwners(t, db.Journal(), db.Owners())
}

func TestDeliveries(t *testing.T) {
	db := open(t, newURL(t))
	journaltest.RunDeliveries(t, db.Journal(), db.Deliveries())
}

func TestCache(t *testing.T) {
	t.Parallel()
	cachetest.Run(t, func(t *testing.T) cache.Store { return open(t, newURL(t)).Cache() })
}

func TestCatalog(t *testing.T) {
	t.Parallel()
	catalogtest.Run(t, func(t *testing.T) catalog.Store { return open(t, newURL(t)).Catalog() })
}
