package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"

	"github.com/glovebox-dev/glovebox/api"
)

// Stats says how much a DB holds.
type Stats struct {
	Bytes   int64              // of the file and its log
	Runs    map[api.Status]int // that are no calls
	Calls   int
	Results int   // in the cache
	Kept    int64 // bytes of the results, their blobs included
}

// Stats counts. It reads indices alone, but for the results.
func (db *DB) Stats(ctx context.Context) (Stats, error) {
	s := Stats{Runs: map[api.Status]int{}}
	err := db.read(ctx, func(rows *sql.Rows) error {
		var status api.Status
		var n int
		err := rows.Scan(&status, &n)
		s.Runs[status] = n
		return err
	}, `SELECT status, count(*) FROM runs WHERE `+unfinished+` AND parent IS NULL GROUP BY status
		UNION ALL SELECT status, count(*) FROM runs WHERE `+ended+` AND parent IS NULL GROUP BY status`)
	if err != nil {
		return s, err
	}
	if err := db.one(ctx, []any{&s.Calls}, `SELECT count(*) FROM runs WHERE parent IS NOT NULL`); err != nil {
		return s, err
	}
	if err := db.one(ctx, []any{&s.Results, &s.Kept}, `SELECT count(*), coalesce(sum(size), 0) FROM cache_entries`); err != nil {
		return s, err
	}
	s.Bytes, err = db.size()
	return s, err
}

// one reads the only row of a query.
func (db *DB) one(ctx context.Context, into []any, query string) error {
	return db.read(ctx, func(rows *sql.Rows) error { return rows.Scan(into...) }, query)
}

func (db *DB) size() (sum int64, err error) {
	for _, path := range []string{db.path, db.path + "-wal"} {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, explain(db.path, err)
		}
		sum += info.Size()
	}
	return sum, nil
}

// QuickCheck is Check without what takes longest: that each index has the rows
// of its table.
func (db *DB) QuickCheck(ctx context.Context) error {
	verdict := ""
	if err := db.one(ctx, []any{&verdict}, `PRAGMA quick_check(1)`); err != nil {
		return err
	}
	if verdict != "ok" {
		return corrupt(db.path, errors.New(verdict))
	}
	return nil
}
