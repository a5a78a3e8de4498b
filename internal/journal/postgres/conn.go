package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/glovebox-dev/glovebox/internal/journal/tables"
)

// conn is the connection that writes. Statements whose results do not matter at once
// are sent together, so that a transaction of many operations takes two ways to the
// server: one for all that is written, one for the commit.
type conn struct {
	pg     *pgx.Conn
	lease  *Lease
	writer string // names it in the table of writers
	token  int64  // of the last transaction

	batch     *pgx.Batch
	expects   []error // of each statement of batch that has to change a row: what it means if it does not
	changes   int64
	immediate bool // between Save and Release
	inDoubt   bool // the answer to a commit is missing
}

var _ tables.Conn = (*conn)(nil)

func newConn(pg *pgx.Conn, lease *Lease, writer string, token int64) *conn {
	return &conn{pg: pg, lease: lease, writer: writer, token: token, batch: &pgx.Batch{}}
}

// Begin implements tables.Conn. A durable transaction needs the lease of the process,
// and leaves its token: whoever has lost the answer to its commit can see by that
// whether it took place.
func (c *conn) Begin(durable bool) error {
	c.batch, c.expects, c.immediate, c.inDoubt = &pgx.Batch{}, nil, false, false
	c.queue(nil, `BEGIN`)
	if !durable {
		c.queue(nil, `SET LOCAL synchronous_commit = off`)
		return nil
	}
	c.token++
	c.queue(errNoLease, fence, c.lease.Name(), c.writer, c.token, time.Now().UTC().Format(time.RFC3339))
	return nil
}

func (c *conn) queue(expect error, query string, args ...any) {
	c.batch.Queue(query, args...)
	c.expects = append(c.expects, expect)
}

// Later implements tables.Tx.
func (c *conn) Later(query string, args ...any) error {
	if c.immediate {
		_, err := c.Exec(query, args...)
		return err
	}
	c.queue(nil, numbered(query), args...)
	c.changes++
	return nil
}

// Expect implements tables.Tx.
func (c *conn) Expect(refuse func() error, query string, args ...any) error {
	if !c.immediate {
		c.queue(tables.ErrPartial, numbered(query), args...)
		c.changes++
		return nil
	}
	n, err := c.Exec(query, args...)
	if err == nil && n == 0 {
		err = refuse()
	}
	return err
}

// Flush implements tables.Conn.
func (c *conn) Flush() error {
	if len(c.expects) == 0 {
		return nil
	}
	results := c.pg.SendBatch(context.Background(), c.batch)
	var missed error
	for _, expect := range c.expects {
		tag, err := results.Exec()
		if err != nil {
			_ = results.Close() // with the same error
			return c.failed(err)
		}
		if expect != nil && tag.RowsAffected() == 0 && !errors.Is(missed, errNoLease) {
			missed = expect
		}
	}
	c.batch, c.expects = &pgx.Batch{}, nil
	return errors.Join(c.failed(results.Close()), missed)
}

// failed notes that the transaction has failed: what was asked may have been refused
// with it, and is found out by executing each operation by itself.
func (c *conn) failed(err error) error {
	switch {
	case err == nil:
		return nil
	case c.pg.IsClosed():
		return lost{err}
	case refused(err) && !c.immediate:
		return errors.Join(tables.ErrPartial, err)
	}
	return err
}

// Exec implements tables.Tx.
func (c *conn) Exec(query string, args ...any) (int64, error) {
	if err := c.Flush(); err != nil {
		return 0, err
	}
	tag, err := c.pg.Exec(context.Background(), numbered(query), args...)
	c.changes++
	return tag.RowsAffected(), c.failed(err)
}

// Query implements tables.Tx.
func (c *conn) Query(scan func(row []tables.Value) error, query string, args ...any) error {
	if err := c.Flush(); err != nil {
		return err
	}
	rows, err := c.pg.Query(context.Background(), numbered(query), args...)
	if err != nil {
		return c.failed(err)
	}
	defer rows.Close()
	for rows.Next() {
		row, err := rows.Values()
		if err != nil {
			return c.failed(err)
		}
		if err := scan(row); err != nil {
			return err
		}
	}
	return c.failed(rows.Err())
}

// Commit implements tables.Conn. A transaction that has failed is rolled back
// instead, which is no error to Postgres.
func (c *conn) Commit() error {
	tag, err := c.pg.Exec(context.Background(), `COMMIT`)
	switch {
	case err == nil && tag.String() != "COMMIT":
		return fmt.Errorf("a transaction ended with %s in place of COMMIT", tag)
	case refused(err):
		return err
	case err != nil:
		c.inDoubt = true
		_ = c.pg.Close(context.Background()) // it may be gone already
		return lost{err}
	}
	return nil
}

// Rollback implements tables.Conn. It fails only if the connection is gone, and the
// transaction with it.
func (c *conn) Rollback() {
	c.batch, c.expects = &pgx.Batch{}, nil
	if !c.pg.IsClosed() && c.pg.PgConn().TxStatus() != 'I' {
		_, _ = c.pg.Exec(context.Background(), `ROLLBACK`)
	}
}

// Save implements tables.Conn.
func (c *conn) Save() error {
	c.immediate = true
	_, err := c.Exec(`SAVEPOINT operation`)
	return err
}

// Restore implements tables.Conn.
func (c *conn) Restore() error {
	_, err := c.Exec(`ROLLBACK TO operation`)
	return err
}

// Release implements tables.Conn.
func (c *conn) Release() error {
	_, err := c.Exec(`RELEASE operation`)
	return err
}

// Changes implements tables.Conn.
func (c *conn) Changes() int64 { return c.changes }

// Broken implements tables.Conn.
func (c *conn) Broken(err error) bool {
	var answer *pgconn.PgError
	return errors.As(err, &lost{}) || errors.Is(err, errNoLease) || errors.As(err, &answer) && !refused(err)
}
