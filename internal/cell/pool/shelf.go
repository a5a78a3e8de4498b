package pool

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/internal/cell"
)

// shelf is what the pool has of one class. The lock of the pool guards it.
type shelf[T Item] struct {
	class   cell.Class
	name    string // of the class, to order shelves by: to make it takes microseconds
	start   Start[T]
	idle    []*entry[T]  // oldest first
	starts  []*start     // under way and not given up, oldest first
	waiters []*waiter[T] // longest waiting first; never more than starts
	keepers []chan error // calls of Keep that wait for a start; each has room for its answer

	asked  int
	order  int // of asking; see Pool.asks
	demand demand
	target int       // how many should wait, as the last plan found
	memory int64     // bytes of the last item that was measured; 0: none was
	begun  time.Time // when the last start ahead began

	taken, cold, died int64
	trouble           trouble
	err               error // of the last start, until one succeeds
}

// entry is an item that waits.
type entry[T Item] struct {
	item     T
	since    time.Time
	expiry   time.Time
	memory   int64 // bytes
	measured time.Time
	gone     chan struct{} // closed when it waits no more
}

// start is a start under way.
type start struct {
	began   time.Time
	cancel  context.CancelFunc
	ahead   bool  // began for no taker
	dropped bool  // given up, and not counted
	memory  int64 // bytes that it is taken to hold until it has ended, once dropped
	done    chan struct{}
}

// waiter is a taker that waits for a start to finish.
type waiter[T Item] struct {
	result chan result[T] // has room for it
	own    *start         // the start that began for it
}

type result[T Item] struct {
	item T
	err  error
}

func newEntry[T Item](item T, memory int64, now time.Time, maxAge time.Duration) *entry[T] {
	// Items that were started together do not have to be replaced together.
	age := maxAge - rand.N(maxAge/4+1)
	return &entry[T]{item: item, since: now, expiry: now.Add(age), memory: memory, measured: now, gone: make(chan struct{})}
}

func (e *entry[T]) dead() bool {
	select {
	case <-e.item.Done():
		return true
	default:
		return false
	}
}

// remove takes an entry off the shelf, where it is.
func (s *shelf[T]) remove(e *entry[T]) {
	i := slices.Index(s.idle, e)
	s.idle = slices.Delete(s.idle, i, i+1)
	close(e.gone)
}

// spare counts the starts that no taker waits for.
func (s *shelf[T]) spare() int { return len(s.starts) - len(s.waiters) }

// have counts the items that wait, or will when their start is finished.
func (s *shelf[T]) have() int { return len(s.idle) + s.spare() }

// startsAhead counts the starts that began for no taker.
func (s *shelf[T]) startsAhead() int {
	n := 0
	for _, st := range s.starts {
		if st.ahead {
			n++
		}
	}
	return n
}

// cost is what one item holds as far as is known, in bytes: the most of those
// that wait, else what the last one held.
func (s *shelf[T]) cost(cfg Config) int64 {
	most := int64(0)
	for _, e := range s.idle {
		most = max(most, e.memory)
	}
	switch {
	case most > 0:
		return most
	case s.memory > 0:
		return s.memory
	}
	// One is tried also where the bound is below any estimate.
	return min(cfg.Estimate, cfg.Memory)
}

// empty reports whether only history is lost if the shelf is forgotten.
func (s *shelf[T]) empty() bool {
	return s.asked == 0 && len(s.idle) == 0 && len(s.starts) == 0 && len(s.waiters) == 0 && len(s.keepers) == 0
}

// leastPromising is the start to give up first: one that takes far longer than
// usual, else the youngest, of which least is lost.
func (s *shelf[T]) leastPromising(now time.Time) *start {
	if oldest := s.starts[0]; now.Sub(oldest.began) > 2*s.demand.span() {
		return oldest
	}
	return s.starts[len(s.starts)-1]
}

func (s *shelf[T]) answerKeepers(err error) {
	for _, c := range s.keepers {
		c <- err
	}
	s.keepers = nil
}

// trouble is what went wrong with the starts ahead of a class, one after another.
type trouble struct {
	failures int
	until    time.Time // nothing is started ahead before
}

// failed notes one more failure: the pause doubles each time.
func (t *trouble) failed(now time.Time) {
	const first, most = time.Second, 5 * time.Minute
	t.failures = min(t.failures+1, 32)
	t.until = now.Add(min(first<<(t.failures-1), most))
}

// afterDeath is the trouble after an item that waited ended at an age: a young
// one counts as a failed start, an old one shows that starts are well.
func (t trouble) afterDeath(now time.Time, age time.Duration) trouble {
	if age >= infancy {
		return trouble{}
	}
	t.failed(now)
	return t
}
