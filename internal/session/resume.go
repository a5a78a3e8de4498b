package session

import (
	"context"
	"errors"
	"io"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
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
	if err := l.setWay(&r, r.Spec.Network); err != nil {
		return err
	}
	if err := l.become(ctx, api.SessionResuming, "", nil); err != nil {
		return err
	}
	k, instead, err := l.restore(ctx, savedState{name: r.Kept, memory: r.Memory, contexts: r.Contexts}, r.Image, &r)
	if err == nil {
		err = l.run(ctx, k, func(r *journal.SessionRecord) {
			r.Kept, r.Saved, r.Memory, r.Contexts = "", 0, false, nil
			if instead != nil {
				r.Reason = "its processes could not be continued: " + instead.Message
			}
		})
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

// restore returns a cell with what was saved of a session. Memory that another
// program has saved cannot be read by this one: then the session has its files
// alone, and instead says why.
func (l *live) restore(ctx context.Context, saved savedState, image string, r *journal.SessionRecord) (k *sandbox.Kept, instead *api.Error, err error) {
	if saved.memory {
		k, err := l.restoreMemory(saved.name, image, r)
		if err == nil {
			l.saved = saved.contexts
		}
		if err == nil || !errors.Is(err, api.Conflict) {
			return k, nil, err
		}
		instead = api.AsError(err)
	}
	k, err = l.beginWith(ctx, func() (io.ReadCloser, error) { return l.service.keep.openFiles(saved.name) }, image, r)
	return k, instead, err
}

// beginWith returns a cell whose file system begins with the changes in an archive.
func (l *live) beginWith(ctx context.Context, layer cell.OpenLayer, image string, r *journal.SessionRecord) (*sandbox.Kept, error) {
	return l.service.config.Cells.RestoreCell(ctx, l.service.ctx, taskOf(&r.Spec), r.Lineage, image, layer, l.way.Serve)
}

func (l *live) restoreMemory(name, image string, r *journal.SessionRecord) (*sandbox.Kept, error) {
	about, files, err := l.service.keep.openSaved(name)
	if err != nil {
		return nil, err
	}
	defer files.close()
	return l.continueFrom(about, files, image, r)
}

// continueFrom returns a cell that continues where another one was saved.
func (l *live) continueFrom(about cell.Saved, files memoryFiles, image string, r *journal.SessionRecord) (*sandbox.Kept, error) {
	s := l.service
	return s.config.Cells.ResumeCell(s.ctx, taskOf(&r.Spec), r.Lineage, image, about, files.SavedFiles, sandbox.Identity{Host: r.Host, Machine: r.Machine}, l.way.Serve)
}
