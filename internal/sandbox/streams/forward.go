package streams

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// How a program's output reaches the writer of the caller. A slow writer slows
// the program down, so that nothing is lost; a writer that stands still for
// stallPatience loses what does not fit into the queue, and a mark says so.
const (
	stallPatience   = 10 * time.Second
	cancelPatience  = time.Second // the same, once the run is cancelled
	forwardChunk    = 32 << 10    // bytes
	forwardCapacity = 64          // chunks
)

// forwarder hands bytes to a writer that may be slow, stuck or broken, without
// ever failing itself.
type forwarder struct {
	ctx    context.Context
	queue  chan []byte
	done   chan struct{}
	served atomic.Int64 // chunks that the writer has taken
	left   atomic.Bool  // the writer stood still and gets nothing any more

	mu      sync.Mutex // stdout and stderr may share one forwarder
	stalled bool
	dropped int64 // bytes since the last chunk that was queued
	closed  bool
}

func newForwarder(ctx context.Context, w io.Writer) *forwarder {
	f := &forwarder{ctx: ctx, queue: make(chan []byte, forwardCapacity), done: make(chan struct{})}
	go f.serve(w)
	return f
}

func (f *forwarder) serve(w io.Writer) {
	defer close(f.done)
	var err error
	for chunk := range f.queue {
		if err == nil && !f.left.Load() {
			_, err = w.Write(chunk)
		}
		f.served.Add(1)
	}
}

// Write copies p and never fails.
func (f *forwarder) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for rest := p; len(rest) > 0 && !f.closed; {
		n := min(len(rest), forwardChunk)
		f.put(rest[:n])
		rest = rest[n:]
	}
	return len(p), nil
}

func (f *forwarder) put(p []byte) {
	chunk := make([]byte, 0, len(p)+64)
	if f.dropped > 0 {
		chunk = append(chunk, "\n"+droppedMark(f.dropped)...)
	}
	chunk = append(chunk, p...)
	if f.offer(chunk) {
		f.stalled, f.dropped = false, 0
		return
	}
	f.stalled = true
	f.dropped += int64(len(p))
}

// offer waits for room in the queue, but only while the writer is known to
// move.
func (f *forwarder) offer(chunk []byte) bool {
	select {
	case f.queue <- chunk:
		return true
	default:
	}
	if f.stalled {
		return false
	}
	timer := time.NewTimer(stallPatience)
	defer timer.Stop()
	select {
	case f.queue <- chunk:
		return true
	case <-timer.C:
	case <-f.ctx.Done():
	}
	return false
}

// close waits until the writer has everything, as long as it moves. A writer
// that stands still is left behind with what is queued.
func (f *forwarder) close() {
	f.mu.Lock()
	if !f.closed {
		if f.dropped > 0 {
			f.put(nil)
		}
		f.closed = true
		close(f.queue)
	}
	f.mu.Unlock()
	for last := int64(-1); last != f.served.Load(); {
		last = f.served.Load()
		if f.settled() {
			return
		}
	}
	f.left.Store(true)
}

// settled waits for the end of the queue for as long as a writer may stand
// still.
func (f *forwarder) settled() bool {
	patience := stallPatience
	if f.ctx.Err() != nil {
		patience = cancelPatience
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-f.done:
		return true
	case <-timer.C:
		return false
	}
}
