package sandbox

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// maxReaping bounds the cells that are being removed behind the back of runs
// that have ended. Nothing goes on in them any more.
const maxReaping = 16

// lull is how long a removal waits, so that a run that ends has the processor
// for its last moments.
const lull = 10 * time.Millisecond

// reaper removes cells from which a run has everything it needs, so that the
// run need not wait for it.
type reaper struct {
	logger *slog.Logger
	slots  chan struct{}
	closes sync.WaitGroup
}

func newReaper(logger *slog.Logger) *reaper {
	return &reaper{logger: logger, slots: make(chan struct{}, maxReaping)}
}

// reap removes a cell of which a run wants nothing any more. When there is much to remove already,
// it returns only when that is done.
func (r *reaper) reap(b box) {
	select {
	case r.slots <- struct{}{}:
		r.closes.Go(func() {
			defer func() { <-r.slots }()
			time.Sleep(lull)
			r.remove(b)
		})
	default:
		r.remove(b)
	}
}

func (r *reaper) remove(b box) {
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
