package session

import (
	"context"
	"fmt"
	"maps"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// ForkSession implements api.Sessions.
func (s *Service) ForkSession(ctx context.Context, id string, o api.ForkOptions) ([]api.Fork, error) {
	if o.Count == 0 {
		o.Count = 1
	}
	if o.Count < 1 || o.Count > api.MaxForks {
		return nil, wrong("count", fmt.Sprint(o.Count), fmt.Sprintf("1 to %d", api.MaxForks))
	}
	l, err := s.hold(ctx, id)
	if err != nil {
		return nil, err
	}
	defer l.done()
	saved, err := l.copyState(ctx, !o.FilesOnly)
	if err != nil {
		return nil, err
	}
	defer s.removeKept(saved.name)
	forks := make([]api.Fork, o.Count)
	r := l.current()
	for i := range forks {
		forks[i] = s.fork(ctx, r, o, saved)
		if forks[i].Session == nil {
			continue
		}
		if err := l.noted(ctx, api.SessionEvent{Type: "forked", Detail: forks[i].Session.ID}, nil); err != nil {
			return forks, api.AsError(err)
		}
	}
	return forks, nil
}

// fork makes one session from what was saved of another.
func (s *Service) fork(ctx context.Context, of journal.SessionRecord, o api.ForkOptions, saved savedState) api.Fork {
	spec := of.Spec
	spec.Labels = maps.Clone(spec.Labels)
	if spec.Labels == nil {
		spec.Labels = map[string]string{}
	}
	maps.Copy(spec.Labels, o.Labels)
	if o.Timeout != 0 {
		spec.Timeout = o.Timeout
	}
	r := &journal.SessionRecord{Generation: of.Generation + 1, Session: api.Session{ID: newID(), Spec: spec, Parent: of.ID, Created: now()}}
	session, err := s.startFrom(ctx, r, saved.name, of.Image)
	if err != nil {
		return api.Fork{Error: api.AsError(err)}
	}
	return api.Fork{Session: session}
}
