// Package postgres keeps the journal, the cache and the catalog in a database of
// Postgres. What its tables hold is said by package tables. Here is how the database
// is reached, and what becomes of what is written while it is not.
//
// # Writing
//
// One connection writes. The operations that wait share a transaction, whose
// statements go to the server together, and then the commit. A connection that ends
// before the commit was sent has written nothing: the operations are executed again.
// If it ends before the commit was answered, nobody knows. So each transaction leaves
// a token in the row that its process has in the table of writers, and the next
// connection looks whether it is there. It locks that row, and thereby waits for a
// transaction that is still about to end.
//
// While the database is away, is read-only or has no connection left, what
// continues a run waits for it, and what would begin something fails after a while as
// server_unavailable. Reading tries again for some seconds.
//
// # Leases
//
// Any number of processes use a database, and none leads. Each is a row of the table
// of nodes, with a lease that it renews. A durable transaction begins with the
// question whether the lease holds, in the statement that leaves the token, and locks
// the row so that nobody ends the lease before the transaction is over. Whoever finds
// a lease over cuts the connections of that process, waits for that lock, and marks
// the row: from then on the process can write nothing, and others may take its runs.
//
// # Whose it is
//
// The files that the rows name lie in a home, so a database belongs to one home, and
// names it. Other homes are refused.
package postgres

import (
	"context"
	"crypto/rand"
	"net"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/journal/tables"
)

// Options say who opens a database.
type Options struct {
	// Home names the home that the database belongs to. A new database is given to it.
	Home string
	// Known says that the home has had its journal in a database before. One that
	// belongs to no home is then the wrong one.
	Known bool
	// Waits is called when something begins to wait for the database. Nil is not.
	Waits func()
	// Member says who the process is, and Lease what it does about its lease.
	Member Member
	Lease  LeaseOptions
	// LeaseTime is how long a lease lasts; 0 is the default.
	LeaseTime time.Duration
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	*tables.Store
	server *server
	writer *writer
	lease  *Lease
}

// Open opens the database at a URL, and makes or migrates its tables if that is
// needed. An error never has the password.
func Open(ctx context.Context, url string, o Options) (*DB, error) {
	a, err := parseAddress(url)
	if err != nil {
		return nil, err
	}
	if o.Waits == nil {
		o.Waits = func() {}
	}
	s, err := newServer(a)
	if err != nil {
		return nil, a.explainOpening(err)
	}
	if err := s.prepare(ctx, o); err != nil {
		s.close()
		return nil, a.explainOpening(err)
	}
	w := newWriter(s, o.Waits)
	l, err := newLease(ctx, s, w, o)
	if err == nil {
		_, err = l.EndExpired(ctx) // what they leave is to be seen by whoever looks for it first
	}
	if err != nil {
		s.close()
		return nil, a.explainOpening(err)
	}
	go w.run()
	db := &DB{server: s, writer: w, lease: l}
	db.Store = tables.New(stores{db})
	return db, nil
}

// Lease is the right of this process to hold runs.
func (db *DB) Lease() *Lease { return db.lease }

// stores is a DB as the stores see it.
type stores struct{ *DB }

// Dialect implements tables.Database.
func (stores) Dialect() *tables.Dialect { return dialect }

// Explain implements tables.Database.
func (d stores) Explain(err error) error { return d.server.explain(err) }

// Write implements tables.Database.
func (d stores) Write(op *tables.Operation) *tables.Operation {
	d.writer.queue.Put(op)
	return op
}

// Read implements tables.Database.
func (d stores) Read(ctx context.Context, scan func(tables.Row) error, query string, args ...any) error {
	return d.server.Read(ctx, scan, query, args...)
}

// Stream implements tables.Database.
func (d stores) Stream(ctx context.Context, scan func(tables.Row) error, query string, args ...any) error {
	return d.server.Stream(ctx, scan, query, args...)
}

// ReadOnce implements tables.Database.
func (d stores) ReadOnce(ctx context.Context, scan func(tables.Row) error, query string, args ...any) error {
	return d.server.Read(ctx, scan, query, args...)
}

// SetPatience says how long what continues a run waits while the database is away,
// before it is given up; a minute at first.
func (db *DB) SetPatience(d time.Duration) { db.writer.setPatience(d) }

// Written counts what was written so far.
func (db *DB) Written() tables.Written {
	return tables.Written{Operations: db.writer.operations.Load(), Syncs: db.writer.syncs.Load()}
}

// Place is the address without user and password.
func (db *DB) Place() string { return db.server.String() }

// GiveUp keeps everybody from opening the database again: its journal is elsewhere.
func (db *DB) GiveUp(ctx context.Context) error {
	_, err := db.server.pool.Exec(ctx, `UPDATE home SET id = $1`, movedAway)
	return db.server.explain(asLost(ctx, err))
}

// Close executes what waits, and gives the connections up.
func (db *DB) Close() error {
	db.writer.close()
	db.lease.close()
	db.server.close()
	return nil
}

// Stats counts what is kept, and the bytes of the database.
func (db *DB) Stats(ctx context.Context) (tables.Stats, error) {
	s, err := db.Count(ctx)
	if err != nil {
		return s, err
	}
	return s, db.server.Read(ctx, func(r tables.Row) error { return r.Scan(&s.Bytes) }, `SELECT pg_database_size(current_database())`)
}

// Check returns nil: Postgres finds damage of its structure when it reads it, and
// checks of more are tools of its own. Damage of single rows is found by CheckRows.
func (db *DB) Check(ctx context.Context) error { return db.QuickCheck(ctx) }

// Sound is what is known of a database in which Check finds nothing.
func (db *DB) Sound() string { return "it answers" }

// QuickCheck reports whether the database answers.
func (db *DB) QuickCheck(ctx context.Context) error {
	return db.server.Read(ctx, func(tables.Row) error { return nil }, `SELECT 1`)
}

// server is a server of Postgres, and the connections to it that read.
type server struct {
	*address
	id      string // of this process, in the table of writers and in what the server shows
	pool    *pgxpool.Pool
	closing context.Context // ends when the database is closed
	stop    context.CancelFunc
}

func newServer(a *address) (*server, error) {
	s := &server{address: a, id: rand.Text()}
	s.closing, s.stop = context.WithCancel(context.Background())
	c := a.config
	c.ConnConfig.ConnectTimeout = connectTimeout
	c.ConnConfig.DialFunc = (&net.Dialer{KeepAliveConfig: keepAlive, Control: limitSilence}).DialContext
	for name, value := range map[string]string{
		"application_name": s.name(), "lock_timeout": "30s", "idle_in_transaction_session_timeout": "20s", "client_encoding": "UTF8",
		"tcp_keepalives_idle": "15", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3",
	} {
		c.ConnConfig.RuntimeParams[name] = value
	}
	var err error
	s.pool, err = pgxpool.NewWithConfig(context.Background(), c)
	return s, err
}

// connectTimeout bounds the making of a connection, and silence how long what was
// sent may go without an answer of the other machine.
const (
	connectTimeout = 10 * time.Second
	silence        = 20 * time.Second
)

var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 3 * time.Second, Count: 3}

// limitSilence has the kernel give up a connection whose other end is gone.
func limitSilence(network, _ string, c syscall.RawConn) error {
	if network == "unix" {
		return nil
	}
	var err error
	control := c.Control(func(fd uintptr) {
		err = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(silence.Milliseconds()))
	})
	if control != nil {
		return control
	}
	return err
}

// name is what the server shows of the connections of this process.
func (s *server) name() string { return appName + s.id }

// appName is how the names of all connections begin.
const appName = "glovebox "

// dial makes a connection that belongs to no pool.
func (s *server) dial(ctx context.Context) (*pgx.Conn, error) {
	c, err := pgx.ConnectConfig(ctx, s.config.ConnConfig.Copy())
	if err != nil {
		return nil, asLost(ctx, err)
	}
	return c, nil
}

func (s *server) close() {
	s.stop()
	s.pool.Close()
}
