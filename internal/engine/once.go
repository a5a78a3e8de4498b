package engine

import (
	"context"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Once makes one attempt of a task that belongs to no run, and keeps nothing of
// it: the journal does not know it. The attempt waits for a slot in the line of
// those of runs. The task must be valid, and have no files.
func (e *Engine) Once(ctx context.Context, req *api.Request) (*api.Result, error) {
	began, kind := time.Now(), req.Task.KindOf()
	ticket := e.admission.Ticket(kind, nil, nil) // it takes no turn, only a slot
	if err := ticket.AcquireSlot(ctx); err != nil {
		return nil, err
	}
	defer ticket.ReleaseSlot()
	ctx, share := e.config.Memory.Share(ctx)
	defer share.Release()
	queued := time.Since(began)
	result, err := e.config.Kinds[kind].Run(ctx, NewID(time.Now()), req)
	if result != nil {
		result.RunID, result.Timings.Queue = "", queued
	}
	return result, err
}
