package cli

import (
	"errors"
	"io"

	"github.com/glovebox-dev/glovebox/api"
)

// errBrokenPipe is why a run ends whose reader has gone, as in: glovebox run
// -- yes | head.
var errBrokenPipe = errors.New("the reader of the output has gone")

// brokenPipeStatus is what a shell reports for a program that SIGPIPE ended.
const brokenPipeStatus = exitSignal + sigpipe

// watched tells when its reader has gone. SIGPIPE would end the process before
// the cell is destroyed, so it is caught and the write error is looked at.
type watched struct {
	io.Writer
	gone   func()
	failed func(error) // any other way
}

func (w watched) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if readerGone(err) {
		w.gone()
	} else if err != nil {
		w.failed(err)
	}
	return n, err
}

// unwrittenError is why a part of the result went nowhere.
type unwrittenError struct{ error }

// report tells it, and returns the exit status.
func (e *unwrittenError) report(w io.Writer, evaluated bool) int {
	hint := "what a run gave is kept: list runs with: glovebox runs, and get it with: glovebox outputs RUN"
	if evaluated {
		hint = "nothing is kept of an evaluation: make a run of it with --durable"
	}
	printError(w, "the result could not be written to standard output: "+e.Error(), "", hint)
	return api.Internal.Info().Exit
}
