package sqlite_test

import (
	"context"
	"database/sql"
	"net/url"
	"testing"
)

// connect opens the file as any program would.
func connect(t *testing.T, path string) *sql.DB {
	t.Helper()
	u := url.URL{Scheme: "file", Path: path}
	db, err := sql.Open("sqlite", u.String())
	must(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

func execute(t *testing.T, path, statement string) {
	t.Helper()
	db := connect(t, path)
	_, err := db.ExecContext(t.Context(), statement)
	must(t, err)
	must(t, db.Close())
}

// occupy locks the database for writing until release is called.
func occupy(t *testing.T, path string) (release func()) {
	t.Helper()
	c, err := connect(t, path).Conn(t.Context())
	must(t, err)
	_, err = c.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	must(t, err)
	return func() {
		_, err := c.ExecContext(context.Background(), "ROLLBACK")
		must(t, err)
		must(t, c.Close())
	}
}
