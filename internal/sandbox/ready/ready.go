// Package ready makes cells ready for their runs. Whatever is the same for all
// runs of a class of cells (a Template) is done in a cell before a run has it:
// the directories exist, and for code an interpreter is up, has imported what the
// task preloads, and waits for a job. A run makes such a Cell its own by Adopt,
// once.
//
// A Maker starts cells in two ways: for whichever run comes (Start), or for one
// run that is getting its files meanwhile (StartOwn). It also has the program
// that waits in a cell compiled for each image (compile.go), because compiling it
// is most of the time that an interpreter takes to be ready.
package ready

import (
	"archive/tar"
	"context"
	"errors"
	"log/slog"
	"path"
	"time"

	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/autoio"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/sandbox/tree"
)

// preparePatience bounds how long an interpreter may take until it waits for
// its job, with all modules that it imports ahead.
const preparePatience = 2 * time.Minute

// ErrTimeLimit is the cause by which the context of a run ends when its time is
// over.
var ErrTimeLimit = errors.New("the time limit is over")

// Cell is a cell with everything done in it that is the same for all runs
// of its class: the directories are there, and an interpreter waits for a job. A
// run makes it its own by Adopt. It is what the pool keeps.
type Cell struct {
	Box
	Process Process // the interpreter, or what becomes the command; nil if there is none, and until Await returns
	pending chan error
}

// Done implements pool.Item: a cell is of no use either without the interpreter
// that waits in it.
func (p *Cell) Done() <-chan struct{} {
	if p.Process != nil {
		return p.Process.Over()
	}
	return p.Box.Done()
}

// Memory implements pool.Item.
func (p *Cell) Memory() int64 { return p.Usage().Memory }

// Discard implements pool.Item.
func (p *Cell) Discard() { p.Close() }

// Run runs a command in a cell for commands.
func (p *Cell) Run(ctx context.Context, cmd cell.Command) (cell.Exit, error) {
	if p.Process != nil {
		return p.Process.Become(ctx, cmd)
	}
	return p.Exec(ctx, cmd)
}

// Await returns when what is still being prepared is done. The end of the time
// of its run ends the cell, and with it what is being prepared there.
func (p *Cell) Await(ctx context.Context) error {
	if p.pending == nil {
		return nil
	}
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(context.Cause(ctx), ErrTimeLimit) {
			p.Release()
		}
	})
	defer stop()
	err := <-p.pending
	p.pending = nil
	return err
}

// Maker starts cells and prepares them.
type Maker struct {
	start    Start
	compiler *compiler
}

// New returns a maker. Close ends it.
func New(start Start, logger *slog.Logger) *Maker {
	m := &Maker{start: start}
	m.compiler = newCompiler(m.compileIn, logger)
	return m
}

// Close ends what the maker does beside making cells. It closes none of them.
func (m *Maker) Close() { m.compiler.close() }

// prepare does all that can be done before a run has the cell.
func (m *Maker) prepare(ctx context.Context, c Box, t *Template, parts string) (Process, error) {
	ctx, cancel := context.WithTimeout(ctx, preparePatience)
	defer cancel()
	if err := c.Put(ctx, "/", func(archive *tar.Writer) error { return m.writeBase(archive, t) }); err != nil {
		return nil, err
	}
	if !t.Python {
		return nil, nil
	}
	p, err := c.Begin(ctx, cell.Command{Argv: t.argv(parts), Env: t.env, Dir: layout.Work})
	if err != nil {
		return nil, err
	}
	if err := p.Ready(ctx); err != nil {
		return nil, notReady(err)
	}
	return p, nil
}

// launcher starts what waits for a command. A cell that is started for one run does
// without: the command itself starts sooner.
func (m *Maker) launcher(ctx context.Context, c Box) (Process, error) {
	ctx, cancel := context.WithTimeout(ctx, preparePatience)
	defer cancel()
	p, err := c.BeginLauncher(ctx)
	if err != nil {
		return nil, err
	}
	return p, p.Ready(ctx)
}

// Start starts and prepares a cell for whichever run comes.
func (m *Maker) Start(ctx context.Context, t *Template) (*Cell, error) {
	c, err := m.start(ctx, t.spec("warm-"+randomID()))
	if err != nil {
		return nil, err
	}
	p := &Cell{Box: c}
	p.Process, err = m.prepare(ctx, c, t, "run")
	if err == nil && t.launches() {
		p.Process, err = m.launcher(ctx, c)
	}
	if err == nil {
		err = context.Cause(ctx) // the cell is being killed though it became ready
	}
	if err != nil {
		return nil, errors.Join(err, closed(c))
	}
	return p, nil
}

// StartWith starts a cell whose file system begins with the changes in an archive
// that cell.Cell.Layer has written. In it, all is prepared.
func (m *Maker) StartWith(ctx context.Context, t *Template, layer cell.OpenLayer) (*Cell, error) {
	spec := t.spec("kept-" + randomID())
	spec.Layer = layer
	c, err := m.start(ctx, spec)
	if err != nil {
		return nil, err
	}
	return &Cell{Box: c}, nil
}

func closed(c Box) error {
	_, err := c.Close()
	return err
}

// StartOwn starts a cell for one run, and returns while it is still being
// prepared.
func (m *Maker) StartOwn(ctx context.Context, id string, t *Template, parts string) (*Cell, error) {
	c, err := m.start(ctx, t.spec(id))
	if err != nil {
		return nil, err
	}
	p := &Cell{Box: c, pending: make(chan error, 1)}
	go func() {
		var err error
		p.Process, err = m.prepare(ctx, c, t, parts)
		p.pending <- err
	}()
	return p, nil
}

// writeBase writes what every run of a class finds in its cell, by paths below
// its root.
func (m *Maker) writeBase(archive *tar.Writer, cells *Template) error {
	t := tree.New(archive)
	t.Dir(layout.Work, 0o755, cell.UserID)
	t.Dir(layout.Inputs, 0o755, 0)
	t.Dir(layout.Outputs, 0o755, cell.UserID)
	if cells.Python {
		t.Dir(layout.Runner, 0o755, 0)
		t.Dir(path.Dir(layout.RunnerFile), 0o755, 0)
		t.File(layout.RunnerFile, autoio.Program(), 0o444, 0)
		if code := m.compiler.code(cells.image); code != nil {
			t.File(compiledFile, code, 0o444, 0)
		}
		t.Dir(layout.Result, 0o700, cell.UserID)
	}
	return t.Err()
}
