//go:build linux || darwin

package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// endOfConsoleLine stands before the line feed of a line that was typed.
const endOfConsoleLine = ""

// prepareTerminals has nothing to do: terminals obey escape sequences.
func prepareTerminals(Streams) (restore func()) { return func() {} }

// readerGone reports whether a write failed because the reader of a pipe ended.
func readerGone(err error) bool { return errors.Is(err, syscall.EPIPE) }

// pipeWaits reports whether a pipe has something to be read.
func pipeWaits(f *os.File) bool {
	polled := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}}
	n, err := unix.Poll(polled, 0)
	return err == nil && n == 1 && polled[0].Revents&unix.POLLIN != 0
}

// watchSize calls changed when the size of the terminal may have changed, until
// ctx ends.
func watchSize(ctx context.Context, changed func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, unix.SIGWINCH)
	defer signal.Stop(signals)
	for {
		select {
		case <-signals:
			changed()
		case <-ctx.Done():
			return
		}
	}
}

// hideInput has a terminal not show what is typed, until restore is called.
func hideInput(f *os.File) (restore func() error, err error) {
	before, err := unix.IoctlGetTermios(int(f.Fd()), getTermios)
	if err != nil {
		return nil, err
	}
	hidden := *before
	hidden.Lflag = hidden.Lflag&^unix.ECHO | unix.ICANON | unix.ISIG
	hidden.Iflag |= unix.ICRNL
	if err := unix.IoctlSetTermios(int(f.Fd()), setTermios, &hidden); err != nil {
		return nil, err
	}
	return func() error { return unix.IoctlSetTermios(int(f.Fd()), setTermios, before) }, nil
}
