package cell

import (
	"context"
	"errors"
	"fmt"
	"io"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// Exec runs a program to its end and leaves no process in the cell but the
// guest. A status other than 0 is not an error; a program that could not be
// started, a time-out, an out-of-memory kill and a lost cell are.
func (c *Cell) Exec(ctx context.Context, cmd Command) (Exit, error) {
	defer c.endWith(ctx)()
	ch, err := c.mux.Open(wire.KindExec, c.execRequest(cmd))
	if err != nil {
		return Exit{}, c.explain(err)
	}
	exit, _, err := c.finish(ch, outputs{cmd.Stdout, cmd.Stderr, nil}, false)
	return exit, err
}

// conversation is the connection to a program: a channel of the guest, or the
// pipes past it.
type conversation interface {
	Next() (stream int, data []byte, err error)
	Write(p []byte) (int, error)
	WriteLast(p []byte) error
	Over() <-chan struct{}
	Status(into any) error
}

// finish hands on what a program writes and waits for its end, or for that of
// its control stream.
func (c *Cell) finish(ch conversation, to outputs, untilResult bool) (exit Exit, ended bool, err error) {
	for {
		stream, data, err := ch.Next()
		if errors.Is(err, io.EOF) {
			exit, err := c.status(ch)
			return exit, err == nil, err
		}
		if err == nil && len(data) == 0 && untilResult {
			return Exit{}, false, nil
		}
		if err == nil {
			err = to.write(stream, data)
		}
		if err != nil {
			return Exit{}, false, c.explain(err)
		}
	}
}

// status waits for the guest to say how the program ended.
func (c *Cell) status(ch conversation) (Exit, error) {
	var exit wire.Exit
	if err := ch.Status(&exit); err != nil {
		return Exit{}, c.explain(err)
	}
	if c.instance.OutOfMemory() {
		return Exit{}, c.outOfMemory()
	}
	if exit.Error != "" {
		return Exit{Code: exit.Code}, notStarted(exit)
	}
	return Exit{Code: exit.Code, Signal: signalName(exit.Signal)}, nil
}

func notStarted(exit wire.Exit) error {
	err := api.Errorf(api.CommandNotFound, "the command could not be started: %s", exit.Error)
	if exit.NoDir {
		return err.WithDetails(api.Details{Field: FieldDir})
	}
	return err
}

// outOfMemory ends a cell of which the kernel has killed a part.
func (c *Cell) outOfMemory() error {
	c.instance.Kill()
	return outOfMemory(c.spec.Resources.Memory, c.instance.Wait().PeakMemory)
}

func (c *Cell) execRequest(cmd Command) wire.Exec {
	request := wire.Exec{
		Argv: wire.Texts(cmd.Argv), Env: wire.Texts(cmd.Env), Dir: wire.Text(cmd.Dir), UID: UserID, GID: UserID,
		NoFile: uint64(c.spec.Resources.OpenFiles), NProc: uint64(c.spec.Resources.PIDs),
	}
	request.Stdin = wire.Text(cmd.Stdin)
	if request.Dir == "" {
		request.Dir = "/"
	}
	if cmd.Root {
		request.UID, request.GID = 0, 0
	}
	if cmd.As != nil {
		request.UID, request.GID, request.Groups = cmd.As.UID, cmd.As.GID, cmd.As.Groups
	}
	return request
}

// outputs are where the streams of a program go; nil discards.
type outputs [3]io.Writer

func (o outputs) write(stream int, data []byte) error {
	if o[stream] == nil || len(data) == 0 {
		return nil
	}
	if _, err := o[stream].Write(data); err != nil {
		return fmt.Errorf("handing on the output: %w", err)
	}
	return nil
}

// signalName returns the name of a signal, or "" for 0.
func signalName(number int) string {
	if number == 0 {
		return ""
	}
	if name := unix.SignalName(unix.Signal(number)); name != "" {
		return name
	}
	return fmt.Sprintf("signal %d", number)
}
