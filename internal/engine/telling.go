package engine

import (
	"context"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
)

// untold are the stages of a run whose caller does not know of it yet. The run
// works meanwhile: a cell starts while the disk syncs.
type untold struct {
	mu     sync.Mutex // held during each call, so that stages stay in order
	stages progress
}

// tell passes a stage to the caller, or keeps it until that knows of the run.
func (r *run) tell(stage api.Progress) {
	if r.streams.progress == nil {
		return
	}
	r.untold.mu.Lock()
	defer r.untold.mu.Unlock()
	if r.durability.caller.pending() {
		if len(r.untold.stages.newest) == 0 {
			r.engine.work.Go(r.tellRest)
		}
		r.untold.stages.add(stage)
		return
	}
	r.untold.stages.add(stage)
	r.tellAll()
}

// tellRest passes on what was kept, once the caller knows of the run. What follows
// it, output or the end, then comes after it.
func (r *run) tellRest() {
	if r.streams.progress == nil {
		return
	}
	_ = r.durability.caller.Wait(context.Background()) // why it knows of none is for tellAll
	r.untold.mu.Lock()
	defer r.untold.mu.Unlock()
	r.tellAll()
}

// tellAll passes on what was kept; r.untold.mu is held. A caller that never hears
// of the run gets none.
func (r *run) tellAll() {
	stages := r.untold.stages.newest
	r.untold.stages = progress{}
	if r.durability.caller.Wait(context.Background()) != nil {
		return
	}
	for _, stage := range stages {
		r.streams.progress(stage)
	}
}

// shown waits until the run may show what an attempt prints.
func (r *run) shown(attempt durability) error {
	if err := attempt.shown(); err != nil {
		return err
	}
	r.tellRest()
	return nil
}
