package sandbox

import (
	"context"
	"errors"
	"time"

	"github.com/glovebox-dev/glovebox/api"
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
	sort    *sort
	special bool // no cell of its sort will do, only its own
	audit   audit
	store   *store
	logs    *logs

	piped    piped  // what the runner has reported by itself
	sent     bool   // whether the program has begun, as far as we know
	closeWay func() // of the way to the engine, once it is open
}

func newAttempt(r *Runner, id string, req *api.Request) *attempt {
	return &attempt{
		runner: r, id: id, req: req, task: req.Task, mode: req.Task.Mode(), limits: req.Task.Limits.WithDefaults(),
		result: &api.Result{RunID: id, ExitCode: -1}, store: newStore(r.config.Dir, id),
		piped: piped{limit: reportBytes(req.Task.Limits.WithDefaults())},
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
	if a.bundle, err = a.runner.certificates(a.task); err != nil {
		return err
	}
	began := time.Now()
	a.image, err = a.runner.config.Images.Ensure(ctx, a.task.Image, a.req.Progress)
	a.result.Timings.Image = time.Since(began)
	if err != nil {
		return err
	}
	a.result.Image = a.image.ID
	if err := checkImage(a.task, a.image); err != nil {
		return err
	}
	a.sort, a.special = a.sortOf()
	return nil
}

// certificates is what a run with a network needs to trust what the host does.
func (r *Runner) certificates(task *api.Task) ([]byte, error) {
	if task.Network.None() {
		return nil, nil
	}
	return r.config.Certificates()
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
