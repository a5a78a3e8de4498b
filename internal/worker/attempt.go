package worker

import (
	"context"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// attempt is the state of one Run.
type attempt struct {
	runner         *Runner
	runID          string
	req            *api.Request
	inputs         value.Fields
	key            key
	stdout, stderr *stream
	exec           time.Duration
}

func newAttempt(r *Runner, runID string, req *api.Request) *attempt {
	keep := int(req.Task.Limits.WithDefaults().Logs)
	return &attempt{
		runner: r, runID: runID, req: req,
		stdout: newStream(req.Stdout, keep), stderr: newStream(req.Stderr, keep),
	}
}

func (a *attempt) run(ctx context.Context) (map[string]any, error) {
	task := a.req.Task
	inputs, err := a.req.Inputs.Complete(task.Signature.Inputs)
	if err != nil {
		return nil, api.AsError(err)
	}
	a.inputs = inputs
	a.key = keyOf(task.Function.ID, task.Signature, needsFiles(task.Signature, inputs))
	for {
		if ctx.Err() != nil {
			return nil, canceled(ctx, api.NotStarted)
		}
		c, err := a.runner.acquire(ctx, a)
		if err != nil {
			return nil, err
		}
		o, stopped := a.carryOut(ctx, c)
		if !o.unsent || stopped != nil {
			return a.judge(ctx, o, stopped)
		}
	}
}

func (a *attempt) finish(outputs map[string]any, err error) (*api.Result, error) {
	result := &api.Result{
		RunID: a.runID, Stdout: a.stdout.bytes(), Stderr: a.stderr.bytes(),
		Attempts: 1, Timings: api.Timings{Exec: a.exec},
	}
	if err != nil {
		result.ExitCode = -1
		return result, api.AsError(err)
	}
	for _, p := range a.req.Task.Signature.Outputs {
		result.Outputs = append(result.Outputs, api.Output{Name: p.Name, Type: p.Type, Value: outputs[p.Name]})
	}
	return result, nil
}

// carryOut has the provider carry the call out and waits for its end. If the
// run was cancelled or took too long, stopped says so; then the function had
// the grace to end by itself, and the outcome is empty if it did not.
func (a *attempt) carryOut(ctx context.Context, c *call) (o outcome, stopped *api.Error) {
	defer close(c.gone)
	began := time.Now()
	defer func() { a.exec = time.Since(began) }()
	c.provider.begin(ctx, c)
	limit := time.NewTimer(a.limit())
	defer limit.Stop()
	o, ended := a.await(c, limit.C, ctx.Done())
	if ended && o.stopped {
		return o, a.stoppedBy(ctx, o, limit.C)
	}
	if ended {
		return o, nil
	}
	if ctx.Err() != nil {
		stopped = canceled(ctx, api.Unknown)
	} else {
		stopped = a.late()
	}
	a.runner.stop(c)
	grace := time.NewTimer(a.runner.config.CancelGrace)
	defer grace.Stop()
	o, _ = a.await(c, grace.C, nil)
	return o, stopped
}

// stoppedBy returns why the run was canceled whose function was stopped. A
// process that leaves stops its functions. A cancellation of the run, or the
// end of the engine, may arrive only shortly after that, because it ended the
// process too; so stoppedBy waits for it.
func (a *attempt) stoppedBy(ctx context.Context, o outcome, limit <-chan time.Time) *api.Error {
	if o.leaving {
		grace := time.NewTimer(a.runner.config.Grace)
		defer grace.Stop()
		select {
		case <-ctx.Done():
		case <-grace.C:
		case <-limit:
		}
	}
	if ctx.Err() == nil {
		return nil
	}
	return canceled(ctx, o.err.Outcome)
}

// await passes on what the function prints until the call ends; ended is false
// if one of the others came first.
func (a *attempt) await(c *call, timer <-chan time.Time, done <-chan struct{}) (o outcome, ended bool) {
	for {
		select {
		case l := <-c.logs:
			a.print(l)
		case o := <-c.final:
			a.drain(c)
			return o, true
		case <-timer:
			return a.ended(c)
		case <-done:
			return a.ended(c)
		}
	}
}

// ended returns the outcome if it came in the same moment.
func (a *attempt) ended(c *call) (o outcome, ended bool) {
	select {
	case o := <-c.final:
		a.drain(c)
		return o, true
	default:
		return o, false
	}
}

// drain passes on what the function printed before it ended.
func (a *attempt) drain(c *call) {
	for {
		select {
		case l := <-c.logs:
			a.print(l)
		default:
			return
		}
	}
}

func (a *attempt) print(l wireLog) {
	if l.stream == "stderr" {
		a.stderr.print(l.text)
		return
	}
	a.stdout.print(l.text)
}

// stop asks the function to end.
func (r *Runner) stop(c *call) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !c.ended {
		c.canceled = true
		c.provider.stop(c)
	}
}

// limit is how long the function may take.
func (a *attempt) limit() time.Duration {
	if a.req.Task.Timeout > 0 {
		return a.req.Task.Timeout
	}
	return api.DefaultTimeout
}
