package sandbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// collectPatience bounds how long outputs may take to come out of a cell, once
// the program has ended. The time limit of the task ends with its program.
const collectPatience = 10 * time.Minute

// Why the work on a cell was given up.
var (
	errTimeLimit = errors.New("the time limit is over")
	errCollect   = errors.New("the outputs took too long")
)

// attempt is the state of one call of Run.
type attempt struct {
	runner *Runner
	id     string
	req    *api.Request
	task   *api.Task
	mode   api.Mode
	limits api.RunLimits
	result *api.Result

	inputs  inputs
	secrets secrets
	bundle  []byte // certificates of the host
	image   *Image
	audit   audit
	store   *store
	logs    *logs

	closeWay func() // of the way to the engine, once it is open
}

func newAttempt(r *Runner, id string, req *api.Request) *attempt {
	return &attempt{
		runner: r, id: id, req: req, task: req.Task, mode: req.Task.Mode(), limits: req.Task.Limits.WithDefaults(),
		result: &api.Result{RunID: id, ExitCode: -1}, store: newStore(r.config.Dir, id),
	}
}

// release closes what the attempt has opened on the host.
func (a *attempt) release() {
	a.inputs.close()
	a.store.close()
}

// prepare finds everything that the run needs before there is a cell, the
// cheapest first.
func (a *attempt) prepare(ctx context.Context) (err error) {
	if a.inputs, err = openInputs(a.task.Signature, a.req.Inputs); err != nil {
		return err
	}
	if a.secrets, err = readSecrets(a.task.Secrets, a.runner.config.Secrets); err != nil {
		return err
	}
	if a.bundle, err = a.certificates(); err != nil {
		return err
	}
	began := time.Now()
	a.image, err = a.runner.config.Images.Ensure(ctx, a.task.Image, a.req.Progress)
	a.result.Timings.Image = time.Since(began)
	if err != nil {
		return err
	}
	a.result.Image = a.image.ID
	return a.checkImage()
}

// certificates is what a run with a network needs to trust what the host does.
func (a *attempt) certificates() ([]byte, error) {
	if a.task.Network.None() {
		return nil, nil
	}
	return a.runner.config.Certificates()
}

// checkImage finds out whether the image has what the mode needs.
func (a *attempt) checkImage() error {
	switch a.mode {
	case api.AutoIO, api.Verbatim:
		if a.image.Python == "" {
			e := api.Errorf(api.PythonMissing, "image %s has no python3, which code needs", a.imageName())
			e.Outcome = api.NotStarted
			return e
		}
	case api.Entrypoint:
		if len(a.image.Entrypoint)+len(a.image.Cmd) == 0 {
			return api.Errorf(api.InvalidTask, "the task has neither code nor a command, and image %s has no entrypoint", a.imageName()).
				WithHint("set code or a command, or use an image with an entrypoint").
				WithDetails(api.Details{Field: "command"})
		}
	}
	return nil
}

func (a *attempt) imageName() string {
	if a.task.Image.Ref != "" {
		return a.task.Image.Ref
	}
	if a.image.Name != "" {
		return a.image.Name
	}
	return a.image.ID
}

// inCell does everything that needs a cell, and destroys it.
func (a *attempt) inCell(ctx context.Context) (err error) {
	defer a.endWay() // when the cell is gone
	spec, err := a.spec()
	if err != nil {
		return err
	}
	a.progress("start", "starting a cell")
	limit := a.timeout()
	limited, cancel := context.WithTimeoutCause(ctx, limit, errTimeLimit)
	defer cancel()
	c, err := a.runner.start(ctx, spec)
	if err != nil {
		return err
	}
	defer func() { err = a.destroy(c, err) }()
	a.result.Timings.Start, a.result.Timings.Guest = c.Timings()
	if err := a.put(limited, c); err != nil {
		return timedOut(limited, limit, err)
	}
	exit, err := a.exec(limited, c)
	if err != nil {
		return timedOut(limited, limit, err)
	}
	return a.collect(ctx, c, exit)
}

func (a *attempt) spec() (cell.Spec, error) {
	spec := cell.Spec{
		ID: a.id, RootFS: a.image.RootFS, Resources: a.task.Resources.WithDefaults(), Wall: a.timeout() + collectPatience,
	}
	if a.task.Network.None() && !a.task.StartsRuns {
		return spec, nil
	}
	engine, err := a.wayToEngine()
	if err != nil {
		return spec, err
	}
	spec.Serve, err = a.runner.config.Egress(a.task.Network, a.audit.add, engine)
	return spec, err
}

// wayToEngine opens the way to the engine, if the task starts runs.
func (a *attempt) wayToEngine() (serve Handler, err error) {
	if !a.task.StartsRuns {
		return nil, nil
	}
	serve, a.closeWay, err = a.runner.config.Engine(a.id, a.task)
	return serve, err
}

// endWay closes the way to the engine.
func (a *attempt) endWay() {
	if a.closeWay != nil {
		a.closeWay()
	}
}

func (a *attempt) timeout() time.Duration {
	if a.task.Timeout == 0 {
		return api.DefaultTimeout
	}
	return a.task.Timeout
}

// timedOut replaces err by a time-out if that is the reason behind it.
func timedOut(ctx context.Context, limit time.Duration, err error) error {
	if !errors.Is(context.Cause(ctx), errTimeLimit) || errors.Is(err, &api.Error{Code: api.OutOfMemory}) {
		return err
	}
	return api.Errorf(api.Timeout, "the run was killed after its time limit of %s", limit).
		WithDetails(api.Details{Duration: limit})
}

func (a *attempt) put(ctx context.Context, c putter) error {
	began := time.Now()
	err := c.Put(ctx, "/", a.writeFiles)
	a.result.Timings.Inputs = time.Since(began)
	return err
}

// exec runs the program and keeps the ends of its streams.
func (a *attempt) exec(ctx context.Context, c box) (cell.Exit, error) {
	a.progress("run", "running")
	a.logs = newLogs(ctx, a.req.Stdout, a.req.Stderr, a.limits.Logs, a.secrets.redactor)
	began := time.Now()
	exit, err := c.Exec(ctx, cell.Command{
		Argv: a.argv(), Env: a.environ(), Dir: a.workingDir(), Stdout: a.logs.stdout, Stderr: a.logs.stderr,
	})
	a.result.Timings.Exec = time.Since(began)
	a.logs.close()
	a.result.Stdout, a.result.Stderr = a.logs.stdout.tail.Bytes(), a.logs.stderr.tail.Bytes()
	if err == nil || exit.Code != 0 {
		a.result.ExitCode = statusOf(exit)
	}
	return exit, err
}

func (a *attempt) collect(ctx context.Context, c getter, exit cell.Exit) error {
	a.progress("collect", "collecting outputs")
	ctx, cancel := context.WithTimeoutCause(ctx, collectPatience, errCollect)
	defer cancel()
	began := time.Now()
	outputs, err := a.outcome(ctx, c, exit)
	a.result.Timings.Collect = time.Since(began)
	a.result.Outputs = outputs
	if err != nil && errors.Is(context.Cause(ctx), errCollect) {
		return api.Errorf(api.CellLost, "the outputs did not come out of the cell within %s", collectPatience)
	}
	return err
}

// destroy ends the cell and records what it used.
func (a *attempt) destroy(c box, err error) error {
	began := time.Now()
	death, closeErr := c.Close()
	a.result.Timings.Destroy = time.Since(began)
	a.result.Network, a.result.Usage = a.audit.sum(a.secrets.redactor)
	a.result.Usage.CPU, a.result.Usage.PeakMemory = death.CPU, death.PeakMemory
	if err == nil && closeErr != nil {
		return fmt.Errorf("removing the cell: %w", closeErr)
	}
	return err
}

// finish turns err into the error of the attempt, without secrets, and drops
// output files that nobody will be told of.
func (a *attempt) finish(err error) (*api.Result, error) {
	if err == nil {
		return a.result, nil
	}
	a.result.Outputs = nil
	e := *api.AsError(err)
	if removeErr := a.store.remove(); removeErr != nil {
		e.Message += "; then removing its files: " + removeErr.Error()
	}
	if a.logs != nil && e.Details.Stderr == "" && e.Outcome != api.NotStarted {
		e.Details.Stderr = a.logs.stderr.lastLines()
	}
	redactError(a.secrets.redactor, &e)
	return a.result, &e
}

func (a *attempt) progress(stage, message string) {
	if a.req.Progress != nil {
		a.req.Progress(api.Progress{Stage: stage, Message: message})
	}
}
