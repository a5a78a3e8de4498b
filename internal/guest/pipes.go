package guest

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// The streams of a program's channel.
const (
	streamErr     = 1
	streamControl = 2
)

// maxPipe is as much as a pipe can hold, in bytes.
const maxPipe = 1 << 20

// pipes connects a program to its channel: what it writes to its outputs goes
// to the host, stream by stream, and what the host sends goes to its control
// input, where it has one.
type pipes struct {
	outputs []*output  // the index is the stream
	input   *os.File   // our end of the control input, or nil
	theirs  []*os.File // the program's ends: its two outputs, and its control input and output
	copies  sync.WaitGroup
}

func newPipes(ch *wire.Channel, control bool) (*pipes, error) {
	p := &pipes{}
	streams := streamErr + 1
	if control {
		streams = streamControl + 1
	}
	for stream := range streams {
		w, err := p.addOutput(ch, stream)
		if err != nil {
			return nil, p.failed(err)
		}
		p.theirs = append(p.theirs, w)
	}
	if control {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, p.failed(err)
		}
		last := len(p.theirs) - 1
		p.input, p.theirs = w, append(p.theirs[:last], r, p.theirs[last])
	}
	p.begin(ch)
	return p, nil
}

func (p *pipes) addOutput(ch *wire.Channel, stream int) (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	raw, err := r.SyscallConn()
	if err != nil {
		return nil, errors.Join(err, r.Close(), w.Close())
	}
	p.outputs = append(p.outputs, &output{stream: stream, ch: ch, file: r, raw: raw})
	return w, nil
}

// begin hands on from here on.
func (p *pipes) begin(ch *wire.Channel) {
	for _, o := range p.outputs[:streamControl] {
		p.copies.Go(o.copy)
	}
	if p.input == nil {
		return
	}
	go feed(p.input, ch)
	p.copies.Go(func() {
		p.outputs[streamControl].copy()
		p.endControl(ch)
	})
}

// endControl says that nothing comes on the control stream any more, after
// everything that the program has written to its other outputs so far.
func (p *pipes) endControl(ch *wire.Channel) {
	for _, o := range p.outputs[:streamControl] {
		o.raw.Control(func(fd uintptr) { o.pump(fd, maxPipe) })
	}
	ch.EndControl()
}

// awaitEnd waits until the host has seen the end of a control stream that leads
// past the guest.
func (p *pipes) awaitEnd(ch *wire.Channel) {
	for {
		_, _, err := ch.Next()
		if errors.Is(err, io.EOF) {
			p.endControl(ch)
		}
		if err != nil {
			return
		}
	}
}

func (p *pipes) failed(err error) error {
	for _, o := range p.outputs {
		o.file.Close()
	}
	p.closeTheirs()
	return fmt.Errorf("pipe: %w", err)
}

// descriptors are those of the program, from 0 on. Descriptor 0 of the guest is
// the null device.
func (p *pipes) descriptors(stdin *os.File) []uintptr {
	fds := []uintptr{0, p.theirs[0].Fd(), p.theirs[streamErr].Fd()}
	if stdin != nil {
		fds[0] = stdin.Fd()
	}
	if len(p.theirs) > streamControl {
		fds = append(fds, p.theirs[streamControl].Fd(), p.theirs[streamControl+1].Fd())
	}
	return fds
}

// feed hands on what the host sends. It ends when the host has sent all, when
// the channel is closed, or when the program has closed its end.
func feed(w *os.File, ch *wire.Channel) {
	defer w.Close()
	raw, err := w.SyscallConn()
	for err == nil {
		var data []byte
		if _, data, err = ch.Next(); err == nil {
			_, err = writeAll(raw, data)
		}
	}
}

// expire lets the pipes end although something holds them open: a descriptor
// that a program has sent into a socket outlives the program if the socket
// itself was sent too. What is in the outputs is still read.
func (p *pipes) expire() {
	for _, o := range p.outputs {
		o.file.SetReadDeadline(time.Now())
	}
}

func (p *pipes) closeTheirs() {
	for _, f := range p.theirs {
		f.Close()
	}
}

// finish waits until everything the program wrote has been handed over, and
// takes its control input back.
func (p *pipes) finish() {
	if p.input != nil {
		p.input.Close()
	}
	p.copies.Wait()
}

// output is our end of a pipe that the program writes to.
type output struct {
	stream int
	ch     *wire.Channel
	file   *os.File
	raw    syscall.RawConn

	mu      sync.Mutex // held from reading to handing on, so that both keep the order
	buf     []byte
	held    int // bytes of buf that were read and not sent yet
	sendErr error
}

// copy hands on what the program writes until the pipe ends. It reads on when
// the host has gone, so that the program never blocks on a full pipe.
func (o *output) copy() {
	defer o.file.Close()
	pump := func(fd uintptr) bool { return o.pump(fd, math.MaxInt) }
	if err := o.raw.Read(pump); err != nil {
		// The time of the pipe is over: what is in it still counts.
		o.raw.Control(func(fd uintptr) { pump(fd) })
	}
}

// pump hands on what is in the pipe, until there is nothing or limit bytes were
// read, and reports whether the pipe has ended.
func (o *output) pump(fd uintptr, limit int) (ended bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.buf == nil {
		o.buf = make([]byte, 32<<10)
	}
	for limit > 0 {
		n, err := readRaw(fd, o.buf[o.held:])
		o.held += n
		limit -= n
		ended := err == nil && n == 0 || err != nil && !isAgain(err)
		if o.stream == streamControl && n > 0 && o.held < len(o.buf) {
			continue // its end mostly follows, and can go with it
		}
		o.handOn()
		if err != nil || ended {
			return ended
		}
	}
	return false
}

// handOn sends what was read.
func (o *output) handOn() {
	if o.sendErr == nil && o.held > 0 {
		_, o.sendErr = o.ch.WriteStream(o.stream, o.buf[:o.held])
	}
	o.held = 0
}
