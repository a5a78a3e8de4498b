package session

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
)

// PauseSession implements api.Sessions.
func (s *Service) PauseSession(ctx context.Context, id string, o api.PauseOptions) (*api.Session, error) {
	l, err := s.hold(ctx, id)
	if err != nil {
		return nil, err
	}
	defer l.done()
	switch r := l.current(); {
	case over(r.State):
		return nil, ended(&r)
	case r.State != api.SessionRunning:
		return nil, api.Errorf(api.Conflict, "session %s is %s", id, r.State).WithDetails(api.Details{Field: "state", Got: string(r.State), Expected: string(api.SessionRunning)})
	}
	if err := l.pause(ctx, o); err != nil {
		return nil, err
	}
	out := l.current().Session
	return &out, nil
}

// pause saves a running session and ends its cell, in this order: what fails before
// the state is recorded leaves the session running.
func (l *live) pause(ctx context.Context, o api.PauseOptions) error {
	if err := l.become(ctx, api.SessionPausing, o.Reason, nil); err != nil {
		return err
	}
	k := l.kept()
	saved, err := l.save(ctx, k, !o.FilesOnly)
	if err != nil {
		l.service.removeKept(saved.name)
		return l.carryOn(ctx, k, err)
	}
	err = l.become(ctx, api.SessionPaused, o.Reason, func(r *journal.SessionRecord) {
		r.Kept, r.Saved, r.Memory, r.Error = saved.name, saved.size, saved.memory, nil
		r.Contexts = saved.contexts
	})
	if err != nil {
		l.service.removeKept(saved.name)
		return l.carryOn(ctx, k, err)
	}
	l.interrupt(errStands, true)
	l.stopTimers()
	l.setCell(nil)
	l.service.discard(k)
	return nil
}

// savedState is what was saved of a session.
type savedState struct {
	name     string
	size     int64
	memory   bool
	contexts []journal.SavedContext // in the memory
}

// save stops a cell and saves its state. The cell stays stopped.
func (l *live) save(ctx context.Context, k *sandbox.Kept, memory bool) (savedState, error) {
	if err := l.stand(ctx); err != nil {
		return savedState{}, err
	}
	if err := l.stop(ctx, k, memory); err != nil {
		return savedState{}, err
	}
	return l.saveStopped(ctx, k, memory)
}

// stop stops the programs of a cell. Saving its memory does that by itself.
func (l *live) stop(ctx context.Context, k *sandbox.Kept, memory bool) error {
	if memory {
		return nil
	}
	return k.Freeze(ctx)
}

// saveStopped saves the state of a cell whose programs do not run.
func (l *live) saveStopped(ctx context.Context, k *sandbox.Kept, memory bool) (savedState, error) {
	if memory {
		return l.saveMemory(ctx, k)
	}
	return l.saveFiles(ctx, k)
}

// carryOn makes a session run again of which something could not be done, and
// returns why.
func (l *live) carryOn(ctx context.Context, k *sandbox.Kept, why error) error {
	ctx = context.WithoutCancel(ctx)
	if err := k.Thaw(ctx); err != nil {
		l.service.config.Logger.Warn("thawing a session", "session", l.id, "error", err)
		k.Release() // watch records that it is lost
	}
	e := api.AsError(why)
	err := l.become(ctx, api.SessionRunning, "", func(r *journal.SessionRecord) { r.Error = e })
	if err != nil {
		// The journal cannot be written. The session runs, whatever it says.
		l.service.config.Logger.Warn("recording that a session runs on", "session", l.id, "error", err)
		l.mu.Lock()
		l.record.State = api.SessionRunning
		l.mu.Unlock()
	}
	l.goOn()
	return e
}
