package evaluator

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/sys/unix"
)

// kind says what a frame is. A frame is its kind, one byte, the length of its
// body, four bytes with the lowest first, and its body. Numbers in bodies have
// the same order.
type kind byte

const (
	// From the client.
	evaluate kind = 'E' // length of the task (4), the task, its inputs: JSON
	returned kind = 'A' // id of the call (8), the outputs of the tool: JSON
	failed   kind = 'F' // id of the call (8), a failure as in docs/WORKER.md: JSON
	// To the client.
	calling kind = 'C' // id of the call (8), length of the name (2), the name of the tool, its inputs: JSON
	givenUp kind = 'X' // id of the call (8)
	waiting kind = 'W' // nothing: the code waits, and all its calls were sent
	ended   kind = 'R' // the result: JSON
)

const (
	headSize = 5
	callSize = 8
	maxFrame = 64 << 20 // bytes of the body of a frame from the client
	readSize = 64 << 10
)

type frame struct {
	kind kind
	body []byte // valid until the next read
}

// errLate is the error of a read that waited until its time.
var errLate = errors.New("the time has come")

// conn is a connection. One goroutine at a time reads it and writes to it.
type conn struct {
	fd       int
	over     func() // tells that nothing is under way on it any more; it may be called again
	in       []byte // what was read
	from, to int    // what of it is not taken yet
	out      []byte // what was not sent yet
}

func newConn(fd int, over func()) *conn {
	return &conn{fd: fd, over: over, in: make([]byte, readSize)}
}

func (c *conn) close() { unix.Close(c.fd) }

// shutdown ends what reads and writes. It may be called beside everything but
// close.
func (c *conn) shutdown() { unix.Shutdown(c.fd, unix.SHUT_RDWR) }

// hungUp reports whether the client has closed the connection.
func (c *conn) hungUp() bool {
	p := []unix.PollFd{{Fd: int32(c.fd), Events: unix.POLLRDHUP}}
	_, err := unix.Poll(p, 0)
	return err == nil && p[0].Revents != 0
}

// put adds a frame to what flush sends. Its body consists of parts.
func (c *conn) put(k kind, parts ...[]byte) {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	c.out = append(c.out, byte(k))
	c.out = binary.LittleEndian.AppendUint32(c.out, uint32(size))
	for _, p := range parts {
		c.out = append(c.out, p...)
	}
}

// flush sends what was put.
func (c *conn) flush() error {
	for rest := c.out; len(rest) > 0; {
		n, err := unix.SendmsgN(c.fd, rest, nil, nil, unix.MSG_NOSIGNAL)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	if c.out = c.out[:0]; cap(c.out) > readSize {
		c.out = nil
	}
	return nil
}

// read waits for a frame.
func (c *conn) read() (frame, error) { return c.readUntil(time.Time{}) }

// readUntil waits for a frame, until a time that is not zero: errLate if none
// has begun to come by then.
func (c *conn) readUntil(until time.Time) (frame, error) {
	if c.from == c.to && !until.IsZero() {
		if err := c.await(until); err != nil {
			return frame{}, err
		}
	}
	head, err := c.take(headSize)
	if err != nil {
		return frame{}, err
	}
	f := frame{kind: kind(head[0])}
	size := binary.LittleEndian.Uint32(head[1:])
	if size > maxFrame {
		return frame{}, fmt.Errorf("a frame of %d bytes; at most %d are taken", size, maxFrame)
	}
	f.body, err = c.take(int(size))
	return f, err
}

// take returns the next n bytes.
func (c *conn) take(n int) ([]byte, error) {
	if c.to-c.from < n {
		if err := c.fill(n); err != nil {
			return nil, err
		}
	}
	b := c.in[c.from : c.from+n]
	c.from += n
	return b, nil
}

// fill reads until n bytes are there. A buffer that grew for a large frame
// grows with what comes, and is not kept.
func (c *conn) fill(n int) error {
	there := c.in[c.from:c.to]
	if cap(c.in) > readSize && n <= readSize {
		c.in = make([]byte, readSize)
	}
	c.from, c.to = 0, copy(c.in, there)
	for c.to < n {
		if c.to == len(c.in) {
			grown := make([]byte, min(n, 2*len(c.in)))
			copy(grown, c.in)
			c.in = grown
		}
		got, err := c.receive(c.in[c.to:])
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return err
		}
		if got == 0 {
			return io.EOF
		}
		c.to += got
	}
	return nil
}

// lookFor is how long a reader looks for bytes before its thread sleeps. An
// answer that comes within that time needs no wake-up by the kernel, which takes
// longer than most answers.
const lookFor = 50 * time.Microsecond

// receive reads what is there, and waits for something if nothing is.
func (c *conn) receive(b []byte) (int, error) {
	for until := time.Now().Add(lookFor); ; {
		n, _, err := unix.Recvfrom(c.fd, b, unix.MSG_DONTWAIT)
		if !errors.Is(err, unix.EAGAIN) {
			return n, err
		}
		if !time.Now().Before(until) {
			return unix.Read(c.fd, b)
		}
		unix.Syscall(unix.SYS_SCHED_YIELD, 0, 0, 0) // the client may need this processor
	}
}

// await waits until there is something to read.
func (c *conn) await(until time.Time) error {
	p := []unix.PollFd{{Fd: int32(c.fd), Events: unix.POLLIN}}
	for {
		left := time.Until(until)
		if left <= 0 {
			return errLate
		}
		// Rounded up: the code would wake too early.
		t := unix.NsecToTimespec(int64(left))
		n, err := unix.Ppoll(p, &t, nil)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return err
		}
		if n > 0 {
			return nil
		}
	}
}
