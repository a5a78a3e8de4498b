package wire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// missedBeats is after how many heartbeats of silence the other side is dead.
const missedBeats = 3

// chunk is the size of one write. It is small, so that each write shows whether
// a slow connection still moves.
const chunk = 64 << 10

// Conn carries messages over a byte stream. Reading and writing are for one
// goroutine each.
type Conn struct {
	stream io.ReadWriteCloser
	reader *bufio.Reader
	seen   atomic.Int64 // when something came last, Unix nanoseconds
	read   atomic.Int64 // bytes so far
	wrote  atomic.Int64
	// handling and writing are true while the messages that came are dealt
	// with, and while one that goes out is not yet written.
	handling, writing atomic.Bool
}

// NewConn returns a connection over stream.
func NewConn(stream io.ReadWriteCloser) *Conn {
	c := &Conn{stream: stream}
	c.reader = bufio.NewReaderSize(counted{c}, chunk)
	return c
}

// counted reads the stream and counts.
type counted struct{ conn *Conn }

func (r counted) Read(p []byte) (int, error) {
	n, err := r.conn.stream.Read(p)
	if n > 0 {
		r.conn.seen.Store(time.Now().UnixNano())
	}
	r.conn.read.Add(int64(n))
	return n, err
}

// Seen returns when something came last.
func (c *Conn) Seen() time.Time { return time.Unix(0, c.seen.Load()) }

// Close ends the connection; what reads or writes returns.
func (c *Conn) Close() error { return c.stream.Close() }

// Read waits for the next message.
func (c *Conn) Read() (*Message, error) {
	var line []byte
	for {
		part, err := c.reader.ReadSlice('\n')
		if len(line)+len(part) > MaxLine {
			return nil, tooLong()
		}
		if err == nil && line == nil {
			return Decode(part)
		}
		line = append(line, part...)
		if err == nil {
			return Decode(line)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
}

// Write writes a message.
func (c *Conn) Write(m *Message) error {
	line, err := m.Encode()
	if err != nil {
		return err
	}
	return c.write(line)
}

func (c *Conn) write(lines []byte) error {
	c.writing.Store(true)
	defer c.writing.Store(false)
	for r := bytes.NewBuffer(lines); r.Len() > 0; {
		n, err := c.stream.Write(r.Next(chunk))
		c.wrote.Add(int64(n))
		if err != nil {
			return err
		}
	}
	return nil
}

// Within does something with the connection, and closes the connection if it
// takes longer than d or ctx ends.
func (c *Conn) Within(ctx context.Context, d time.Duration, do func() error) error {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { c.Close() })
	err := do()
	if !stop() {
		return fmt.Errorf("the other side did not answer: %w", context.Cause(ctx))
	}
	return err
}

// Run sends the messages of the outbox and passes each message that arrives to
// handle, one after the other, until the connection breaks, the other side
// falls silent, handle returns an error, or ctx ends. It closes the connection.
// If an *api.Error ended it, Run sends that in a bye, after which nothing
// follows.
func (c *Conn) Run(ctx context.Context, out *Outbox, heartbeat time.Duration, handle func(context.Context, *Message) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	received, sent, watched := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() { defer close(sent); cancelWith(cancel, c.sendAll(ctx, out, received)) }()
	go func() { defer close(watched); cancelWith(cancel, c.watch(ctx, out, heartbeat)) }()
	err := c.receive(ctx, out, handle)
	close(received)
	if ctx.Err() == nil {
		c.tell(ctx, out, err, sent)
	}
	cancel(err)
	c.Close()
	<-sent
	<-watched
	return context.Cause(ctx)
}

func cancelWith(cancel context.CancelCauseFunc, err error) {
	if err != nil {
		cancel(err)
	}
}

// farewell is how long the other side has to read why the connection ends, and how
// long we have to read why it ended.
const farewell = time.Second

// sendAll sends until it cannot any more. The other side may have said bye before
// it closed the connection, so what it has sent is received first.
func (c *Conn) sendAll(ctx context.Context, out *Outbox, received <-chan struct{}) error {
	err := c.send(ctx, out)
	if err == nil {
		return nil
	}
	late := time.NewTimer(farewell)
	defer late.Stop()
	select {
	case <-received:
	case <-late.C:
	case <-ctx.Done():
	}
	return err
}

func (c *Conn) tell(ctx context.Context, out *Outbox, err error, sent <-chan struct{}) {
	var e *api.Error
	if !errors.As(err, &e) {
		return
	}
	out.Put(Farewell(e))
	late := time.NewTimer(farewell)
	defer late.Stop()
	select {
	case <-sent:
	case <-late.C:
	case <-ctx.Done():
	}
}

// Farewell is the bye that says why; nil is no reason.
func Farewell(e *api.Error) *Message {
	if e == nil {
		return &Message{Type: Bye}
	}
	return &Message{Type: Bye, Error: ErrorText(e)}
}

// ErrorText writes an error for a message.
func ErrorText(e *api.Error) json.RawMessage {
	text, err := json.Marshal(e)
	if err != nil || len(text) > maxFailure {
		short := api.Errorf(e.Code, "%.4096s", e.Message)
		short.Retryable, short.Outcome = e.Retryable, e.Outcome
		text, _ = json.Marshal(short) // strings and numbers: nothing that can fail
	}
	return text
}

// send writes what comes into the outbox. It ends without an error after a bye.
func (c *Conn) send(ctx context.Context, out *Outbox) error {
	for {
		for {
			lines, last, err := gather(out)
			if err == nil {
				err = c.write(lines)
			}
			if err != nil || last {
				return err
			}
			if len(lines) == 0 {
				break
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-out.wake:
		}
	}
}

// gather takes messages for one write, and reports whether a bye is the last of
// them.
func gather(out *Outbox) (lines []byte, last bool, err error) {
	for len(lines) < chunk && !last {
		m, ok := out.next()
		if !ok {
			break
		}
		line, err := m.Encode()
		if err != nil {
			return nil, false, err
		}
		lines, last = append(lines, line...), m.Type == Bye
	}
	return lines, last, nil
}

// MaxWaiting bounds the messages that wait because the other side does not
// read: those that it causes itself end the connection beyond that.
const MaxWaiting = 8 * MaxCapacity

func (c *Conn) receive(ctx context.Context, out *Outbox, handle func(context.Context, *Message) error) error {
	for {
		m, err := c.Read()
		if err != nil {
			return err
		}
		switch m.Type {
		case Pong:
			continue
		case Ping:
			if out.Put(&Message{Type: Pong}) > MaxWaiting {
				return api.Errorf(api.Overloaded, "the other side sends pings and does not read the answers")
			}
			continue
		}
		c.handling.Store(true)
		err = handle(ctx, m)
		c.handling.Store(false)
		if err != nil {
			return err
		}
	}
}

// watch asks the other side for a sign of life at every heartbeat, and returns
// an error when nothing came, or nothing could be written, for some of them.
func (c *Conn) watch(ctx context.Context, out *Outbox, heartbeat time.Duration) error {
	ticks := time.NewTicker(heartbeat)
	defer ticks.Stop()
	var read, wrote int64
	var silent, stuck int
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticks.C:
		}
		silent = missed(silent, c.handling.Load(), &read, c.read.Load())
		stuck = missed(stuck, !c.writing.Load(), &wrote, c.wrote.Load())
		if silent >= missedBeats || stuck >= missedBeats {
			return fmt.Errorf("the other side was silent for %s", missedBeats*heartbeat)
		}
		if !c.writing.Load() {
			out.Put(&Message{Type: Ping})
		}
	}
}

// missed counts the heartbeats without progress; being excused is progress.
func missed(beats int, excused bool, before *int64, now int64) int {
	moved := now != *before
	*before = now
	if moved || excused {
		return 0
	}
	return beats + 1
}
