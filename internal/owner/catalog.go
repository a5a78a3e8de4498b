package owner

import (
	"context"
	"fmt"

	"github.com/glovebox-dev/glovebox/api"
)

// Deploy implements api.Catalog. Names are those of the owner.
func (g *Guard) Deploy(ctx context.Context, d api.Deployment) ([]api.TaskVersion, error) {
	if err := Need(ctx, api.ScopeDeploy); err != nil {
		return nil, err
	}
	for i := range d.Tasks {
		if err := g.submission(ctx, &d.Tasks[i], ""); err != nil {
			return nil, err
		}
	}
	deployed, err := g.to.Deploy(ctx, d)
	for _, v := range deployed {
		g.config.Note(ctx, "deploy", fmt.Sprintf("%s@%d", v.Name, v.Version))
	}
	return deployed, err
}

// Tasks implements api.Catalog.
func (g *Guard) Tasks(ctx context.Context) ([]api.TaskVersion, error) {
	if err := Need(ctx, api.ScopeRead); err != nil {
		return nil, err
	}
	return g.to.Tasks(ctx)
}

// Task implements api.Catalog.
func (g *Guard) Task(ctx context.Context, ref string) (*api.TaskVersion, error) {
	if err := Need(ctx, api.ScopeRead); err != nil {
		return nil, err
	}
	return g.to.Task(ctx, ref)
}

// Versions implements api.Catalog.
func (g *Guard) Versions(ctx context.Context, name string) ([]api.TaskVersion, error) {
	if err := Need(ctx, api.ScopeRead); err != nil {
		return nil, err
	}
	return g.to.Versions(ctx, name)
}

// Rollback implements api.Catalog.
func (g *Guard) Rollback(ctx context.Context, name string, version int) (*api.TaskVersion, error) {
	if err := Need(ctx, api.ScopeDeploy); err != nil {
		return nil, err
	}
	current, err := g.to.Rollback(ctx, name, version)
	g.note(ctx, err, "rollback", fmt.Sprintf("%s@%d", name, version))
	return current, err
}

// RemoveTask implements api.Catalog.
func (g *Guard) RemoveTask(ctx context.Context, name string) error {
	if err := Need(ctx, api.ScopeDeploy); err != nil {
		return err
	}
	err := g.to.RemoveTask(ctx, name)
	g.note(ctx, err, "remove task", name)
	return err
}

// Environments implements api.Catalog.
func (g *Guard) Environments(ctx context.Context) ([]api.Environment, error) {
	if err := Need(ctx, api.ScopeRead); err != nil {
		return nil, err
	}
	return g.to.Environments(ctx)
}

// Environment implements api.Catalog.
func (g *Guard) Environment(ctx context.Context, ref string) (*api.Environment, error) {
	if err := Need(ctx, api.ScopeRead); err != nil {
		return nil, err
	}
	return g.to.Environment(ctx, ref)
}

// Schedules implements api.Schedules.
func (g *Guard) Schedules(ctx context.Context) ([]api.Schedule, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.Schedules(ctx)
}

// Schedule implements api.Schedules.
func (g *Guard) Schedule(ctx context.Context, name string) (*api.Schedule, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.Schedule(ctx, name)
}

// PauseSchedule implements api.Schedules.
func (g *Guard) PauseSchedule(ctx context.Context, name string) (*api.Schedule, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.PauseSchedule(ctx, name)
}

// ResumeSchedule implements api.Schedules.
func (g *Guard) ResumeSchedule(ctx context.Context, name string) (*api.Schedule, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.ResumeSchedule(ctx, name)
}

// RunSchedule implements api.Schedules.
func (g *Guard) RunSchedule(ctx context.Context, name, key string) (*api.ScheduledStart, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.RunSchedule(ctx, name, key)
}

// RemoveSchedule implements api.Schedules.
func (g *Guard) RemoveSchedule(ctx context.Context, name string) error {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return err
	}
	return g.to.RemoveSchedule(ctx, name)
}

// Hooks implements api.Hooks.
func (g *Guard) Hooks(ctx context.Context) ([]api.Hook, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.Hooks(ctx)
}

// Hook implements api.Hooks.
func (g *Guard) Hook(ctx context.Context, name string) (*api.Hook, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.Hook(ctx, name)
}

// PauseHook implements api.Hooks.
func (g *Guard) PauseHook(ctx context.Context, name string) (*api.Hook, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.PauseHook(ctx, name)
}

// ResumeHook implements api.Hooks.
func (g *Guard) ResumeHook(ctx context.Context, name string) (*api.Hook, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.ResumeHook(ctx, name)
}

// RemoveHook implements api.Hooks.
func (g *Guard) RemoveHook(ctx context.Context, name string) error {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return err
	}
	return g.to.RemoveHook(ctx, name)
}

// Deliveries implements api.Notifications.
func (g *Guard) Deliveries(ctx context.Context, q api.DeliveryQuery) (api.DeliveryPage, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return api.DeliveryPage{}, err
	}
	return g.to.Deliveries(ctx, q)
}

// Redeliver implements api.Notifications.
func (g *Guard) Redeliver(ctx context.Context, id string) (*api.Delivery, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.Redeliver(ctx, id)
}

// SetSecret implements api.Secrets.
func (g *Guard) SetSecret(ctx context.Context, name string, value []byte) error {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return err
	}
	return g.to.SetSecret(ctx, name, value)
}

// Secrets implements api.Secrets.
func (g *Guard) Secrets(ctx context.Context) ([]string, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.Secrets(ctx)
}

// RemoveSecret implements api.Secrets.
func (g *Guard) RemoveSecret(ctx context.Context, name string) error {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return err
	}
	return g.to.RemoveSecret(ctx, name)
}
