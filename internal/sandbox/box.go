package sandbox

import (
	"context"
	"io"
	"net"
	"time"

	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/outputs"
)

// box is a running cell that belongs to no run at first, as *cell.Cell is.
type box interface {
	putter
	outputs.Getter
	Adopt(ctx context.Context, wall time.Duration, serve func(context.Context, net.Conn)) error
	Exec(context.Context, cell.Command) (cell.Exit, error)
	Begin(context.Context, cell.Command) (process, error)
	Done() <-chan struct{}
	Usage() cell.Usage
	Timings() (start, guest time.Duration)
	Release()
	Close() (cell.Death, error)
}

// process is a program that waits for its job, as *cell.Process is.
type process interface {
	Ready(context.Context) error
	Send(ctx context.Context, job []byte) error
	Result(ctx context.Context, stdout, stderr, control io.Writer) (exit cell.Exit, ended bool, err error)
	Over() <-chan struct{}
	Finish(ctx context.Context, stdout, stderr, control io.Writer) (cell.Exit, error)
}

// liveCell is a cell as a box.
type liveCell struct{ *cell.Cell }

// Begin implements box.
func (c liveCell) Begin(ctx context.Context, cmd cell.Command) (process, error) {
	p, err := c.Cell.Begin(ctx, cmd)
	if err != nil {
		return nil, err // not the process: that would be a non-nil one
	}
	return p, nil
}
