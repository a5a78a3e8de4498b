package page

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// rendering is a page that is made once for all who asked for it before it began, so that
// each of them gets what was so after it asked.
type rendering struct {
	page    anonymous
	err     error
	done    chan struct{} // closed when page or err is there
	waiting int           // who wants it
	stop    context.CancelFunc
}

// renderings are the pages that are being made, by address: of each one at a time, and one
// that begins next. When a run changes, all who look at it ask at once: the first gets a
// rendering of its own, and the others share the one after it. Nothing is kept.
type renderings struct {
	mu  sync.Mutex
	all map[string]*queue
}

type queue struct {
	now, next *rendering
}

// get returns what produce makes, called after get was.
func (rs *renderings) get(ctx context.Context, name string, produce func(context.Context) (anonymous, error)) (anonymous, error) {
	mine := rs.join(name, produce)
	select {
	case <-mine.done:
		return mine.page, mine.err
	case <-ctx.Done():
		rs.leave(mine)
		return anonymous{}, context.Cause(ctx)
	}
}

// join returns a rendering that has not begun, or begins one.
func (rs *renderings) join(name string, produce func(context.Context) (anonymous, error)) *rendering {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.all == nil {
		rs.all = map[string]*queue{}
	}
	q := rs.all[name]
	if q == nil {
		q = &queue{now: newRendering()}
		rs.all[name] = q
		go rs.run(name, q, produce)
		q.now.waiting++
		return q.now
	}
	if q.next == nil {
		q.next = newRendering()
	}
	q.next.waiting++
	return q.next
}

func newRendering() *rendering {
	return &rendering{done: make(chan struct{}), stop: func() {}}
}

// leave ends a rendering that is for nobody any more.
func (rs *renderings) leave(r *rendering) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if r.waiting--; r.waiting == 0 {
		r.stop()
	}
}

// run makes one rendering after the other, while somebody waits.
func (rs *renderings) run(name string, q *queue, produce func(context.Context) (anonymous, error)) {
	for r := q.now; r != nil; r = rs.advance(name, q) {
		ctx, stop := context.WithCancel(context.Background())
		rs.mu.Lock()
		r.stop = stop
		wanted := r.waiting > 0
		rs.mu.Unlock()
		if wanted {
			r.page, r.err = safely(ctx, produce)
		}
		close(r.done)
		stop()
	}
}

func (rs *renderings) advance(name string, q *queue) *rendering {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if q.now, q.next = q.next, nil; q.now == nil {
		delete(rs.all, name)
	}
	return q.now
}

// safely makes an error of a panic, which would end the server here.
func safely(ctx context.Context, produce func(context.Context) (anonymous, error)) (page anonymous, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return produce(ctx)
}
