// Package tables keeps the journal, the cache and the catalog in the tables of an
// SQL database. Packages sqlite and postgres are the databases: how they are
// opened, how they write, and what goes wrong with them is theirs. What a row says,
// and which statement does what, is here, once for both.
//
// All writing goes through one connection and one goroutine, which carries out
// whatever waits in one transaction: one sync of the disk is shared by all.
// Reading has connections of its own and never waits for writing.
package tables

import (
	"context"
	"fmt"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cache"
	"github.com/glovebox-dev/glovebox/internal/catalog"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// Database is a database with the tables. A statement has a ? for each argument, or
// ?1, ?2 where one stands several times; an argument is an integer, a text, bytes
// or nil.
type Database interface {
	// Read runs a query of fixed text and calls scan for each row.
	Read(ctx context.Context, scan func(Row) error, query string, args ...any) error
	// ReadOnce is Read for a query whose text is made for one call.
	ReadOnce(ctx context.Context, scan func(Row) error, query string, args ...any) error
	// Stream is Read for any number of rows: each is read when scan has the one before,
	// and a query that fails on its way is not tried again.
	Stream(ctx context.Context, scan func(Row) error, query string, args ...any) error
	// Write hands an operation over. Operations are executed in their order.
	Write(op *Operation) *Operation
	// Dialect says how its SQL differs from that of others.
	Dialect() *Dialect
	// Explain turns an error of the database into one that says what is wrong.
	Explain(err error) error
	// Close executes what waits, and closes the database.
	Close() error
}

// Row is a row that was read.
type Row interface{ Scan(into ...any) error }

// Tx is a transaction, as an operation sees it.
type Tx interface {
	// Exec executes a statement and returns how many rows it changed.
	Exec(query string, args ...any) (int64, error)
	// Later executes a statement, at the latest when the transaction ends.
	Later(query string, args ...any) error
	// Expect is Later for a statement that has to change a row: otherwise refuse
	// says why the operation is refused.
	Expect(refuse func() error, query string, args ...any) error
	// Query calls scan for each row; what is in row counts only until scan returns.
	Query(scan func(row []Value) error, query string, args ...any) error
}

// Value is a column that was read: an int64, a text, bytes or nil.
type Value = any

// Dialect is what differs between databases beside their errors.
type Dialect struct {
	// ForUpdate ends a SELECT of rows that the same transaction is about to change,
	// where others may write meanwhile.
	ForUpdate string
	// SkipLocked is ForUpdate for rows that others have not locked already.
	SkipLocked string
	// Say tells all processes of the journal, when the transaction has ended, that there
	// is something for them; nil where they look by themselves.
	Say func(c Tx, what string) error
	// Lock keeps other transactions from writing to a table until this one ends;
	// nil where transactions take turns.
	Lock func(c Tx, table string) error
	// Alone keeps others from counting and giving permits until the transaction ends; nil
	// where transactions take turns.
	Alone func(c Tx) error
	// Indexed follows a table of which one index is to be used; nil leaves it to the
	// database.
	Indexed func(index string) string
	// Join joins a table to one that is read first, where the database does not see it
	// itself.
	Join string
	// Plain precedes a column whose index is not to be used.
	Plain string
	// HasText is the condition that the text of a run has a text: its arguments are
	// the text as it stands in JSON, and as it is.
	HasText string
	// CacheBlobs and CatalogBlobs select digests of blobs, page by page.
	CacheBlobs, CatalogBlobs string
	// Renumber has rows that come after those of a copy get higher numbers; nil where
	// they do anyway.
	Renumber func(c Tx) error
	// Orphan reports whether an error says that the parent of a run is not there.
	Orphan func(error) bool
}

func (d *Dialect) say(c Tx, what string) error {
	if d.Say == nil {
		return nil
	}
	return d.Say(c, what)
}

func (d *Dialect) lock(c Tx, table string) error {
	if d.Lock == nil {
		return nil
	}
	return d.Lock(c, table)
}

func (d *Dialect) alone(c Tx) error {
	if d.Alone == nil {
		return nil
	}
	return d.Alone(c)
}

func (d *Dialect) indexed(index string) string {
	if d.Indexed == nil {
		return ""
	}
	return d.Indexed(index)
}

// Store has all that is kept in a database.
type Store struct{ db Database }

// New returns the store of a database.
func New(db Database) *Store { return &Store{db} }

// Journal returns the journal. Closing it closes the database.
func (s *Store) Journal() journal.Journal { return journalStore{s} }

// Sessions returns the journal of sessions.
func (s *Store) Sessions() journal.Sessions { return sessionStore{s} }

// Schedules returns the schedules.
func (s *Store) Schedules() journal.Schedules { return scheduleStore{s} }

// Hooks returns the hooks.
func (s *Store) Hooks() journal.Hooks { return hookStore{s} }

// Owners returns the owners, their tokens and what was done with these.
func (s *Store) Owners() journal.Owners { return ownerStore{s} }

// Deliveries returns the deliveries of what runs tell.
func (s *Store) Deliveries() journal.Deliveries { return deliveryStore{s} }

// Cache returns the cache.
func (s *Store) Cache() cache.Store { return cacheStore{s} }

// Catalog returns the catalog.
func (s *Store) Catalog() catalog.Store { return catalogStore{s} }

// do executes an operation and waits for it.
func (s *Store) do(ctx context.Context, do func(Tx) error) error {
	return s.db.Write(NewOperation(ctx, do)).Wait(ctx)
}

// doVitally is do for what makes room: it may use the reserve.
func (s *Store) doVitally(ctx context.Context, do func(Tx) error) error {
	op := NewOperation(ctx, do)
	op.Vital = true
	return s.db.Write(op).Wait(ctx)
}

// doLazily is do for what may be lost when the power fails.
func (s *Store) doLazily(ctx context.Context, size int, do func(Tx) error) error {
	op := NewOperation(ctx, do)
	op.Durable, op.Size = false, size
	return s.db.Write(op).Wait(ctx)
}

// soon is doLazily without a wait for the result.
func (s *Store) soon(size int, do func(Tx) error) {
	op := NewOperation(context.Background(), do)
	op.Durable, op.Size = false, size
	s.db.Write(op)
}

// all returns what scan makes of each row of a query of fixed text.
func all[T any](ctx context.Context, db Database, scan func(Row) (T, error), query string, args ...any) (list []T, err error) {
	err = db.Read(ctx, func(rows Row) error {
		row, err := scan(rows)
		list = append(list, row)
		return err
	}, query, args...)
	return list, err
}

// one returns what scan makes of the row of a query by a key. The error of a row that
// is not there names it.
func one[T any](ctx context.Context, db Database, scan func(Row) (T, error), name, query string, args ...any) (*T, error) {
	list, err := all(ctx, db, scan, query, args...)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s: %w", name, journal.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return &list[0], nil
}

// Stats says how much a database holds.
type Stats struct {
	Bytes   int64              // of the database
	Runs    map[api.Status]int // that are no calls
	Calls   int
	Results int   // in the cache
	Kept    int64 // bytes of the results, their blobs included
}

// Count counts everything but the bytes of the database. It reads indices alone,
// but for the results.
func (s *Store) Count(ctx context.Context) (Stats, error) {
	n := Stats{Runs: map[api.Status]int{}}
	err := s.db.Read(ctx, func(rows Row) error {
		var status string
		var runs int
		err := rows.Scan(&status, &runs)
		n.Runs[api.Status(status)] = runs
		return err
	}, `SELECT status, count(*) FROM runs WHERE `+unfinished+` AND parent IS NULL GROUP BY status
		UNION ALL SELECT status, count(*) FROM runs WHERE `+ended+` AND parent IS NULL GROUP BY status`)
	if err != nil {
		return n, err
	}
	if err := s.only(ctx, []any{&n.Calls}, `SELECT count(*) FROM runs WHERE parent IS NOT NULL`); err != nil {
		return n, err
	}
	return n, s.only(ctx, []any{&n.Results, &n.Kept}, `SELECT count(*), CAST(coalesce(sum(size), 0) AS BIGINT) FROM cache_entries`)
}

// only reads the only row of a query.
func (s *Store) only(ctx context.Context, into []any, query string) error {
	return s.db.Read(ctx, func(rows Row) error { return rows.Scan(into...) }, query)
}

// Written counts what was written since the database was opened.
type Written struct {
	Operations int64 // each of them atomic, such as a submission to the journal
	Syncs      int64 // transactions that were synced to the disk
}
