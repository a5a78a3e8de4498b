package catalog

import (
	"context"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// Owned returns a store in which each owner has names of its own: those of the context's
// identity. In the store below they stand as OWNER/NAME, which no name is otherwise.
func Owned(s Store) Store { return owned{s} }

type owned struct{ Store }

// space is the beginning of the names of an owner in the store below.
type space string

func spaceOf(ctx context.Context) space {
	if owner := api.IdentityOf(ctx).Owner; owner != "" {
		return space(owner + "/")
	}
	return ""
}

func (p space) in(name string) string { return string(p) + name }

// out returns a name without its beginning; ok is false if it is one of others.
func (p space) out(name string) (own string, ok bool) {
	own, ok = strings.CutPrefix(name, string(p))
	return own, ok && !strings.Contains(own, "/")
}

func (p space) task(t *api.TaskVersion) *api.TaskVersion {
	if t == nil || p == "" {
		return t
	}
	own := *t
	own.Name, _ = p.out(t.Name)
	own.Environment = strings.TrimPrefix(t.Environment, string(p))
	return &own
}

// tasks returns those of a list that belong to the owner, by their own names.
func (p space) tasks(list []api.TaskVersion) []api.TaskVersion {
	own := []api.TaskVersion{}
	for i := range list {
		if _, ok := p.out(list[i].Name); ok {
			own = append(own, *p.task(&list[i]))
		}
	}
	return own
}

func (p space) environment(e *api.Environment) *api.Environment {
	if e == nil || p == "" {
		return e
	}
	own := *e
	own.Name, _ = p.out(e.Name)
	own.Tasks = slices.Clone(e.Tasks)
	for i, ref := range own.Tasks {
		own.Tasks[i] = strings.TrimPrefix(ref, string(p))
	}
	return &own
}

func (s owned) Deploy(ctx context.Context, env *api.Environment, tasks []api.TaskVersion, freeOnly bool) ([]api.TaskVersion, error) {
	p := spaceOf(ctx)
	inner := slices.Clone(tasks)
	for i := range inner {
		inner[i].Name = p.in(inner[i].Name)
	}
	if env != nil {
		env.Name = p.in(env.Name)
		defer func() { *env = *p.environment(env) }() // which the store fills in
	}
	deployed, err := s.Store.Deploy(ctx, env, inner, freeOnly)
	if err != nil {
		return nil, err
	}
	return p.tasks(deployed), nil
}

func (s owned) Tasks(ctx context.Context) ([]api.TaskVersion, error) {
	list, err := s.Store.Tasks(ctx)
	return spaceOf(ctx).tasks(list), err
}

func (s owned) Task(ctx context.Context, name string, version int) (*api.TaskVersion, error) {
	p := spaceOf(ctx)
	t, err := s.Store.Task(ctx, p.in(name), version)
	return p.task(t), err
}

func (s owned) Versions(ctx context.Context, name string) ([]api.TaskVersion, error) {
	p := spaceOf(ctx)
	list, err := s.Store.Versions(ctx, p.in(name))
	return p.tasks(list), err
}

func (s owned) Rollback(ctx context.Context, name string, version int) (*api.TaskVersion, error) {
	p := spaceOf(ctx)
	t, err := s.Store.Rollback(ctx, p.in(name), version)
	return p.task(t), err
}

func (s owned) Remove(ctx context.Context, name string) error {
	return s.Store.Remove(ctx, spaceOf(ctx).in(name))
}

func (s owned) Environments(ctx context.Context) ([]api.Environment, error) {
	p, own := spaceOf(ctx), []api.Environment{}
	list, err := s.Store.Environments(ctx)
	for i := range list {
		if _, ok := p.out(list[i].Name); ok {
			own = append(own, *p.environment(&list[i]))
		}
	}
	return own, err
}

func (s owned) Environment(ctx context.Context, name string, version int) (*api.Environment, error) {
	p := spaceOf(ctx)
	e, err := s.Store.Environment(ctx, p.in(name), version)
	return p.environment(e), err
}
