package guest

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// input is the standard input of a process, or its terminal.
type input struct {
	file  *os.File
	raw   syscall.RawConn
	turn  chan struct{} // full while somebody writes
	end   func() error  // ends it
	ended sync.Once
	over  chan struct{}
}

func newInput(file *os.File, end func() error) (*input, error) {
	raw, err := file.SyscallConn()
	return &input{file: file, raw: raw, turn: make(chan struct{}, 1), end: end, over: make(chan struct{})}, err
}

func (i *input) close() {
	i.ended.Do(func() {
		close(i.over)
		i.end()
	})
}

var errInputClosed = failure{wire.CodeConflict, "", "the process takes no input any more"}

// write hands on what comes on a channel, and waits until the process takes it
// or the channel has ended.
func (i *input) write(ch *wire.Channel) error {
	select {
	case i.turn <- struct{}{}:
	case <-i.over:
		return errInputClosed
	case <-ch.Over():
		return nil
	}
	defer func() { <-i.turn }()
	stop := i.endWith(ch)
	defer stop()
	for {
		_, data, err := ch.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := i.send(data); err != nil {
			return err
		}
	}
}

// endWith ends a write when the channel ends.
func (i *input) endWith(ch *wire.Channel) (stop func()) {
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case <-ch.Over():
			i.file.SetWriteDeadline(time.Now())
		case <-done:
		}
	}()
	return func() {
		close(done)
		<-stopped
		i.file.SetWriteDeadline(time.Time{})
	}
}

func (i *input) send(data []byte) error {
	_, err := writeAll(i.raw, data)
	if errors.Is(err, unix.EPIPE) || errors.Is(err, os.ErrClosed) || errors.Is(err, unix.EIO) {
		return errInputClosed
	}
	return err
}
