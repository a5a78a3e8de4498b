// Package signal runs tasks of kind signal. The engine holds a run of one until
// somebody sends its outputs, as it holds what asks for approval; there is nothing left
// to do then.
package signal

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
)

// Runner runs signals.
type Runner struct{}

// Validate refuses what a signal cannot have: it executes nothing.
func (Runner) Validate(task *api.Task) error {
	if err := task.CheckForeign("a signal executes nothing"); err != nil {
		return err
	}
	switch {
	case task.Timeout != 0:
		return api.WrongField("timeout", task.Timeout.String(), "nothing: the deadline of its approval bounds how long a signal waits")
	case task.Retries != 0:
		return api.WrongField("retries", "given", "nothing: a signal is sent once")
	case task.Cache != "" && task.Cache != api.CacheDisable:
		return api.WrongField("cache", string(task.Cache), "nothing: each signal is sent anew")
	}
	return nil
}

// Identity is empty: nothing beside what is sent decides the outputs.
func (Runner) Identity(context.Context, *api.Task, func(api.Progress)) (string, error) {
	return "", nil
}

// Run returns what was sent, which the engine hands over as the inputs.
func (Runner) Run(_ context.Context, runID string, req *api.Request) (*api.Result, error) {
	result := &api.Result{RunID: runID}
	for _, p := range req.Task.Signature.Outputs {
		v, ok := req.Inputs.Value(p.Name)
		if !ok {
			return &api.Result{RunID: runID, ExitCode: -1}, api.Errorf(api.Internal, "the signal %s was sent without %s", req.Task.Name, p.Name)
		}
		result.Outputs = append(result.Outputs, api.Output{Name: p.Name, Type: p.Type, Value: v})
	}
	return result, nil
}
