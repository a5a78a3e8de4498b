package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/journaltest"
	"github.com/glovebox-dev/glovebox/internal/journal/tables"
)

// TestMigrate has a database of each earlier version keep what it holds, and
// become as one that is new.
func TestMigrate(t *testing.T) {
	now := filepath.Join(t.TempDir(), "glovebox.db")
	db := opened(t, now)
	parent := journaltest.NewRun("run-1", 1, nil)
	parent.Record.InputsPayload.Inline = []byte(`{"x":1}`)
	call := journaltest.NewRun("run-2", 2, &parent.Record)
	call.Record.Call = 1
	call.Tasks = map[string]json.RawMessage{"sha256:task": []byte(`{}`)}
	last := journaltest.NewRun("run-3", 3, nil)
	last.Record.Trigger = &api.Trigger{Hook: "push", Message: "m"}
	err := db.Journal().Submit(parent, call, journaltest.Ended(call.Record, api.StatusFailed, 1), last).Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want, schema := contents(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	scripts, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for version := 1; version < len(scripts); version++ {
		old := filepath.Join(t.TempDir(), "glovebox.db")
		makeOld(t, old, now, int64(version))
		migrated := opened(t, old)
		if err := migrated.Check(t.Context()); err != nil {
			t.Errorf("from version %d: %v", version, err)
		}
		got, gotTables := contents(t, migrated)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("runs from version %d (-want +got):\n%s", version, diff)
		}
		if diff := cmp.Diff(schema, gotTables); diff != "" {
			t.Errorf("tables and indices from version %d (-want +got):\n%s", version, diff)
		}
	}
}

func opened(t *testing.T, path string) *DB {
	t.Helper()
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// contents are the runs of a database, and what its tables are made of.
func contents(t *testing.T, db *DB) (runs []*journal.Record, schema []string) {
	t.Helper()
	if found, _, err := db.Journal().List(t.Context(), api.RunQuery{Trigger: "hook:push"}); err != nil || len(found) != 1 {
		t.Errorf("%d runs of the hook, %v", len(found), err)
	}
	listed, _, err := db.Journal().List(t.Context(), api.RunQuery{})
	if err != nil || len(listed) != 3 {
		t.Fatalf("got %d runs, %v, want 3", len(listed), err)
	}
	for _, l := range listed {
		r, err := db.Journal().Load(t.Context(), l.ID)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, r)
	}
	err = db.read(t.Context(), func(rows tables.Row) error {
		var text string
		err := rows.Scan(&text)
		schema = append(schema, text)
		return err
	}, `SELECT name || coalesce(sql, '') FROM sqlite_master ORDER BY name`)
	if err != nil {
		t.Fatal(err)
	}
	return runs, schema
}

// makeOld makes a database of a version, with the rows of another.
func makeOld(t *testing.T, path, from string, version int64) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // what is attached is so for one connection
	scripts, err := fs.Sub(migrations, "migrations")
	if err != nil {
		t.Fatal(err)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, scripts, goose.WithDisableGlobalRegistry(true))
	if err == nil {
		_, err = p.UpTo(t.Context(), version)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), `PRAGMA journal_mode = WAL; ATTACH ? AS other`, from); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"runs", "inputs", "events", "definitions"} {
		var columns string // that there were then, and are
		if err := db.QueryRowContext(t.Context(), `SELECT group_concat(name) FROM pragma_table_info(?1) WHERE name IN (SELECT name FROM pragma_table_info(?1, 'other'))`, table).Scan(&columns); err != nil {
			t.Fatal(err)
		}
		if _, err := db.ExecContext(context.Background(), `INSERT INTO `+table+` (`+columns+`) SELECT `+columns+` FROM other.`+table); err != nil {
			t.Fatal(err)
		}
	}
}
