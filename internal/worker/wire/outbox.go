package wire

import (
	"sync"
	"time"
)

// Outbox is a queue of messages to be sent. It is safe for concurrent use. The
// caller bounds the queue; Put returns its length.
type Outbox struct {
	mu       sync.Mutex
	messages []*Message
	wake     chan struct{} // holds one token while there may be messages
	later    bool          // the token comes soon
}

// soon is until a message is sent that can wait.
const soon = 2 * time.Millisecond

// NewOutbox returns an empty queue.
func NewOutbox() *Outbox { return &Outbox{wake: make(chan struct{}, 1)} }

// Put adds a message, never waits, and returns how many messages wait now.
func (o *Outbox) Put(m *Message) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.messages = append(o.messages, m)
	o.signal()
	return len(o.messages)
}

// PutSoon is Put for a message that can wait. It goes with the next one,
// which saves both sides a turn, or soon by itself.
func (o *Outbox) PutSoon(m *Message) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.messages = append(o.messages, m)
	if !o.later {
		o.later = true
		time.AfterFunc(soon, o.due)
	}
	return len(o.messages)
}

// due has sent what is still there of the messages that can wait.
func (o *Outbox) due() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.later = false
	if len(o.messages) > 0 {
		o.signal()
	}
}

// next takes the first message that its sender still wants sent.
func (o *Outbox) next() (*Message, bool) {
	for {
		m, ok := o.pop()
		if !ok || m.Sending == nil || m.Sending() {
			return m, ok
		}
	}
}

func (o *Outbox) pop() (*Message, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.messages) == 0 {
		o.messages = nil
		return nil, false
	}
	m := o.messages[0]
	o.messages[0] = nil
	o.messages = o.messages[1:]
	return m, true
}

func (o *Outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}
