package admission

import (
	"container/list"
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Slots bound what happens at the same time: the attempts of one kind, the
// attempt that a run lends its slot to, or the calls of one orchestrator. They
// are given out in the order in which requests are due.
type Slots struct {
	mu      sync.Mutex
	free    int
	waiting list.List // of *request
}

// NewSlots returns n free slots.
func NewSlots(n int) *Slots { return &Slots{free: n} }

// Acquire waits for a slot. The error is the cause of the end of ctx.
func (s *Slots) Acquire(ctx context.Context) error {
	_, err := acquireAny(ctx, []*Slots{s}, time.Now())
	return err
}

// TryAcquire takes a slot if one is free, and reports whether.
func (s *Slots) TryAcquire() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free == 0 {
		return false
	}
	s.free--
	return true
}

// Release passes a slot on to the request that is due first, or keeps it
// free.
func (s *Slots) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for e := s.waiting.Front(); e != nil; e = s.waiting.Front() {
		if s.waiting.Remove(e).(*request).grant(s) {
			return
		}
	}
	s.free++
}

func (s *Slots) usage() (free, waiting int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.free, s.waiting.Len()
}

// request waits for a slot of any of several pools, and takes the first one.
type request struct {
	due   time.Time
	ready chan struct{}
	got   atomic.Pointer[Slots]
}

// grant gives the request a slot of s, unless it has one already.
func (r *request) grant(s *Slots) bool {
	if !r.got.CompareAndSwap(nil, s) {
		return false
	}
	close(r.ready)
	return true
}

// enqueue has a request wait for a slot of s, or grants one that became free
// since it was tried.
func (s *Slots) enqueue(r *request) *list.Element {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free > 0 {
		if r.grant(s) {
			s.free--
		}
		return nil
	}
	for e := s.waiting.Back(); e != nil; e = e.Prev() {
		if !e.Value.(*request).due.After(r.due) {
			return s.waiting.InsertAfter(r, e)
		}
	}
	return s.waiting.PushFront(r)
}

// dequeue takes a request out, if it still waits.
func (s *Slots) dequeue(e *list.Element) {
	if e == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting.Remove(e) // does nothing if it was served
}

// tryAny takes a slot of the first pool that has one free, or returns nil.
func tryAny(pools []*Slots) *Slots {
	for _, s := range pools {
		if s.TryAcquire() {
			return s
		}
	}
	return nil
}

// acquireAny waits until one of the pools has a free slot, and takes it.
func acquireAny(ctx context.Context, pools []*Slots, due time.Time) (*Slots, error) {
	if s := tryAny(pools); s != nil {
		return s, nil
	}
	r := &request{due: due, ready: make(chan struct{})}
	for _, s := range pools {
		defer s.dequeue(s.enqueue(r))
	}
	select {
	case <-r.ready:
		return r.got.Load(), nil
	case <-ctx.Done():
	}
	if !r.grant(&Slots{}) { // it was served at the same time
		r.got.Load().Release()
	}
	return nil, context.Cause(ctx)
}
