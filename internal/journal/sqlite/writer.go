package sqlite

import (
	"context"
	"errors"
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
//
// Savepoints copy every page that an operation touches, and refusals are rare.
// So the first try is made without them.
func (w *writer) transact(batch []*operation, errs []error) (begun bool, err error) {
	if err := w.sync(batch); err != nil {
		return false, err
	}
	begun, err = w.tryAll(batch, errs, w.plain)
	if errors.Is(err, errPartial) {
		return w.tryAll(batch, errs, w.guarded)
	}
	return begun, err
}

// errPartial says that an operation was refused after it had written something.
var errPartial = errors.New("a part of an operation was carried out")

func (w *writer) tryAll(batch []*operation, errs []error, attempt func(*operation) (refusal, err error)) (begun bool, err error) {
	if _, err := w.conn.exec("BEGIN IMMEDIATE"); err != nil {
		return false, err
	}
	for i, op := range batch {
		if errs[i] = op.abandoned(); errs[i] != nil {
			continue
		}
		if errs[i], err = attempt(op); err != nil {
			w.rollback()
			return true, err
		}
	}
	if _, err := w.conn.exec("COMMIT"); err != nil {
		w.rollback()
		return true, err
	}
	return true, nil
}

// plain carries out one operation. If that is refused, it must not have written
// anything yet.
func (w *writer) plain(op *operation) (refusal, err error) {
	w.conn.changed = 0
	refusal = op.do(w.conn)
	switch {
	case broken(refusal):
		return nil, refusal
	case refusal != nil && w.conn.changed > 0:
		return nil, errPartial
	}
	return refusal, nil
}

// guarded carries out one operation, and takes back what it wrote if it is
// refused.
func (w *writer) guarded(op *operation) (refusal, err error) {
	if _, err := w.conn.exec("SAVEPOINT operation"); err != nil {
		return nil, err
	}
	refusal = op.do(w.conn)
	if broken(refusal) {
		return nil, refusal
	}
	if refusal != nil {
		if _, err := w.conn.exec("ROLLBACK TO operation"); err != nil {
			return nil, err
		}
	}
	_, err = w.conn.exec("RELEASE operation")
	return refusal, err
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
