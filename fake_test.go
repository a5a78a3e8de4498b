package glovebox

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
	"github.com/glovebox-dev/glovebox/value"
)

// fake is a service that executes functions immediately, and records what it
// was asked of other tasks.
type fake struct {
	api.Service // what no test needs

	mu         sync.Mutex
	functions  map[string]code
	submitted  []api.Submission
	evaluated  []api.Evaluation
	results    map[string]*api.Result
	errors     map[string]error
	block      chan struct{} // runs of other kinds end when it is closed, or when they are canceled
	canceled   map[string]string
	reran      api.RerunOptions
	deployment api.Deployment
	checked    *api.Task
	warm       []api.WarmRequest
}

func newFake() (*Glovebox, *fake) {
	f := &fake{functions: map[string]code{}, results: map[string]*api.Result{}, errors: map[string]error{}, canceled: map[string]string{}}
	return New(f, f.register), f
}

func (f *fake) Close() error { return nil }

func (f *fake) register(fn client.Function) (func(), error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.functions[fn.Task.Function.ID] != nil {
		return nil, api.Errorf(api.Conflict, "registered twice")
	}
	f.functions[fn.Task.Function.ID] = fn.Call
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.functions, fn.Task.Function.ID)
	}, nil
}

// ids lists the functions that are registered.
func (f *fake) ids() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Sorted(maps.Keys(f.functions))
}

func (f *fake) Submit(ctx context.Context, s api.Submission) (*api.Run, error) {
	f.mu.Lock()
	f.submitted = append(f.submitted, s)
	id := fmt.Sprintf("run-%d", len(f.submitted))
	f.mu.Unlock()
	result, err := f.do(ctx, id, s)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.results[id], f.errors[id] = result, err
	if ctx.Err() != nil { // as a client gives up a request, whatever the server made of it
		return nil, api.Errorf(api.Canceled, "the request was given up: %w", context.Cause(ctx))
	}
	return &api.Run{ID: id}, nil
}

// Evaluate calls no tool and gives nothing.
func (f *fake) Evaluate(_ context.Context, e api.Evaluation) (*api.Result, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.evaluated = append(f.evaluated, e)
	return &api.Result{}, nil
}

func (f *fake) do(ctx context.Context, id string, s api.Submission) (*api.Result, error) {
	result := &api.Result{RunID: id}
	if s.Task == nil || s.Task.Function == nil {
		return result, nil
	}
	f.mu.Lock()
	c := f.functions[s.Task.Function.ID]
	f.mu.Unlock()
	if c == nil {
		return result, api.Errorf(api.WorkerUnavailable, "no process offers function %q", s.Task.Function.ID)
	}
	inputs, err := api.CompleteInputs(s.Task.Signature.Inputs, s.Inputs)
	if err != nil {
		return result, err
	}
	outputs, err := c(context.WithoutCancel(ctx), Invocation{RunID: id, Inputs: inputs, IdempotencyKey: s.IdempotencyKey})
	if err != nil {
		return result, err
	}
	for _, p := range s.Task.Signature.Outputs {
		v, err := value.Normalize(p.Type, outputs[p.Name])
		if err != nil {
			return result, err
		}
		result.Outputs = append(result.Outputs, api.Output{Name: p.Name, Type: p.Type, Value: v})
	}
	return result, nil
}

func (f *fake) Wait(ctx context.Context, id string) (*api.Result, error) {
	if f.block != nil {
		select {
		case <-f.block:
		case <-ctx.Done():
			return nil, api.Errorf(api.Canceled, "the waiting was given up: %w", context.Cause(ctx))
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.results[id], f.errors[id]
}

func (f *fake) Cancel(_ context.Context, id, reason string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.canceled[id] = reason
	f.errors[id] = api.Errorf(api.Canceled, "canceled: %s", reason)
	close(f.block)
	return nil
}

func (f *fake) Rerun(_ context.Context, id string, o api.RerunOptions) (*api.Run, error) {
	f.reran = o
	return &api.Run{ID: id + "-again"}, nil
}

func (f *fake) Deploy(_ context.Context, d api.Deployment) ([]api.TaskVersion, error) {
	f.deployment = d
	return []api.TaskVersion{{Name: d.Tasks[0].Name, Version: 1}}, nil
}

func (f *fake) Task(_ context.Context, ref string) (*api.TaskVersion, error) {
	return &api.TaskVersion{Name: "math.add", Version: 2, Task: &f.deployment.Tasks[0]}, nil
}

func (f *fake) Check(_ context.Context, task *api.Task) ([]Problem, error) {
	f.checked = task
	return []Problem{{Line: 1}}, nil
}

func (f *fake) Prompt(_ context.Context, task *api.Task) (string, error) {
	return orchestrator.New(orchestrator.Config{}).Prompt(task)
}

func (f *fake) KeepWarm(_ context.Context, r api.WarmRequest) (*api.WarmPool, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	f.warm = append(f.warm, r)
	return &api.WarmPool{Idle: 1}, nil
}

// Events ends with the run, and yields none.
func (f *fake) Events(ctx context.Context, id string, _ int64) iter.Seq2[Event, error] {
	return func(func(Event, error) bool) { _, _ = f.Wait(ctx, id) }
}

func (f *fake) Runs(_ context.Context, q api.RunQuery) (api.RunPage, error) {
	return api.RunPage{Runs: []api.Run{{ID: q.IDPrefix, Status: api.StatusSucceeded}}}, nil
}

func (f *fake) RunTask(context.Context, string) (*api.Task, error) { return f.last().Task, nil }

// last is the newest submission.
func (f *fake) last() api.Submission {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.submitted[len(f.submitted)-1]
}
