package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"

	"github.com/glovebox-dev/glovebox/internal/journal/tables"
)

// conn is the connection that writes. It speaks to the driver itself, because
// package database/sql would cost a third of the time of a small statement. It
// keeps every statement that it prepared, so their texts are constant.
type conn struct {
	driver   driverConn
	prepared map[string]driver.Stmt
	args     []driver.NamedValue
	changed  int64 // rows so far
	synced   bool  // whether it syncs each transaction
}

var _ tables.Conn = (*conn)(nil)

func newConn(c driverConn) *conn {
	return &conn{driver: c, prepared: map[string]driver.Stmt{}, synced: true}
}

// Exec implements tables.Tx.
func (c *conn) Exec(query string, args ...any) (int64, error) {
	stmt, err := c.prepare(query)
	if err != nil {
		return 0, err
	}
	result, err := stmt.(driver.StmtExecContext).ExecContext(context.Background(), c.named(args))
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	c.changed += n
	return n, err
}

// Later implements tables.Tx: a statement costs no way to another process, and so
// waits for no others.
func (c *conn) Later(query string, args ...any) error {
	_, err := c.Exec(query, args...)
	return err
}

// Expect implements tables.Tx.
func (c *conn) Expect(refuse func() error, query string, args ...any) error {
	n, err := c.Exec(query, args...)
	if err == nil && n == 0 {
		err = refuse()
	}
	return err
}

// Query implements tables.Tx.
func (c *conn) Query(scan func(row []tables.Value) error, query string, args ...any) error {
	stmt, err := c.prepare(query)
	if err != nil {
		return err
	}
	rows, err := stmt.(driver.StmtQueryContext).QueryContext(context.Background(), c.named(args))
	if err != nil {
		return err
	}
	defer rows.Close()
	row := make([]driver.Value, len(rows.Columns()))
	values := make([]tables.Value, len(row))
	for {
		if err := rows.Next(row); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		for i, v := range row {
			values[i] = v
		}
		if err := scan(values); err != nil {
			return err
		}
	}
}

func (c *conn) prepare(query string) (driver.Stmt, error) {
	if stmt, ok := c.prepared[query]; ok {
		return stmt, nil
	}
	stmt, err := c.driver.PrepareContext(context.Background(), query)
	if err == nil {
		c.prepared[query] = stmt
	}
	return stmt, err
}

func (c *conn) named(args []any) []driver.NamedValue {
	c.args = c.args[:0]
	for i, a := range args {
		c.args = append(c.args, driver.NamedValue{Ordinal: i + 1, Value: a})
	}
	return c.args
}

func (c *conn) close() error {
	var errs []error
	for _, stmt := range c.prepared {
		errs = append(errs, stmt.Close())
	}
	return errors.Join(append(errs, c.driver.Close())...)
}

// Begin implements tables.Conn. The connection syncs the transaction only if that
// has to be durable.
func (c *conn) Begin(durable bool) error {
	if err := c.sync(durable); err != nil {
		return err
	}
	return c.Later("BEGIN IMMEDIATE")
}

func (c *conn) sync(durable bool) error {
	if durable == c.synced {
		return nil
	}
	pragma := "PRAGMA synchronous = NORMAL"
	if durable {
		pragma = "PRAGMA synchronous = FULL"
	}
	err := c.Later(pragma)
	if err == nil {
		c.synced = durable
	}
	return err
}

// Flush implements tables.Conn.
func (c *conn) Flush() error { return nil }

// Commit implements tables.Conn.
func (c *conn) Commit() error {
	err := c.Later("COMMIT")
	if err != nil {
		c.Rollback()
	}
	return err
}

// Rollback implements tables.Conn. It fails only if SQLite has done so already.
func (c *conn) Rollback() { _ = c.Later("ROLLBACK") }

// Save implements tables.Conn.
func (c *conn) Save() error { return c.Later("SAVEPOINT operation") }

// Restore implements tables.Conn.
func (c *conn) Restore() error { return c.Later("ROLLBACK TO operation") }

// Release implements tables.Conn.
func (c *conn) Release() error { return c.Later("RELEASE operation") }

// Changes implements tables.Conn.
func (c *conn) Changes() int64 { return c.changed }

// Broken implements tables.Conn.
func (c *conn) Broken(err error) bool { return broken(err) }
