package scope

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

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
	checked := d
	checked.Tasks = make([]api.Task, len(d.Tasks))
	for i := range d.Tasks {
		task, err := s.checkGiven(&d.Tasks[i])
		if err != nil {
			return nil, err
		}
		if err := s.checkName(ctx, task); err != nil {
			return nil, err
		}
		checked.Tasks[i] = *task
	}
	if err := s.checkEnvironment(ctx, checked); err != nil {
		return nil, err
	}
	text, err := json.Marshal(checked)
	if err != nil {
		return nil, api.Errorf(api.Internal, "encode a deployment: %w", err)
	}
	if err := s.charge(startCost + int64(len(text))); err != nil {
		return nil, err
	}
	versions, err := s.engine.Deploy(ctx, checked)
	return shown(versions), err
}

// checkName refuses a name that stands for another task.
func (s *Scope) checkName(ctx context.Context, task *api.Task) error {
	current, err := s.engine.Task(ctx, task.Name)
	if errors.Is(err, &api.Error{Code: api.NotFound}) {
		return nil
	}
	if err != nil {
		return err
	}
	if current.Digest == task.Digest() {
		return nil
	}
	return taken("task", task.Name)
}

func taken(what, name string) error {
	return refused("change what the name of a deployed %s means, and %q is taken", what, name).
		WithHint("deploy it under another name, or from outside of cells").WithDetails(api.Details{Field: "name", Got: name})
}

// checkEnvironment refuses the name of an environment with other tasks.
func (s *Scope) checkEnvironment(ctx context.Context, d api.Deployment) error {
	if d.Environment == "" {
		return nil
	}
	current, err := s.engine.Environment(ctx, d.Environment)
	if errors.Is(err, &api.Error{Code: api.NotFound}) {
		return nil
	}
	if err != nil {
		return err
	}
	have, want := map[string]bool{}, map[string]bool{}
	for _, ref := range current.Tasks {
		name, _, _ := strings.Cut(ref, "@")
		have[name] = true
	}
	for i := range d.Tasks {
		want[d.Tasks[i].Name] = true
	}
	if !maps.Equal(have, want) {
		return taken("environment", d.Environment)
	}
	return nil
}

// Task implements api.Catalog. A cell learns how to call a deployed task, and not
// what is in it: people put secrets into variables.
func (s *Scope) Task(ctx context.Context, ref string) (*api.TaskVersion, error) {
	version, err := s.engine.Task(ctx, ref)
	if err != nil {
		return nil, err
	}
	return &shown([]api.TaskVersion{*version})[0], nil
}

// Versions implements api.Catalog.
func (s *Scope) Versions(ctx context.Context, name string) ([]api.TaskVersion, error) {
	versions, err := s.engine.Versions(ctx, name)
	return shown(versions), err
}

// shown leaves out the tasks themselves.
func shown(versions []api.TaskVersion) []api.TaskVersion {
	versions = slices.Clone(versions)
	for i := range versions {
		versions[i].Task = nil
	}
	return versions
}
