// Package pool keeps items ready that take long to start and are used once:
// each is started ahead, handed out to one taker, and replaced. It knows
// nothing of what the items are.
package pool

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// An Item is what a pool keeps. The pool calls its methods from any goroutine.
type Item interface {
	// Done is closed when the item is of no use any more.
	Done() <-chan struct{}
	// Memory is what the item holds now, in bytes; 0 if nobody knows.
	Memory() int64
	// Discard ends an item that nobody got, and returns when it is gone. It is
	// called once, and never for an item that was handed out.
	Discard()
}

// Kind says how items of one sort are started.
type Kind[T Item] struct {
	// Key names the sort: items of equal keys are as good as each other,
	// whichever Start they come from.
	Key string
	// Start starts one item, also long after the call that brought it, so it
	// holds nothing of one taker. It ends soon after its context does.
	Start func(context.Context) (T, error)
}

// ErrClosed is what a closed pool answers.
var ErrClosed = errors.New("the pool of warm cells is closed")

// Config is what a pool works within. The zero value keeps nothing: every item
// is started when it is taken.
type Config struct {
	Cells  int          // items that are ready or on their way, at most; 0 keeps none
	Memory int64        // bytes that they hold together, at most; 0 keeps none
	Logger *slog.Logger // nil discards
}

// Stat is what a pool has of one key.
type Stat struct {
	Key      string
	Asked    int   // what Keep asked for
	Wanted   int   // what is to be ready, by what was asked for and seen, within the bounds
	Idle     int   // what is ready
	Starting int   // what is on its way
	Memory   int64 // bytes that the idle ones hold
	Taken    int64 // items handed out that were ready
	Cold     int64 // items handed out that had to be waited for
	Died     int64 // items that ended while they were ready
	Err      error // why the last start failed, until one succeeds
}

// Pool keeps items ready. Its zero value is of no use; New makes one.
type Pool[T Item] struct {
	cfg Config
	ctx context.Context // of every start
	end context.CancelFunc
	wg  sync.WaitGroup

	mu     sync.Mutex
	closed bool
	keys   map[string]*sort[T]
}

type sort[T Item] struct {
	kind     Kind[T]
	idle     []T
	starting int
	stat     Stat
}

// New returns a pool. Close ends it.
func New[T Item](cfg Config) *Pool[T] {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	ctx, end := context.WithCancel(context.Background())
	return &Pool[T]{cfg: cfg, ctx: ctx, end: end, keys: map[string]*sort[T]{}}
}

// Take hands out an item of the kind, which is the caller's from then on: one
// that is ready (warm), else the first of the kind whose start is finished. A
// start that fails meanwhile fails the take.
func (p *Pool[T]) Take(ctx context.Context, k Kind[T]) (item T, warm bool, err error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return item, false, ErrClosed
	}
	s := p.sort(k)
	for len(s.idle) > 0 {
		item, s.idle = s.idle[0], s.idle[1:]
		select {
		case <-item.Done():
			s.stat.Died++
			go item.Discard()
			continue
		default:
		}
		s.stat.Taken++
		p.fill(s)
		p.mu.Unlock()
		return item, true, nil
	}
	s.stat.Cold++
	p.mu.Unlock()
	item, err = k.Start(ctx)
	return item, false, err
}

// Keep asks for n items of the kind to be ready at any time, instead of what
// was asked for before; 0 takes it back. It returns when the first is ready, or
// with why it could not be started; what was asked for stays asked for.
func (p *Pool[T]) Keep(ctx context.Context, k Kind[T], n int) error {
	item, err := k.Start(ctx)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.sort(k)
	s.stat.Asked = n
	s.idle = append(s.idle, item)
	p.fill(s)
	return nil
}

// Stats says what the pool has, ordered by key.
func (p *Pool[T]) Stats() []Stat {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []Stat
	for _, s := range p.keys {
		s.stat.Idle, s.stat.Starting = len(s.idle), s.starting
		all = append(all, s.stat)
	}
	return all
}

// Close discards what is ready, ends what is on its way and fails who waits. It
// returns when nothing of the pool is left; what was handed out is not its.
func (p *Pool[T]) Close() {
	p.mu.Lock()
	p.closed = true
	for _, s := range p.keys {
		for _, item := range s.idle {
			p.wg.Go(item.Discard)
		}
		s.idle = nil
	}
	p.mu.Unlock()
	p.end()
	p.wg.Wait()
}

func (p *Pool[T]) sort(k Kind[T]) *sort[T] {
	s, ok := p.keys[k.Key]
	if !ok {
		s = &sort[T]{stat: Stat{Key: k.Key}}
		p.keys[k.Key] = s
	}
	s.kind = k
	return s
}

func (p *Pool[T]) fill(s *sort[T]) {
	for !p.closed && len(s.idle)+s.starting < s.stat.Asked {
		s.starting++
		p.wg.Go(func() {
			ctx, cancel := context.WithTimeout(p.ctx, time.Minute)
			defer cancel()
			item, err := s.kind.Start(ctx)
			p.mu.Lock()
			defer p.mu.Unlock()
			s.starting--
			s.stat.Err = err
			switch {
			case err != nil:
			case p.closed:
				p.wg.Go(item.Discard)
			default:
				s.idle = append(s.idle, item)
			}
		})
	}
}
