package admission

import "container/heap"

// lines have the tickets that wait, a line for each owner. What guards them is the queue.
// The owner who has fewest turns is next, so that nobody who submits many runs keeps
// those of others waiting.
type lines struct {
	of    map[string]*order
	turns map[string]int // that the tickets of an owner have now
	came  uint64
	n     int
}

func (l *lines) add(t *Ticket) {
	if l.of == nil {
		l.of = map[string]*order{}
	}
	if l.of[t.owner] == nil {
		l.of[t.owner] = &order{}
	}
	l.came++
	l.n++
	t.since = l.came
	heap.Push(l.of[t.owner], t)
}

// begun counts a turn of an owner, or with -1 its end.
func (l *lines) begun(owner string, n int) {
	if l.turns == nil {
		l.turns = map[string]int{}
	}
	if l.turns[owner] += n; l.turns[owner] == 0 {
		delete(l.turns, owner)
	}
}

// first is the ticket that is next, or nil: of owners who have equally few turns, the one
// that is due first.
func (l *lines) first() (next *Ticket) {
	for owner, line := range l.of {
		t := (*line)[0]
		if next == nil || l.turns[owner] < l.turns[next.owner] || l.turns[owner] == l.turns[next.owner] && t.before(next) {
			next = t
		}
	}
	return next
}

// remove takes a ticket out, and reports whether it was there.
func (l *lines) remove(t *Ticket) bool {
	if t.place == 0 {
		return false
	}
	line := l.of[t.owner]
	heap.Remove(line, t.place-1)
	l.n--
	if len(*line) == 0 {
		delete(l.of, t.owner)
	}
	return true
}

// clear takes all tickets out.
func (l *lines) clear() (all []*Ticket) {
	for _, line := range l.of {
		for _, t := range *line {
			t.place = 0
			all = append(all, t)
		}
	}
	l.of, l.n = nil, 0
	return all
}

// before reports whether a ticket is due before another, or came before it.
func (t *Ticket) before(other *Ticket) bool {
	if !t.due.Equal(other.due) {
		return t.due.Before(other.due)
	}
	return t.since < other.since
}

// order is a heap. Each ticket knows its place in it, counted from 1.
type order []*Ticket

func (o order) Len() int           { return len(o) }
func (o order) Less(i, j int) bool { return o[i].before(o[j]) }

func (o order) Swap(i, j int) {
	o[i], o[j] = o[j], o[i]
	o[i].place, o[j].place = i+1, j+1
}

// Push implements heap.Interface.
func (o *order) Push(t any) {
	*o = append(*o, t.(*Ticket))
	t.(*Ticket).place = len(*o)
}

// Pop implements heap.Interface.
func (o *order) Pop() any {
	last := len(*o) - 1
	t := (*o)[last]
	(*o)[last], *o, t.place = nil, (*o)[:last], 0
	return t
}
