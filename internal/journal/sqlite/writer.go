package sqlite

import (
	"sync"
	"sync/atomic"

	"github.com/glovebox-dev/glovebox/internal/journal/tables"
)

// writer executes operations in the order in which they were submitted, many in
// one transaction.
type writer struct {
	place  *place // of the database
	queue  *tables.Queue
	conn   *conn
	give   func() bool // gives space back, see Options
	waits  func()      // see Options
	parked *parked

	refusal error // of everything, if nothing can be written

	operations, syncs atomic.Int64 // so far

	closing sync.Once
	ended   chan struct{} // closed when the goroutine is gone
	err     error         // of closing the connection; when ended is closed
}

// newWriter returns a writer that runs until it is closed.
func newWriter(p *place, c *conn, o Options) *writer {
	w := &writer{place: p, queue: tables.NewQueue(), conn: c, give: o.Give, waits: o.Waits, parked: newParked(), ended: make(chan struct{})}
	go w.run()
	return w
}

func (w *writer) run() {
	defer close(w.ended)
	defer prompt()()
	for ended := false; !ended; {
		var b *tables.Batch
		b, ended = w.queue.Take(w.parked.pause())
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
	w.closing.Do(w.queue.Close)
	<-w.ended
	return w.err
}

// submit hands an operation over.
func (w *writer) submit(op *tables.Operation) *tables.Operation {
	if w.refusal != nil {
		op.End(w.refusal)
		return op
	}
	w.queue.Put(op)
	return op
}

// write executes a batch. If the transaction fails, each operation gets one of
// its own: what does not fit on the disk must not take along what does.
func (w *writer) write(b *tables.Batch) {
	if len(b.Ops) == 0 {
		return
	}
	begun, err := w.transact(b)
	for i, op := range b.Ops {
		if err == nil {
			op.End(explain(w.place.path, b.Errs[i]))
			continue
		}
		if w.parked.follows(op) { // of one that could not be written just now
			w.parked.add(op)
			continue
		}
		b.Errs[i] = err
		if begun && len(b.Ops) > 1 {
			b.Errs[i] = w.single(op)
		}
		w.finish(op, explain(w.place.path, b.Errs[i]))
	}
}

// finish ends an operation that was tried by itself. If the disk is full, what is
// vital is tried again with the reserve, and what is patient then waits.
func (w *writer) finish(op *tables.Operation, err error) {
	if op.Vital && full(err) && w.give() {
		err = explain(w.place.path, w.single(op))
	}
	if op.Patient && full(err) && w.parked.patient() {
		w.waits()
		w.parked.add(op)
		return
	}
	op.End(err)
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
		op.End(err)
	}
}

func (w *writer) single(op *tables.Operation) error {
	b := &tables.Batch{Closed: true}
	b.Add(op)
	if _, err := w.transact(b); err != nil {
		return err
	}
	return b.Errs[0]
}

// transact executes a batch in one transaction, see tables.Batch.
func (w *writer) transact(b *tables.Batch) (begun bool, err error) {
	if err := w.place.check(); err != nil {
		return false, err
	}
	if begun, err = b.Execute(w.conn, w.queue); err != nil {
		return begun, err
	}
	w.operations.Add(int64(len(b.Ops)))
	if w.conn.synced {
		w.syncs.Add(1)
	}
	return true, nil
}
