package monty

import (
	"context"
	"strings"
	"sync"
	"time"
)

// output sends what the session prints: in pieces that are worth a frame, or
// after the time for which the client lets it wait.
type output struct {
	conn Conn
	wait time.Duration // negative: each line

	mu    sync.Mutex
	held  strings.Builder
	timer *time.Timer
	err   error
}

// enough is how many bytes are worth a frame.
const enough = 8 << 10

// standardOutput is the stream of what is printed.
const standardOutput = 1

// print takes text. It runs while the session does.
func (o *output) print(s string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.held.WriteString(s)
	switch {
	case o.wait < 0:
		o.sendLines()
	case o.held.Len() >= enough:
		o.send(o.held.String())
	case o.timer == nil:
		o.timer = time.AfterFunc(o.wait, func() { _ = o.flush() }) // the error is kept for the end of the turn
	}
}

// sendLines sends each line that is complete.
func (o *output) sendLines() {
	text := o.held.String()
	for {
		at := strings.IndexByte(text, '\n')
		if at < 0 {
			break
		}
		o.send(text[:at+1])
		text = text[at+1:]
	}
	o.held.Reset()
	o.held.WriteString(text)
}

func (o *output) send(s string) {
	o.held.Reset()
	if s == "" || o.err != nil {
		return
	}
	body := bytesOf(1, join(number(1, standardOutput), text(2, s)))
	o.err = o.conn.Write(context.Background(), event{kind: eventPrint, body: body}.frame(nil))
}

// flush sends what is held.
func (o *output) flush() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.timer != nil {
		o.timer.Stop()
		o.timer = nil
	}
	o.send(o.held.String())
	return o.err
}
