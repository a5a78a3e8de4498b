// Package evaluation evaluates orchestrators and sandboxes and keeps nothing of
// them: no run, no journal, no file. What runs the code is the same as for runs;
// only the api.Caller of an orchestrator differs, which here calls tools in
// goroutines and forgets their answers.
//
//	evaluation.go  from an api.Evaluation to its result
//	caller.go      the calls of one evaluation
//	answer.go      what the code gets of a call that ended
package evaluation

import (
	"cmp"
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// DefaultLimit is how many evaluations of a kind may be under way in one process.
const DefaultLimit = 1000

// Runner runs tasks of one kind.
type Runner interface {
	// Prepare reports what is wrong with a task, and returns what makes an attempt
	// of it. On failure of an attempt there may be a result too.
	Prepare(task *api.Task) (func(context.Context, *api.Request) (*api.Result, error), error)
}

// Tools makes the calls of evaluations.
type Tools interface {
	// Call calls a tool and returns its outputs. It tells made which run that is,
	// if it is one. It ends soon after ctx, and then the call is over.
	Call(ctx context.Context, tool *api.Task, inputs value.Fields, made func(run string)) (map[string]any, error)
}

// Config is what an Evaluator is made of.
type Config struct {
	Runners map[api.TaskKind]Runner // for each kind that can be evaluated
	Tools   Tools
	// Catalog finds a deployed task by NAME or NAME@VERSION.
	Catalog func(ctx context.Context, ref string) (*api.TaskVersion, error)
	Limit   int // evaluations of a kind at the same time; others wait. 0 means DefaultLimit
}

// Evaluator evaluates. It is safe for concurrent use.
type Evaluator struct {
	config Config
	places map[api.TaskKind]chan struct{} // by kind: those that wait for cells keep no others waiting
	life   context.Context
	end    context.CancelCauseFunc

	mu     sync.Mutex
	closed bool
	under  sync.WaitGroup
}

// New returns an Evaluator. Close it after use.
func New(c Config) *Evaluator {
	e := &Evaluator{config: c, places: map[api.TaskKind]chan struct{}{}}
	for kind := range c.Runners {
		e.places[kind] = make(chan struct{}, cmp.Or(c.Limit, DefaultLimit))
	}
	e.life, e.end = context.WithCancelCause(context.Background())
	return e
}

var errClosing = errors.New("the process is ending")

// Close ends what is under way, and waits until nothing of it is left.
func (e *Evaluator) Close() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.end(errClosing)
	e.under.Wait()
}

// Drain refuses new evaluations and waits until those under way have ended, or
// ctx.
func (e *Evaluator) Drain(ctx context.Context) error {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	idle := make(chan struct{})
	go func() {
		defer close(idle)
		e.under.Wait()
	}()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Evaluate implements api.Evaluations.
func (e *Evaluator) Evaluate(ctx context.Context, asked api.Evaluation) (*api.Result, error) {
	began := time.Now()
	task, inputs, err := e.read(ctx, asked)
	if err != nil {
		return nil, err
	}
	kind := task.KindOf()
	attempt, err := e.config.Runners[kind].Prepare(task)
	if err != nil {
		return nil, err
	}
	ctx, leave, err := e.enter(ctx, e.places[kind])
	if err != nil {
		return nil, err
	}
	defer leave()
	queued := time.Since(began)
	calls := newCaller(task, e.config.Tools, asked.Called)
	result, err := execute(ctx, task, calls, func(ctx context.Context) (*api.Result, error) {
		return attempt(ctx, &api.Request{
			Task: task, Inputs: inputs, Caller: calls, Stdout: asked.Stdout, Stderr: asked.Stderr, Progress: asked.Progress,
		})
	})
	result.Attempts, result.Timings.Total = 1, time.Since(began)
	result.Timings.Queue += queued
	result.Calls, result.CallsMade = calls.list()
	return result, err
}

// read finds the task, and checks the inputs.
func (e *Evaluator) read(ctx context.Context, asked api.Evaluation) (task *api.Task, inputs value.Fields, err error) {
	if task, err = e.find(ctx, asked); err != nil {
		return nil, inputs, err
	}
	like := asked.Submission()
	if task, err = like.Granted(task); err != nil {
		return nil, inputs, err
	}
	if err := task.NeedsRun(); err != nil {
		return nil, inputs, err
	}
	if e.config.Runners[task.KindOf()] == nil {
		return nil, inputs, api.Errorf(api.IsolationUnavailable, "a task of kind %s cannot be evaluated here: there are no cells", task.KindOf()).
			WithHint("open the engine, or use a server").WithDetails(api.Details{Field: "kind", Got: string(task.KindOf())})
	}
	if inputs, err = like.CompleteInputs(task.InputParams()); err != nil {
		return nil, inputs, err
	}
	if inputs.HoldFiles() {
		return nil, inputs, api.Errorf(api.InvalidTask, "files among the inputs cannot be used without a run").
			WithHint("make a run of it").WithDetails(api.Details{Field: "inputs", Expected: "inputs without files"})
	}
	return task, inputs, nil
}

func (e *Evaluator) find(ctx context.Context, asked api.Evaluation) (*api.Task, error) {
	if (asked.Task == nil) == (asked.Name == "") {
		return nil, api.Errorf(api.InvalidTask, "an evaluation needs a task or the name of a deployed one, and not both").
			WithDetails(api.Details{Field: "task", Expected: "exactly one of task and name"})
	}
	if asked.Task != nil {
		return asked.Task, nil
	}
	found, err := e.config.Catalog(ctx, asked.Name)
	if err != nil {
		return nil, err
	}
	return found.Task, nil
}

// enter waits for a place. The context that it returns ends with the Evaluator
// too.
func (e *Evaluator) enter(ctx context.Context, places chan struct{}) (context.Context, func(), error) {
	if err := e.takePlace(ctx, places); err != nil {
		return nil, nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		<-places
		return nil, nil, errClosed()
	}
	e.under.Add(1)
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(e.life, func() { cancel(errClosing) })
	return ctx, func() {
		stop()
		cancel(nil)
		<-places
		e.under.Done()
	}, nil
}

func (e *Evaluator) takePlace(ctx context.Context, places chan struct{}) error {
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return api.Errorf(api.Canceled, "the evaluation was given up before it began: %w", context.Cause(ctx)).WithHint("evaluate again")
	case <-e.life.Done():
		return errClosed()
	}
}

func errClosed() *api.Error {
	return api.Errorf(api.ServerUnavailable, "Glovebox is shutting down and evaluates nothing more")
}

var errTimeLimit = errors.New("the time limit is over")

// execute makes the attempt, an orchestrator's within the time limit of its task,
// and ends the calls that it leaves behind. The result is never nil.
func execute(ctx context.Context, task *api.Task, calls *caller, attempt func(context.Context) (*api.Result, error)) (*api.Result, error) {
	var cancel context.CancelFunc
	if task.Timeout > 0 && task.KindOf() == api.KindOrchestrator { // a cell has its own clock
		ctx, cancel = context.WithTimeoutCause(ctx, task.Timeout, errTimeLimit)
	} else {
		ctx, cancel = context.WithCancel(ctx)
	}
	defer cancel()
	calls.ctx = ctx
	result, err := guarded(ctx, attempt)
	cause := context.Cause(ctx)
	cancel()
	calls.working.Wait()
	if result == nil {
		result = &api.Result{ExitCode: -1}
	}
	return result, explained(task, cause, err)
}

// guarded turns a panic into an error, so that it ends one evaluation and not
// the process.
func guarded(ctx context.Context, attempt func(context.Context) (*api.Result, error)) (result *api.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = api.Errorf(api.Internal, "the evaluation ended in a panic: %v", p).
				WithDetails(api.Details{Log: value.Shorten(string(debug.Stack()), maxStack)})
		}
	}()
	return attempt(ctx)
}

const maxStack = 64 << 10 // bytes

// explained is the error of an evaluation as its caller gets it. cause is why
// its context ended, if it did.
func explained(task *api.Task, cause, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(cause, errTimeLimit):
		return api.Errorf(api.Timeout, "the evaluation was ended after its time limit of %s, waiting for tools included", task.Timeout).
			WithDetails(api.Details{Duration: task.Timeout})
	case errors.Is(cause, errClosing):
		return api.Errorf(api.ServerUnavailable, "Glovebox is shutting down and has ended the evaluation").WithHint("evaluate again")
	case cause != nil:
		return api.Errorf(api.Canceled, "the evaluation was given up: %w", cause).WithHint("evaluate again")
	}
	return Unresumable(api.AsError(err))
}
