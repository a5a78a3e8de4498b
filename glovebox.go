package glovebox

import (
	"context"
	"io"
	"sync/atomic"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/app"
)

// Options say how Glovebox works on this host. The zero value is right for
// most programs.
type Options struct {
	// Home is the directory for images, secrets and output files, private to
	// the user. Empty: $GLOVEBOX_HOME, else glovebox in the XDG data directory.
	Home string
	// Isolation names the driver of the cells; empty or "gvisor" is gVisor.
	Isolation string
	// MaxCells bounds how many sandboxes run at once; 0 means two for each CPU.
	MaxCells int
}

// Glovebox runs sandboxes. It is safe for concurrent use.
type Glovebox struct {
	app *app.App
}

// prepared remembers that Init was called. It is process-wide because the role
// that Init plays is that of the process.
var prepared atomic.Bool

// Init must be the first statement of main: a cell is this program, executed
// once more, and in that case Init plays the part of the cell and does not
// return. Else it returns at once.
func Init() {
	app.Reexec()
	prepared.Store(true)
}

// Open makes a Glovebox ready: it finds or creates its home and sweeps away
// what killed processes left there. Close it after use.
func Open(o Options) (*Glovebox, error) {
	if !prepared.Load() {
		return nil, api.Errorf(api.Internal, "glovebox.Init was not called").
			WithHint("make glovebox.Init() the first statement of main, or of TestMain")
	}
	a, err := app.Open(context.Background(), app.Options{Home: o.Home, Isolation: o.Isolation, MaxCells: o.MaxCells})
	if err != nil {
		return nil, err
	}
	return &Glovebox{app: a}, nil
}

// Close releases what Open took. Runs under way must have ended: cancel their
// contexts first. It may be called more than once.
func (g *Glovebox) Close() error { return g.app.Close() }

// Values are the inputs of a run by name. Each fits its declared type or the
// run is refused with invalid_input; the package documentation says which Go
// types fit which.
type Values map[string]any

// Run runs a sandbox once: it builds the image unless there is one already,
// starts a cell, runs the program, collects the outputs and destroys the cell.
//
// On failure the error is an *Error, and the result holds what there is, such
// as standard error and timings. It is nil only if the sandbox could not even
// be read. Ending the context ends everything in the cell.
func (g *Glovebox) Run(ctx context.Context, s Sandbox, inputs Values, opts ...RunOption) (*Result, error) {
	task, err := s.task()
	if err != nil {
		return nil, err
	}
	return g.run(ctx, task, inputs, opts)
}

func (g *Glovebox) run(ctx context.Context, task *api.Task, inputs Values, opts []RunOption) (*Result, error) {
	req := &api.Request{Task: task, Inputs: inputs}
	for _, opt := range opts {
		opt(req)
	}
	result, err := g.app.Engine.Run(ctx, req)
	return &Result{*result}, err
}

// A RunOption adjusts one run.
type RunOption func(*api.Request)

// WithStdout copies what the program prints to w while it runs, secrets
// redacted. The end of it is in the result in any case.
func WithStdout(w io.Writer) RunOption { return func(r *api.Request) { r.Stdout = w } }

// WithStderr does for standard error what WithStdout does for standard output.
func WithStderr(w io.Writer) RunOption { return func(r *api.Request) { r.Stderr = w } }

// WithProgress calls f at each stage of the run, such as a step of an image
// build. It must return quickly and be safe for calls from other goroutines.
func WithProgress(f func(Progress)) RunOption { return func(r *api.Request) { r.Progress = f } }

// WithImage runs in a prebuilt image instead of the one that the sandbox
// declares: a registry reference, or the path of an OCI layout or archive.
func WithImage(ref string) RunOption {
	return func(r *api.Request) {
		r.Task.Image = api.ImageSpec{Ref: ref, RegistrySecret: r.Task.Image.RegistrySecret}
	}
}
