package engine

import (
	"container/list"
	"context"
	"sync"
	"sync/atomic"

	"github.com/glovebox-dev/glovebox/api"
)

// places bound how many attempts are under way at once: those of one kind, or
// the one that a run lends to what it started. Who asks first is served first.
type places struct {
	mu      sync.Mutex
	free    int
	waiting list.List // of *turn
}

func newPlaces(n int) *places { return &places{free: n} }

// turn waits for the first of several places.
type turn struct {
	ready chan struct{}
	got   atomic.Pointer[places]
}

// claim gives the turn its place, unless it has one already.
func (t *turn) claim(p *places) bool {
	if !t.got.CompareAndSwap(nil, p) {
		return false
	}
	close(t.ready)
	return true
}

// try takes a place if one is free, and reports whether.
func (p *places) try() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.free == 0 {
		return false
	}
	p.free--
	return true
}

// enter lets a turn wait for a place, and takes one that became free meanwhile.
func (p *places) enter(t *turn) *list.Element {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.free > 0 {
		if t.claim(p) {
			p.free--
		}
		return nil
	}
	return p.waiting.PushBack(t)
}

// leave lets a turn wait no more.
func (p *places) leave(e *list.Element) {
	if e == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting.Remove(e) // nothing if it was served
}

// release passes a place on to who waits, or keeps it free.
func (p *places) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for e := p.waiting.Front(); e != nil; e = p.waiting.Front() {
		if p.waiting.Remove(e).(*turn).claim(p) {
			return
		}
	}
	p.free++
}

// tryAny takes a place of the first that has one free. Nil is none.
func tryAny(from []*places) *places {
	for _, p := range from {
		if p.try() {
			return p
		}
	}
	return nil
}

// takeAny waits until one of the places is free, and takes it.
func takeAny(ctx context.Context, from []*places) (*places, error) {
	if p := tryAny(from); p != nil {
		return p, nil
	}
	t := &turn{ready: make(chan struct{})}
	for _, p := range from {
		defer p.leave(p.enter(t))
	}
	select {
	case <-t.ready:
		return t.got.Load(), nil
	case <-ctx.Done():
	}
	if !t.claim(&places{}) { // it was served at the same time
		t.got.Load().release()
	}
	return nil, context.Cause(ctx)
}

// sources are the places that will do for an attempt of the run: those of its
// kind, and one that a run above it lends, which waits for it. If nothing were
// lent, all places could be held by runs that wait for one.
//
// A cell holds much, so it goes on in the place of the next cell above it, one
// below each at a time; any further ones wait for places of their own, so that a
// program that starts a thousand runs has no thousand cells at once. What takes
// little is lent a place by whoever started it, of whichever kind that is:
// below a cell, and below a function, it must not wait for places whose holders
// wait for cells.
func (r *run) sources() []*places {
	own := r.engine.places[r.kind]
	for above := r.parent; above != nil; above = above.parent {
		switch {
		case r.kind == api.KindSandbox && above.kind == api.KindSandbox:
			return []*places{above.cellLoan, own}
		case r.kind != api.KindSandbox && above.kind != api.KindOrchestrator:
			return []*places{r.parent.loan, own}
		}
	}
	return []*places{own}
}

func (r *run) takePlace() (err error) {
	if r.place != nil || r.within() {
		return nil
	}
	r.place, err = takeAny(r.ctx, r.sources())
	return err
}

// tryPlace takes a place if that needs no waiting.
func (r *run) tryPlace() bool {
	if r.within() {
		return true
	}
	r.place = tryAny(r.sources())
	return r.place != nil
}

// within reports whether the run goes on in the place of one of its kind above
// it, beside others: of what takes little there may be many.
func (r *run) within() bool {
	if r.kind == api.KindSandbox {
		return false
	}
	for above := r.parent; above != nil; above = above.parent {
		if above.kind == r.kind {
			return true
		}
	}
	return false
}

func (r *run) leavePlace() {
	if r.place != nil {
		r.place.release()
	}
	r.place = nil
}
