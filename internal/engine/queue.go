package engine

import "sync"

// queue lets a bounded number of runs of one kind go on at a time, in the order
// in which they came. Waiting takes no goroutine.
type queue struct {
	mu      sync.Mutex
	free    int
	waiting []*run
	gone    int // of waiting, those that were taken out
}

// enter starts r now or when it is its turn. It reports false if more than most
// wait already.
func (q *queue) enter(r *run, most int, start func(*run)) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.free > 0 {
		q.free--
		start(r)
		return true
	}
	if len(q.waiting)-q.gone >= most {
		return false
	}
	q.waiting = append(q.waiting, r)
	return true
}

// try takes a place if one is free, which is when nobody waits.
func (q *queue) try() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.free == 0 {
		return false
	}
	q.free--
	return true
}

// leave passes the place of a run that ended to the next.
func (q *queue) leave(start func(*run)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) > 0 {
		next := q.waiting[0]
		q.waiting[0] = nil
		q.waiting = q.waiting[1:]
		if next != nil {
			start(next)
			return
		}
		q.gone--
	}
	q.free++
}

// withdraw takes a waiting run out, and reports whether it was waiting.
func (q *queue) withdraw(r *run) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, w := range q.waiting {
		if w == r {
			q.waiting[i] = nil
			q.gone++
			return true
		}
	}
	return false
}

// empty takes all waiting runs out.
func (q *queue) empty() (runs []*run) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, r := range q.waiting {
		if r != nil {
			runs = append(runs, r)
		}
	}
	q.waiting, q.gone = nil, 0
	return runs
}

// ifWaiting calls f if r has not started.
func (q *queue) ifWaiting(r *run, f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := len(q.waiting) - 1; i >= 0; i-- {
		if q.waiting[i] == r {
			f()
			return
		}
	}
}
