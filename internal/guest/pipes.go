package guest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// pipes connects a program to its channel: what it writes to its outputs goes
// to the host, stream by stream, and what the host sends goes to its control
// input, where it has one.
type pipes struct {
	outputs []*os.File // our ends; the index is the stream
	input   *os.File   // our end of the control input, or nil
	theirs  []*os.File // the program's ends: the outputs, then the control input
	copies  sync.WaitGroup
}

func newPipes(ch *wire.Channel, control bool) (*pipes, error) {
	p := &pipes{}
	streams := 2
	if control {
		streams = 3
	}
	for stream := range streams {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, p.failed(err)
		}
		p.outputs, p.theirs = append(p.outputs, r), append(p.theirs, w)
		p.copies.Go(func() { copyStream(ch, stream, r) })
	}
	if !control {
		return p, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, p.failed(err)
	}
	p.input, p.theirs = w, append(p.theirs, r)
	go feed(w, ch)
	return p, nil
}

func (p *pipes) failed(err error) error {
	p.closeTheirs()
	return fmt.Errorf("pipe: %w", err)
}

// descriptors are those of the program, from 0 on. Descriptor 0 of the guest is
// the null device.
func (p *pipes) descriptors() []uintptr {
	fds := []uintptr{0, p.theirs[0].Fd(), p.theirs[1].Fd()}
	if p.input != nil {
		fds = append(fds, p.theirs[3].Fd(), p.theirs[2].Fd())
	}
	return fds
}

// feed hands on what the host sends. It ends when the host has sent all, when
// the channel is closed, or when nobody is left to take it.
func feed(w *os.File, ch *wire.Channel) {
	io.Copy(w, ch)
	w.Close()
}

// copyStream reads on when the host has gone, so that the program never blocks
// on a full pipe.
func copyStream(ch *wire.Channel, stream int, r *os.File) {
	defer r.Close()
	buf := make([]byte, 32<<10)
	var sendErr error
	read := r.Read
	for {
		n, err := read(buf)
		if n > 0 && sendErr == nil {
			_, sendErr = ch.WriteStream(stream, buf[:n])
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			read, err = readerOfRest(r)
		}
		if err != nil {
			return
		}
	}
}

// readerOfRest reads what is in a pipe and does not wait for more.
func readerOfRest(r *os.File) (func([]byte) (int, error), error) {
	raw, err := r.SyscallConn()
	if err != nil {
		return nil, err
	}
	return func(p []byte) (n int, err error) {
		controlErr := raw.Control(func(fd uintptr) {
			for n, err = unix.Read(int(fd), p); errors.Is(err, unix.EINTR); {
				n, err = unix.Read(int(fd), p)
			}
		})
		if n == 0 && err == nil {
			err = io.EOF
		}
		return max(n, 0), errors.Join(err, controlErr)
	}, nil
}

// expire lets the pipes end although something holds them open: a descriptor
// that a program has sent into a socket outlives the program if the socket
// itself was sent too. What is in the outputs is still read.
func (p *pipes) expire() {
	for _, r := range p.outputs {
		r.SetReadDeadline(time.Now())
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
