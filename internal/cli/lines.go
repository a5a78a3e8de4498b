package cli

import (
	"bytes"
	"io"
	"sync"
)

// longestLine is when a line that does not end is printed all the same.
const longestLine = 32 << 10

// lines lets two streams share one place without tearing each other's lines.
type lines struct {
	mu *sync.Mutex
	w  io.Writer

	rest []byte // of a line that has not ended
}

// shareLines returns the two sides of w.
func shareLines(w io.Writer) (a, b *lines) {
	mu := new(sync.Mutex)
	return &lines{mu: mu, w: w}, &lines{mu: mu, w: w}
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, p...)
	end := bytes.LastIndexByte(l.rest, '\n') + 1
	if len(l.rest)-end > longestLine {
		end = len(l.rest)
	}
	if end == 0 {
		return len(p), nil
	}
	_, err := l.w.Write(l.rest[:end])
	l.rest = append(l.rest[:0], l.rest[end:]...)
	return len(p), err
}

// flush prints what is left of the last line.
func (l *lines) flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.rest) == 0 {
		return nil
	}
	_, err := l.w.Write(l.rest)
	l.rest = nil
	return err
}
