package scope

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
)

// Deploy implements api.Catalog. A cell cannot change what a name means: who
// asks for a deployed task by its name would then run the code of the cell. It
// may deploy under names that are free, and again what is there already.
func (s *Scope) Deploy(ctx context.Context, d api.Deployment) ([]api.TaskVersion, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.pending.Done()
	if len(d.Schedules) > 0 || len(d.Hooks) > 0 {
		return nil, refused("deploy schedules or hooks, which start runs when its own has ended")
	}
	if slices.ContainsFunc(d.Tasks, func(t api.Task) bool { return len(t.Notify) > 0 }) {
		return nil, refused("deploy tasks that notify, which tell others of runs that it did not start")
	}
	checked := d
	checked.Tasks = make([]api.Task, len(d.Tasks))
	for i := range d.Tasks {
		task, err := s.checkGiven(&d.Tasks[i])
		if err != nil {
			return nil, err
		}
		checked.Tasks[i] = *task
	}
	text, err := json.Marshal(checked)
	if err != nil {
		return nil, api.Errorf(api.Internal, "encode a deployment: %w", err)
	}
	if err := s.charge(startCost + int64(len(text))); err != nil {
		return nil, err
	}
	versions, err := s.engine.DeployFree(ctx, checked)
	if errors.Is(err, &api.Error{Code: api.Conflict}) {
		e := api.AsError(err)
		return nil, refused("change what the name of something deployed means: %s", e.Message).
			WithHint("deploy it under another name, or from outside of cells").WithDetails(e.Details)
	}
	return shownVersions(versions), err
}

// Task implements api.Catalog. A cell learns how to call a deployed task, and not
// what is in it: people put secrets into variables.
func (s *Scope) Task(ctx context.Context, ref string) (*api.TaskVersion, error) {
	version, err := s.engine.Task(ctx, ref)
	if err != nil {
		return nil, err
	}
	return &shownVersions([]api.TaskVersion{*version})[0], nil
}

// Versions implements api.Catalog.
func (s *Scope) Versions(ctx context.Context, name string) ([]api.TaskVersion, error) {
	versions, err := s.engine.Versions(ctx, name)
	return shownVersions(versions), err
}
