package session

import (
	"context"
	"errors"
	"iter"
	"maps"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// Session implements api.Sessions.
func (s *Service) Session(ctx context.Context, id string) (*api.Session, error) {
	r, err := s.load(ctx, id)
	if err != nil {
		return nil, err
	}
	return &r.Session, nil
}

// Sessions implements api.Sessions.
func (s *Service) Sessions(ctx context.Context, q api.SessionQuery) (api.SessionPage, error) {
	for _, state := range q.State {
		if _, ok := changes[state]; !ok || state == "" {
			return api.SessionPage{}, wrong("state", value.Quote(string(state)), "starting, running, pausing, paused, resuming, ended or lost")
		}
	}
	records, next, err := s.config.Journal.ListSessions(ctx, q)
	if errors.Is(err, journal.ErrCursor) {
		return api.SessionPage{}, wrong("cursor", value.Quote(q.Cursor), "the next of a page of this list")
	}
	if err != nil {
		return api.SessionPage{}, api.AsError(err)
	}
	page := api.SessionPage{Sessions: make([]api.Session, len(records)), Next: next}
	for i, r := range records {
		page.Sessions[i] = r.Session
	}
	return page, nil
}

// eventPage is how many events are read at once.
const eventPage = 100

// SessionEvents implements api.Sessions.
func (s *Service) SessionEvents(ctx context.Context, id string, after int64, follow bool) iter.Seq2[api.SessionEvent, error] {
	return func(yield func(api.SessionEvent, error) bool) {
		if _, err := s.load(ctx, id); err != nil {
			yield(api.SessionEvent{}, err)
			return
		}
		for {
			news := s.listen()
			events, err := s.config.Journal.SessionEvents(ctx, id, after, eventPage)
			if err != nil {
				yield(api.SessionEvent{}, api.AsError(err))
				return
			}
			for _, e := range events {
				if after = e.Seq; !yield(e, nil) || over(e.State) {
					return
				}
			}
			if len(events) == eventPage {
				continue
			}
			if !follow {
				return
			}
			select {
			case <-news:
			case <-ctx.Done():
				yield(api.SessionEvent{}, api.Errorf(api.Canceled, "following session %s: %w", id, context.Cause(ctx)))
				return
			}
		}
	}
}

// listen returns what is closed when something is recorded.
func (s *Service) listen() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.news
}

// tell wakes those who follow sessions.
func (s *Service) tell() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.news)
	s.news = make(chan struct{})
}

// ChangeSession implements api.Sessions.
func (s *Service) ChangeSession(ctx context.Context, id string, c api.SessionChange) (*api.Session, error) {
	l, err := s.hold(ctx, id)
	if err != nil {
		return nil, err
	}
	defer l.done()
	r := l.current()
	if over(r.State) {
		return nil, ended(&r)
	}
	next, err := changed(r, c)
	if err != nil {
		return nil, err
	}
	if c.Network != nil {
		if err := l.setWay(&r, *c.Network); err != nil {
			return nil, err
		}
	}
	err = l.noted(ctx, api.SessionEvent{Type: "changed"}, func(r *journal.SessionRecord) { *r = next })
	if err != nil {
		return nil, api.AsError(err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.record.State == api.SessionRunning {
		l.startEnd()
		l.startIdle()
	}
	return &next.Session, nil
}

// changed returns a record with what is set of c.
func changed(r journal.SessionRecord, c api.SessionChange) (journal.SessionRecord, error) {
	if c.Timeout != nil && c.Ends != nil {
		return r, wrong("ends", c.Ends.String(), "nothing beside timeout")
	}
	if c.Timeout != nil {
		r.Spec.Timeout, r.Ends = *c.Timeout, time.Time{}
		if *c.Timeout > 0 {
			r.Ends = now().Add(*c.Timeout)
		}
	}
	if c.Ends != nil {
		r.Ends = c.Ends.UTC()
	}
	if c.Idle != nil {
		r.Spec.Idle = *c.Idle
	}
	if c.AtEnd != nil {
		r.Spec.AtEnd = *c.AtEnd
	}
	if c.Network != nil {
		r.Spec.Network = *c.Network
	}
	r.Spec.Labels = merged(r.Spec.Labels, c.Labels)
	for name, text := range c.Labels {
		if text == "" {
			delete(r.Spec.Labels, name)
		}
	}
	for _, check := range []func(*api.SessionSpec) error{checkTimes, checkLabels} {
		if err := check(&r.Spec); err != nil {
			return r, err
		}
	}
	return r, nil
}

// merged returns what is in either, or in more where both have it.
func merged(base, more map[string]string) map[string]string {
	all := map[string]string{}
	maps.Copy(all, base)
	maps.Copy(all, more)
	return all
}

// Images returns the images that sessions and snapshots need, with what needs
// them, in words.
func (s *Service) Images(ctx context.Context) (map[string]string, error) {
	needed := map[string]string{}
	sessions, err := s.config.Journal.LiveSessions(ctx)
	if err != nil {
		return nil, api.AsError(err)
	}
	for _, r := range sessions {
		needed[r.Image] = "session " + r.ID
	}
	snapshots, err := s.config.Journal.SessionSnapshots(ctx, "")
	if err != nil {
		return nil, api.AsError(err)
	}
	for _, snapshot := range snapshots {
		needed[snapshot.Image] = "snapshot " + snapshot.ID
	}
	return needed, nil
}
