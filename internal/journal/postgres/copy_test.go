package postgres_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cache"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/journaltest"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres/pgtest"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
	"github.com/glovebox-dev/glovebox/internal/journal/tables"
)

// filled puts something into each part of a store.
func filled(t *testing.T, s *tables.Store) {
	t.Helper()
	ctx := t.Context()
	parent := journaltest.NewRun("run-1", 1, nil)
	parent.Record.InputsPayload.Inline = []byte(`{"text":"ä\u0000\ud800"}`)
	parent.Tasks = map[string]json.RawMessage{"sha256:task": []byte(`{}`)}
	parent.Blobs = []string{"aa"}
	parent.Record.Labels = map[string]string{"who": "ada"}
	parent.Record.Holder, parent.Record.Limits = "me", []journal.Limit{{Name: "l", Most: 1}}
	call := journaltest.NewRun("run-2", 2, &parent.Record)
	call.Record.Call = 1
	must(t, s.Journal().Submit(parent, call, journaltest.Ended(call.Record, api.StatusFailed, 1)).Wait(ctx))
	for i := range 450 { // more than are sent together
		must(t, s.Journal().Submit(journaltest.NewRun(fmt.Sprintf("run-x%d", i), i, nil)).Wait(ctx))
	}
	_, err := s.Journal().Permit(ctx, "run-1", 1, parent.Record.Limits)
	must(t, err)
	must(t, s.Journal().SaveSnapshot(ctx, journal.Snapshot{Run: "run-1", Fence: 1, Data: []byte{0, 1, 255}}))
	must(t, s.Journal().RequestCancel(ctx, "run-1", "why"))
	must(t, s.Cache().Put(ctx, cache.Entry{Key: "k", Task: "t", Size: 1, Created: time.Now(), Used: time.Now(), Stdout: []byte("\x00\xff")}))
	must(t, s.Sessions().ChangeSession(ctx, &journal.SessionRecord{Session: api.Session{ID: "s", State: api.SessionRunning, Created: time.Now()}, Seq: 1}, api.SessionEvent{}))
	must(t, s.Schedules().PutSchedules(ctx, []journal.ScheduleRecord{{Schedule: api.Schedule{ScheduleSpec: api.ScheduleSpec{Name: "n"}}, Seq: 1}}, nil))
	must(t, s.Hooks().PutHooks(ctx, []journal.HookRecord{{Hook: api.Hook{HookSpec: api.HookSpec{Name: "h"}}}}, nil))
	must(t, s.Hooks().AddCall(ctx, "h", api.HookCall{}))
	must(t, s.Owners().PutOwner(ctx, api.Owner{Name: "ann"}))
	must(t, s.Owners().AddToken(ctx, journal.TokenRecord{ID: "i", Token: api.Token{Owner: "ann", Name: "ci"}}))
	must(t, s.Owners().AddBlob(ctx, "ann", "aa"))
	must(t, s.Owners().AddDeed(ctx, api.Deed{Owner: "ann"}))
	_, err = s.Catalog().Deploy(ctx, nil, []api.TaskVersion{{Name: "a", Digest: "d", Task: &api.Task{}}}, false)
	must(t, err)
}

// TestCopy moves what a file holds to Postgres and back: it stays the same, new runs
// come after those that were copied, and what is not empty is refused.
func TestCopy(t *testing.T) {
	t.Parallel()
	file := func(name string) *sqlite.DB {
		db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), name), sqlite.Options{})
		must(t, err)
		t.Cleanup(func() { db.Close() })
		return db
	}
	first, server, second := file("a.db"), open(t, newURL(t)), file("b.db")
	filled(t, first.Store)
	there, err := server.CopyFrom(t.Context(), first.Store)
	must(t, err)
	back, err := second.CopyFrom(t.Context(), server.Store)
	must(t, err)
	if diff := cmp.Diff(there, back); diff != "" {
		t.Errorf("copied there and back (-there +back):\n%s", diff)
	}
	empty := 0
	for _, c := range there {
		if c.Rows == 0 {
			empty++
		}
	}
	if there[0].Rows != 452 || empty > 5 {
		t.Errorf("%d runs, and %d empty tables: %+v", there[0].Rows, empty, there)
	}
	must(t, server.Journal().Submit(journaltest.NewRun("run-new", 999, nil)).Wait(t.Context()))
	if r, err := server.Journal().Load(t.Context(), "run-new"); err != nil || r.Num != 453 {
		t.Errorf("got run %+v, %v, want number 453", r, err)
	}
	must(t, server.CheckRows(t.Context(), func(err error) { t.Error(err) }))
	if _, err := server.CopyFrom(t.Context(), first.Store); !errors.Is(err, &api.Error{Code: api.Conflict}) {
		t.Errorf("a second copy: got %v, want %s", err, api.Conflict)
	}
}

// TestCopiedTables: each column of each table is copied.
func TestCopiedTables(t *testing.T) {
	t.Parallel()
	server := pgtest.Shared(t)
	name := newDatabase(t)
	got := server.SQL(t, name, `SELECT table_name || ': ' || string_agg(column_name, ', ' ORDER BY ordinal_position) FROM information_schema.columns
		WHERE table_schema = 'public' AND table_name NOT IN ('home', 'writers', 'nodes', 'duties', 'glovebox_db_version') GROUP BY table_name ORDER BY table_name`)
	if diff := cmp.Diff(got, tables.Copied()); diff != "" {
		t.Errorf("columns (-there +copied):\n%s", diff)
	}
}
