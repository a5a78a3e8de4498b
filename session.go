package glovebox

import (
	"context"
	"iter"
	"net"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/buildcontext"
)

// Types of sessions.
type (
	// SessionSpec asks for a session. Its zero value asks for one with Python.
	SessionSpec = api.SessionSpec
	// SessionInfo is what is known of a session.
	SessionInfo = api.Session
	// SessionChange says what to change of a session. Nil fields stay.
	SessionChange = api.SessionChange
	// SessionEvent is one change in the life of a session.
	SessionEvent = api.SessionEvent
	// PauseOptions say how a session is paused.
	PauseOptions = api.PauseOptions
	// ForkOptions say how a session is forked.
	ForkOptions = api.ForkOptions
	// SnapshotOptions say what of a session is saved.
	SnapshotOptions = api.SnapshotOptions
	// Snapshot is the saved state of a session, from which others start.
	Snapshot = api.Snapshot
	// Port is a port of a session that is open.
	Port = api.Port
)

// Session is a cell that is kept: it runs commands and code, and has files and
// ports, until it is killed or its time is over. It is safe for concurrent use.
type Session struct {
	service api.Sessions
	id      string
}

// NewSession starts a session and returns when it is running. It lives until Close
// or Kill, or until its time is over; ending ctx later does not end it.
func (g *Glovebox) NewSession(ctx context.Context, spec SessionSpec) (*Session, error) {
	if err := buildcontext.TakeSession(ctx, g.service, &spec); err != nil {
		return nil, err
	}
	made, err := g.service.NewSession(ctx, spec)
	if err != nil {
		return nil, err
	}
	return &Session{g.service, made.ID}, nil
}

// AttachSession returns a session that was started before. It does not look whether
// there is one.
func (g *Glovebox) AttachSession(id string) *Session { return &Session{g.service, id} }

// ID returns the id of the session.
func (s *Session) ID() string { return s.id }

// Info returns what is known of the session, also when it has ended.
func (s *Session) Info(ctx context.Context) (*SessionInfo, error) {
	return s.service.Session(ctx, s.id)
}

// Change changes the times, the network or the labels of the session.
func (s *Session) Change(ctx context.Context, c SessionChange) (*SessionInfo, error) {
	return s.service.ChangeSession(ctx, s.id, c)
}

// Events yields what happened to the session, and with follow what happens until it
// has ended.
func (s *Session) Events(ctx context.Context, follow bool) iter.Seq2[SessionEvent, error] {
	return s.service.SessionEvents(ctx, s.id, 0, follow)
}

// Pause saves the session and ends its cell. It continues at Resume, or at the next
// use.
func (s *Session) Pause(ctx context.Context, o PauseOptions) error {
	_, err := s.service.PauseSession(ctx, s.id, o)
	return err
}

// Resume continues the session if it is paused.
func (s *Session) Resume(ctx context.Context) error {
	_, err := s.service.ResumeSession(ctx, s.id)
	return err
}

// Fork makes one session that continues from the state of this one.
func (s *Session) Fork(ctx context.Context, o ForkOptions) (*Session, error) {
	o.Count = 1
	forks, err := s.ForkMany(ctx, o)
	if err != nil {
		return nil, err
	}
	return forks[0], nil
}

// ForkMany makes o.Count sessions that continue from the state of this one: all of
// them, or none and an error.
func (s *Session) ForkMany(ctx context.Context, o ForkOptions) ([]*Session, error) {
	made, err := s.service.ForkSession(ctx, s.id, o)
	if err != nil {
		return nil, err
	}
	var forks []*Session
	for _, f := range made {
		if f.Session == nil {
			err = f.Error
			continue
		}
		forks = append(forks, &Session{s.service, f.Session.ID})
	}
	if err == nil && len(forks) > 0 {
		return forks, nil
	}
	for _, f := range forks {
		_ = f.Close() // the first error counts
	}
	if err == nil {
		err = api.Errorf(api.Internal, "the service made no fork of session %s", s.id)
	}
	return nil, err
}

// Snapshot saves the state of the session, which continues.
func (s *Session) Snapshot(ctx context.Context, o SnapshotOptions) (*Snapshot, error) {
	return s.service.NewSnapshot(ctx, s.id, o)
}

// Dial connects to a TCP port of the loopback device in the cell.
func (s *Session) Dial(ctx context.Context, port int) (net.Conn, error) {
	return s.service.DialPort(ctx, s.id, port)
}

// OpenPort lets the server carry requests to a port, for whoever has its token, or
// for everybody if it is public.
func (s *Session) OpenPort(ctx context.Context, port int, public bool) (*Port, error) {
	return s.service.OpenPort(ctx, s.id, port, api.PortOptions{Public: public})
}

// ClosePort takes that back.
func (s *Session) ClosePort(ctx context.Context, port int) error {
	return s.service.ClosePort(ctx, s.id, port)
}

// Kill ends the session and everything in it.
func (s *Session) Kill(ctx context.Context) error { return s.service.KillSession(ctx, s.id) }

// closeTime bounds Close.
const closeTime = 30 * time.Second

// Close is Kill without a context, for defer.
func (s *Session) Close() error {
	ctx, stop := context.WithTimeout(context.Background(), closeTime)
	defer stop()
	return s.Kill(ctx)
}
