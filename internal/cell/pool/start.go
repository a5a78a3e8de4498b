package pool

import (
	"context"
	"errors"
	"slices"
	"time"
)

// errDied is why a start ahead failed whose item ended before it could wait.
var errDied = errors.New("it ended as soon as it had started")

// begin begins a start, ahead or for a taker. Called with the lock held.
func (p *Pool[T]) begin(s *shelf[T], ahead bool) *start {
	ctx, cancel := context.WithCancel(p.starts)
	st := &start{began: time.Now(), cancel: cancel, ahead: ahead, done: make(chan struct{})}
	s.starts = append(s.starts, st)
	p.count(st, 1)
	start := s.start
	p.running.Go(func() {
		defer close(st.done)
		defer cancel()
		item, err := start(ctx)
		p.finish(s, st, item, err)
	})
	return st
}

func (p *Pool[T]) count(st *start, n int) {
	if st.ahead {
		p.ahead += n
	} else {
		p.owed += n
	}
}

// finish does with the outcome of a start what is best: a taker that waits gets
// it, else it waits itself, else it goes.
func (p *Pool[T]) finish(s *shelf[T], st *start, item T, err error) {
	if err != nil {
		p.fail(s, st, err)
		return
	}
	if p.deliver(s, st, item) {
		return
	}
	memory := min(item.Memory(), maxMemory) // takes a moment; meanwhile a taker may come
	if p.settle(s, st, item, memory) {
		return
	}
	item.Discard()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.endStart(s, st)
}

func (p *Pool[T]) deliver(s *shelf[T], st *start, item T) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.serve(s, st, item)
}

// settle finds a place for an item, unless the pool is closed.
func (p *Pool[T]) settle(s *shelf[T], st *start, item T, memory int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	if !p.serve(s, st, item) {
		p.shelve(s, st, item, memory)
	}
	return true
}

// serve gives an item to the taker that waits longest. It says whether there was
// one.
func (p *Pool[T]) serve(s *shelf[T], st *start, item T) bool {
	if len(s.waiters) == 0 {
		return false
	}
	w := s.waiters[0]
	s.waiters = s.waiters[1:]
	s.cold++
	w.result <- result[T]{item: item}
	p.endStart(s, st)
	s.worked(time.Since(st.began))
	s.trouble = trouble{}
	if st.dropped {
		p.plan() // there is one start more than takers now
	} else {
		p.wakeSoon()
	}
	return true
}

// shelve lets an item wait, if the next plan finds room for it.
func (p *Pool[T]) shelve(s *shelf[T], st *start, item T, memory int64) {
	now := time.Now()
	p.endStart(s, st)
	if memory > 0 {
		s.memory = memory
	} else {
		memory = s.cost(p.cfg)
	}
	e := newEntry(item, memory, now, p.cfg.MaxAge)
	s.idle = append(s.idle, e)
	if e.dead() {
		s.err = errDied
		p.died(s, e)
		s.answerKeepers(errDied)
	} else {
		s.worked(now.Sub(st.began))
		p.running.Go(func() { p.watch(s, e) })
	}
	p.plan()
}

// fail does what follows from a start that failed.
func (p *Pool[T]) fail(s *shelf[T], st *start, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.endStart(s, st)
	if st.dropped || p.closed {
		p.plan()
		return
	}
	s.err = err
	s.trouble.failed(time.Now())
	if st.ahead {
		p.cfg.Logger.Warn("a warm cell could not be started", "class", s.class, "error", err)
	}
	// As long as there is a start for each of them, takers wait on.
	if len(s.waiters) > len(s.starts) {
		s.waiters[0].result <- result[T]{err: err}
		s.waiters = s.waiters[1:]
	}
	s.answerKeepers(err)
	p.plan()
}

// worked notes that a start succeeded.
func (s *shelf[T]) worked(took time.Duration) {
	s.demand.started(took)
	s.err = nil
	s.answerKeepers(nil)
}

// endStart strikes a start off, once.
func (p *Pool[T]) endStart(s *shelf[T], st *start) {
	p.count(st, -1)
	if st.dropped {
		p.leaving.cells--
		p.leaving.memory -= st.memory
		return
	}
	s.starts = slices.DeleteFunc(s.starts, func(other *start) bool { return other == st })
}

// drop gives a start up. It is there until it has ended; should it succeed in
// spite of that, its item is as good as any.
func (p *Pool[T]) drop(s *shelf[T], st *start) {
	s.starts = slices.DeleteFunc(s.starts, func(other *start) bool { return other == st })
	st.dropped, st.memory = true, s.cost(p.cfg)
	p.leaving.cells++
	p.leaving.memory += st.memory
	st.cancel()
}

// watch notices the end of an item that waits.
func (p *Pool[T]) watch(s *shelf[T], e *entry[T]) {
	select {
	case <-e.gone:
		return
	case <-e.item.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.Contains(s.idle, e) {
		p.died(s, e)
		p.plan()
	}
}

// died takes an item off the shelf that ended while it waited.
func (p *Pool[T]) died(s *shelf[T], e *entry[T]) {
	now := time.Now()
	age := now.Sub(e.since)
	s.died++
	s.trouble = s.trouble.afterDeath(now, age)
	p.cfg.Logger.Info("a warm cell ended while it waited", "class", s.class, "age", age)
	p.retire(s, e)
}

// retire takes an item off the shelf and discards it. It is there until it is
// gone. Called with the lock held.
func (p *Pool[T]) retire(s *shelf[T], e *entry[T]) {
	s.remove(e)
	memory := e.memory
	p.leaving.cells++
	p.leaving.memory += memory
	p.running.Go(func() {
		e.item.Discard()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.leaving.cells--
		p.leaving.memory -= memory
		p.plan()
	})
}
