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

	mu     sync.Mutex
	before []byte // what was printed before held, as segments of a Print
	held   strings.Builder
	stream stream // of held
	timer  *time.Timer
	err    error
}

// stream is what text is printed to.
type stream uint64

const (
	standardOutput stream = 1
	standardError  stream = 2
)

// enough is how many bytes are worth a frame.
const enough = 8 << 10

// print and printError take text. They run while the session does.
func (o *output) print(s string)      { o.printTo(standardOutput, s) }
func (o *output) printError(s string) { o.printTo(standardError, s) }

func (o *output) printTo(to stream, s string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if to != o.stream {
		o.endSegment()
		o.stream = to
	}
	o.held.WriteString(s)
	switch {
	case o.wait < 0:
		o.sendLines()
	case len(o.before)+o.held.Len() >= enough:
		o.send()
	case o.timer == nil:
		o.timer = time.AfterFunc(o.wait, func() { _ = o.flush() }) // the error is kept for the end of the turn
	}
}

// endSegment begins another segment, in which text may go elsewhere.
func (o *output) endSegment() {
	if o.held.Len() > 0 {
		o.before = append(o.before, bytesOf(1, join(number(1, uint64(o.stream)), text(2, o.held.String())))...)
	}
	o.held.Reset()
}

// sendLines sends each line that is complete, and what was printed to another
// stream before.
func (o *output) sendLines() {
	lines := o.held.String()
	for {
		at := strings.IndexByte(lines, '\n')
		if at < 0 {
			break
		}
		o.held.Reset()
		o.held.WriteString(lines[:at+1])
		o.send()
		lines = lines[at+1:]
	}
	o.held.Reset()
	o.held.WriteString(lines)
}

func (o *output) send() {
	o.endSegment()
	body := o.before
	o.before = nil
	if len(body) == 0 || o.err != nil {
		return
	}
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
	o.send()
	return o.err
}
