package sqlite

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// writer executes operations in the order in which they were submitted, many in
// one transaction.
type writer struct {
	place  *place // of the database
	queue  *queue
	conn   *conn
	synced bool        // whether the connection syncs each transaction
	give   func() bool // gives space back, see Options
	waits  func()      // see Options
	parked *parked

	refusal error // of everything, if nothing can be written

	operations, syncs atomic.Int64 // so far

	closing sync.Once
	ended   chan struct{} // closed when the goroutine is gone
	err     error         // of closing the connection; when ended is closed
}

// Written counts what was written since the database was opened.
type Written struct {
	Operations int64 // each of them atomic, such as a submission to the journal
	Syncs      int64 // transactions that were synced to the disk
}

// newWriter returns a writer that runs until it is closed.
func newWriter(p *place, c *conn, o Options) *writer {
	w := &writer{place: p, queue: newQueue(), conn: c, synced: true, give: o.Give, waits: o.Waits, parked: newParked(), ended: make(chan struct{})}
	go w.run()
	return w
}

func (w *writer) run() {
	defer close(w.ended)
	defer prompt()()
	for ended := false; !ended; {
		var b *batch
		b, ended = w.queue.take(w.parked.pause())
		if ended {
			w.parked.setPatience(0)
		}
		w.unpark()
		w.write(w.parked.divert(b))
	}
	w.err = w.conn.close()
}

// close executes what waits, and gives the connection up.
func (w *writer) close() error {
	w.closing.Do(w.queue.close)
	<-w.ended
	return w.err
}

// submit hands an operation over.
func (w *writer) submit(op *operation) *operation {
	if w.refusal != nil {
		op.end(w.refusal)
		return op
	}
	w.queue.put(op)
	return op
}

// do executes an operation and waits for it.
func (w *writer) do(ctx context.Context, do func(*conn) error) error {
	return w.submit(newOperation(ctx, do)).Wait(ctx)
}

// doVitally is do for what makes room: it may use the reserve.
func (w *writer) doVitally(ctx context.Context, do func(*conn) error) error {
	op := newOperation(ctx, do)
	op.vital = true
	return w.submit(op).Wait(ctx)
}

// doLazily is do for what may be lost when the power fails.
func (w *writer) doLazily(ctx context.Context, size int, do func(*conn) error) error {
	op := newOperation(ctx, do)
	op.durable, op.size = false, size
	return w.submit(op).Wait(ctx)
}

// soon is doLazily without a wait for the result.
func (w *writer) soon(size int, do func(*conn) error) {
	op := newOperation(context.Background(), do)
	op.durable, op.size = false, size
	w.submit(op)
}

// write executes a batch. If the transaction fails, each operation gets one of
// its own: what does not fit on the disk must not take along what does.
func (w *writer) write(b *batch) {
	if len(b.ops) == 0 {
		return
	}
	begun, err := w.transact(b)
	for i, op := range b.ops {
		if err == nil {
			op.end(explain(w.place.path, b.errs[i]))
			continue
		}
		if w.parked.follows(op) { // of one that could not be written just now
			w.parked.add(op)
			continue
		}
		b.errs[i] = err
		if begun && len(b.ops) > 1 {
			b.errs[i] = w.single(op)
		}
		w.finish(op, explain(w.place.path, b.errs[i]))
	}
}

// finish ends an operation that was tried by itself. If the disk is full, what is
// vital is tried again with the reserve, and what is patient then waits.
func (w *writer) finish(op *operation, err error) {
	if op.vital && full(err) && w.give() {
		err = explain(w.place.path, w.single(op))
	}
	if op.patient && full(err) && w.parked.patient() {
		w.waits()
		w.parked.add(op)
		return
	}
	op.end(err)
}

// unpark writes what waits for space, in order, as far as there is some.
func (w *writer) unpark() {
	for {
		op, overdue := w.parked.first()
		if op == nil {
			return
		}
		err := explain(w.place.path, w.single(op))
		if full(err) && w.give() {
			err = explain(w.place.path, w.single(op))
		}
		if full(err) && !overdue {
			w.parked.later()
			return
		}
		w.parked.remove()
		op.end(err)
	}
}

func (w *writer) single(op *operation) error {
	b := &batch{closed: true}
	b.add(op)
	if _, err := w.transact(b); err != nil {
		return err
	}
	return b.errs[0]
}

// transact executes a batch in one transaction, and sets the errors of those
// that were refused. Its own error means that nothing was executed; begun is
// false if not even the lock could be had.
//
// Savepoints copy every page that an operation touches, and refusals are rare.
// So the first try is made without them.
func (w *writer) transact(b *batch) (begun bool, err error) {
	if err := w.place.check(); err != nil {
		return false, err
	}
	if err := w.sync(b); err != nil {
		return false, err
	}
	begun, err = w.tryAll(b, w.plain)
	if errors.Is(err, errPartial) {
		return w.tryAll(b, w.guarded)
	}
	return begun, err
}

// errPartial says that an operation was refused after it had written something.
var errPartial = errors.New("a part of an operation was done")

// tryAll carries a batch out, and what came meanwhile: an orchestrator that is
// given a result makes the next call at once, and both share one sync.
func (w *writer) tryAll(b *batch, attempt func(*operation) (refusal, err error)) (begun bool, err error) {
	if _, err := w.conn.exec("BEGIN IMMEDIATE"); err != nil {
		return false, err
	}
	for i := 0; i < len(b.ops) || w.queue.join(b); i++ {
		if b.errs[i] = b.ops[i].abandoned(); b.errs[i] != nil {
			continue
		}
		if b.errs[i], err = attempt(b.ops[i]); err != nil {
			w.rollback()
			return true, err
		}
	}
	if _, err := w.conn.exec("COMMIT"); err != nil {
		w.rollback()
		return true, err
	}
	w.count(b)
	return true, nil
}

func (w *writer) count(b *batch) {
	w.operations.Add(int64(len(b.ops)))
	if w.synced {
		w.syncs.Add(1)
	}
}

// plain executes one operation. If that is refused, it must not have written
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

// guarded executes one operation, and takes back what it wrote if it is
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
func (w *writer) sync(b *batch) error {
	if b.durable == w.synced {
		return nil
	}
	pragma := "PRAGMA synchronous = NORMAL"
	if b.durable {
		pragma = "PRAGMA synchronous = FULL"
	}
	_, err := w.conn.exec(pragma)
	if err == nil {
		w.synced = b.durable
	}
	return err
}
