package pool

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/internal/cell"
)

const mb = 1 << 20

// fake is an item that tells its factory what becomes of it.
type fake struct {
	f    *factory
	key  string
	n    int // how many of its key were started before
	done chan struct{}
	end  sync.Once

	// The lock of the factory guards these.
	memory    int64
	handed    bool
	discarded int
}

func (i *fake) Done() <-chan struct{} { return i.done }

func (i *fake) Memory() int64 {
	time.Sleep(i.f.weigh)
	i.f.mu.Lock()
	defer i.f.mu.Unlock()
	return i.memory
}

func (i *fake) die() { i.end.Do(func() { close(i.done) }) }

func (i *fake) grow(memory int64) {
	i.f.mu.Lock()
	defer i.f.mu.Unlock()
	i.memory = memory
}

func (i *fake) Discard() {
	time.Sleep(i.f.parting)
	i.f.mu.Lock()
	defer i.f.mu.Unlock()
	i.discarded++
}

// factory starts fakes and knows all of them.
type factory struct {
	took    time.Duration // that a start takes
	parting time.Duration // that a discard takes
	weigh   time.Duration // that it takes to measure an item
	memory  int64         // of a new item

	mu      sync.Mutex
	all     []*fake
	began   map[string]int // starts by key
	running int            // starts under way
	busiest int            // the most of them
	fail    map[string]error
	hang    map[string]bool // starts that end only with their context
}

func newFactory(took time.Duration) *factory {
	return &factory{took: took, memory: mb, began: map[string]int{}, fail: map[string]error{}, hang: map[string]bool{}}
}

// starter starts items of the class of a key.
func (f *factory) starter(key string) Start[*fake] {
	return func(ctx context.Context) (*fake, error) { return f.start(ctx, key) }
}

// class is the class of a key.
func class(key string) cell.Class { return cell.Class{Image: key} }

func (f *factory) start(ctx context.Context, key string) (*fake, error) {
	f.mu.Lock()
	n, hang := f.began[key], f.hang[key]
	f.began[key]++
	f.running++
	f.busiest = max(f.busiest, f.running)
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.running--
	}()

	if hang {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	select {
	case <-time.After(f.took):
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.fail[key]; err != nil {
		return nil, err
	}
	item := &fake{f: f, key: key, n: n, done: make(chan struct{}), memory: f.memory}
	f.all = append(f.all, item)
	return item, nil
}

func (f *factory) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

func (f *factory) starts(key string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.began[key]
}

// check fails for an item that is neither handed out nor discarded, or is so
// more than once. Call it when the pool is closed.
func (f *factory) check(t *testing.T) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.running != 0 {
		t.Errorf("%d starts are under way after the end", f.running)
	}
	for _, i := range f.all {
		if i.handed == (i.discarded > 0) || i.discarded > 1 {
			t.Errorf("item %d of %q: handed out %t, discarded %d times", i.n, i.key, i.handed, i.discarded)
		}
	}
}

// bench is a pool with its factory, in a bubble of its own.
type bench struct {
	*testing.T
	*factory
	pool *Pool[*fake]
}

// inBubble runs a test with a pool, and checks after it that nothing is left.
func inBubble(t *testing.T, cfg Config, test func(bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := bench{t, newFactory(100 * time.Millisecond), New[*fake](cfg)}
		defer b.check(t)
		defer b.end()
		test(b)
	})
}

// end closes the pool and fails if it has miscounted.
func (b bench) end() {
	b.Helper()
	p := b.pool
	p.Close()
	if p.ahead != 0 || p.owed != 0 || p.leaving != (hold{}) {
		b.Errorf("after the end %d starts ahead, %d owed, leaving %+v", p.ahead, p.owed, p.leaving)
	}
}

// take takes an item, which has to come, and says whether it was warm.
func (b bench) take(key string) (*fake, bool) {
	b.Helper()
	item, warm, err := b.tryTake(b.Context(), key)
	if err != nil {
		b.Fatalf("take of %q: %v", key, err)
	}
	return item, warm
}

func (b bench) tryTake(ctx context.Context, key string) (*fake, bool, error) {
	item, warm, err := b.pool.Take(ctx, class(key), b.starter(key))
	if err != nil {
		return nil, warm, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if item.handed {
		b.Errorf("item %d of %q is handed out twice", item.n, item.key)
	}
	item.handed = true
	if item.key != key {
		b.Errorf("an item of %q is handed out for %q", item.key, key)
	}
	return item, warm, nil
}

// burst takes n items at the same time and says how many were warm.
func (b bench) burst(key string, n int) (warm int) {
	b.Helper()
	var mu sync.Mutex
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			_, w, err := b.tryTake(b.Context(), key)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				b.Errorf("take of %q: %v", key, err)
			}
			if w {
				warm++
			}
		})
	}
	all.Wait()
	return warm
}

func (b bench) keep(key string, n int) {
	b.Helper()
	if err := b.pool.Keep(b.Context(), class(key), b.starter(key), n); err != nil {
		b.Fatalf("keep %d of %q: %v", n, key, err)
	}
}

func (b bench) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// stat is what the pool says of a key, zero if it says nothing.
func (b bench) stat(key string) Stat {
	for _, s := range b.pool.Stats() {
		if s.Class == class(key) {
			return s
		}
	}
	return Stat{}
}

func (b bench) wantIdle(key string, want int) {
	b.Helper()
	synctest.Wait()
	if s := b.stat(key); s.Idle != want {
		b.Errorf("%q: %d are idle, want %d; %+v", key, s.Idle, want, s)
	}
}

// waiting lists the items that are neither handed out nor discarded.
func (b bench) waiting(key string) (items []*fake) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, i := range b.all {
		if i.key == key && !i.handed && i.discarded == 0 {
			items = append(items, i)
		}
	}
	return items
}

var errBroken = errors.New("broken")

func keyOf(i int) string { return fmt.Sprintf("key %d", i) }
