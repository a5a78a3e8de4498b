package sandbox

import (
	"context"
	"log/slog"
	"sync"

	"github.com/glovebox-dev/glovebox/internal/sandbox/ready"
)

// maxReaping bounds the cells that are being removed after their runs have ended.
// Nothing runs in them any more.
const maxReaping = 16

// reaper removes cells in the background, so that the run that has all it needs
// of one does not wait.
type reaper struct {
	logger *slog.Logger
	slots  chan struct{}
	closes sync.WaitGroup
}

func newReaper(logger *slog.Logger) *reaper {
	return &reaper{logger: logger, slots: make(chan struct{}, maxReaping)}
}

// reap removes a cell that its run no longer needs. When many are being removed
// already, it returns only when this one is gone.
func (r *reaper) reap(b ready.Box) {
	select {
	case r.slots <- struct{}{}:
		r.closes.Go(func() {
			defer func() { <-r.slots }()
			r.remove(b)
		})
	default:
		r.remove(b)
	}
}

func (r *reaper) remove(b ready.Box) {
	if _, err := b.Close(); err != nil {
		r.logger.Warn("removing a cell", "error", err)
	}
}

// wait returns when nothing is left to remove.
func (r *reaper) wait(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		r.closes.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
