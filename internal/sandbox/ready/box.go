package ready

import (
	"archive/tar"
	"context"
	"io"
	"net"
	"time"

	"github.com/glovebox-dev/glovebox/internal/cell"
)

// Box is a running cell that belongs to no run at first, as *cell.Cell is.
type Box interface {
	Put(ctx context.Context, dir string, write func(*tar.Writer) error) error
	Get(ctx context.Context, dir string, names []string, limits cell.GetLimits, read func(*tar.Header, io.Reader) error) error
	Adopt(ctx context.Context, wall time.Duration, serve func(context.Context, net.Conn)) error
	Exec(context.Context, cell.Command) (cell.Exit, error)
	Begin(context.Context, cell.Command) (Process, error)
	BeginLauncher(context.Context) (Process, error)
	Done() <-chan struct{}
	Usage() cell.Usage
	Timings() (start, guest time.Duration)
	Release()
	Close() (cell.Death, error)
}

// Process is a program that waits for its job, as *cell.Process is: an interpreter,
// or what becomes a command.
type Process interface {
	Ready(context.Context) error
	Become(context.Context, cell.Command) (cell.Exit, error)
	Send(ctx context.Context, job ...[]byte) error
	Result(ctx context.Context, stdout, stderr, control io.Writer) (exit cell.Exit, ended bool, err error)
	Over() <-chan struct{}
	Finish(ctx context.Context, stdout, stderr, control io.Writer) (cell.Exit, error)
}

// Start starts a cell that belongs to no run yet.
type Start func(context.Context, cell.Spec) (Box, error)

// liveCell is a cell as a Box.
type liveCell struct{ *cell.Cell }

// Begin implements Box.
func (c liveCell) Begin(ctx context.Context, cmd cell.Command) (Process, error) {
	p, err := c.Cell.Begin(ctx, cmd)
	if err != nil {
		return nil, err // not the process: that would be a non-nil one
	}
	return p, nil
}

// BeginLauncher implements Box.
func (c liveCell) BeginLauncher(ctx context.Context) (Process, error) {
	p, err := c.Cell.BeginLauncher(ctx)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Live returns the cell itself; nil if By did not start it.
func (p *Cell) Live() *cell.Cell {
	box, ok := p.Box.(liveCell)
	if !ok {
		return nil
	}
	return box.Cell
}

// By returns what starts cells of a driver.
func By(driver cell.Driver) Start {
	return func(ctx context.Context, spec cell.Spec) (Box, error) {
		started, err := cell.StartAhead(ctx, driver, spec)
		if err != nil {
			return nil, err // not started as a Box: that would be a non-nil one
		}
		return liveCell{started}, nil
	}
}
