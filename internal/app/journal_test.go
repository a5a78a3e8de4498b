package app

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/home"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/journal/journaltest"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres/pgtest"
)

// opened opens a home, and returns the ids of its runs.
func opened(t *testing.T, dir, journal string) ([]string, error) {
	t.Helper()
	a, err := Open(t.Context(), host.Options{Home: dir, Journal: journal})
	if err != nil {
		return nil, err
	}
	defer a.Close()
	found, _, err := a.db.Journal().List(t.Context(), api.RunQuery{})
	var ids []string
	for _, r := range found {
		ids = append(ids, r.ID)
	}
	return ids, err
}

// TestJournalElsewhere moves the journal of a home to Postgres and back. Wherever it is,
// it is found there, and nothing else is taken for it.
func TestJournalElsewhere(t *testing.T) {
	ctx := t.Context()
	dir, first, second := t.TempDir(), pgtest.New(t), pgtest.New(t)
	a, err := Open(ctx, host.Options{Home: dir})
	if err != nil {
		t.Fatal(err)
	}
	run := journaltest.NewRun("run-a", 0, nil)
	err = a.db.Journal().Submit(run, journaltest.Ended(run.Record, api.StatusSucceeded, 1)).Wait(ctx)
	if err := errors.Join(err, a.Close()); err != nil {
		t.Fatal(err)
	}
	is := func(what string, ids []string, err error, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, ids); err != nil || diff != "" {
			t.Errorf("%s: %v, runs (-want +got):\n%s", what, err, diff)
		}
	}
	refused := func(what string, err error, code api.Code) {
		t.Helper()
		if !errors.Is(err, &api.Error{Code: code}) {
			t.Errorf("%s: got %v, want %s", what, err, code)
		}
	}
	move := func(journal, to string) error {
		_, err := Engine{}.MoveJournal(ctx, host.Options{Home: dir, Journal: journal}, to)
		return err
	}
	ids := func(dir, journal string, code api.Code) {
		t.Helper()
		_, err := opened(t, dir, journal)
		refused(journal+" of "+dir, err, code)
	}

	ids(dir, first, api.Conflict) // its journal is in the home
	refused("back, and it is there", move("", host.InHome), api.Conflict)
	refused("no address", move("", "mysql://u:p@h/d"), api.RequestInvalid)
	if err := move("", first); err != nil {
		t.Fatal(err)
	}
	ids(dir, "", api.RequestInvalid)      // its journal is in Postgres
	ids(t.TempDir(), first, api.HomeBusy) // which belongs to another home
	ids(dir, second, api.StorageCorrupt)  // and is not that one
	refused("moved twice", move(first, second), api.Conflict)
	got, err := opened(t, dir, first)
	is("in Postgres", got, err, "run-a")

	if err := move(first, host.InHome); err != nil {
		t.Fatal(err)
	}
	got, err = opened(t, dir, "")
	is("in the home again", got, err, "run-a")
	refused("to where it was", move("", first), api.Conflict)
	if err := move("", second); err != nil {
		t.Fatal(err)
	}
	ids(dir, first, api.Conflict) // a copy of before
	got, err = opened(t, dir, second)
	is("in another one", got, err, "run-a")
}

// TestMoveAlone: a journal that another process uses is not moved.
func TestMoveAlone(t *testing.T) {
	dir := t.TempDir()
	a, err := Open(t.Context(), host.Options{Home: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, err := (Engine{}).MoveJournal(t.Context(), host.Options{Home: dir}, pgtest.New(t)); !errors.Is(err, &api.Error{Code: api.HomeBusy}) {
		t.Errorf("got %v, want %s", err, api.HomeBusy)
	}
}

// TestMoveFails: a move that fails leaves the journal where it is.
func TestMoveFails(t *testing.T) {
	dir := t.TempDir()
	if _, err := opened(t, dir, ""); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		ctx context.Context
		to  string
	}{"no server": {t.Context(), "postgres://u@127.0.0.1:1/d"}, "canceled": {ctx, pgtest.New(t)}} {
		if _, err := (Engine{}).MoveJournal(test.ctx, host.Options{Home: dir}, test.to); err == nil {
			t.Errorf("%s: there was no error", name)
		}
		if place, err := home.Dir(dir).JournalPlace(); place != "" || err != nil {
			t.Errorf("%s: the journal is in %q, %v", name, place, err)
		}
		if _, err := os.Stat(home.Dir(dir).Database()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
