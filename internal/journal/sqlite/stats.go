package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/glovebox-dev/glovebox/internal/journal/tables"
)

// Stats counts what is kept, and the bytes of the file and its log.
func (db *DB) Stats(ctx context.Context) (tables.Stats, error) {
	s, err := db.Count(ctx)
	if err == nil {
		s.Bytes, err = db.size()
	}
	return s, err
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

// Sound is what is known of a database in which Check finds nothing.
func (db *DB) Sound() string { return "its structure is sound" }

// QuickCheck is Check without what takes longest: that each index has the rows
// of its table.
func (db *DB) QuickCheck(ctx context.Context) error {
	verdict := ""
	err := db.read(ctx, func(row tables.Row) error { return row.Scan(&verdict) }, `PRAGMA quick_check(1)`)
	if err != nil {
		return err
	}
	if verdict != "ok" {
		return corrupt(db.path, errors.New(verdict))
	}
	return nil
}
