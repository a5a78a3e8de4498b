// Package sqlite keeps the journal, the cache and the catalog in one SQLite
// file. Any number of processes may use it at once.
//
// What is in the file is said by package tables. Here is how it is opened, written
// and kept whole.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/internal/journal/tables"
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
	*tables.Store
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

func newDB(path string, readers *sql.DB, w *writer) *DB {
	db := &DB{path: path, readers: readers, writer: w, prepared: map[string]*sql.Stmt{}}
	db.Store = tables.New(files{db})
	return db
}

// SetPatience says how long the end of a run waits while the disk is full, before
// it is given up; a minute at first. It counts for those that wait already, too.
func (db *DB) SetPatience(d time.Duration) { db.writer.parked.setPatience(d) }

// Place is the path of the file.
func (db *DB) Place() string { return db.path }

// Written counts what was written so far.
func (db *DB) Written() tables.Written {
	return tables.Written{Operations: db.writer.operations.Load(), Syncs: db.writer.syncs.Load()}
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

// files is a DB as the stores see it.
type files struct{ *DB }

// Dialect implements tables.Database.
func (files) Dialect() *tables.Dialect { return dialect }

// Explain implements tables.Database.
func (f files) Explain(err error) error { return explain(f.path, err) }

// Write implements tables.Database.
func (f files) Write(op *tables.Operation) *tables.Operation { return f.writer.submit(op) }

// Read implements tables.Database.
func (f files) Read(ctx context.Context, scan func(tables.Row) error, query string, args ...any) error {
	return f.read(ctx, scan, query, args...)
}

// Stream implements tables.Database.
func (f files) Stream(ctx context.Context, scan func(tables.Row) error, query string, args ...any) error {
	return f.read(ctx, scan, query, args...)
}

// ReadOnce implements tables.Database.
func (f files) ReadOnce(ctx context.Context, scan func(tables.Row) error, query string, args ...any) error {
	rows, err := f.readers.QueryContext(ctx, query, args...)
	return f.each(rows, err, scan)
}

// read runs a query of fixed text and calls scan for each row.
func (db *DB) read(ctx context.Context, scan func(tables.Row) error, query string, args ...any) error {
	stmt, err := db.prepare(ctx, query)
	if err != nil {
		return explain(db.path, err)
	}
	rows, err := stmt.QueryContext(ctx, args...)
	return db.each(rows, err, scan)
}

// each calls scan for each row, and closes rows.
func (db *DB) each(rows *sql.Rows, err error, scan func(tables.Row) error) error {
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
