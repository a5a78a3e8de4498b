package sandbox

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/cell/pool"
	"github.com/glovebox-dev/glovebox/internal/sandbox/environ"
	"github.com/glovebox-dev/glovebox/internal/sandbox/ready"
	"github.com/glovebox-dev/glovebox/value"
)

// starter is how the pool starts cells of a class.
func (r *Runner) starter(t *ready.Template) pool.Start[*ready.Cell] {
	return func(ctx context.Context) (*ready.Cell, error) { return r.maker.Start(ctx, t) }
}

// KeepWarm asks for n cells to be ready for runs of a task at any time; 0 takes
// that back. It returns when the first is ready, with what there is now of the
// class of cells, or with why none could be started. The image is built if it
// must be.
func (r *Runner) KeepWarm(ctx context.Context, task *api.Task, n int) (*api.WarmPool, error) {
	if err := r.Validate(task); err != nil {
		return nil, err
	}
	if r.warm == nil {
		return nil, api.Errorf(api.IsolationUnavailable, "this engine keeps no cells warm").
			WithHint("let it have some cells and memory for that")
	}
	if i := environ.SecretAtStart(task); i >= 0 {
		return nil, api.WrongField("secrets", value.Quote(task.Secrets[i].Env)+", which Python reads when it starts", "secrets that a run can get later").
			WithHint("give the secret to the run by another variable, or as a file")
	}
	image, err := r.config.Images.Ensure(ctx, task.Image, nil)
	if err != nil {
		return nil, err
	}
	if err := checkImage(task, image); err != nil {
		return nil, err
	}
	hosts, err := r.hostCertificates(task)
	if err != nil {
		return nil, err
	}
	t := ready.NewTemplate(image, task, environ.AtStart(image.Env, task, hosts != nil))
	if err := r.warm.Keep(ctx, t.Class, r.starter(t), n); err != nil {
		return nil, api.AsError(err)
	}
	return r.warmPool(t.Class), nil
}

// warmPool returns what there is of one class.
func (r *Runner) warmPool(class cell.Class) *api.WarmPool {
	for _, stat := range r.warm.Stats() {
		if stat.Class == class {
			return r.describe(stat)
		}
	}
	return r.describe(pool.Stat{Class: class})
}

// WarmPools lists the classes of cells that are kept ready.
func (r *Runner) WarmPools() []api.WarmPool {
	if r.warm == nil {
		return nil
	}
	var all []api.WarmPool
	for _, stat := range r.warm.Stats() {
		all = append(all, *r.describe(stat))
	}
	return all
}

func (r *Runner) describe(stat pool.Stat) *api.WarmPool {
	c := stat.Class
	out := &api.WarmPool{
		Image: c.Image, ImageName: c.ImageName, Resources: c.Resources, Network: c.Network, Isolation: r.config.Driver.Name(),
		Python: c.Python, Preload: c.Preload.Names(), Asked: stat.Asked, Wanted: stat.Wanted, Idle: stat.Idle, Starting: stat.Starting,
		Memory: stat.Memory, Taken: stat.Taken, Cold: stat.Cold, Died: stat.Died,
	}
	if stat.Err != nil {
		out.Error = api.AsError(stat.Err)
	}
	return out
}
