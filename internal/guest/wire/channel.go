package wire

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// A Channel is one conversation on a Mux: bytes in two directions, of up to
// three streams each, and a status at the end.
type Channel struct {
	mux *Mux
	id  uint32

	mu       sync.Mutex
	changed  *sync.Cond
	received []chunk
	unread   int // bytes in received and bytes read but not yet credited
	owed     int // bytes read but not yet credited
	eof      bool
	ended2   bool // stream 2 has ended
	credit   int  // bytes that may still be sent
	status   json.RawMessage
	err      error // set once the channel has ended
	over     chan struct{}
}

// streams is how many there are of a channel in one direction.
const streams = 3

type chunk struct {
	stream int
	data   []byte
}

func newChannel(m *Mux, id uint32) *Channel {
	ch := &Channel{mux: m, id: id, credit: Window, over: make(chan struct{})}
	ch.changed = sync.NewCond(&ch.mu)
	return ch
}

// Over is closed when the channel has ended in both directions. What has arrived
// before can still be read.
func (c *Channel) Over() <-chan struct{} { return c.over }

// Next returns the next bytes that arrived and their stream, in the order in
// which they were sent, and io.EOF when there are no more. No bytes mean that the
// stream has ended. The slice is the caller's.
func (c *Channel) Next() (stream int, data []byte, err error) {
	c.mu.Lock()
	for len(c.received) == 0 && !c.eof && c.err == nil {
		c.changed.Wait()
	}
	if len(c.received) == 0 {
		defer c.mu.Unlock()
		if c.eof {
			return 0, nil, io.EOF
		}
		return 0, nil, c.err
	}
	first := c.received[0]
	c.received = c.received[1:]
	grant := c.consume(len(first.data))
	c.mu.Unlock()
	return first.stream, first.data, c.grant(grant)
}

// Read reads the bytes of all streams as one.
func (c *Channel) Read(p []byte) (int, error) {
	c.mu.Lock()
	for len(c.received) == 0 && !c.eof && c.err == nil {
		c.changed.Wait()
	}
	if len(c.received) == 0 {
		defer c.mu.Unlock()
		if c.eof {
			return 0, io.EOF
		}
		return 0, c.err
	}
	n := copy(p, c.received[0].data)
	c.received[0].data = c.received[0].data[n:]
	if len(c.received[0].data) == 0 {
		c.received = c.received[1:]
	}
	grant := c.consume(n)
	c.mu.Unlock()
	return n, c.grant(grant)
}

// consume counts n bytes as read and returns how many to credit now. Credits
// go out in batches, so that small reads do not double the traffic.
func (c *Channel) consume(n int) int {
	c.owed += n
	if c.owed < Window/4 || c.eof || c.err != nil {
		return 0
	}
	grant := c.owed
	c.owed = 0
	c.unread -= grant
	return grant
}

func (c *Channel) grant(n int) error {
	if n == 0 {
		return nil
	}
	return c.mux.write(frame{kind: kindCredit, channel: c.id, payload: creditPayload(n)})
}

// Write sends bytes of stream 0. It waits while the other side has not taken
// what was sent before.
func (c *Channel) Write(p []byte) (int, error) { return c.WriteStream(0, p) }

// WriteStream sends bytes of stream 0, 1 or 2.
func (c *Channel) WriteStream(stream int, p []byte) (int, error) {
	sent := 0
	for sent < len(p) {
		n, err := c.reserve(min(len(p)-sent, maxData))
		if err != nil {
			return sent, err
		}
		f := frame{kind: kindData + kind(stream), channel: c.id, payload: p[sent : sent+n]}
		if err := c.mux.write(f); err != nil {
			return sent, err
		}
		sent += n
	}
	return sent, nil
}

// reserve waits until at least one byte may be sent and takes up to want.
func (c *Channel) reserve(want int) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.credit == 0 && want > 0 && c.err == nil {
		c.changed.Wait()
	}
	if c.err != nil {
		return 0, c.closedError()
	}
	n := min(want, c.credit)
	c.credit -= n
	return n, nil
}

// closedError says why nothing can be sent any more. The caller holds mu.
func (c *Channel) closedError() error {
	if errors.Is(c.err, io.EOF) {
		return io.ErrClosedPipe
	}
	return c.err
}

// EndControl says that no more data of stream 2 follows, though other streams
// may go on.
func (c *Channel) EndControl() error {
	return c.mux.write(frame{kind: kindData2, channel: c.id})
}

// WriteLast sends bytes of stream 0 and says that no more data follows. What is
// small travels in one piece.
func (c *Channel) WriteLast(p []byte) error {
	early := max(0, len(p)-maxData)
	if _, err := c.Write(p[:early]); err != nil {
		return err
	}
	p = p[early:]
	n, err := c.reserve(len(p))
	if err != nil {
		return err
	}
	if n < len(p) {
		return errors.Join(c.writeRest(p, n), c.CloseWrite())
	}
	return c.mux.write(c.lastFrames(p)...)
}

// writeRest sends p, for the first n bytes of which there is credit already.
func (c *Channel) writeRest(p []byte, n int) error {
	if err := c.mux.write(frame{kind: kindData, channel: c.id, payload: p[:n]}); err != nil {
		return err
	}
	_, err := c.Write(p[n:])
	return err
}

func (c *Channel) lastFrames(p []byte) []frame {
	end := frame{kind: kindEOF, channel: c.id}
	if len(p) == 0 {
		return []frame{end}
	}
	return []frame{{kind: kindData, channel: c.id, payload: p}, end}
}

// CloseWrite says that no more data follows.
func (c *Channel) CloseWrite() error {
	return c.mux.write(frame{kind: kindEOF, channel: c.id})
}

// Close ends the channel with a status.
func (c *Channel) Close(status any) error {
	payload, err := json.Marshal(status)
	if err != nil {
		return err
	}
	c.mux.remove(c)
	c.end(nil, io.ErrClosedPipe)
	return c.mux.write(frame{kind: kindClose, channel: c.id, payload: payload})
}

// Status waits for the end of the channel and decodes the other side's status.
func (c *Channel) Status(into any) error {
	c.mu.Lock()
	for c.err == nil {
		c.changed.Wait()
	}
	status, err := c.status, c.err
	c.mu.Unlock()
	if !errors.Is(err, io.EOF) {
		return err
	}
	if err := json.Unmarshal(status, into); err != nil {
		return fmt.Errorf("status: %w", err)
	}
	return nil
}

func (c *Channel) receive(stream int, data []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.eof || len(data) == 0 && stream != 2 || c.ended2 && stream == 2 {
		return fmt.Errorf("channel %d: empty data, or data after its end", c.id)
	}
	c.ended2 = c.ended2 || len(data) == 0
	if c.unread += len(data); c.unread > Window {
		return fmt.Errorf("channel %d: more data than was credited", c.id)
	}
	c.enqueue(stream, data)
	c.changed.Broadcast()
	return nil
}

// maxOrdered is how many pieces a channel holds in the order in which they came.
const maxOrdered = 1024

// enqueue joins small pieces, so that many tiny frames cost no more memory
// than a few large ones. The end of a stream stays a piece of its own. Where very
// many pieces wait already, because the streams take turns with some bytes each,
// only the order within a stream is kept.
func (c *Channel) enqueue(stream int, data []byte) {
	last := len(c.received) - 1
	if len(data) > 0 && last >= 0 && c.received[last].stream == stream && len(c.received[last].data)+len(data) <= maxData {
		c.received[last].data = append(c.received[last].data, data...)
		return
	}
	if len(data) > 0 && last >= maxOrdered {
		for i := last; i > last-streams; i-- {
			if c.received[i].stream == stream {
				c.received[i].data = append(c.received[i].data, data...)
				return
			}
		}
	}
	c.received = append(c.received, chunk{stream, data})
}

func (c *Channel) receiveEOF() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.eof = true
	c.changed.Broadcast()
}

func (c *Channel) receiveCredit(payload []byte) error {
	if len(payload) != 4 {
		return fmt.Errorf("channel %d: credit of %d bytes", c.id, len(payload))
	}
	n := binary.BigEndian.Uint32(payload)
	c.mu.Lock()
	defer c.mu.Unlock()
	if int64(c.credit)+int64(n) > Window {
		return fmt.Errorf("channel %d: credited more than was sent", c.id)
	}
	c.credit += int(n)
	c.changed.Broadcast()
	return nil
}

// end marks the channel as over. What has arrived can still be read.
func (c *Channel) end(status json.RawMessage, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.status, c.err = status, err
	close(c.over)
	c.changed.Broadcast()
}
