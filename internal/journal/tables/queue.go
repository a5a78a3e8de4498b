package tables

import (
	"context"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Bounds of what waits, and of what one transaction executes. One operation is
// always admitted, however large it is.
const (
	MaxWaiting      = 4096
	maxWaitingBytes = 64 << 20
	maxBatch        = 512
	maxBatchBytes   = 16 << 20
)

// linger bounds how long a transaction stays open for an operation that is
// expected. It is about what a sync takes, which it saves.
const linger = 500 * time.Microsecond

// Operation is something to be written, all or nothing.
type Operation struct {
	do func(Tx) error // may be called again if the transaction failed
	// Durable says that it must survive a failure of power.
	Durable bool
	// Followed says that its end is not urgent, and that another operation will
	// most likely come at once: the code that gets a result makes the next call.
	Followed bool
	// Vital says that it uses the reserve if the disk is full, and Patient that it
	// then waits for space, and with it what else there is of its runs.
	Vital, Patient bool
	Runs           []string        // whose order matters
	Size           int             // bytes
	ctx            context.Context // of the caller that waits; nil if the caller cannot give up

	err  error         // when done is closed
	done chan struct{} // closed at the end
}

// NewOperation returns an operation that is durable. The context is that of the caller
// that waits for it.
func NewOperation(ctx context.Context, do func(Tx) error) *Operation {
	return &Operation{do: do, Durable: true, ctx: ctx, done: make(chan struct{})}
}

// Failed returns an operation that has ended already.
func Failed(err error) *Operation {
	op := &Operation{ctx: context.Background(), err: err, done: make(chan struct{})}
	close(op.done)
	return op
}

// End ends it, and lets go of what was written: a receipt may be kept for long.
func (op *Operation) End(err error) {
	op.err, op.do = err, nil
	close(op.done)
}

// abandoned returns why the caller no longer waits for op, or nil.
func (op *Operation) abandoned() error { return op.ctx.Err() }

// Wait implements journal.Receipt.
func (op *Operation) Wait(ctx context.Context) error {
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

// Batch is what one transaction executes.
type Batch struct {
	Ops     []*Operation
	Errs    []error // of those that were refused
	bytes   int
	Durable bool // at least one operation is
	urgent  bool // at least one operation is not followed
	Closed  bool // nothing joins any more
}

// Add adds an operation.
func (b *Batch) Add(op *Operation) {
	b.Ops, b.Errs = append(b.Ops, op), append(b.Errs, nil)
	b.bytes += op.Size
	b.Durable = b.Durable || op.Durable
	b.urgent = b.urgent || !op.Followed
}

// fits reports whether op may become a part of b. Once the transaction is open,
// it is settled whether it is synced.
func (b *Batch) fits(op *Operation, open bool) bool {
	return len(b.Ops) == 0 || len(b.Ops) < maxBatch && b.bytes+op.Size <= maxBatchBytes && (open || b.Durable || !op.Durable)
}

// Queue holds what waits, in order.
type Queue struct {
	mu      sync.Mutex
	changed sync.Cond // of mu
	waiting []*Operation
	bytes   int // of waiting
	closed  bool
}

// NewQueue returns an empty queue.
func NewQueue() *Queue {
	q := &Queue{}
	q.changed.L = &q.mu
	return q
}

// Put adds op, and blocks while the queue is full. Without success op has ended.
func (q *Queue) Put(op *Operation) {
	defer context.AfterFunc(op.ctx, q.wake)()
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.closed && q.full(op.Size) && op.abandoned() == nil {
		q.changed.Wait()
	}
	switch err := op.abandoned(); {
	case err != nil:
		op.End(err)
	case q.closed:
		op.End(api.Errorf(api.Internal, "the database has been closed").WithHint("the process is about to end"))
	default:
		q.waiting = append(q.waiting, op)
		q.bytes += op.Size
		q.changed.Broadcast()
	}
}

func (q *Queue) full(size int) bool {
	return len(q.waiting) > 0 && (len(q.waiting) >= MaxWaiting || q.bytes+size > maxWaitingBytes)
}

func (q *Queue) wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.changed.Broadcast()
}

// Take waits for operations, no longer than limit if that is more than 0, and
// removes as many as fit into one transaction. Ended says that the queue is
// closed and empty.
func (q *Queue) Take(limit time.Duration) (b *Batch, ended bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if limit > 0 {
		q.await(limit)
	}
	for limit == 0 && len(q.waiting) == 0 && !q.closed {
		q.changed.Wait()
	}
	b = &Batch{}
	q.move(b)
	return b, q.closed && len(b.Ops) == 0
}

// join adds what waits and still fits to a batch that is executing, and reports
// whether there was something. If nothing in the batch is urgent, it waits a
// little for what is expected.
func (q *Queue) join(b *Batch) bool {
	if b.Closed {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if !b.urgent {
		q.await(linger)
	}
	before := len(b.Ops)
	q.move(b)
	return len(b.Ops) > before
}

// await waits for an operation, no longer than limit. The caller holds q.mu.
func (q *Queue) await(limit time.Duration) {
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
func (q *Queue) move(b *Batch) {
	open := len(b.Ops) == 0
	n := 0
	for n < len(q.waiting) && b.fits(q.waiting[n], open) {
		b.Add(q.waiting[n])
		q.bytes -= q.waiting[n].Size
		n++
	}
	if n == 0 {
		return
	}
	q.waiting = append([]*Operation(nil), q.waiting[n:]...)
	q.changed.Broadcast()
}

// Close refuses what comes from now on.
func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Broadcast()
}
