package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// endOfConsoleLine stands before the line feed of a line that was typed.
const endOfConsoleLine = "\r"

// prepareTerminals has the consoles of the streams obey escape sequences, which
// they show as text otherwise, until restore is called.
func prepareTerminals(s Streams) (restore func()) {
	var undo []func() error
	for _, w := range []io.Writer{s.Out, s.Err} {
		f := terminal(w)
		if f == nil {
			continue
		}
		if back, err := setConsole(f, func(mode uint32) uint32 { return mode | windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING }); err == nil {
			undo = append(undo, back)
		}
	}
	return func() {
		for _, back := range undo {
			_ = back() // the console may be gone
		}
	}
}

// readerGone reports whether a write failed because the reader of a pipe ended.
func readerGone(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}

// pipeWaits reports false: Windows cannot tell without taking something from the
// pipe, and a wrong warning is worse than none.
func pipeWaits(*os.File) bool { return false }

// watchSize calls changed every second until ctx ends: a console does not tell.
func watchSize(ctx context.Context, changed func()) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			changed()
		case <-ctx.Done():
			return
		}
	}
}

// hideInput has a console not show what is typed, until restore is called.
func hideInput(f *os.File) (restore func() error, err error) {
	return setConsole(f, func(mode uint32) uint32 {
		return mode&^windows.ENABLE_ECHO_INPUT | windows.ENABLE_LINE_INPUT | windows.ENABLE_PROCESSED_INPUT
	})
}

// setConsole changes the mode of a console until restore is called.
func setConsole(f *os.File, change func(uint32) uint32) (restore func() error, err error) {
	console := windows.Handle(f.Fd())
	var before uint32
	if err := windows.GetConsoleMode(console, &before); err != nil {
		return nil, err
	}
	if err := windows.SetConsoleMode(console, change(before)); err != nil {
		return nil, err
	}
	return func() error { return windows.SetConsoleMode(console, before) }, nil
}
