// Package sandbox makes one attempt of a code-sandbox task: it turns the task
// and its inputs into a job for a disposable cell, runs it there, and turns
// what it left behind into typed outputs or one typed error.
//
// Every byte that comes back from a cell is hostile: it is counted before it
// is kept, and only regular files and directories cross the border.
//
// Read attempt.go and incell.go first: they are one run from its task to its
// result. What goes in comes next: secrets.go reads secrets, program.go says what
// is executed and with which variables, put.go writes the files of the run, job.go
// what its interpreter gets. Then what comes out: outcome.go chooses between
// outputs and errors, exit.go and advice.go explain an end. warm.go keeps cells
// ready, and reaper.go removes them.
//
// The parts that need no attempt are packages. Before a run: check (what is wrong
// with a task), ready (cells that wait for a run), environ (variables), autoio
// (the Python program in a cell). What goes in: inputs, tree (files of the host).
// What comes out: outputs (files and values), report (what the runner says),
// streams and traceback (what a program prints). All share files (where files are
// in types) and layout (the paths of a cell).
package sandbox

import (
	"context"
	"log/slog"
	"net"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/cell/pool"
	"github.com/glovebox-dev/glovebox/internal/sandbox/check"
	"github.com/glovebox-dev/glovebox/internal/sandbox/ready"
	"github.com/glovebox-dev/glovebox/internal/secret"
	"github.com/glovebox-dev/glovebox/internal/withheld"
)

// Images finds images, and builds those that are not there.
type Images interface {
	// Check reports what is wrong with a spec, without looking anything up.
	Check(spec api.ImageSpec) error
	// Ensure returns the image of the spec, and builds or pulls it first if it
	// must. Progress may be nil.
	Ensure(ctx context.Context, spec api.ImageSpec, progress func(api.Progress)) (*Image, error)
	// Stored returns an image by its id, if it is there.
	Stored(id string) (*Image, error)
}

// Image is what a run needs to know of an image.
type Image = ready.Image

// Ways handle connections that no policy allows or forbids: to the engine, and to
// the model that the cell may ask. A nil one refuses them. Those to the hosts of
// withheld secrets are allowed by the policy, and have these put in.
type Ways struct {
	Engine, Model Handler
	Withheld      *withheld.Set
}

// Config is what a Runner is made of. All fields must be set, but for those
// that say what their zero value means.
type Config struct {
	Driver cell.Driver
	Images Images
	// Secrets returns the value of a stored secret, or secret_not_found.
	Secrets func(name string) ([]byte, error)
	// Derive returns a key for a purpose, always the same: placeholders and authorities of
	// cells that are kept come from it.
	Derive func(purpose string) ([]byte, error)
	// Within reports what a cell under the policy inner could reach and one under outer
	// could not.
	Within func(inner, outer api.Network) error
	// Egress returns the handler of the connections that a cell under this
	// policy opens; audit is called once for each, from any goroutine. It
	// returns invalid_task for a policy that contradicts itself. Beside those that
	// the policy allows, it has the ways of the cell.
	Egress func(policy api.Network, audit func(api.Connection), ways Ways) (Handler, error)
	// Engine lets one attempt of a run whose task starts runs reach the engine: it
	// returns what handles those connections, and what ends that when the cell
	// is gone, and returns when nothing of it is left running.
	Engine func(ctx context.Context, runID string, task *api.Task) (serve Handler, end func(), err error)
	// Model does the same for one whose task asks a model.
	Model func(runID string, task *api.Task) (serve Handler, end func())
	// Certificates returns the bundle that runs with a network get as
	// cell.CertificatesFile, because the host itself needs one; nil is none. With always
	// there is one, which those with withheld secrets add to.
	Certificates func(always bool) ([]byte, error)
	// Dir is where output files go: Dir/<run id>/<name>.
	Dir string
	// Space calls what keeps an output again if that found no space; nil does not.
	Space func(ctx context.Context, write func() error) error
	// Warm bounds the cells that are kept ready. The zero value keeps none, and
	// every run starts its own.
	Warm pool.Config
	// MaxMemory bounds the memory of one cell, in bytes; 0 is no bound.
	MaxMemory int64
	// Logger gets what belongs into the result of no run; nil discards.
	Logger *slog.Logger
}

// Handler carries one connection from a cell, and returns when it has ended or
// ctx has.
type Handler = func(ctx context.Context, conn net.Conn)

// Runner runs code-sandbox tasks. It is safe for concurrent use.
type Runner struct {
	config    Config
	maker     *ready.Maker
	warm      *pool.Pool[*ready.Cell] // nil if none are kept
	reaper    *reaper
	live      live
	redactors secret.Redactors
}

// New returns a runner. Close ends it.
func New(c Config) *Runner {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	r := &Runner{config: c, maker: ready.New(ready.By(c.Driver), c.Logger), reaper: newReaper(c.Logger)}
	if c.Warm.Cells > 0 && c.Warm.Memory > 0 {
		r.warm = pool.New[*ready.Cell](c.Warm)
	}
	return r
}

// Close ends the cells that are kept ready, and waits until those of runs that
// have ended are gone, as long as ctx lets it. No run may be under way.
func (r *Runner) Close(ctx context.Context) error {
	if r.warm != nil {
		r.warm.Close()
	}
	r.maker.Close()
	return r.reaper.wait(ctx)
}

// Validate returns the first thing that is wrong with a task, as far as that can
// be known before anything starts.
func (r *Runner) Validate(task *api.Task) error {
	host := check.Host{MaxMemory: r.config.MaxMemory, Image: r.config.Images.Check, Within: r.config.Within, Network: func(policy api.Network) error {
		_, err := r.config.Egress(policy, func(api.Connection) {}, Ways{})
		return err
	}}
	return host.Task(task)
}

// Run makes one attempt of a task that Validate has accepted. The error, if
// any, is an *api.Error. The result is never nil: beside an error it holds what
// there is of the attempt. Its ExitCode is -1 if no program ended by itself, and
// 128 and the number for one that a signal ended.
//
// Secrets are redacted from the streams and from errors. Outputs are data, and
// are handed over as the program made them.
func (r *Runner) Run(ctx context.Context, runID string, req *api.Request) (*api.Result, error) {
	a := newAttempt(r, runID, req)
	defer a.release()
	err := a.prepare(ctx)
	if err == nil {
		err = a.inCell(ctx)
	}
	return a.finish(err)
}

// Identity returns the digest of the image, which it builds if it must.
func (r *Runner) Identity(ctx context.Context, task *api.Task, progress func(api.Progress)) (string, error) {
	image, err := r.config.Images.Ensure(ctx, task.Image, progress)
	if err != nil {
		return "", err
	}
	return image.ID, nil
}
