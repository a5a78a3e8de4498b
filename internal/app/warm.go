package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell/pool"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

// The default bounds of the cells that are kept ready.
const (
	minWarmCells  = 2
	maxWarmCells  = 8
	maxWarmMemory = 2 << 30 // bytes
	warmShare     = 8       // of the memory of the host, one part in so many
)

// warmBounds returns the bounds of the cells that are kept ready on a host of so
// many CPUs and bytes of memory. By default they are enough for every CPU to have
// work and the next cell meanwhile, and little of a host that has other things
// to do.
func warmBounds(o host.Options, cpus int, hostMemory int64) pool.Config {
	if o.WarmCells < 0 || o.WarmMemory < 0 {
		return pool.Config{}
	}
	bounds := pool.Config{Cells: o.WarmCells, Memory: o.WarmMemory}
	if bounds.Cells == 0 {
		bounds.Cells = min(max(2*cpus, minWarmCells), maxWarmCells)
	}
	if bounds.Memory == 0 {
		bounds.Memory = min(hostMemory/warmShare, maxWarmMemory)
	}
	return bounds
}

// warmWords say how many cells are kept ready.
func (a *App) warmWords() string {
	if a.warm.Cells == 0 {
		return "none are kept ready"
	}
	return fmt.Sprintf("at most %d are ready ahead of runs, and hold %s together", a.warm.Cells, quantity.FormatSize(a.warm.Memory))
}

// KeepWarm is part of api.Warm.
func (s service) KeepWarm(ctx context.Context, r api.WarmRequest) (*api.WarmPool, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	task := r.Task
	if task == nil {
		deployed, err := s.app.catalog.Task(ctx, r.Name)
		if err != nil {
			return nil, err
		}
		task = deployed.Task
		if err := task.CheckWarm(); err != nil {
			return nil, err
		}
	}
	return s.app.cells.KeepWarm(ctx, task, r.Cells)
}

// Cells is part of api.Maintenance.
func (s service) Cells(context.Context) ([]api.LiveCell, error) {
	all := append(s.app.cells.Cells(), s.app.sessions.Cells()...)
	slices.SortFunc(all, func(a, b api.LiveCell) int {
		return cmp.Or(a.Began.Compare(b.Began), cmp.Compare(a.Run+a.Session, b.Run+b.Session))
	})
	return all, nil
}

// WarmPools is part of api.Warm.
func (s service) WarmPools(context.Context) ([]api.WarmPool, error) {
	return s.app.cells.WarmPools(), nil
}
