package sqlite

import (
	"context"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Bounds of what waits, and of what one transaction executes. One operation is
// always admitted, however large it is.
const (
	maxWaiting      = 4096
	maxWaitingBytes = 64 << 20
	maxBatch        = 512
	maxBatchBytes   = 16 << 20
)

// linger bounds how long a transaction stays open for an operation that is
// expected. It is about what a sync takes, which it saves.
const linger = 500 * time.Microsecond

// operation is something to be written, all or nothing.
type operation struct {
	do func(*conn) error // may be called again if the transaction failed
	// durable says that it must survive a failure of power.
	durable bool
	// followed says that its end is not urgent, and that another operation will
	// most likely come at once: the code that gets a result makes the next call.
	followed bool
	// vital says that it uses the reserve if the disk is full, and patient that it
	// then waits for space, and with it what else there is of its runs.
	vital, patient bool
	runs           []string        // whose order matters
	size           int             // bytes
	ctx            context.Context // of the caller that waits; nil if the caller cannot give up

	err  error         // when done is closed
	done chan struct{} // closed at the end
}

func newOperation(ctx context.Context, do func(*conn) error) *operation {
	return &operation{do: do, durable: true, ctx: ctx, done: make(chan struct{})}
}

// failed returns an operation that has ended already.
func failed(err error) *operation {
	op := &operation{ctx: context.Background(), err: err, done: make(chan struct{})}
	close(op.done)
	return op
}

// end lets go of what was written: a receipt may be kept for long.
func (op *operation) end(err error) {
	op.err, op.do = err, nil
	close(op.done)
}

// abandoned returns why the caller no longer waits for op, or nil.
func (op *operation) abandoned() error { return op.ctx.Err() }

// Wait implements journal.Receipt.
func (op *operation) Wait(ctx context.Context) error {
	select {
	case <-op.done:
		return op.err
	default:
	}
	select {
	case <-op.done:
		return op.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// batch is what one transaction executes.
type batch struct {
	ops     []*operation
	errs    []error // of those that were refused
	bytes   int
	durable bool // at least one operation is
	urgent  bool // at least one operation is not followed
	closed  bool // nothing joins any more
}

func (b *batch) add(op *operation) {
	b.ops, b.errs = append(b.ops, op), append(b.errs, nil)
	b.bytes += op.size
	b.durable = b.durable || op.durable
	b.urgent = b.urgent || !op.followed
}

// fits reports whether op may become a part of b. Once the transaction is open,
// it is settled whether it is synced.
func (b *batch) fits(op *operation, open bool) bool {
	return len(b.ops) == 0 || len(b.ops) < maxBatch && b.bytes+op.size <= maxBatchBytes && (open || b.durable || !op.durable)
}

// queue holds what waits, in order.
type queue struct {
	mu      sync.Mutex
	changed sync.Cond // of mu
	waiting []*operation
	bytes   int // of waiting
	closed  bool
}

func newQueue() *queue {
	q := &queue{}
	q.changed.L = &q.mu
	return q
}

// put adds op, and blocks while the queue is full. Without success op has ended.
func (q *queue) put(op *operation) {
	defer context.AfterFunc(op.ctx, q.wake)()
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.closed && q.full(op.size) && op.abandoned() == nil {
		q.changed.Wait()
	}
	switch err := op.abandoned(); {
	case err != nil:
		op.end(err)
	case q.closed:
		op.end(api.Errorf(api.Internal, "the database has been closed").WithHint("the process is about to end"))
	default:
		q.waiting = append(q.waiting, op)
		q.bytes += op.size
		q.changed.Broadcast()
	}
}

func (q *queue) full(size int) bool {
	return len(q.waiting) > 0 && (len(q.waiting) >= maxWaiting || q.bytes+size > maxWaitingBytes)
}

func (q *queue) wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.changed.Broadcast()
}

// take waits for operations, no longer than limit if that is more than 0, and
// removes as many as fit into one transaction. Ended says that the queue is
// closed and empty.
func (q *queue) take(limit time.Duration) (b *batch, ended bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if limit > 0 {
		q.await(limit)
	}
	for limit == 0 && len(q.waiting) == 0 && !q.closed {
		q.changed.Wait()
	}
	b = &batch{}
	q.move(b)
	return b, q.closed && len(b.ops) == 0
}

// join adds what waits and still fits to a batch that is executing, and reports
// whether there was something. If nothing in the batch is urgent, it waits a
// little for what is expected.
func (q *queue) join(b *batch) bool {
	if b.closed {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if !b.urgent {
		q.await(linger)
	}
	before := len(b.ops)
	q.move(b)
	return len(b.ops) > before
}

// await waits for an operation, no longer than limit. The caller holds q.mu.
func (q *queue) await(limit time.Duration) {
	over := false
	timer := time.AfterFunc(limit, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		over = true
		q.changed.Broadcast()
	})
	defer timer.Stop()
	for len(q.waiting) == 0 && !q.closed && !over {
		q.changed.Wait()
	}
}

// move moves operations from the beginning of the queue to b. The caller holds
// q.mu.
func (q *queue) move(b *batch) {
	open := len(b.ops) == 0
	n := 0
	for n < len(q.waiting) && b.fits(q.waiting[n], open) {
		b.add(q.waiting[n])
		q.bytes -= q.waiting[n].size
		n++
	}
	if n == 0 {
		return
	}
	q.waiting = append([]*operation(nil), q.waiting[n:]...)
	q.changed.Broadcast()
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Broadcast()
}
