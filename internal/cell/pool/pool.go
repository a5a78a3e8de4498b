// Package pool keeps items ready that take long to start and are used once:
// each is started ahead, handed out to one taker, and replaced. It knows
// nothing of what the items are.
//
// How many are kept of a class: the larger of what was asked for and of the most
// takes within twice the time of a start, which decays linearly to nothing over
// five minutes (demand.go). What all classes may hold together is shared out
// max-min fairly (share.go). One pass compares what is there with what should be
// and begins and ends what differs (plan.go). It runs after each event, and by
// one timer when something is due.
package pool

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/internal/cell"
)

// An Item is what a pool keeps. Its methods are called from any goroutine.
type Item interface {
	// Done is closed when the item is of no use any more.
	Done() <-chan struct{}
	// Memory is what the item holds now, in bytes; 0 if that is unknown. It may be
	// asked while the item is handed out or discarded.
	Memory() int64
	// Discard ends an item that was not handed out, and returns when it is gone. It is
	// called once, and never for an item that was handed out.
	Discard()
}

// Start starts one item of a class. The pool calls it also long after the call
// that brought it, so it holds nothing of one taker. It ends soon after its
// context does, which ends with the call: the item does not depend on it.
type Start[T Item] func(context.Context) (T, error)

// ErrClosed is what a closed pool answers.
var ErrClosed = errors.New("the pool of warm cells is closed")

// Pool keeps items ready. New makes one.
type Pool[T Item] struct {
	cfg     Config
	starts  context.Context // of every start
	endAll  context.CancelFunc
	running sync.WaitGroup // starts, discards, and who looks after items

	mu      sync.Mutex
	closed  bool
	shelves map[cell.Class]*shelf[T]
	asks    int // how often something was asked for, which orders them
	ahead   int // starts under way that began for no taker
	owed    int // starts under way that began for a taker
	leaving hold
	timer   *time.Timer
	due     time.Time // when the timer fires; zero: it does not
}

// hold is an amount of what is bounded.
type hold struct {
	cells  int
	memory int64 // bytes
}

// New returns a pool. Close ends it.
func New[T Item](cfg Config) *Pool[T] {
	ctx, cancel := context.WithCancel(context.Background())
	p := &Pool[T]{cfg: cfg.complete(), starts: ctx, endAll: cancel, shelves: map[cell.Class]*shelf[T]{}}
	p.timer = time.AfterFunc(time.Hour, p.tick)
	p.timer.Stop()
	return p
}

// Take hands out an item of the class, which is the caller's from then on: one
// that is ready (warm), else the first of the class whose start is finished, be
// it one that begins now or one that was under way. It fails if that can be none
// any more, or when ctx ends; a start that no other taker needs has then ended too.
func (p *Pool[T]) Take(ctx context.Context, class cell.Class, start Start[T]) (item T, warm bool, err error) {
	if ctx.Err() != nil {
		return item, false, context.Cause(ctx)
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return item, false, ErrClosed
	}
	s := p.shelf(class, start)
	s.demand.take(time.Now(), p.cfg)
	p.wakeSoon()
	if e := p.handOut(s); e != nil {
		p.mu.Unlock()
		return e.item, true, nil
	}
	w := &waiter[T]{result: make(chan result[T], 1), own: p.begin(s, false)}
	s.waiters = append(s.waiters, w)
	p.mu.Unlock()

	select {
	case r := <-w.result:
		return r.item, false, r.err
	case <-ctx.Done():
		return p.leave(ctx, s, w)
	}
}

// handOut takes the oldest item that is alive off the shelf. The oldest, because
// then no item that is used gets old: under steady demand each waits equally
// long, and none is replaced for its age alone.
func (p *Pool[T]) handOut(s *shelf[T]) *entry[T] {
	for len(s.idle) > 0 {
		e := s.idle[0]
		if e.dead() {
			p.died(s, e)
			continue
		}
		s.remove(e)
		s.taken++
		s.trouble = trouble{}
		return e
	}
	return nil
}

// leave ends the wait of a taker whose context has ended. It waits for the end
// of the start that it caused, if that ends with it, so that takers that come
// and leave cannot pile up starts.
func (p *Pool[T]) leave(ctx context.Context, s *shelf[T], w *waiter[T]) (item T, warm bool, err error) {
	p.mu.Lock()
	i := slices.Index(s.waiters, w)
	if i < 0 {
		p.mu.Unlock()
		r := <-w.result
		return r.item, false, r.err
	}
	s.waiters = slices.Delete(s.waiters, i, i+1)
	p.plan()
	ended := w.own.dropped
	p.mu.Unlock()
	if ended {
		<-w.own.done
	}
	return item, false, context.Cause(ctx)
}

// Keep asks for n items of the class to be ready at any time, instead of what
// was asked for before; 0 takes it back. It returns when the first is ready, or
// with why it could not be started; what was asked for then stays asked for, and
// is tried again. Only what is beyond the bounds is not.
func (p *Pool[T]) Keep(ctx context.Context, class cell.Class, start Start[T], n int) error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return ErrClosed
	}
	if err := p.checkAsk(class, n); err != nil {
		p.mu.Unlock()
		return err
	}
	if n == 0 {
		p.takeBack(class)
		p.mu.Unlock()
		return nil
	}
	s := p.shelf(class, start)
	p.ask(s, n)
	keeper := make(chan error, 1)
	if len(s.idle) > 0 {
		keeper <- nil
	} else {
		s.keepers = append(s.keepers, keeper)
	}
	p.plan()
	p.mu.Unlock()

	select {
	case err := <-keeper:
		return err
	case <-ctx.Done():
		p.mu.Lock()
		defer p.mu.Unlock()
		s.keepers = slices.DeleteFunc(s.keepers, func(c chan error) bool { return c == keeper })
		return context.Cause(ctx)
	}
}

func (p *Pool[T]) ask(s *shelf[T], n int) {
	if s.asked == 0 {
		p.asks++
		s.order = p.asks
	}
	s.asked = n
	// The caller may have removed what made the last start fail.
	s.trouble, s.err = trouble{}, nil
}

func (p *Pool[T]) takeBack(class cell.Class) {
	if s, ok := p.shelves[class]; ok {
		s.asked = 0
		p.plan()
	}
}

// Close discards what is ready, ends what is on its way and fails who waits. It
// returns when nothing of the pool is left; what was handed out is not its.
func (p *Pool[T]) Close() {
	p.mu.Lock()
	p.closed = true
	p.timer.Stop()
	for _, s := range p.shelves {
		for len(s.idle) > 0 {
			p.retire(s, s.idle[0])
		}
		for _, w := range s.waiters {
			w.result <- result[T]{err: ErrClosed}
		}
		s.waiters = nil
		s.answerKeepers(ErrClosed)
	}
	p.mu.Unlock()
	p.endAll()
	p.running.Wait()
}
