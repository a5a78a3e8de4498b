package admission

import "sync"

// queue lets a bounded number of tickets have a turn at a time: of those that wait, the
// first of its lines. A ticket that is blocked waits beside them.
type queue struct {
	spare int           // turns beyond the slots, see Turns
	freed chan struct{} // gets something when there is room after there was none; may be nil

	mu      sync.Mutex
	free    int // turns
	waiting lines
	blocked map[*Ticket]struct{}
}

// enter gives t a turn now or later. It reports false if most wait already.
func (q *queue) enter(t *Ticket, most int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !t.blocked && q.free > 0 {
		q.take(t)
		t.begin()
		return true
	}
	if q.waiting.n+len(q.blocked) >= most {
		return false
	}
	q.keep(t)
	return true
}

// keep has t wait. The caller holds mu.
func (q *queue) keep(t *Ticket) {
	if !t.blocked {
		q.waiting.add(t)
		return
	}
	if q.blocked == nil {
		q.blocked = map[*Ticket]struct{}{}
	}
	q.blocked[t] = struct{}{}
}

// unblock lets t have a turn, for which it may wait already.
func (q *queue) unblock(t *Ticket) {
	q.mu.Lock()
	defer q.mu.Unlock()
	t.blocked = false
	if _, waits := q.blocked[t]; !waits {
		return
	}
	delete(q.blocked, t)
	if q.free == 0 {
		q.waiting.add(t)
		return
	}
	q.take(t)
	t.begin()
}

// take counts a turn that is free as one of t. The caller holds mu.
func (q *queue) take(t *Ticket) {
	q.free--
	q.waiting.begun(t.owner, 1)
}

// try takes a turn for t if one is free, which is when no ticket waits for one.
func (q *queue) try(t *Ticket) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t.blocked || q.free == 0 {
		return false
	}
	q.take(t)
	return true
}

// leave passes the turn of t on to the ticket that is next.
func (q *queue) leave(t *Ticket) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting.begun(t.owner, -1)
	first := q.waiting.first()
	if first == nil {
		q.free++
		q.tellFreed()
		return
	}
	q.waiting.remove(first)
	q.waiting.begun(first.owner, 1)
	first.begin()
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
	if _, blocked := q.blocked[t]; blocked {
		delete(q.blocked, t)
		return true
	}
	return q.waiting.remove(t)
}

// drain takes all waiting tickets out.
func (q *queue) drain() []*Ticket {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := q.waiting.clear()
	for t := range q.blocked {
		all = append(all, t)
	}
	clear(q.blocked)
	return all
}

// ifWaiting calls f if t waits; it gets no turn before f returns.
func (q *queue) ifWaiting(t *Ticket, f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, blocked := q.blocked[t]; blocked || t.place > 0 {
		f()
	}
}

func (q *queue) usage() (free, waiting int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.free, q.waiting.n + len(q.blocked)
}
