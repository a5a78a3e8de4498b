package postgres_test

import (
	"errors"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal/journaltest"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres/pgtest"
)

// TestOpenRefuses: what cannot be a journal is refused with a message that says what
// is wrong, and never has the password.
func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	server := pgtest.Shared(t)
	foreign, newer, latin, other := server.Create(t), newDatabase(t), server.Create(t), newDatabase(t)
	server.SQL(t, foreign, `CREATE TABLE runs (id int)`)
	server.SQL(t, newer, `INSERT INTO glovebox_db_version (version_id, is_applied) VALUES (999, true)`)
	server.SQL(t, "postgres", `DROP DATABASE `+latin, `CREATE DATABASE `+latin+` TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`)
	server.SQL(t, other, `UPDATE home SET id = 'another'`)
	secret := url.QueryEscape(pgtest.Password)
	for name, test := range map[string]struct {
		url  string
		code api.Code
		says string
	}{
		"no URL":            {"postgres//" + secret, api.RequestInvalid, "no URL"},
		"another program":   {"mysql://u:" + secret + "@h/d", api.RequestInvalid, "no URL"},
		"a bad port":        {"postgres://u:" + secret + "@h:12x/d", api.RequestInvalid, "no URL"},
		"a bad parameter":   {"postgres://u:" + secret + "@h/d?sslmode=sometimes", api.RequestInvalid, "sslmode"},
		"a bad escape":      {"postgres://u:" + secret + "@h/d?x=%zz", api.RequestInvalid, "cannot be read"},
		"a wrong password":  {strings.Replace(server.TCP("postgres", ""), inURL, ":not-the-one", 1), api.RequestInvalid, "does not let the user"},
		"no database":       {server.TCP("nowhere", ""), api.RequestInvalid, `no database "nowhere"`},
		"no server":         {"postgres://u:" + secret + "@127.0.0.1:1/d", api.ServerUnavailable, "refused"},
		"no TLS":            {strings.Replace(server.TCP("postgres", ""), "sslmode=disable", "sslmode=verify-full", 1), api.ServerUnavailable, "TLS"},
		"no schema":         {server.URL("postgres") + "&search_path=nowhere", api.RequestInvalid, "schema"},
		"tables of another": {server.URL(foreign), api.RequestInvalid, "another program"},
		"a newer version":   {server.URL(newer), api.StorageNewer, "version 999"},
		"another encoding":  {server.URL(latin), api.RequestInvalid, "LATIN1"},
		"another home":      {server.URL(other), api.HomeBusy, "another home"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := postgres.Open(t.Context(), test.url, postgres.Options{Home: "home"})
			if !errors.Is(err, &api.Error{Code: test.code}) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want %s with %q", err, test.code, test.says)
			}
			if e := api.AsError(err); err != nil && (leaks(e.Error()) || leaks(e.Hint) || leaks(e.Details.Got)) {
				t.Errorf("the error has the password: %v, hint %s", err, e.Hint)
			}
		})
	}
}

// inURL is the password as the part of a URL has it.
var inURL = url.UserPassword("", pgtest.Password).String()

func leaks(text string) bool {
	for _, secret := range []string{pgtest.Password, url.QueryEscape(pgtest.Password), inURL, "not-the-one"} {
		if strings.Contains(text, secret) {
			return true
		}
	}
	return false
}

// TestKnown: a home that has had its journal in a database takes no empty one.
func TestKnown(t *testing.T) {
	t.Parallel()
	_, err := postgres.Open(t.Context(), pgtest.New(t), postgres.Options{Home: "home", Known: true})
	if !errors.Is(err, &api.Error{Code: api.StorageCorrupt}) {
		t.Errorf("got %v, want %s", err, api.StorageCorrupt)
	}
}

// TestOpenAtOnce: several processes make the tables of one database at once, and then
// write to it.
func TestOpenAtOnce(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	var group sync.WaitGroup
	for i := range 6 {
		group.Go(func() {
			db, err := postgres.Open(t.Context(), url, postgres.Options{Home: "home"})
			if err != nil {
				t.Error(err)
				return
			}
			defer db.Close()
			if err := db.Journal().Submit(journaltest.NewRun("run-"+string(rune('a'+i)), i, nil)).Wait(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	found, err := open(t, url).Journal().Unfinished(t.Context())
	if err != nil || len(found) != 6 {
		t.Errorf("%d runs, %v, want 6", len(found), err)
	}
}

// TestPlace: what is shown of an address has neither user nor password.
func TestPlace(t *testing.T) {
	t.Parallel()
	server := pgtest.Shared(t)
	name := newDatabase(t)
	if got, want := open(t, server.TCP(name, "")).Place(), "postgres://"+server.Address()+"/"+name; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestText: a text that Postgres cannot have is refused when it is written, harms no
// other run, and is found in nothing.
func TestText(t *testing.T) {
	t.Parallel()
	j := open(t, newURL(t)).Journal()
	bad, good := journaltest.NewRun("run-bad", 0, nil), journaltest.NewRun("run-good", 1, nil)
	bad.Record.Task = "a\x00b"
	first, second := j.Submit(bad), j.Submit(good)
	if err := first.Wait(t.Context()); !errors.Is(err, &api.Error{Code: api.RequestInvalid}) {
		t.Errorf("got %v, want %s", err, api.RequestInvalid)
	}
	must(t, second.Wait(t.Context()))
	for _, q := range []api.RunQuery{{Task: "a\x00b"}, {Text: "\xff"}, {Task: "\xff"}} {
		if found, _, err := j.List(t.Context(), q); err != nil || len(found) > 0 {
			t.Errorf("%+v: %d runs, %v", q, len(found), err)
		}
	}
}
