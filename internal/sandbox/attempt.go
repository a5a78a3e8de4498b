package sandbox

import (
	"context"
	"errors"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/inputs"
	"github.com/glovebox-dev/glovebox/internal/sandbox/outputs"
	"github.com/glovebox-dev/glovebox/internal/sandbox/ready"
	"github.com/glovebox-dev/glovebox/internal/sandbox/report"
	"github.com/glovebox-dev/glovebox/internal/sandbox/streams"
)

// collectPatience bounds how long outputs may take to come out of a cell, once
// the program has ended. The time limit of the task ends with its program.
const collectPatience = 10 * time.Minute

// errCollect is why the outputs of a cell were given up.
var errCollect = errors.New("the outputs took too long")

// attempt is the state of one call of Run. Its three groups are filled one after
// the other.
type attempt struct {
	runner *Runner
	order
	material
	record
	sent      bool     // whether the program has begun, as far as we know
	closeWays []func() // ends what serves the program beside its network
}

// order is what the run was asked to do.
type order struct {
	id     string
	req    *api.Request
	task   *api.Task
	mode   api.Mode
	limits api.RunLimits // with the defaults
}

// material is what goes into the cell, and which cell: prepare finds it.
type material struct {
	inputs  inputs.Inputs
	secrets secrets
	bundle  []byte // certificates of the host
	image   *Image
	cells   *ready.Template
	special bool // no cell of its class will do, only its own
}

// record is what comes of the run.
type record struct {
	result *api.Result
	audit  audit
	logs   *streams.Streams // nil until the program begins
	report *report.Stream
	store  *outputs.Store
}

func newAttempt(r *Runner, id string, req *api.Request) *attempt {
	limits := req.Task.Limits.WithDefaults()
	return &attempt{
		runner: r,
		order:  order{id: id, req: req, task: req.Task, mode: req.Task.Mode(), limits: limits},
		record: record{
			result: &api.Result{RunID: id, ExitCode: -1},
			report: report.NewStream(r.config.Dir, limits), store: outputs.NewStore(r.config.Dir, id),
		},
	}
}

// release closes what the attempt has opened on the host.
func (a *attempt) release() {
	a.inputs.Close()
	a.report.Close()
	a.store.Close()
}

// prepare finds everything that the run needs before there is a cell, the
// cheapest first.
func (a *attempt) prepare(ctx context.Context) (err error) {
	if a.inputs, err = inputs.Open(a.task.Signature, a.req.Inputs); err != nil {
		return err
	}
	if a.secrets, err = a.runner.readSecrets(a.task, "", time.Now().Add(a.timeout()+time.Hour)); err != nil {
		return err
	}
	if a.bundle, err = a.runner.certificates(a.task, a.secrets.withheld); err != nil {
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
	a.cells, a.special = a.template()
	return nil
}

// finish turns err into the error of the attempt, without secrets, and drops the
// output files of an attempt that failed.
func (a *attempt) finish(err error) (*api.Result, error) {
	if err == nil {
		return a.result, nil
	}
	a.result.Outputs = nil
	e := *api.AsError(err)
	if removeErr := a.store.Remove(); removeErr != nil {
		e.Message += "; then removing its files: " + removeErr.Error()
	}
	if a.logs != nil && e.Details.Stderr == "" && e.Outcome != api.NotStarted {
		e.Details.Stderr = a.logs.Stderr.LastLines()
	}
	redactError(a.secrets.redactor, &e)
	return a.result, &e
}

func (a *attempt) progress(stage, message string) {
	if a.req.Progress != nil {
		a.req.Progress(api.Progress{Stage: stage, Message: message})
	}
}

// patiently returns what waits for space, as long as ctx lives; nil does not.
func (r *Runner) patiently(ctx context.Context) func(write func() error) error {
	if r.config.Space == nil {
		return nil
	}
	return func(write func() error) error { return r.config.Space(ctx, write) }
}
