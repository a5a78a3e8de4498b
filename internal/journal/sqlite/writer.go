package sqlite

import (
	"context"
	"sync"
)

// writer carries out operations in the order in which they were submitted, many
// in one transaction.
type writer struct {
	path   string // of the database
	queue  *queue
	conn   *conn
	synced bool // whether the connection syncs each transaction

	closing sync.Once
	ended   chan struct{} // closed when the goroutine is gone
	err     error         // of closing the connection; when ended is closed
}

// newWriter returns a writer that runs until it is closed.
func newWriter(path string, c *conn) *writer {
	w := &writer{path: path, queue: newQueue(), conn: c, synced: true, ended: make(chan struct{})}
	go w.run()
	return w
}

func (w *writer) run() {
	defer close(w.ended)
	for batch := w.queue.take(); len(batch) > 0; batch = w.queue.take() {
		w.write(batch)
	}
	w.err = w.conn.close()
}

// close carries out what waits, and gives the connection up.
func (w *writer) close() error {
	w.closing.Do(w.queue.close)
	<-w.ended
	return w.err
}

// submit hands an operation over.
func (w *writer) submit(op *operation) *operation {
	w.queue.put(op)
	return op
}

// do carries out an operation and waits for it.
func (w *writer) do(ctx context.Context, do func(*conn) error) error {
	return w.submit(newOperation(ctx, do)).Wait(ctx)
}

// doLazily is do for what may be lost when the power fails.
func (w *writer) doLazily(ctx context.Context, size int, do func(*conn) error) error {
	op := newOperation(ctx, do)
	op.durable, op.size = false, size
	return w.submit(op).Wait(ctx)
}

// write carries out a batch. If the transaction fails, each operation gets one
// of its own: what does not fit on the disk must not take along what does.
func (w *writer) write(batch []*operation) {
	errs := make([]error, len(batch))
	begun, err := w.transact(batch, errs)
	if err != nil {
		for i := range batch {
			errs[i] = err
			if begun && len(batch) > 1 {
				errs[i] = w.single(batch[i])
			}
		}
	}
	for i, op := range batch {
		op.end(explain(w.path, errs[i]))
	}
}

func (w *writer) single(op *operation) error {
	errs := []error{nil}
	if _, err := w.transact([]*operation{op}, errs); err != nil {
		return err
	}
	return errs[0]
}

// transact carries out a batch in one transaction, and sets the errors of those
// that were refused. Its own error means that nothing was carried out; begun is
// false if not even the lock could be had.
func (w *writer) transact(batch []*operation, errs []error) (begun bool, err error) {
	if err := w.sync(batch); err != nil {
		return false, err
	}
	if _, err := w.conn.exec("BEGIN IMMEDIATE"); err != nil {
		return false, err
	}
	for i, op := range batch {
		if errs[i] = w.attempt(op); broken(errs[i]) {
			w.rollback()
			return true, errs[i]
		}
	}
	if _, err := w.conn.exec("COMMIT"); err != nil {
		w.rollback()
		return true, err
	}
	return true, nil
}

// attempt carries out one operation, or leaves nothing of it.
func (w *writer) attempt(op *operation) error {
	if err := op.abandoned(); err != nil {
		return err
	}
	if _, err := w.conn.exec("SAVEPOINT operation"); err != nil {
		return err
	}
	err := op.do(w.conn)
	if broken(err) {
		return err
	}
	if err != nil {
		if _, rerr := w.conn.exec("ROLLBACK TO operation"); rerr != nil {
			return rerr
		}
	}
	if _, rerr := w.conn.exec("RELEASE operation"); rerr != nil {
		return rerr
	}
	return err
}

// rollback gives the transaction up. It fails only if SQLite has done so already.
func (w *writer) rollback() {
	_, _ = w.conn.exec("ROLLBACK")
}

// sync has the connection sync the next transaction if an operation needs it.
func (w *writer) sync(batch []*operation) error {
	needed := false
	for _, op := range batch {
		needed = needed || op.durable
	}
	if needed == w.synced {
		return nil
	}
	pragma := "PRAGMA synchronous = NORMAL"
	if needed {
		pragma = "PRAGMA synchronous = FULL"
	}
	_, err := w.conn.exec(pragma)
	if err == nil {
		w.synced = needed
	}
	return err
}
