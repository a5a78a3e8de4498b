// Package sqlite keeps the journal, the cache and the catalog in one SQLite
// file. Any number of processes may use it at once.
//
// All writing goes through one connection and one goroutine, which carries out
// whatever waits in one transaction: one sync of the disk is shared by all.
// Reading has connections of its own and never waits for writing.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/internal/cache"
	"github.com/glovebox-dev/glovebox/internal/catalog"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// Options adjust a DB. The zero value is right for everybody but tests.
type Options struct {
	// LockWait is how long to wait for another process that writes; 0 means 30
	// seconds.
	LockWait time.Duration
	// Known says that there has been a database at that path before: a file of 0
	// bytes is then a damaged one, and not one that is about to be made.
	Known bool
	// Give is called when the disk is full and something has to be written all
	// the same. It reports whether it gave back space. Nil gives none.
	Give func() bool
	// Waits is called when the end of a run begins to wait for space. Nil is not.
	Waits func()
}

const (
	defaultLockWait = 30 * time.Second
	defaultPatience = time.Minute
)

// DB is an open database. It is safe for concurrent use.
type DB struct {
	path    string
	readers *sql.DB
	writer  *writer

	mu       sync.Mutex
	prepared map[string]*sql.Stmt // of readers
}

// Open opens the database at path, and makes or migrates it if that is needed.
// Its directory must exist. A file that is damaged, no database of Glovebox, or
// written by a newer version is an error, and is left as it is.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	if o.LockWait <= 0 {
		o.LockWait = defaultLockWait
	}
	f, err := newFile(path, o)
	if err != nil {
		return nil, err
	}
	if o.Give == nil {
		o.Give = func() bool { return false }
	}
	if o.Waits == nil {
		o.Waits = func() {}
	}
	db, err := f.prepareAndOpen(ctx, o)
	if full(err) && o.Give() {
		db, err = f.prepareAndOpen(ctx, o)
	}
	return db, err
}

// SetPatience says how long the end of a run waits while the disk is full, before
// it is given up; a minute at first. It counts for those that wait already, too.
func (db *DB) SetPatience(d time.Duration) { db.writer.parked.setPatience(d) }

// Journal returns the journal. Closing it closes the DB.
func (db *DB) Journal() journal.Journal { return journalStore{db} }

// Sessions returns the journal of sessions.
func (db *DB) Sessions() journal.Sessions { return sessionStore{db} }

// Schedules returns the schedules.
func (db *DB) Schedules() journal.Schedules { return scheduleStore{db} }

// Hooks returns the hooks.
func (db *DB) Hooks() journal.Hooks { return hookStore{db} }

// Deliveries returns the deliveries of what runs tell.
func (db *DB) Deliveries() journal.Deliveries { return deliveryStore{db} }

// Cache returns the cache.
func (db *DB) Cache() cache.Store { return cacheStore{db} }

// Catalog returns the catalog.
func (db *DB) Catalog() catalog.Store { return catalogStore{db} }

// Written counts what was written so far.
func (db *DB) Written() Written {
	return Written{Operations: db.writer.operations.Load(), Syncs: db.writer.syncs.Load()}
}

// Close executes what waits, and closes the file.
func (db *DB) Close() error {
	err := db.writer.close()
	return errors.Join(err, db.readers.Close())
}

// Check reads the whole database and returns storage_corrupt if its structure
// is damaged. Damage of single rows is found when they are read.
func (db *DB) Check(ctx context.Context) error {
	var verdict string
	if err := db.readers.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return explain(db.path, err)
	}
	if verdict != "ok" {
		return corrupt(db.path, errors.New(verdict))
	}
	return nil
}

// read runs a query of fixed text and calls scan for each row.
func (db *DB) read(ctx context.Context, scan func(*sql.Rows) error, query string, args ...any) error {
	stmt, err := db.prepare(ctx, query)
	if err != nil {
		return explain(db.path, err)
	}
	rows, err := stmt.QueryContext(ctx, args...)
	return db.each(rows, err, scan)
}

// all returns what scan makes of each row of a query of fixed text.
func all[T any](ctx context.Context, db *DB, scan func(*sql.Rows) (T, error), query string, args ...any) (list []T, err error) {
	err = db.read(ctx, func(rows *sql.Rows) error {
		row, err := scan(rows)
		list = append(list, row)
		return err
	}, query, args...)
	return list, err
}

// one returns what scan makes of the row of a query by a key. The error of a row that
// is not there names it.
func one[T any](ctx context.Context, db *DB, scan func(*sql.Rows) (T, error), name, query string, args ...any) (*T, error) {
	list, err := all(ctx, db, scan, query, args...)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s: %w", name, journal.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return &list[0], nil
}

// each calls scan for each row, and closes rows.
func (db *DB) each(rows *sql.Rows, err error, scan func(*sql.Rows) error) error {
	if err != nil {
		return explain(db.path, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return explain(db.path, err)
		}
	}
	return explain(db.path, rows.Err())
}

// prepare returns the statement of a query; it is kept, so the queries are few.
func (db *DB) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if stmt, ok := db.prepared[query]; ok {
		return stmt, nil
	}
	stmt, err := db.readers.PrepareContext(ctx, query)
	if err == nil {
		db.prepared[query] = stmt
	}
	return stmt, err
}
