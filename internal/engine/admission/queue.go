package admission

import (
	"container/list"
	"sync"
)

// queue lets a bounded number of tickets have a turn at a time, in the order in
// which they came.
type queue struct {
	spare int           // turns beyond the slots, see Turns
	freed chan struct{} // gets something when there is room after there was none; may be nil

	mu      sync.Mutex
	free    int       // turns
	waiting list.List // of *Ticket
}

// enter gives t a turn now or later. It reports false if most wait already.
func (q *queue) enter(t *Ticket, most int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.free > 0 {
		q.free--
		t.begin()
		return true
	}
	if q.waiting.Len() >= most {
		return false
	}
	t.waits = q.waiting.PushBack(t)
	return true
}

// try takes a turn if one is free, which is when no ticket waits.
func (q *queue) try() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.free == 0 {
		return false
	}
	q.free--
	return true
}

// leave passes a turn on to the ticket that has waited longest.
func (q *queue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	first := q.waiting.Front()
	if first == nil {
		q.free++
		q.tellFreed()
		return
	}
	t := q.waiting.Remove(first).(*Ticket)
	t.waits = nil
	t.begin()
}

// tellFreed says that there is room again. The caller holds mu.
func (q *queue) tellFreed() {
	if q.free == q.spare+1 {
		tell(q.freed)
	}
}

func tell(freed chan<- struct{}) {
	select {
	case freed <- struct{}{}:
	default: // it was said already, or interests nobody
	}
}

// room is how many more runs could have a slot at once.
func (q *queue) room() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.free - q.spare
}

// withdraw takes a ticket out, and reports whether it was waiting.
func (q *queue) withdraw(t *Ticket) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t.waits == nil {
		return false
	}
	q.waiting.Remove(t.waits)
	t.waits = nil
	return true
}

// drain takes all waiting tickets out.
func (q *queue) drain() (all []*Ticket) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for e := q.waiting.Front(); e != nil; e = q.waiting.Front() {
		t := q.waiting.Remove(e).(*Ticket)
		t.waits = nil
		all = append(all, t)
	}
	return all
}

// ifWaiting calls f if t waits; it gets no turn before f returns.
func (q *queue) ifWaiting(t *Ticket, f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t.waits != nil {
		f()
	}
}

func (q *queue) usage() (free, waiting int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.free, q.waiting.Len()
}
