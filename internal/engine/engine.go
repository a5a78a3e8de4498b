// Package engine runs tasks: it gives a run its id, validates the task, waits
// for a free place, and attempts the task as often as its policy and the kind
// of failure allow. What a task does is the business of its Runner.
package engine

import (
	"context"
	"runtime"
	"time"

	"github.com/cenkalti/backoff/v5"
	"golang.org/x/sync/semaphore"

	"github.com/glovebox-dev/glovebox/api"
)

// Runner runs tasks of one kind.
type Runner interface {
	// Validate reports what is wrong with a task as far as that can be known
	// before anything starts.
	Validate(task *api.Task) error
	// Run makes one attempt. A result may come beside an error: it then holds
	// what there is of the failed attempt.
	Run(ctx context.Context, runID string, req *api.Request) (*api.Result, error)
}

// Config is what an Engine is made of.
type Config struct {
	// Sandbox runs tasks of the only kind there is, the code sandbox.
	Sandbox Runner
	// MaxCells bounds how many attempts are under way at once; 0 means two for
	// each CPU of the host. Who asks first is served first.
	MaxCells int
}

// Engine runs tasks. It is safe for concurrent use.
type Engine struct {
	sandbox Runner
	places  *semaphore.Weighted
}

// New returns an engine.
func New(c Config) *Engine {
	places := c.MaxCells
	if places <= 0 {
		places = 2 * runtime.NumCPU()
	}
	return &Engine{sandbox: c.Sandbox, places: semaphore.NewWeighted(int64(places))}
}

// Run runs a task to its end. The error, if any, is an *api.Error: that of the
// last attempt, with the count of attempts. The result is never nil; beside an
// error it holds the id of the run and what there is of the last attempt.
func (e *Engine) Run(ctx context.Context, req *api.Request) (*api.Result, error) {
	began := time.Now()
	r := &run{engine: e, req: req, policy: newPolicy(req.Task.Retries), result: &api.Result{RunID: NewID(began)}}
	if err := e.sandbox.Validate(req.Task); err != nil {
		return r.result, api.AsError(err)
	}
	err := r.attempts(ctx)
	r.result.Timings.Total = time.Since(began)
	return r.finish(ctx, err)
}

// run is the state of one call of Run.
type run struct {
	engine *Engine
	req    *api.Request
	policy *policy
	tries  int
	result *api.Result
}

func (r *run) attempts(ctx context.Context) error {
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := r.attempt(ctx)
		if err == nil || r.policy.again(api.AsError(err)) {
			return struct{}{}, err
		}
		return struct{}{}, backoff.Permanent(err)
	}, backoff.WithBackOff(newBackOff()), backoff.WithMaxElapsedTime(0), backoff.WithNotify(r.announce))
	return err
}

// attempt waits for a place and makes one attempt in it.
func (r *run) attempt(ctx context.Context) error {
	if err := r.engine.places.Acquire(ctx, 1); err != nil {
		return err
	}
	defer r.engine.places.Release(1)
	r.tries++
	id := r.result.RunID
	result, err := r.engine.sandbox.Run(ctx, id, r.req)
	if result == nil {
		result = &api.Result{}
	}
	result.RunID, result.Attempts = id, r.tries
	r.result = result
	return err
}

func (r *run) announce(err error, wait time.Duration) {
	if r.req.Progress == nil {
		return
	}
	message := api.AsError(err).Message
	r.req.Progress(api.Progress{Stage: "retry", Message: "trying again in " + wait.Round(10*time.Millisecond).String() + ": " + message})
}

// finish turns the error of the last attempt into that of the run.
func (r *run) finish(ctx context.Context, err error) (*api.Result, error) {
	if err == nil {
		return r.result, nil
	}
	last := *api.AsError(err)
	if ctx.Err() != nil && last.Code != api.Canceled && last.Outcome != api.Failed {
		last = *api.Errorf(api.Canceled, "the run was cancelled: %w", context.Cause(ctx))
	}
	if r.tries == 0 {
		last.Outcome = api.NotStarted
	}
	last.Attempts = r.tries
	return r.result, &last
}
