package wire

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
)

// Side says which end of the stream a Mux is.
type Side int

// The sides.
const (
	Host Side = iota
	Guest
)

// maxAccepted bounds the channels that a guest may have open at a time.
const maxAccepted = 128

// maxServed bounds the calls of accept under way. They can outlive their
// channels, so that opening and closing channels must not pile them up.
const maxServed = 1024

// maxOpened bounds the channels that the host opens at a time. The guest trusts
// the host, and takes some more, because it may see the end of one later.
const (
	maxOpened     = 1024
	maxFromHost   = 2 * maxOpened
	maxHostServed = 4 * maxOpened
)

// ErrTooMany says that the host has as many channels open as it may.
var ErrTooMany = errors.New("too many channels of the guest connection are in use")

// ErrClosed is returned by every call once the stream has ended without a
// breach of the protocol.
var ErrClosed = errors.New("the guest connection is closed")

// Mux carries channels over one stream. Its methods are safe for concurrent
// use.
type Mux struct {
	side   Side
	stream io.ReadWriteCloser
	accept func(kind string, request json.RawMessage, ch *Channel)
	hello  chan Hello

	writeMu sync.Mutex
	buf     []byte
	silent  bool // nothing is sent any more; see Quiesce

	mu       sync.Mutex
	channels map[uint32]*Channel
	next     uint32
	accepted int
	served   int
	err      error
	done     chan struct{}
}

// NewMux makes a Mux of the given side. Accept is called, in a goroutine of
// its own, for every channel that the other side opens; nil refuses them all.
// The caller must call Run.
func NewMux(side Side, stream io.ReadWriteCloser, accept func(kind string, request json.RawMessage, ch *Channel)) *Mux {
	m := &Mux{
		side: side, stream: stream, accept: accept,
		hello:    make(chan Hello, 1),
		channels: make(map[uint32]*Channel),
		next:     1,
		done:     make(chan struct{}),
	}
	if side == Guest {
		m.next = 2
	}
	return m
}

// Run reads the stream until it ends or the other side breaks the protocol,
// closes it and ends every channel. A stream on which the connection has ended in
// order stays open.
func (m *Mux) Run() error {
	err := m.readLoop()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) {
		err = ErrClosed
	}
	m.fail(err)
	return err
}

func (m *Mux) readLoop() error {
	limit := maxToHost
	if m.side == Guest {
		limit = maxToGuest
	}
	r := bufio.NewReaderSize(m.stream, 64<<10)
	for {
		f, err := readFrame(r, limit)
		if err != nil {
			return err
		}
		if err := m.handle(f); err != nil {
			return err
		}
		if r.Buffered() == 0 {
			// The reader of what came runs first; asking whether there is
			// more takes time.
			runtime.Gosched()
		}
	}
}

func (m *Mux) handle(f frame) error {
	switch f.kind {
	case kindHello:
		return m.handleHello(f)
	case kindOpen:
		return m.handleOpen(f)
	case kindWake:
		return m.handleWake()
	case kindQuiesce:
		return m.handleQuiesce()
	case kindQuiet:
		return m.handleQuiet()
	}
	m.mu.Lock()
	ch := m.channels[f.channel]
	m.mu.Unlock()
	if ch == nil {
		return nil // the channel was closed here while the frame was under way
	}
	if (f.kind == kindData1 || f.kind == kindData2) && m.isPeers(ch) {
		return fmt.Errorf("channel %d has one stream only", ch.id)
	}
	switch f.kind {
	case kindData, kindData1, kindData2:
		return ch.receive(int(f.kind-kindData), f.payload)
	case kindEOF:
		ch.receiveEOF()
	case kindCredit:
		return ch.receiveCredit(f.payload)
	case kindClose:
		m.remove(ch)
		ch.end(f.payload, io.EOF)
	}
	return nil
}

func (m *Mux) handleHello(f frame) error {
	var hello Hello
	if m.side == Guest {
		return errors.New("hello from the host")
	}
	if err := json.Unmarshal(f.payload, &hello); err != nil {
		return fmt.Errorf("hello: %w", err)
	}
	select {
	case m.hello <- hello:
		return nil
	default:
		return errors.New("a second hello")
	}
}

// handleWake does nothing: that the frame was read is all it is for.
func (m *Mux) handleWake() error {
	if m.side == Host {
		return errors.New("wake from the guest")
	}
	return nil
}

type openRequest struct {
	Kind    string          `json:"kind"`
	Request json.RawMessage `json:"request"`
}

func (m *Mux) handleOpen(f frame) error {
	var open openRequest
	if err := json.Unmarshal(f.payload, &open); err != nil {
		return fmt.Errorf("open: %w", err)
	}
	if f.channel == 0 || f.channel%2 == m.next%2 {
		return fmt.Errorf("channel %d is not the other side's to open", f.channel)
	}
	m.mu.Lock()
	if m.channels[f.channel] != nil {
		m.mu.Unlock()
		return fmt.Errorf("channel %d is open already", f.channel)
	}
	if m.accept == nil || !m.mayAccept() {
		m.mu.Unlock()
		return fmt.Errorf("channel %d is one too many", f.channel)
	}
	m.accepted++
	m.served++
	ch := m.add(f.channel)
	m.mu.Unlock()
	go m.serve(open, ch)
	return nil
}

// mayAccept reports whether the other side may open one more channel. The
// caller holds mu.
func (m *Mux) mayAccept() bool {
	if m.side == Guest {
		return m.accepted < maxFromHost && m.served < maxHostServed
	}
	return m.accepted < maxAccepted && m.served < maxServed
}

func (m *Mux) serve(open openRequest, ch *Channel) {
	m.accept(open.Kind, open.Request, ch)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.served--
}

// isPeers reports whether the other side has opened ch.
func (m *Mux) isPeers(ch *Channel) bool { return ch.id%2 != m.next%2 }

// add registers a channel. The caller holds mu.
func (m *Mux) add(id uint32) *Channel {
	ch := newChannel(m, id)
	m.channels[id] = ch
	return ch
}

func (m *Mux) remove(ch *Channel) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.channels[ch.id] != ch {
		return
	}
	delete(m.channels, ch.id)
	if m.isPeers(ch) {
		m.accepted--
	}
}

// SayHello sends the guest's first frame.
func (m *Mux) SayHello() error {
	payload, err := json.Marshal(Hello{Version: Version})
	if err != nil {
		return err
	}
	return m.write(frame{kind: kindHello, payload: payload})
}

// WaitHello waits for the guest's first frame and checks its version.
func (m *Mux) WaitHello(ctx context.Context) error {
	select {
	case hello := <-m.hello:
		if hello.Version != Version {
			return fmt.Errorf("the guest speaks version %d of the protocol, the host version %d", hello.Version, Version)
		}
		return nil
	case <-m.done:
		return m.Err()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Open starts a channel.
func (m *Mux) Open(kind string, request any) (*Channel, error) {
	ch, open, err := m.prepare(kind, request)
	if err != nil {
		return nil, err
	}
	return ch, m.write(open)
}

// openWith starts a channel and sends all of its data, which fit into one frame,
// in one piece.
func (m *Mux) openWith(kind string, request any, data []byte) (*Channel, error) {
	ch, open, err := m.prepare(kind, request)
	if err != nil {
		return nil, err
	}
	if _, err := ch.reserve(len(data)); err != nil {
		return nil, err
	}
	return ch, m.write(append([]frame{open}, ch.lastFrames(data)...)...)
}

// prepare registers a channel and makes the frame that starts it.
func (m *Mux) prepare(kind string, request any) (*Channel, frame, error) {
	raw, err := json.Marshal(request)
	if err != nil {
		return nil, frame{}, err
	}
	payload, err := json.Marshal(openRequest{Kind: kind, Request: raw})
	if err != nil {
		return nil, frame{}, err
	}
	if limit := m.peerLimit(); len(payload) > limit {
		return nil, frame{}, fmt.Errorf("the request has %d bytes, more than the limit of %d", len(payload), limit)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err != nil {
		return nil, frame{}, m.err
	}
	if m.side == Host && len(m.channels)-m.accepted >= maxOpened {
		return nil, frame{}, ErrTooMany
	}
	ch := m.add(m.next)
	m.next += 2
	return ch, frame{kind: kindOpen, channel: ch.id, payload: payload}, nil
}

// Wake makes a guest that has been idle ready for work that is about to come.
func (m *Mux) Wake() error { return m.write(frame{kind: kindWake}) }

func (m *Mux) peerLimit() int {
	if m.side == Host {
		return maxToGuest
	}
	return maxToHost
}

// Err returns why the stream ended, or nil while it lives.
func (m *Mux) Err() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.err
}

// Done is closed when the stream has ended.
func (m *Mux) Done() <-chan struct{} { return m.done }

// Close ends the stream and every channel.
func (m *Mux) Close() { m.fail(ErrClosed) }

func (m *Mux) fail(err error) {
	m.mu.Lock()
	if m.err != nil {
		m.mu.Unlock()
		return
	}
	m.err = err
	channels := m.channels
	m.channels = make(map[uint32]*Channel)
	close(m.done)
	m.mu.Unlock()
	if !errors.Is(err, ErrQuiet) {
		m.stream.Close()
	}
	for _, ch := range channels {
		ch.end(nil, err)
	}
}

// write sends frames in one piece, unless the last one was sent.
func (m *Mux) write(frames ...frame) error {
	m.writeMu.Lock()
	defer m.writeMu.Unlock()
	if m.silent {
		return ErrQuiet
	}
	return m.writeFrames(frames...)
}

// writeFrames sends frames in one piece. The caller holds writeMu.
func (m *Mux) writeFrames(frames ...frame) error {
	m.buf = m.buf[:0]
	for _, f := range frames {
		m.buf = appendFrame(m.buf, f)
	}
	if _, err := m.stream.Write(m.buf); err != nil {
		if streamErr := m.Err(); streamErr != nil {
			return streamErr
		}
		return fmt.Errorf("writing to the guest connection: %w", err)
	}
	return nil
}

func creditPayload(n int) []byte {
	return binary.BigEndian.AppendUint32(nil, uint32(n))
}
