package streams

import "fmt"

// tail keeps the last bytes of what is written to it. It grows with what comes
// and never beyond its limit.
type tail struct {
	limit int
	ring  []byte
	next  int   // where the next byte goes once the ring is full
	total int64 // bytes written so far
}

func newTail(limit int64) *tail { return &tail{limit: int(limit)} }

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	n := len(p)
	t.total += int64(n)
	p = p[max(0, len(p)-t.limit):]
	free := min(t.limit-len(t.ring), len(p))
	t.ring = append(t.ring, p[:free]...)
	for p = p[free:]; len(p) > 0; {
		copied := copy(t.ring[t.next:], p)
		p = p[copied:]
		t.next = (t.next + copied) % len(t.ring)
	}
	return n, nil
}

// kept returns the bytes that are still there, in order.
func (t *tail) kept() []byte {
	out := make([]byte, 0, len(t.ring))
	out = append(out, t.ring[t.next:]...)
	return append(out, t.ring[:t.next]...)
}

// Bytes returns the end of what was written, after a line that says how much is
// missing before it.
func (t *tail) Bytes() []byte {
	kept := t.kept()
	if dropped := t.total - int64(len(kept)); dropped > 0 {
		return append([]byte(droppedMark(dropped)), kept...)
	}
	return kept
}

func droppedMark(n int64) string { return fmt.Sprintf("[… %d bytes dropped …]\n", n) }
