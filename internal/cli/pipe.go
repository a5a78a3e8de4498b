package cli

import (
	"errors"
	"io"
	"syscall"
)

// errBrokenPipe is why a run ends whose reader has gone, as in: glovebox run
// -- yes | head.
var errBrokenPipe = errors.New("nobody reads the output any more")

// brokenPipeStatus is what a shell reports for a program that SIGPIPE ended.
const brokenPipeStatus = 128 + int(syscall.SIGPIPE)

// watched tells when its reader has gone. SIGPIPE would end the process before
// the cell is destroyed, so it is caught and the write error is looked at.
type watched struct {
	io.Writer
	gone func()
}

func (w watched) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		w.gone()
	}
	return n, err
}
