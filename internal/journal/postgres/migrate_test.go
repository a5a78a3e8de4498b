package postgres

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres/pgtest"
)

// TestMigrate brings the tables up and down: down leaves nothing, and up again makes
// the same.
func TestMigrate(t *testing.T) {
	t.Parallel()
	server := pgtest.Shared(t)
	name := server.Create(t)
	a, err := parseAddress(server.URL(name))
	if err != nil {
		t.Fatal(err)
	}
	s, err := newServer(a)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	p, err := s.migrations()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	columns := `SELECT table_name, column_name, data_type, is_nullable, collation_name FROM information_schema.columns
		WHERE table_schema = 'public' AND table_name <> '` + versionTable + `' ORDER BY 1, 2`
	indices := `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> '` + versionTable + `' ORDER BY 1`
	functions := `SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace`
	schema := func() []string {
		return []string{server.SQL(t, name, columns), server.SQL(t, name, indices), server.SQL(t, name, functions)}
	}
	if _, err := p.Up(t.Context()); err != nil {
		t.Fatal(err)
	}
	first := schema()
	if _, err := p.DownTo(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"", "", ""}, schema()); diff != "" {
		t.Errorf("left over by the way down (-want +got):\n%s", diff)
	}
	if _, err := p.Up(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, schema()); diff != "" {
		t.Errorf("the second way up (-first +second):\n%s", diff)
	}
}

// TestCheckServer refuses servers that are too old, or do not sync.
func TestCheckServer(t *testing.T) {
	for _, test := range []struct {
		version        int
		encoding, sync string
		fails          bool
	}{
		{150018, "UTF8", "on", false}, {140000, "UTF8", "on", false}, {130099, "UTF8", "on", true},
		{150018, "SQL_ASCII", "on", true}, {150018, "UTF8", "off", true},
	} {
		err := checkServer("postgres://h/d", test.version, "x", test.encoding, test.sync)
		if test.fails != errors.Is(err, &api.Error{Code: api.RequestInvalid}) {
			t.Errorf("%+v: got %v", test, err)
		}
	}
}

// TestNumbered writes the arguments of statements.
func TestNumbered(t *testing.T) {
	for query, want := range map[string]string{
		`a = ? AND b = ?`: `a = $1 AND b = $2`, `a = ?1 OR b = ?1 AND c > ?2`: `a = $1 OR b = $1 AND c > $2`, `none`: `none`, `?`: `$1`,
	} {
		if got := numbered(query); got != want {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
}

// TestAddress: to other machines, TLS is checked unless the address says otherwise.
func TestAddress(t *testing.T) {
	for url, secure := range map[string]bool{
		"postgres://u@db.example.com/d": true, "postgresql://u@10.0.0.1/d": true, "postgres://u@a,localhost/d": true, "postgres:///d?host=db.example.com": true,
		"postgres://u@localhost/d": false, "postgres://u@127.0.0.1:7/d": false, "postgres://u@[::1]/d": false, "postgres:///d?host=/run/pg": false,
		"postgres://u@db.example.com/d?sslmode=disable": false,
	} {
		a, err := parseAddress(url)
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		c := a.config.ConnConfig
		if got := c.TLSConfig != nil && !c.TLSConfig.InsecureSkipVerify && c.TLSConfig.ServerName != ""; got != secure {
			t.Errorf("%s: checks the name of the server: %t, want %t", url, got, secure)
		}
	}
}
