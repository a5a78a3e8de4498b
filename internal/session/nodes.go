package session

import (
	"context"
	"errors"
)

// ErrHeld says that a session has a cell in another process.
var ErrHeld = errors.New("it belongs to another process")

// owner names this process in the journal.
func (s *Service) owner() string { return *s.name.Load() }

// Holder returns the other process that holds a session, or "" if there is none.
func (s *Service) Holder(ctx context.Context, id string) (string, error) {
	s.mu.Lock()
	l := s.live[id]
	s.mu.Unlock()
	if l != nil && l.state() != "" {
		return "", nil
	}
	r, err := s.load(ctx, id)
	if err != nil || r.Holder == s.owner() {
		return "", err
	}
	return r.Holder, nil
}

// Hear says that another process may have recorded something of a session.
func (s *Service) Hear() { s.tell() }

// Surrender ends the cells of all sessions of this process, whose lease is over. Nothing
// of it is written: others record that they are lost.
func (s *Service) Surrender() {
	for _, l := range s.all() {
		l.turn <- struct{}{}
		l.leaveCell()
		l.done()
	}
}

// Rejoin lets this process hold sessions again, under another name.
func (s *Service) Rejoin(owner string) { s.name.Store(&owner) }
