package catalog

import (
	"context"
	"errors"
	"fmt"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Service is an api.Catalog over a Store. It is safe for concurrent use.
type Service struct {
	Store Store
	// Validate reports what is wrong with a task that is deployed, and what a
	// start of it has to grant.
	Validate func(*api.Task) (warnings []string, err error)
	// Beside take what deployments hold beside tasks.
	Beside []Beside
}

// Beside takes a part of deployments that is no task.
type Beside interface {
	// PrepareDeployment checks its part, before anything is stored, and returns what
	// stores it when the tasks are.
	PrepareDeployment(ctx context.Context, d *api.Deployment) (commit func(context.Context) error, err error)
}

var _ api.Catalog = (*Service)(nil)

// Deploy is part of api.Catalog. It stores all tasks or none.
func (s *Service) Deploy(ctx context.Context, d api.Deployment) ([]api.TaskVersion, error) {
	return s.deploy(ctx, d, false)
}

// DeployFree deploys under names that are free, or mean the same already. A name
// that means something else is a conflict.
func (s *Service) DeployFree(ctx context.Context, d api.Deployment) ([]api.TaskVersion, error) {
	return s.deploy(ctx, d, true)
}

func (s *Service) deploy(ctx context.Context, d api.Deployment, freeOnly bool) ([]api.TaskVersion, error) {
	tasks, warnings, err := versions(&d, s.Validate)
	if err != nil {
		return nil, err
	}
	commit, err := s.prepareBeside(ctx, &d)
	if err != nil {
		return nil, err
	}
	var env *api.Environment
	if d.Environment != "" {
		env = &api.Environment{Name: d.Environment, Source: d.Source}
	}
	tasks, err = s.Store.Deploy(ctx, env, tasks, freeOnly)
	if err != nil {
		return nil, api.AsError(err)
	}
	for i := range tasks {
		tasks[i].Warnings = warnings[i]
	}
	if err := commit(ctx); err != nil {
		return nil, api.AsError(err)
	}
	return tasks, nil
}

// prepareBeside returns what stores all that a deployment holds beside tasks.
func (s *Service) prepareBeside(ctx context.Context, d *api.Deployment) (func(context.Context) error, error) {
	if api.IdentityOf(ctx).Owner != "" {
		return func(context.Context) error { return nil }, nothingBeside(d)
	}
	var commits []func(context.Context) error
	for _, b := range s.Beside {
		commit, err := b.PrepareDeployment(ctx, d)
		if err != nil {
			return nil, err
		}
		commits = append(commits, commit)
	}
	return func(ctx context.Context) error {
		for _, commit := range commits {
			if err := commit(ctx); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// nothingBeside refuses what starts tasks by itself, which is for the home alone: it has no
// names for each owner.
func nothingBeside(d *api.Deployment) error {
	for field, n := range map[string]int{"schedules": len(d.Schedules), "hooks": len(d.Hooks)} {
		if n > 0 {
			return api.Errorf(api.Forbidden, "%s are for the home, and no owner can deploy them", field).
				WithHint("deploy the tasks without them").WithDetails(api.Details{Field: field})
		}
	}
	return nil
}

// Tasks is part of api.Catalog.
func (s *Service) Tasks(ctx context.Context) ([]api.TaskVersion, error) {
	tasks, err := s.Store.Tasks(ctx)
	return tasks, orNil(err)
}

// Task is part of api.Catalog.
func (s *Service) Task(ctx context.Context, ref string) (*api.TaskVersion, error) {
	name, version, err := ParseRef(ref)
	if err != nil {
		return nil, err
	}
	task, err := s.Store.Task(ctx, name, version)
	if err != nil {
		return nil, s.taskError(ctx, name, version, err)
	}
	return task, nil
}

// Versions is part of api.Catalog.
func (s *Service) Versions(ctx context.Context, name string) ([]api.TaskVersion, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	list, err := s.Store.Versions(ctx, name)
	if err == nil && len(list) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return nil, s.taskError(ctx, name, 0, err)
	}
	return list, nil
}

// Rollback is part of api.Catalog. To roll back to what is current changes
// nothing.
func (s *Service) Rollback(ctx context.Context, name string, version int) (*api.TaskVersion, error) {
	if err := errors.Join(checkName(name), checkVersion(version)); err != nil {
		return nil, api.AsError(err)
	}
	task, err := s.Store.Rollback(ctx, name, version)
	if err != nil {
		return nil, s.taskError(ctx, name, version, err)
	}
	return task, nil
}

// RemoveTask is part of api.Catalog.
func (s *Service) RemoveTask(ctx context.Context, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	if err := s.Store.Remove(ctx, name); err != nil {
		return s.taskError(ctx, name, 0, err)
	}
	return nil
}

// Environments is part of api.Catalog.
func (s *Service) Environments(ctx context.Context) ([]api.Environment, error) {
	list, err := s.Store.Environments(ctx)
	return list, orNil(err)
}

// Environment is part of api.Catalog.
func (s *Service) Environment(ctx context.Context, ref string) (*api.Environment, error) {
	name, version, err := ParseRef(ref)
	if err != nil {
		return nil, err
	}
	env, err := s.Store.Environment(ctx, name, version)
	if errors.Is(err, ErrNotFound) {
		return nil, s.noEnvironment(ctx, name, version)
	}
	return env, orNil(err)
}

// taskError says what there is instead of a task that is not there.
func (s *Service) taskError(ctx context.Context, name string, version int, err error) error {
	if !errors.Is(err, ErrNotFound) {
		return api.AsError(err)
	}
	list, err := s.Store.Tasks(ctx)
	if err != nil {
		return api.AsError(err)
	}
	newest := map[string]int{}
	for _, task := range list {
		newest[task.Name] = task.Version
	}
	if current, ok := newest[name]; ok {
		return noVersion("task", name, version, current)
	}
	if versions, err := s.Store.Versions(ctx, name); err == nil && len(versions) > 0 {
		return removed(name, version, versions[0].Version)
	}
	return noName("task", name, newest)
}

func (s *Service) noEnvironment(ctx context.Context, name string, version int) error {
	list, err := s.Store.Environments(ctx)
	if err != nil {
		return api.AsError(err)
	}
	newest := map[string]int{}
	for _, env := range list {
		newest[env.Name] = env.Version
	}
	if current, ok := newest[name]; ok {
		return noVersion("environment", name, version, current)
	}
	return noName("environment", name, newest)
}

func noVersion(what, name string, version, current int) error {
	return api.Errorf(api.NotFound, "%s %s has no version %d", what, name, version).
		WithHint("the current version is %s", Ref(name, current)).
		WithDetails(api.Details{Field: what, Got: Ref(name, version), Suggestion: Ref(name, current)})
}

// removed says what is left of a task that can no longer be started by its
// name.
func removed(name string, version, newest int) error {
	got := name
	if version > 0 {
		got = Ref(name, version)
	}
	return api.Errorf(api.NotFound, "task %s was removed; its newest version is %s", name, Ref(name, newest)).
		WithHint("bring it back with: glovebox tasks rollback %s %d; or deploy it again", name, newest).
		WithDetails(api.Details{Field: "task", Got: got, Suggestion: Ref(name, newest)})
}

func noName(what, name string, known map[string]int) error {
	names := make([]string, 0, len(known))
	for n := range known {
		names = append(names, n)
	}
	e := api.Errorf(api.NotFound, "there is no %s %s", what, name)
	near := value.Nearest(name, names)
	if near == "" && len(names) == 0 {
		e.Hint = fmt.Sprintf("no %s was deployed yet; deploy a file with: glovebox deploy FILE", what)
	}
	if near != "" {
		e.Hint = fmt.Sprintf("did you mean %s?", near)
	}
	return e.WithDetails(api.Details{Field: what, Got: name, Suggestion: near})
}

// orNil returns err as an *api.Error, and nil as nil.
func orNil(err error) error {
	if err == nil {
		return nil
	}
	return api.AsError(err)
}
