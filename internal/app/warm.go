package app

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
)

// NoWarmCells keeps no cells ready, whoever asks for them.
const NoWarmCells = -1

// The default bounds of the cells that are kept ready.
const (
	minWarmCells  = 2
	maxWarmCells  = 8
	maxWarmMemory = 2 << 30 // bytes
	warmShare     = 8       // of the memory of the host, one part in so many
)

// warmBounds returns how many cells are kept ready and what they may hold
// together, in bytes, on a host of so many CPUs and bytes of memory. Enough for
// every CPU to have work and the next cell meanwhile, and little of a host that
// has other things to do.
func warmBounds(o Options, cpus int, hostMemory int64) (cells int, memory int64) {
	if o.WarmCells < 0 || o.WarmMemory < 0 {
		return 0, 0
	}
	cells, memory = o.WarmCells, o.WarmMemory
	if cells == 0 {
		cells = min(max(2*cpus, minWarmCells), maxWarmCells)
	}
	if memory == 0 {
		memory = min(hostMemory/warmShare, maxWarmMemory)
	}
	return cells, memory
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

// WarmPools is part of api.Warm.
func (s service) WarmPools(context.Context) ([]api.WarmPool, error) {
	return s.app.cells.WarmPools(), nil
}
