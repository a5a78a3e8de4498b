package session

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
)

// live is a session that this process holds: with a cell, or in a change.
type live struct {
	service *Service
	id      string
	turn    chan struct{} // full while somebody changes the session
	way     handler

	mu       sync.Mutex
	record   journal.SessionRecord
	cell     *sandbox.Kept
	changed  chan struct{} // closed when the state changes, or it stands still no longer
	standing bool          // it lets no request in
	stands   int           // how often it has stood still
	users    map[*use]bool
	samples  samples

	connections *connections

	contexts []*interpreter
	saved    []journal.SavedContext // in the memory that the cell continues, until run makes them contexts
	byName   sync.Mutex             // held while a context is started that is found by its language; before mu
	quiet    chan struct{}          // closed when nobody uses it any more; nil if nobody waits for that
	idle     *time.Timer
	ends     *time.Timer
}

// use is one request that holds a session.
type use struct {
	live   *live
	ctx    context.Context // ends with the request, or when the session is taken from it
	cancel context.CancelCauseFunc
	follow bool // it may last for ever, so nothing waits for it
	stands int  // how often the session had stood still when this began
}

// Causes by which a use is taken from its request.
var (
	errStands = errors.New("the session is being saved")
	errOver   = errors.New("the session is over")
)

// hold returns a session with the right to change it, or why there is none. The
// caller calls done.
func (s *Service) hold(ctx context.Context, id string) (*live, error) {
	for {
		l, err := s.find(id)
		if err != nil {
			return nil, err
		}
		select {
		case l.turn <- struct{}{}:
		case <-ctx.Done():
			return nil, api.Errorf(api.Canceled, "waiting for session %s: %w", id, context.Cause(ctx))
		}
		if !s.holds(l) { // it was forgotten meanwhile
			<-l.turn
			continue
		}
		if err := l.load(ctx); err != nil {
			l.done()
			return nil, err
		}
		return l, nil
	}
}

func (s *Service) holds(l *live) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live[l.id] == l
}

// find returns the live session, and makes one that knows nothing yet.
func (s *Service) find(id string) (*live, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, api.Errorf(api.ServerUnavailable, "session %s: %w", id, errClosed)
	}
	l := s.live[id]
	if l == nil {
		l = &live{service: s, id: id, turn: make(chan struct{}, 1), changed: make(chan struct{}), users: map[*use]bool{}, connections: s.keep.connectionsOf(id)}
		s.live[id] = l
	}
	return l, nil
}

// load reads the record of a session that this process did not hold.
func (l *live) load(ctx context.Context) error {
	if l.state() != "" {
		return nil
	}
	r, err := l.service.load(ctx, l.id)
	if err != nil {
		return err
	}
	if r.Holder != "" && r.Holder != l.service.owner() {
		return api.Errorf(api.Conflict, "session %s cannot be used here: %w, %s", l.id, ErrHeld, r.Holder).
			WithHint("ask the server that holds it; glovebox node ls shows where it is")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.record = *r
	return nil
}

func (s *Service) load(ctx context.Context, id string) (*journal.SessionRecord, error) {
	r, err := s.config.Journal.LoadSession(ctx, id)
	if errors.Is(err, journal.ErrNotFound) {
		return nil, api.Errorf(api.NotFound, "there is no session %q", id).WithDetails(api.Details{Field: "session", Got: id})
	}
	if err != nil {
		return nil, api.AsError(err)
	}
	return r, nil
}

// done gives the right to change the session back, and forgets one without a cell.
func (l *live) done() {
	s := l.service
	s.mu.Lock()
	defer s.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cell == nil && s.live[l.id] == l { // the cell may have been watched after the session was forgotten
		delete(s.live, l.id)
		l.connections.leave()
		l.tell()
	}
	<-l.turn
}

func (l *live) state() api.SessionState {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.record.State
}

// current returns the record as it is now.
func (l *live) current() journal.SessionRecord {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.record
}

// become records the next state of a session, whose turn the caller has, and lets
// those go on who wait for it.
func (l *live) become(ctx context.Context, to api.SessionState, reason string, with func(*journal.SessionRecord)) error {
	r := l.current()
	if err := l.service.change(ctx, &r, to, reason, with); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.record = r
	l.tell()
	return nil
}

// noted records something that happened to a session, whose turn the caller has.
func (l *live) noted(ctx context.Context, e api.SessionEvent, with func(*journal.SessionRecord)) error {
	r := l.current()
	if err := l.service.note(ctx, &r, e, with); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.record = r
	return nil
}

// kept returns the cell of a running session.
func (l *live) kept() *sandbox.Kept {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cell
}

func (l *live) setCell(c *sandbox.Kept) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cell = c
}
