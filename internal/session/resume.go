package session

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
)

// ResumeSession implements api.Sessions.
func (s *Service) ResumeSession(ctx context.Context, id string) (*api.Session, error) {
	l, err := s.hold(ctx, id)
	if err != nil {
		return nil, err
	}
	defer l.done()
	r := l.current()
	if over(r.State) {
		return nil, ended(&r)
	}
	if r.State == api.SessionPaused {
		if err := l.resume(ctx); err != nil {
			return nil, err
		}
	}
	out := l.current().Session
	return &out, nil
}

// resume continues a paused session whose turn the caller has.
func (l *live) resume(ctx context.Context) error {
	s := l.service
	if err := s.room(); err != nil {
		return err
	}
	r := l.current()
	if err := l.setWay(r.Spec.Network); err != nil {
		return err
	}
	if err := l.become(ctx, api.SessionResuming, "", nil); err != nil {
		return err
	}
	k, err := l.restore(ctx, r.Kept, r.Image, &r.Spec)
	if err == nil {
		err = l.run(ctx, k, func(r *journal.SessionRecord) { r.Kept, r.Saved, r.Memory = "", 0, false })
	}
	if err != nil {
		return l.stayPaused(ctx, r.Memory, err)
	}
	s.removeKept(r.Kept)
	return nil
}

// stayPaused returns a session to the state from which it could not be resumed.
func (l *live) stayPaused(ctx context.Context, memory bool, why error) error {
	e := api.AsError(why)
	err := l.become(context.WithoutCancel(ctx), api.SessionPaused, "it could not be resumed", func(r *journal.SessionRecord) { r.Error, r.Memory = e, memory })
	if err != nil {
		l.service.config.Logger.Warn("recording that a session stays paused", "session", l.id, "error", err)
	}
	return e
}

// restore returns a cell with what was saved of a session.
func (l *live) restore(ctx context.Context, name, image string, spec *api.SessionSpec) (*sandbox.Kept, error) {
	files, err := l.service.keep.openFiles(name)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	return l.service.config.Cells.RestoreCell(ctx, l.service.ctx, taskOf(spec), image, files, l.way.Serve)
}
