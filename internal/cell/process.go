package cell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/guest/wire"
	"github.com/glovebox-dev/glovebox/internal/tuning"
)

// control is the stream of a channel that a program's descriptor 4 writes.
const control = 2

// maxEarly bounds what a program may write before it is ready, in bytes.
const maxEarly = 256 << 10

// Process is a program in a cell that was started with a control channel: its
// descriptor 3 reads what Send sends, and what it writes to its descriptor 4 is
// its control stream. Its methods are called one after another: Ready, Send,
// Finish.
type Process struct {
	cell  *Cell
	ch    conversation
	early []piece // what came before the program was ready
}

// piece is some output of a program.
type piece struct {
	stream int
	data   []byte
}

// NotReadyError says that a program ended before it was ready.
type NotReadyError struct {
	Exit   Exit
	Stderr string // the end of it, some KiB at most
}

func (e *NotReadyError) Error() string {
	how := fmt.Sprintf("status %d", e.Exit.Code)
	if e.Exit.Signal != "" {
		how = e.Exit.Signal
	}
	return fmt.Sprintf("the program ended before it was ready (%s): %s", how, e.Stderr)
}

// Begin starts a program with a control channel. Finish says where its outputs
// go; those of cmd are not used. The cell ends when ctx does before Begin
// returns, and so for the other methods.
func (c *Cell) Begin(ctx context.Context, cmd Command) (*Process, error) {
	return c.begin(ctx, c.execRequest(cmd))
}

func (c *Cell) begin(ctx context.Context, request wire.Exec) (*Process, error) {
	defer c.endWith(ctx)()
	request.Control = true
	streams := c.instance.Program()
	request.Direct = streams != nil && tuning.On(tuning.Pipes) && !c.direct.Swap(true)
	ch, err := c.mux.Open(wire.KindExec, request)
	if err != nil {
		return nil, c.explain(err)
	}
	if request.Direct {
		return &Process{cell: c, ch: newDirect(ch, streams, !request.Launch, c.closed)}, nil
	}
	return &Process{cell: c, ch: ch}, nil
}

// Over is closed when the program has ended, or its cell has.
func (p *Process) Over() <-chan struct{} { return p.ch.Over() }

// Ready waits until the program writes the first byte to its control stream,
// and takes that byte. A program that ends instead gives a NotReadyError.
func (p *Process) Ready(ctx context.Context) error {
	defer p.cell.endWith(ctx)()
	for early := 0; ; {
		stream, data, err := p.ch.Next()
		if errors.Is(err, io.EOF) {
			return p.endedEarly()
		}
		if err != nil {
			return p.cell.explain(err)
		}
		if stream == control && len(data) > 0 {
			p.keep(control, data[1:])
			return nil
		}
		if early += len(data); early > maxEarly {
			return api.Errorf(api.CellLost, "the program wrote more than %s before it was ready", size(maxEarly))
		}
		p.keep(stream, data)
	}
}

// maxEarlyPieces is how many pieces are kept apart of what comes early. More come
// from a program that writes some bytes to each output in turn; then only the
// order within an output is kept.
const maxEarlyPieces = 1024

func (p *Process) keep(stream int, data []byte) {
	if len(data) == 0 {
		return
	}
	if len(p.early) >= maxEarlyPieces {
		for i := len(p.early) - 1; i >= 0; i-- {
			if p.early[i].stream == stream {
				p.early[i].data = append(p.early[i].data, data...)
				return
			}
		}
	}
	p.early = append(p.early, piece{stream, data})
}

func (p *Process) endedEarly() error {
	exit, err := p.cell.status(p.ch)
	if err != nil {
		return err
	}
	const words = 8 << 10
	var stderr []byte
	for _, piece := range p.early {
		if piece.stream == 1 {
			stderr = append(stderr, piece.data...)
		}
	}
	return &NotReadyError{Exit: exit, Stderr: string(stderr[max(0, len(stderr)-words):])}
}

// maxAtOnce is how much of a job any pipe takes before it is read, in bytes.
const maxAtOnce = 4 << 10

// Send sends the pieces of the job, and then its end; they must not be changed
// afterwards. A program that has ended or takes no more is no error: Finish tells
// how it ended.
func (p *Process) Send(ctx context.Context, job ...[]byte) error {
	defer p.cell.endWith(ctx)()
	size := 0
	for _, piece := range job {
		size += len(piece)
	}
	if size > maxAtOnce {
		// A job larger than the pipe waits until the program reads it, which
		// may want its output to be read first.
		go p.send(job)
		return nil
	}
	if err := p.send(job); err != nil && p.cell.mux.Err() != nil {
		return p.cell.explain(err)
	}
	return nil
}

func (p *Process) send(job [][]byte) error {
	last := max(0, len(job)-1)
	for _, piece := range job[:last] {
		if _, err := p.ch.Write(piece); err != nil {
			return err
		}
	}
	return p.ch.WriteLast(slices.Concat(job[last:]...))
}

// Result hands on what the program writes until the program closes its control
// stream, and everything that it has written to its other outputs until then.
// Nothing is known then about how the program ends, or whether; a program that
// just ends closes its streams too. A caller that has all of a result releases
// the cell; any other calls Finish. Ended says that the end of the program came
// first, and exit is that of Finish.
func (p *Process) Result(ctx context.Context, stdout, stderr, control io.Writer) (exit Exit, ended bool, err error) {
	defer p.cell.endWith(ctx)()
	exit, ended, err = p.handOn(outputs{stdout, stderr, control}, true)
	if err == nil && !ended && p.cell.instance.OutOfMemory() {
		err = p.cell.outOfMemory()
	}
	return exit, ended, err
}

// Finish waits for the end of the program, as Exec does, and hands on what it
// writes, and has written before. Control gets the control stream without the
// first byte. A nil writer discards.
func (p *Process) Finish(ctx context.Context, stdout, stderr, control io.Writer) (Exit, error) {
	defer p.cell.endWith(ctx)()
	exit, _, err := p.handOn(outputs{stdout, stderr, control}, false)
	return exit, err
}

func (p *Process) handOn(to outputs, untilResult bool) (exit Exit, ended bool, err error) {
	for _, piece := range p.early {
		if err := to.write(piece.stream, piece.data); err != nil {
			return Exit{}, false, p.cell.explain(err)
		}
	}
	p.early = nil
	return p.cell.finish(p.ch, to, untilResult)
}
