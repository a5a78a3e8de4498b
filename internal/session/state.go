package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// changes are the states that may follow each state. Whatever is not here is a
// defect, and refused.
var changes = map[api.SessionState][]api.SessionState{
	"":                  {api.SessionStarting},
	api.SessionStarting: {api.SessionRunning, api.SessionOver, api.SessionLost},
	api.SessionRunning:  {api.SessionPausing, api.SessionOver, api.SessionLost},
	api.SessionPausing:  {api.SessionPaused, api.SessionRunning, api.SessionOver, api.SessionLost},
	api.SessionPaused:   {api.SessionResuming, api.SessionOver},
	api.SessionResuming: {api.SessionRunning, api.SessionPaused, api.SessionOver},
	api.SessionOver:     nil,
	api.SessionLost:     nil,
}

// over reports whether a state is one that nothing follows.
func over(state api.SessionState) bool { return state != "" && len(changes[state]) == 0 }

// change takes a session to its next state and records it. If that fails, r is
// as it was.
func (s *Service) change(ctx context.Context, r *journal.SessionRecord, to api.SessionState, reason string, with func(*journal.SessionRecord)) error {
	if !slices.Contains(changes[r.State], to) {
		return api.Errorf(api.Internal, "session %s cannot become %s, because it is %s", r.ID, to, r.State)
	}
	next := *r
	next.State, next.Reason, next.Holder = to, reason, s.ownerIn(to)
	if over(to) {
		next.Ended, next.Ports, next.Kept, next.Saved = now(), nil, "", 0
	}
	if with != nil {
		with(&next)
	}
	return s.record(ctx, r, &next, api.SessionEvent{Type: string(to), Detail: reason, Error: next.Error})
}

// note records something that happens to a session without changing its state.
func (s *Service) note(ctx context.Context, r *journal.SessionRecord, e api.SessionEvent, with func(*journal.SessionRecord)) error {
	next := *r
	if with != nil {
		with(&next)
	}
	return s.record(ctx, r, &next, e)
}

func (s *Service) record(ctx context.Context, r, next *journal.SessionRecord, e api.SessionEvent) error {
	next.Seq, e.Time = r.Seq+1, now()
	// A change that was made is recorded although nobody waits for it any more.
	if err := s.config.Journal.ChangeSession(context.WithoutCancel(ctx), next, e); err != nil {
		return fmt.Errorf("recording that session %s is %s: %w", r.ID, next.State, err)
	}
	*r = *next
	s.tell()
	return nil
}

// ownerIn is who holds a session in a state: this process if it has a cell.
func (s *Service) ownerIn(state api.SessionState) string {
	if state == api.SessionPaused || over(state) {
		return ""
	}
	return s.owner()
}
