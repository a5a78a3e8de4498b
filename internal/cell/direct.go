package cell

import (
	"context"
	"errors"
	"math"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// direct is a conversation with a program whose job and control stream go past
// the guest. Like a channel it holds some of what comes, and lets the program
// wait until that is taken.
type direct struct {
	*wire.Channel // for the other outputs, and for how the program ends
	streams       *Streams
	asks          bool       // the guest is asked for what came before the end of the control stream
	reading       sync.Mutex // held from reading the control stream to handing on, so that both keep the order
	buf           [8 << 10]byte

	mu      sync.Mutex
	changed *sync.Cond
	pieces  []piece
	unread  int   // bytes in pieces
	ending  bool  // the program has ended, or its cell has
	closed  bool  // the cell was released: what still comes is dropped
	err     error // set once nothing more comes: how the channel ended
}

// Bounds on what is held, in bytes and pieces. maxLeft comes on top when the
// program has ended, for what its control stream still holds.
const (
	maxUnread = wire.Window
	maxPieces = 1024
	maxLeft   = 128 << 10
)

// newDirect begins to take what a program writes, until closed is over.
func newDirect(ch *wire.Channel, streams *Streams, asks bool, closed context.Context) *direct {
	d := &direct{Channel: ch, streams: streams, asks: asks}
	d.changed = sync.NewCond(&d.mu)
	context.AfterFunc(closed, d.close)
	go d.readChannel()
	go d.readControl()
	return d
}

// readChannel hands on what comes through the guest, until the program has ended.
func (d *direct) readChannel() {
	for {
		stream, data, err := d.Channel.Next()
		if err != nil {
			d.end(err)
			return
		}
		d.push(stream, data)
	}
}

// end hands on what the program has left in its control stream.
func (d *direct) end(err error) {
	d.mu.Lock()
	d.ending = true
	d.changed.Broadcast()
	d.mu.Unlock()
	if raw, err := d.streams.Control.SyscallConn(); err == nil {
		raw.Control(func(fd uintptr) { d.pump(fd, maxLeft) })
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.err = err
	d.changed.Broadcast()
}

// readControl hands on the control stream. When it has ended, the guest is asked
// for what came before that on the other outputs, if anybody wants to know.
func (d *direct) readControl() {
	raw, err := d.streams.Control.SyscallConn()
	if err != nil {
		return
	}
	if err := raw.Read(func(fd uintptr) bool { return d.pump(fd, math.MaxInt) }); err == nil && d.asks {
		d.CloseWrite()
	}
}

// pump hands on what is in the pipe, until there is nothing or limit bytes were
// read, and reports whether the pipe has ended.
func (d *direct) pump(fd uintptr, limit int) (ended bool) {
	for limit > 0 {
		n, err := d.pass(int(fd))
		if errors.Is(err, unix.EAGAIN) {
			return false
		}
		if n <= 0 {
			return true
		}
		limit -= n
	}
	return false
}

func (d *direct) pass(fd int) (n int, err error) {
	d.reading.Lock()
	defer d.reading.Unlock()
	n, err = unix.Read(fd, d.buf[:])
	for errors.Is(err, unix.EINTR) {
		n, err = unix.Read(fd, d.buf[:])
	}
	if n > 0 {
		d.push(control, append([]byte(nil), d.buf[:n]...))
	}
	return n, err
}

// close drops what still comes, so that no reader of the control stream waits: the
// file can only be closed when no read is under way.
func (d *direct) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	d.changed.Broadcast()
}

// push takes what has come, when there is room for it. A program that still
// writes while its cell is being killed does not find any.
func (d *direct) push(stream int, data []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for !d.ending && !d.closed && (d.unread >= maxUnread || len(d.pieces) >= maxPieces) {
		d.changed.Wait()
	}
	if d.closed || d.unread+len(data) > maxUnread+maxLeft {
		return
	}
	d.unread += len(data)
	d.pieces = append(d.pieces, piece{stream, data})
	d.changed.Broadcast()
}

// Next returns what comes next, as Channel.Next does.
func (d *direct) Next() (stream int, data []byte, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.pieces) == 0 && d.err == nil {
		d.changed.Wait()
	}
	if len(d.pieces) == 0 {
		return 0, nil, d.err
	}
	first := d.pieces[0]
	d.pieces = d.pieces[1:]
	d.unread -= len(first.data)
	d.changed.Broadcast()
	return first.stream, first.data, nil
}

// Write sends some of the job.
func (d *direct) Write(job []byte) (int, error) { return d.streams.Job.Write(job) }

// WriteLast sends the rest of the job and says that nothing follows.
func (d *direct) WriteLast(job []byte) error {
	_, err := d.streams.Job.Write(job)
	return errors.Join(err, d.streams.Job.Close())
}

// wake makes a program that waits for its job ready for it: an empty line comes
// before it. A failure is ignored: a program that has ended is reported by its
// channel.
func (s *Streams) wake() { _, _ = s.Job.Write([]byte{'\n'}) }
