package engine

import (
	"context"

	"github.com/glovebox-dev/glovebox/internal/journal"
)

// durability is what has to be on disk before others may notice a run. A nil
// receipt is nothing to wait for.
//
// A run may work while its creation is still being written. Then nothing of it
// may show if the creation fails: no output, no progress, no result.
type durability struct {
	caller  *acknowledgement // that Submit returned; nil if the run began after that
	created journal.Receipt  // of the creation; nil if it was durable before the run was live
	begun   journal.Receipt  // of the start of the newest attempt
}

// shown waits until the run may show what it prints.
func (d durability) shown() error {
	if d.begun != nil {
		if err := d.begun.Wait(context.Background()); err != nil {
			return err
		}
	}
	return d.caller.Wait(context.Background())
}

// neverCreated waits for the creation, and reports whether it failed.
func (d durability) neverCreated() bool {
	return d.created != nil && d.created.Wait(context.Background()) != nil
}

// acknowledgement is a receipt that is complete when the caller of Submit has
// been answered: the creation may be durable and the caller gone by then. Nil is
// one that has been.
type acknowledgement struct {
	answered chan struct{}
	err      error // set before answered is closed
}

// pending reports whether the caller waits for its answer.
func (a *acknowledgement) pending() bool {
	if a == nil {
		return false
	}
	select {
	case <-a.answered:
		return false
	default:
		return true
	}
}

// Wait waits for the answer. The error says why the caller never knows of the run.
func (a *acknowledgement) Wait(ctx context.Context) error {
	if a == nil {
		return nil
	}
	select {
	case <-a.answered:
		return a.err
	case <-ctx.Done():
		return ctx.Err()
	}
}
