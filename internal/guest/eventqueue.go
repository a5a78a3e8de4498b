package guest

import (
	"sync"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// maxEvents bounds the events that wait for the host.
const maxEvents = 4096

// eventQueue holds events until the host takes them. Where too many wait, those
// that come are lost, and an event says so in their place.
type eventQueue struct {
	mu      sync.Mutex
	changed *sync.Cond
	events  []wire.Event
	lost    bool
	ended   bool
	err     error
}

func newEventQueue() *eventQueue {
	q := &eventQueue{}
	q.changed = sync.NewCond(&q.mu)
	return q
}

// full reports whether the next event would be lost. A queue that has lost some
// takes no others until that is said.
func (q *eventQueue) full() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.lost || len(q.events) >= maxEvents
}

func (q *eventQueue) push(event wire.Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.events = append(q.events, event)
	q.changed.Broadcast()
}

// lose says that events were lost.
func (q *eventQueue) lose() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lost = true
	q.changed.Broadcast()
}

// end says that nothing more comes, and why.
func (q *eventQueue) end(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended, q.err = true, err
	q.changed.Broadcast()
}

// send hands events on until there are no more, or the channel has ended.
func (q *eventQueue) send(ch *wire.Channel) error {
	for {
		event, more, err := q.next()
		if !more {
			return err
		}
		if err := sendEvent(ch, event); err != nil {
			return nil // nobody listens any more
		}
	}
}

func (q *eventQueue) next() (event wire.Event, more bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.events) == 0 && !q.lost && !q.ended {
		q.changed.Wait()
	}
	switch {
	case len(q.events) > 0:
		event = q.events[0]
		q.events = q.events[1:]
		return event, true, nil
	case q.lost:
		q.lost = false
		return wire.Event{Type: wire.EventOverflow}, true, nil
	}
	return wire.Event{}, false, q.err
}
