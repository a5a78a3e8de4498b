package server

import (
	"context"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

func (f *fake) KeepWarm(_ context.Context, r api.WarmRequest) (*api.WarmPool, error) {
	if r.Name != "" && f.tasks[r.Name] == nil {
		return nil, api.Errorf(api.NotFound, "there is no task %s", r.Name)
	}
	pool := api.WarmPool{Image: "sha256:i", Python: true, Asked: r.Cells, Wanted: r.Cells, Idle: 1}
	if r.Task != nil {
		pool.Preload = r.Task.Preload
	}
	f.pools = append(f.pools, pool)
	return &pool, nil
}

func (f *fake) WarmPools(context.Context) ([]api.WarmPool, error) { return f.pools, nil }

func (f *fake) Cells(context.Context) ([]api.LiveCell, error) {
	return []api.LiveCell{{Run: "run-1", Task: "deployed", Image: "sha256:i", Memory: 5}}, nil
}

func (f *fake) Prune(_ context.Context, r api.PruneRequest) (*api.Pruned, error) {
	return &api.Pruned{Runs: api.Removed{Count: 1, Bytes: int64(r.OlderThan.Seconds())}}, nil
}

func (f *fake) Retention(context.Context) (*api.Retention, error) {
	return &api.Retention{OlderThan: time.Hour, Runs: map[string]time.Duration{"deployed": time.Minute}}, nil
}

func (f *fake) Doctor(context.Context, bool) ([]api.Finding, error) {
	return []api.Finding{{Subject: "home", Fatal: true, Detail: "gone"}}, nil
}
