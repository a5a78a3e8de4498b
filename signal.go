package glovebox

import (
	"context"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Signal is a value that somebody outside sends: code that calls it as a tool waits,
// durably and for nothing, until [Run.Signal] or another way brings the value.
type Signal struct {
	// Name is what code calls it, and by which it is sent.
	Name string
	// Doc says what it waits for, for people and models.
	Doc string
	// Inputs are what the code says with it, for whoever sends the value, such as
	// "question: str".
	Inputs []string
	// Output is the type of the value, such as "float". Empty means that it has none.
	Output string

	// Deadline is after how long a call that waits raises TimeoutError; 0 waits for ever.
	Deadline time.Duration
	// Notice is after how long the journal records that it still waits; 0 never does.
	Notice time.Duration
	// Labels are those of its runs, by name.
	Labels map[string]string
}

// SentSignal is a value on its way to a run.
type SentSignal = api.Signal

func (s Signal) define(scope) (*api.Task, []Function, error) {
	task := &api.Task{
		Name: s.Name, Kind: api.KindSignal, Doc: s.Doc, Labels: s.Labels, Approval: &Approval{Deadline: s.Deadline, Notice: s.Notice},
	}
	var err error
	if task.Signature.Inputs, err = parseParams("input", s.Inputs); err != nil {
		return nil, nil, err
	}
	task.Signature.Outputs, err = oneOutput(s.Output)
	return task, nil, err
}

// Signal sends a value to what waits for the signal of a name in the run or below it, and
// returns what took it. Several calls take one each, the first first. Where nothing waits,
// also after s.Wait, it is ErrConflict and nothing was kept.
func (r *Run) Signal(ctx context.Context, name string, s SentSignal) (*PendingApproval, error) {
	return r.g.service.Signal(ctx, r.id, name, s)
}
