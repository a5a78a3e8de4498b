package postgres

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"github.com/glovebox-dev/glovebox/api"
)

//go:embed migrations/*.sql
var migrations embed.FS

// The oldest version of Postgres that is used, and how long to wait for another
// process that makes or migrates the tables, and for a server that starts.
const (
	minVersion = 140000
	lockWait   = 30 * time.Second
)

// versionTable has the versions of the tables. It is not that of other programs.
const versionTable = "glovebox_db_version"

// turn is the key of the lock of whoever makes or migrates the tables.
const turn = 0x676c6f7665 // "glove"

// prepare looks at the server, and makes or migrates the tables, one process at a
// time.
func (s *server) prepare(ctx context.Context, o Options) error {
	c, err := s.dialWaiting(ctx)
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx)) // and thereby gives up the lock
	if err := s.examine(ctx, c); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `SELECT pg_advisory_lock($1)`, int64(turn)); hasState(err, lockNotAvailable) {
		return api.Errorf(api.HomeBusy, "another process has been migrating %s for %s: %w", s, lockWait, err)
	} else if err != nil {
		return asLost(ctx, err)
	}
	if err := s.migrate(ctx, c); err != nil {
		return err
	}
	return s.belong(ctx, c, o)
}

// dialWaiting waits for a server that is starting.
func (s *server) dialWaiting(ctx context.Context) (*pgx.Conn, error) {
	for until := time.Now().Add(lockWait); ; {
		c, err := s.dial(ctx)
		if !hasState(err, startingUp) || time.Now().After(until) {
			return c, err
		}
		select {
		case <-time.After(maxPause / 4):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// examine refuses a server that cannot keep a journal.
func (s *server) examine(ctx context.Context, c *pgx.Conn) error {
	var version int
	var shown, encoding, fsync string
	err := c.QueryRow(ctx, `SELECT current_setting('server_version_num')::int, current_setting('server_version'), current_setting('server_encoding'), current_setting('fsync')`).
		Scan(&version, &shown, &encoding, &fsync)
	if err != nil {
		return asLost(ctx, err)
	}
	return checkServer(s.String(), version, shown, encoding, fsync)
}

func checkServer(place string, version int, shown, encoding, fsync string) error {
	refuse := func(format string, args ...any) *api.Error {
		return api.Errorf(api.RequestInvalid, place+" "+format, args...).WithDetails(api.Details{Field: "journal", Got: place})
	}
	switch {
	case version < minVersion:
		return refuse("is Postgres %s, and the journal needs %d or newer", shown, minVersion/10000).WithHint("upgrade it, or use another server")
	case encoding != "UTF8":
		return refuse("has the encoding %s, and the journal needs UTF8", encoding).WithHint("make a database with: createdb --encoding=UTF8 --template=template0 NAME")
	case fsync != "on":
		return refuse("does not sync what it writes (fsync is %s), so that a journal could be lost", fsync).WithHint("set fsync = on in postgresql.conf")
	}
	return nil
}

// migrate brings the tables to the newest version.
func (s *server) migrate(ctx context.Context, c *pgx.Conn) error {
	if err := s.foreign(ctx, c); err != nil {
		return err
	}
	p, err := s.migrations()
	if err != nil {
		return err
	}
	defer p.Close()
	current, target, err := p.GetVersions(ctx)
	switch {
	case err != nil:
		return s.migrationError(ctx, err)
	case current > target:
		return api.Errorf(api.StorageNewer, "the journal in %s has version %d, and this program knows versions up to %d", s, current, target)
	case current == target:
		return nil
	}
	_, err = p.Up(ctx)
	return s.migrationError(ctx, err)
}

// migrationError keeps the answer of the database, and not what the tool says of it.
func (s *server) migrationError(ctx context.Context, err error) error {
	if err == nil || outage(err) || hasState(err, noPrivilege) {
		return err
	}
	return asLost(ctx, err)
}

// migrations returns what migrates the tables.
func (s *server) migrations() (*goose.Provider, error) {
	scripts, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	db := stdlib.OpenDB(*s.config.ConnConfig.Copy())
	versions, err := database.NewStore(database.DialectPostgres, versionTable)
	if err != nil {
		return nil, err
	}
	return goose.NewProvider("", db, scripts, goose.WithStore(versions), goose.WithDisableGlobalRegistry(true))
}

// foreign refuses a database that another program has tables of these names in.
func (s *server) foreign(ctx context.Context, c *pgx.Conn) error {
	var ours, theirs bool
	err := c.QueryRow(ctx, `SELECT to_regclass($1) IS NOT NULL, to_regclass('runs') IS NOT NULL OR to_regclass('tasks') IS NOT NULL`, versionTable).Scan(&ours, &theirs)
	if err != nil {
		return asLost(ctx, err)
	}
	if theirs && !ours {
		return api.Errorf(api.RequestInvalid, "%s has tables of another program", s).
			WithHint("make a database of its own: createdb NAME").WithDetails(api.Details{Field: "journal", Got: s.String()})
	}
	return nil
}

// movedAway takes the place of a home when the journal is elsewhere.
const movedAway = "moved"

// belong gives a new database to a home, and refuses one that belongs to another.
func (s *server) belong(ctx context.Context, c *pgx.Conn, o Options) error {
	now := time.Now().UTC()
	var owner string
	err := c.QueryRow(ctx, `SELECT id FROM home`).Scan(&owner)
	switch {
	case errors.Is(err, pgx.ErrNoRows) && o.Known:
		return api.Errorf(api.StorageCorrupt, "%s has no journal, and this home has had one", s).WithHint("give the address of the database that has it, or restore it from a copy")
	case errors.Is(err, pgx.ErrNoRows):
		_, err = c.Exec(ctx, `INSERT INTO home (id, since) VALUES ($1, $2)`, o.Home, now.Format(time.RFC3339))
		return asLost(ctx, err)
	case err != nil:
		return asLost(ctx, err)
	case owner == movedAway:
		return api.Errorf(api.Conflict, "the journal in %s was moved away, and is a copy that nothing uses", s).
			WithHint("give the address of the database that has it now")
	case owner != o.Home:
		return api.Errorf(api.HomeBusy, "the journal in %s belongs to another home", s).
			WithHint("start the program with that GLOVEBOX_HOME, with the --shared directory of the other servers, or with another database")
	}
	if _, err = c.Exec(ctx, `DELETE FROM writers WHERE since < $1`, now.AddDate(0, -1, 0).Format(time.RFC3339)); err != nil {
		return asLost(ctx, err)
	}
	return nil
}
