package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/pressly/goose/v3"
	"golang.org/x/sys/unix"
	"modernc.org/sqlite"

	"github.com/glovebox-dev/glovebox/api"
)

//go:embed migrations/*.sql
var migrations embed.FS

// applicationID marks a database as one of Glovebox; the first migration sets
// it.
const applicationID = 0x474c4258 // "GLBX"

// file is a database that is being opened.
type file struct {
	path  string
	wait  time.Duration // for locks
	known bool          // see Options
}

func newFile(path string, o Options) (*file, error) {
	path, err := filepath.Abs(path)
	return &file{path: path, wait: o.LockWait, known: o.Known}, err
}

func (f *file) explain(err error) error { return explain(f.path, err) }

// dsn names the file for the driver. mmap stays off: a file that is cut while
// it is mapped would end the process.
func (f *file) dsn(pragmas ...string) string { return f.uri().with(pragmas...) }

// uri has parameters of SQLite itself, in pairs.
func (f *file) uri(params ...string) uri {
	q := url.Values{"_dqs": {"0"}, "_defensive": {"1"}, "_error_rc": {"1"}, "_pragma": {
		"busy_timeout(" + strconv.FormatInt(f.wait.Milliseconds(), 10) + ")",
		"synchronous(FULL)", "foreign_keys(ON)", "cell_size_check(ON)", "trusted_schema(OFF)",
	}}
	for i := 0; i < len(params); i += 2 {
		q.Set(params[i], params[i+1])
	}
	return uri{f.path, q}
}

// uri is the name of a database for the driver.
type uri struct {
	path  string
	query url.Values
}

func (u uri) with(pragmas ...string) string {
	u.query["_pragma"] = append(u.query["_pragma"], pragmas...)
	name := url.URL{Scheme: "file", Path: u.path, RawQuery: u.query.Encode()}
	return name.String()
}

func (f *file) prepareAndOpen(ctx context.Context, o Options) (*DB, error) {
	if err := f.prepare(ctx); err != nil {
		return nil, f.explain(err)
	}
	db, err := f.open(ctx, o)
	return db, f.explain(err)
}

// prepare makes the file and its tables, one process at a time.
func (f *file) prepare(ctx context.Context) error {
	unlock, err := f.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := f.create(); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", f.dsn())
	if err != nil {
		return err
	}
	defer db.Close()
	if err := f.examine(ctx, db); err != nil {
		return err
	}
	return f.migrate(ctx, db)
}

// lock keeps other processes from opening the database at the same time. It is
// a file beside it, because closing the database itself would give up locks of
// SQLite in this process.
func (f *file) lock(ctx context.Context) (func(), error) {
	l, err := os.OpenFile(f.path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, f.wait, api.Errorf(api.HomeBusy, "another process has been opening %s for %s", f.path, f.wait))
	defer cancel()
	for err = unix.EINTR; err != nil; {
		if err = unix.Flock(int(l.Fd()), unix.LOCK_EX|unix.LOCK_NB); err == nil {
			break
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", l.Name(), err), l.Close())
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			return nil, errors.Join(context.Cause(ctx), l.Close())
		}
	}
	return func() { l.Close() }, nil
}

// create makes an empty private file unless there is one. SQLite would throw
// away the log of a database that has become empty; that is damage here.
func (f *file) create() error {
	info, err := os.Stat(f.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil && !info.Mode().IsRegular() {
		return corrupt(f.path, errors.New("it is no regular file"))
	}
	empty := err != nil || info.Size() == 0
	if log, lerr := os.Stat(f.path + "-wal"); empty && lerr == nil && log.Size() > 0 {
		return corrupt(f.path, errors.New("it is missing or empty, but its log is not"))
	}
	if err == nil && empty && f.known {
		return corrupt(f.path, errors.New("it is empty, but this home is not new"))
	}
	if err != nil {
		return f.createEmpty()
	}
	if info.Mode().Perm()&0o077 != 0 {
		return os.Chmod(f.path, 0o600)
	}
	return nil
}

// createEmpty links a private file into place: SQLite gives its log and its
// index the mode of the database.
func (f *file) createEmpty() error {
	tmp, err := os.CreateTemp(filepath.Dir(f.path), ".glovebox-db-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	return errors.Join(tmp.Close(), os.Link(tmp.Name(), f.path))
}

// examine refuses what is no database, or somebody else's.
func (f *file) examine(ctx context.Context, db *sql.DB) error {
	var id, tables int
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	const foreign = `SELECT count(*) FROM sqlite_master WHERE tbl_name NOT IN ('goose_db_version', 'sqlite_sequence')`
	if err := db.QueryRowContext(ctx, foreign).Scan(&tables); err != nil {
		return err
	}
	if id != applicationID && (id != 0 || tables > 0) {
		return corrupt(f.path, errors.New("it is a database of another program"))
	}
	_, err := db.ExecContext(ctx, "PRAGMA journal_mode = WAL")
	return err
}

// migrate brings the tables to the newest version.
func (f *file) migrate(ctx context.Context, db *sql.DB) error {
	p, current, target, err := versions(ctx, db)
	if err != nil || current == target {
		return err
	}
	if current > target {
		return newer(f.path, current, target)
	}
	_, err = p.Up(ctx)
	return err
}

// versions returns what migrates the tables, the version that they have, and
// the newest one.
func versions(ctx context.Context, db *sql.DB) (p *goose.Provider, current, target int64, err error) {
	scripts, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, 0, 0, err
	}
	if p, err = goose.NewProvider(goose.DialectSQLite3, db, scripts, goose.WithDisableGlobalRegistry(true)); err != nil {
		return nil, 0, 0, err
	}
	current, target, err = p.GetVersions(ctx)
	return p, current, target, err
}

// open makes the connections of a database that is prepared.
func (f *file) open(ctx context.Context, o Options) (*DB, error) {
	connector, err := sqlite.NewConnector(f.dsn("journal_size_limit(67108864)", "cache_size(-16000)"))
	if err != nil {
		return nil, err
	}
	place, err := newPlace(f.path)
	if err != nil {
		return nil, err
	}
	c, err := connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	readers, err := f.readersOf(ctx, f.uri())
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return newDB(f.path, readers, newWriter(place, newConn(c.(driverConn)), o)), nil
}

func (f *file) readersOf(ctx context.Context, name uri) (*sql.DB, error) {
	readers, err := sql.Open("sqlite", name.with("query_only(ON)"))
	if err != nil {
		return nil, err
	}
	n := 2 + runtime.GOMAXPROCS(0)
	readers.SetMaxOpenConns(n)
	readers.SetMaxIdleConns(n)
	if err := readers.PingContext(ctx); err != nil {
		return nil, errors.Join(err, readers.Close())
	}
	return readers, nil
}

// driverConn is what the connections of the driver can do.
type driverConn interface {
	driver.Conn
	driver.ConnPrepareContext
}
