package postgres

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal/tables"
)

// How long operations wait for a database that is away: what begins something soon
// fails, so that whoever asked can turn elsewhere; what continues something waits for
// longer, see DB.SetPatience.
const (
	defaultPatience = time.Minute
	shortPatience   = 15 * time.Second
)

// maxConflicts is how often an operation is tried again that met others which write.
const maxConflicts = 10

// writer executes operations in the order in which they were submitted, many in
// one transaction.
type writer struct {
	server *server
	id     string // in the table of writers
	lease  *Lease
	queue  *tables.Queue
	conn   *conn // nil while there is none
	pid    uint32
	token  int64 // of the last transaction
	waits  func()
	away   bool // whether waits was called, and the database is not there again

	patience atomic.Int64  // nanoseconds
	hurry    chan struct{} // receives when the patience became shorter

	refusing atomic.Bool              // while there is no lease
	wire     atomic.Pointer[net.Conn] // of conn, for refuse

	operations, syncs atomic.Int64 // so far

	closing sync.Once
	ended   chan struct{} // closed when the goroutine is gone
}

func newWriter(s *server, waits func()) *writer {
	w := &writer{server: s, id: s.id, queue: tables.NewQueue(), waits: waits, hurry: make(chan struct{}, 1), ended: make(chan struct{})}
	w.patience.Store(int64(defaultPatience))
	return w
}

// refuse ends what waits, and what comes, with errNoLease, until admit is called. A
// server that does not answer is not waited for.
func (w *writer) refuse() {
	w.refusing.Store(true)
	if wire := w.wire.Load(); wire != nil {
		_ = (*wire).SetDeadline(time.Unix(1, 0)) // it may be closed already
	}
	w.wake()
}

func (w *writer) admit() { w.refusing.Store(false) }

func (w *writer) setPatience(d time.Duration) {
	w.patience.Store(int64(d))
	w.wake()
}

func (w *writer) wake() {
	select {
	case w.hurry <- struct{}{}:
	default:
	}
}

func (w *writer) run() {
	defer close(w.ended)
	for {
		b, ended := w.queue.Take(0)
		if ended {
			break
		}
		w.write(b)
	}
	w.leave()
}

func (w *writer) close() {
	w.closing.Do(w.queue.Close)
	<-w.ended
}

// write executes a batch. While the database is away it waits. What cannot be written
// must not take along what can: then each operation gets a transaction of its own.
func (w *writer) write(b *tables.Batch) {
	since := time.Now()
	for conflicts := 0; len(b.Ops) > 0; {
		err := w.transact(b)
		switch {
		case err == nil:
			w.end(b)
			return
		case w.refusing.Load() || errors.Is(err, errNoLease):
			w.endAll(b, errNoLease)
			return
		case outage(err):
			if conflicts = 0; !w.await(b, since, err) {
				return
			}
		case conflict(err) && conflicts < maxConflicts:
			conflicts++
		case len(b.Ops) > 1:
			for _, op := range b.Ops {
				single := &tables.Batch{Closed: true}
				single.Add(op)
				w.write(single)
			}
			return
		default:
			b.Ops[0].End(w.server.explain(err))
			return
		}
		b.Closed = true
	}
}

// endAll ends all operations of a batch with an error.
func (w *writer) endAll(b *tables.Batch, err error) {
	if w.conn != nil {
		w.conn.inDoubt = false // nobody waits for an answer any more
	}
	for _, op := range b.Ops {
		op.End(err)
	}
}

// end tells what became of the operations of a batch that was executed.
func (w *writer) end(b *tables.Batch) {
	w.away = false
	w.operations.Add(int64(len(b.Ops)))
	if b.Durable {
		w.syncs.Add(1)
	}
	for i, op := range b.Ops {
		op.End(w.server.explain(b.Errs[i]))
	}
}

// transact executes a batch in one transaction. A commit of the same batch whose answer
// was lost is looked for before anything is done twice.
func (w *writer) transact(b *tables.Batch) error {
	if w.refusing.Load() {
		return errNoLease
	}
	if err := w.connect(); err != nil {
		return err
	}
	if w.conn.inDoubt {
		done, err := w.committed()
		if err != nil {
			return lost{err} // whatever it is: nothing may be done before it is known
		}
		if w.conn.inDoubt = false; done {
			return nil
		}
	}
	_, err := b.Execute(w.conn, w.queue)
	w.token = w.conn.token
	if err != nil && w.conn.inDoubt && !b.Durable {
		w.conn.inDoubt = false // it left no token, and may be done twice
	}
	return err
}

// committed reports whether the last transaction took place. Its old connection may
// still be about to commit it: that is ended, and the lock on its row of the table of
// writers is waited for.
func (w *writer) committed() (bool, error) {
	ctx := context.Background()
	if _, err := w.conn.pg.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND application_name = $2`,
		int64(w.pid), w.server.name()); err != nil {
		return false, asLost(ctx, err)
	}
	var token int64
	rows, err := w.conn.pg.Query(ctx, `SELECT token FROM writers WHERE id = $1 FOR UPDATE`, w.id)
	if err != nil {
		return false, asLost(ctx, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&token); err != nil {
			return false, err
		}
	}
	w.pid = w.conn.pg.PgConn().PID()
	return token == w.token, asLost(ctx, rows.Err())
}

// connect makes a connection unless there is one.
func (w *writer) connect() error {
	if w.conn != nil && !w.conn.pg.IsClosed() {
		return nil
	}
	pg, err := w.server.dial(context.Background())
	if err != nil {
		return err
	}
	doubt := w.conn != nil && w.conn.inDoubt
	w.conn = newConn(pg, w.lease, w.id, w.token)
	wire := pg.PgConn().Conn()
	w.wire.Store(&wire)
	if w.conn.inDoubt = doubt; !doubt {
		w.pid = pg.PgConn().PID()
	}
	return nil
}

// await waits for a database that is away, and gives up what has waited for long
// enough. It reports whether something is left to be tried again.
func (w *writer) await(b *tables.Batch, since time.Time, err error) bool {
	doubt := w.conn != nil && w.conn.inDoubt
	waited, patience := time.Since(since), time.Duration(w.patience.Load())
	var left tables.Batch
	for i, op := range b.Ops {
		over := waited >= patience || !op.Vital && !doubt && waited >= shortPatience
		if over {
			op.End(w.givenUp(err, doubt))
			continue
		}
		left.Add(op)
		left.Errs[len(left.Errs)-1] = b.Errs[i]
	}
	left.Closed = true
	*b = left
	if len(b.Ops) == 0 {
		if doubt {
			w.conn.inDoubt = false // nobody waits for an answer any more
		}
		return false
	}
	if !w.away {
		w.away = true
		w.waits()
	}
	select {
	case <-time.After(min(max(waited/4, minPause), maxPause)):
	case <-w.hurry:
	}
	return true
}

// givenUp is the error of an operation for which the database was away too long.
func (w *writer) givenUp(err error, doubt bool) error {
	err = w.server.explain(err)
	if doubt {
		return api.Errorf(api.ServerUnavailable, "whether it was written is not known: %w", err).WithHint("look at it when the database is there again")
	}
	return err
}

// leave takes the writer from the table, and closes its connection.
func (w *writer) leave() {
	if w.conn == nil || w.conn.pg.IsClosed() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, err := w.conn.pg.Exec(ctx, `DELETE FROM writers WHERE id = $1`, w.id)
	_ = errors.Join(err, w.conn.pg.Close(ctx)) // a later process removes what is left
}
