package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/glovebox-dev/glovebox/internal/journal/tables"
)

// readPatience is how long a query is tried again while the database is away, such as
// when it is being restarted.
const readPatience = 15 * time.Second

// The pauses between two tries to reach the database.
const (
	minPause = 10 * time.Millisecond
	maxPause = time.Second
)

// Read implements tables.Database. A text that Postgres cannot have is in no row.
func (s *server) Read(ctx context.Context, scan func(tables.Row) error, query string, args ...any) error {
	query = numbered(query)
	until := time.Now().Add(readPatience)
	for pause := minPause; ; pause = min(2*pause, maxPause) {
		rows, release, err := s.fetch(ctx, query, args)
		if err == nil {
			defer release()
			return s.explain(scanAll(rows, scan))
		}
		if hasState(err, badEncoding) {
			return nil
		}
		if !outage(err) || time.Now().After(until) || s.closing.Err() != nil {
			return s.explain(err)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Stream implements tables.Database.
func (s *server) Stream(ctx context.Context, scan func(tables.Row) error, query string, args ...any) error {
	rows, err := s.pool.Query(ctx, numbered(query), args...)
	if err != nil {
		return s.explain(asLost(ctx, err))
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return s.explain(err)
		}
	}
	return s.explain(asLost(ctx, rows.Err()))
}

// fetch reads all rows before any is looked at, so that a query can be tried again.
// They are read by means of the connection, which release gives back.
func (s *server) fetch(ctx context.Context, query string, args []any) (list []row, release func(), err error) {
	c, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, nil, asLost(ctx, err)
	}
	rows, err := c.Query(ctx, query, args...)
	if err == nil {
		fields := rows.FieldDescriptions()
		for rows.Next() {
			list = append(list, row{c.Conn().TypeMap(), fields, copied(rows.RawValues())})
		}
		err = rows.Err()
	}
	if err == nil {
		return list, c.Release, nil
	}
	c.Release()
	if err = asLost(ctx, err); errors.As(err, new(lost)) {
		s.pool.Reset() // the others were lost with it
	}
	return nil, nil, err
}

func copied(values [][]byte) [][]byte {
	list := make([][]byte, len(values))
	for i, v := range values {
		if v != nil {
			list[i] = append([]byte{}, v...)
		}
	}
	return list
}

// row is a row that was read.
type row struct {
	types  *pgtype.Map
	fields []pgconn.FieldDescription
	values [][]byte
}

// Scan implements tables.Row.
func (r row) Scan(into ...any) error {
	for i, to := range into {
		if err := r.types.Scan(r.fields[i].DataTypeOID, r.fields[i].Format, r.values[i], to); err != nil {
			return err
		}
	}
	return nil
}

func scanAll(rows []row, scan func(tables.Row) error) error {
	for _, r := range rows {
		if err := scan(r); err != nil {
			return err
		}
	}
	return nil
}
