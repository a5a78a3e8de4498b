package app

import (
	"cmp"
	"context"
	"os"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cache"
	"github.com/glovebox-dev/glovebox/internal/catalog"
	"github.com/glovebox-dev/glovebox/internal/doctor"
	"github.com/glovebox-dev/glovebox/internal/home"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
	"github.com/glovebox-dev/glovebox/internal/journal/tables"
)

// database has all that a home keeps of its runs: the file in it, or a database on a
// server.
type database interface {
	stores
	doctor.Database
	Written() tables.Written
	// SetPatience says how long what continues a run waits for space, or for the server.
	SetPatience(time.Duration)
	Close() error
}

// journalAddress returns the URL of the journal of a home, or "" for the file in it.
func journalAddress(dir home.Dir, journal string) (string, error) {
	url := cmp.Or(journal, os.Getenv(host.JournalVariable))
	place, err := dir.JournalPlace()
	switch {
	case err != nil:
		return "", err
	case url == "" && place != "":
		return "", api.Errorf(api.RequestInvalid, "the journal of the home %s is in %s", dir, place).
			WithHint("set %s to its URL; glovebox journal move sqlite brings it back into the home", host.JournalVariable).
			WithDetails(api.Details{Field: host.JournalVariable, Expected: place})
	case url == "":
		return "", nil
	case !postgres.IsAddress(url):
		return "", api.Errorf(api.RequestInvalid, "the address of the journal begins with neither postgres:// nor postgresql://").
			WithHint("write postgres://USER@HOST:PORT/DATABASE").WithDetails(api.Details{Field: "journal", Expected: "postgres://USER@HOST:PORT/DATABASE"})
	case place == "" && dir.HasDatabase():
		return "", api.Errorf(api.Conflict, "the home %s has its journal in %s", dir, dir.Database()).
			WithHint("move it with: glovebox journal move URL, or begin another home with GLOVEBOX_HOME")
	}
	return url, nil
}

// openDatabase opens the journal of the home, wherever it is. File opens that in the
// home.
func (a *App) openDatabase(ctx context.Context, o host.Options, file func() (*sqlite.DB, error)) (database, error) {
	url, err := journalAddress(a.Home, o.Journal)
	if err != nil {
		return nil, err
	}
	if url != "" {
		return a.openPostgres(ctx, url, o)
	}
	if a.Home.Shares() {
		return nil, api.Errorf(api.Conflict, "the home %s shares its blobs with other nodes, which need a journal in Postgres", a.Home).
			WithHint("set %s to its URL", host.JournalVariable).WithDetails(api.Details{Field: "journal", Expected: "postgres://USER@HOST:PORT/DATABASE"})
	}
	db, err := file()
	if err != nil {
		return nil, err // and no interface with a nil in it
	}
	return db, nil
}

// away says that something waits for the server of the journal.
func (a *App) away() {
	a.logger.Warn("the database of the journal cannot be written; runs wait for it")
}

// openPostgres opens the journal of the home on a server, and notes where it is.
func (a *App) openPostgres(ctx context.Context, url string, o host.Options) (database, error) {
	dir := a.Home
	id, err := dir.ID()
	if err != nil {
		return nil, err
	}
	place, err := dir.JournalPlace()
	if err != nil {
		return nil, err
	}
	member, lease, err := a.member(o)
	if err != nil {
		return nil, err
	}
	db, err := postgres.Open(ctx, url, postgres.Options{Home: id, Known: place != "", Waits: a.away, Member: member, Lease: lease})
	if err != nil {
		return nil, err
	}
	a.lease = db.Lease()
	if place != db.Place() {
		if err := dir.SetJournalPlace(db.Place()); err != nil {
			db.Close()
			return nil, err
		}
	}
	return db, nil
}

// stores are those of a database.
type stores interface {
	Journal() journal.Journal
	Sessions() journal.Sessions
	Schedules() journal.Schedules
	Hooks() journal.Hooks
	Deliveries() journal.Deliveries
	Owners() journal.Owners
	Cache() cache.Store
	Catalog() catalog.Store
}
