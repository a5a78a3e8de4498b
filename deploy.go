package glovebox

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/buildcontext"
)

// TaskVersion is an immutable version of a task in the catalog.
type TaskVersion = api.TaskVersion

// Deploy makes a version of each task in the catalog, where the newest one is
// not the same already. An environment that is not empty names them all
// together: task add of environment math becomes math.add. Functions are
// registered too.
func (g *Glovebox) Deploy(ctx context.Context, environment string, tasks ...Task) ([]TaskVersion, error) {
	d := api.Deployment{Environment: environment}
	for _, t := range tasks {
		task, functions, err := define(t)
		if err != nil {
			return nil, err
		}
		if err := g.Register(functions...); err != nil {
			return nil, err
		}
		if err := buildcontext.TakeAll(ctx, g.service, task); err != nil {
			return nil, err
		}
		if environment != "" {
			task.Name = environment + "." + task.Name
		}
		d.Tasks = append(d.Tasks, *task)
	}
	return g.service.Deploy(ctx, d)
}

// Task returns a deployed task: the current version of NAME, or NAME@VERSION.
func (g *Glovebox) Task(ctx context.Context, ref string) (Deployed, error) {
	found, err := g.service.Task(ctx, ref)
	if err != nil {
		return Deployed{}, err
	}
	return Deployed{*found}, nil
}
