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
	return d.acknowledged()
}

// acknowledged waits until the caller knows of the run. The error says why it
// never will.
func (d durability) acknowledged() error {
	if d.caller == nil {
		return nil
	}
	return d.caller.Wait(context.Background())
}

// neverCreated waits for the creation, and reports whether it failed.
func (d durability) neverCreated() bool {
	return d.created != nil && d.created.Wait(context.Background()) != nil
}

// acknowledgement is a receipt that is complete when the caller of Submit has
// been answered: the creation may be durable and the caller gone by then.
type acknowledgement struct {
	answered chan struct{}
	err      error // set before answered is closed
}

// Wait waits for the answer and returns its error.
func (a *acknowledgement) Wait(ctx context.Context) error {
	select {
	case <-a.answered:
		return a.err
	case <-ctx.Done():
		return ctx.Err()
	}
}
