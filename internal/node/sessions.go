package node

import (
	"context"
	"iter"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Sessions is the sessions of all nodes. What needs the cell of a session, or changes
// it, is done by the process that holds it. All fields must be set.
type Sessions struct {
	Local api.Sessions
	Pool  *Pool
	// Holder returns the node that holds a session, or nil if this process may do what
	// is asked for by itself.
	Holder func(ctx context.Context, session string) (*Peer, error)
	// Moved reports whether an error of Local says that another process holds the
	// session, which may have taken it just now.
	Moved func(error) bool
	// Asked reports whether a request came from another node.
	Asked func(context.Context) bool
}

var _ api.Sessions = (*Sessions)(nil)

// tries is how often the holder of a session is looked up for one request.
const tries = 3

// place is where a session can be used.
type place struct {
	sessions api.Sessions
	explain  func(context.Context, error) error
}

// of returns where a session can be used.
func (s *Sessions) of(ctx context.Context, session string) (place, error) {
	here := place{s.Local, func(_ context.Context, err error) error { return err }}
	if s.Asked(ctx) { // the other node has looked it up, and no third one is asked
		here.explain = s.explainToNode
		return here, nil
	}
	peer, err := s.Holder(ctx, session)
	if err != nil || peer == nil {
		return here, err
	}
	there, err := s.Pool.get(*peer)
	if err != nil {
		return here, err
	}
	return place{there, there.explain}, nil
}

// explainToNode tells another node that the session has moved on.
func (s *Sessions) explainToNode(_ context.Context, err error) error {
	if !s.Moved(err) {
		return err
	}
	e := api.Errorf(api.ServerUnavailable, "the session has moved to another node: %s", api.AsError(err).Message).WithHint("try again")
	e.Outcome = api.NotStarted
	return e
}

// at has a session asked where it is.
func at[T any](ctx context.Context, s *Sessions, session string, ask func(api.Sessions) (T, error)) (T, error) {
	for try := 1; ; try++ {
		there, err := s.of(ctx, session)
		if err != nil {
			var none T
			return none, err
		}
		got, err := ask(there.sessions)
		if err == nil || try == tries || s.Asked(ctx) || !s.Moved(err) {
			return got, there.explain(ctx, err)
		}
	}
}

// tell is at for what has no answer.
func (s *Sessions) tell(ctx context.Context, session string, ask func(api.Sessions) error) error {
	_, err := at(ctx, s, session, func(there api.Sessions) (struct{}, error) { return struct{}{}, ask(there) })
	return err
}

// follow is at for a stream.
func follow[T any](ctx context.Context, s *Sessions, session string, ask func(api.Sessions) iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for try := 1; !followOnce(ctx, s, session, ask, yield, try == tries); try++ {
		}
	}
}

// followOnce passes a stream on, and reports false if it did not begin because the
// session has moved.
func followOnce[T any](ctx context.Context, s *Sessions, session string, ask func(api.Sessions) iter.Seq2[T, error], yield func(T, error) bool, last bool) bool {
	there, err := s.of(ctx, session)
	if err != nil {
		var none T
		yield(none, err)
		return true
	}
	begun := last || s.Asked(ctx)
	for item, err := range ask(there.sessions) {
		if err != nil && !begun && s.Moved(err) {
			return false
		}
		begun = true
		if err != nil {
			err = there.explain(ctx, err)
		}
		if !yield(item, err) {
			break
		}
	}
	return true
}

// The methods below read the stores that all nodes have.

// NewSession implements api.Sessions: the cell is one of this process.
func (s *Sessions) NewSession(ctx context.Context, spec api.SessionSpec) (*api.Session, error) {
	return s.Local.NewSession(ctx, spec)
}

// Session implements api.Sessions.
func (s *Sessions) Session(ctx context.Context, id string) (*api.Session, error) {
	return s.Local.Session(ctx, id)
}

// Sessions implements api.Sessions.
func (s *Sessions) Sessions(ctx context.Context, q api.SessionQuery) (api.SessionPage, error) {
	return s.Local.Sessions(ctx, q)
}

// SessionEvents implements api.Sessions.
func (s *Sessions) SessionEvents(ctx context.Context, id string, after int64, live bool) iter.Seq2[api.SessionEvent, error] {
	return s.Local.SessionEvents(ctx, id, after, live)
}

// Snapshot implements api.Snapshots.
func (s *Sessions) Snapshot(ctx context.Context, ref string) (*api.Snapshot, error) {
	return s.Local.Snapshot(ctx, ref)
}

// Snapshots implements api.Snapshots.
func (s *Sessions) Snapshots(ctx context.Context, session string) ([]api.Snapshot, error) {
	return s.Local.Snapshots(ctx, session)
}

// SnapshotImage implements api.Snapshots.
func (s *Sessions) SnapshotImage(ctx context.Context, ref string, o api.SnapshotImageOptions) (*api.ImageInfo, error) {
	return s.Local.SnapshotImage(ctx, ref, o)
}

// RemoveSnapshot implements api.Snapshots.
func (s *Sessions) RemoveSnapshot(ctx context.Context, ref string) error {
	return s.Local.RemoveSnapshot(ctx, ref)
}

// The methods below are for the process that holds the session.

// ChangeSession implements api.Sessions.
func (s *Sessions) ChangeSession(ctx context.Context, id string, c api.SessionChange) (*api.Session, error) {
	return at(ctx, s, id, func(there api.Sessions) (*api.Session, error) { return there.ChangeSession(ctx, id, c) })
}

// KillSession implements api.Sessions.
func (s *Sessions) KillSession(ctx context.Context, id string) error {
	return s.tell(ctx, id, func(there api.Sessions) error { return there.KillSession(ctx, id) })
}

// PauseSession implements api.Sessions.
func (s *Sessions) PauseSession(ctx context.Context, id string, o api.PauseOptions) (*api.Session, error) {
	return at(ctx, s, id, func(there api.Sessions) (*api.Session, error) { return there.PauseSession(ctx, id, o) })
}

// ResumeSession implements api.Sessions.
func (s *Sessions) ResumeSession(ctx context.Context, id string) (*api.Session, error) {
	return at(ctx, s, id, func(there api.Sessions) (*api.Session, error) { return there.ResumeSession(ctx, id) })
}

// ForkSession implements api.Sessions.
func (s *Sessions) ForkSession(ctx context.Context, id string, o api.ForkOptions) ([]api.Fork, error) {
	return at(ctx, s, id, func(there api.Sessions) ([]api.Fork, error) { return there.ForkSession(ctx, id, o) })
}

// SessionUsage implements api.Sessions.
func (s *Sessions) SessionUsage(ctx context.Context, id string, since, until time.Time) ([]api.UsageSample, error) {
	return at(ctx, s, id, func(there api.Sessions) ([]api.UsageSample, error) { return there.SessionUsage(ctx, id, since, until) })
}

// SessionConnections implements api.Sessions.
func (s *Sessions) SessionConnections(ctx context.Context, id string) ([]api.Connection, error) {
	return at(ctx, s, id, func(there api.Sessions) ([]api.Connection, error) { return there.SessionConnections(ctx, id) })
}

// NewSnapshot implements api.Snapshots.
func (s *Sessions) NewSnapshot(ctx context.Context, session string, o api.SnapshotOptions) (*api.Snapshot, error) {
	return at(ctx, s, session, func(there api.Sessions) (*api.Snapshot, error) { return there.NewSnapshot(ctx, session, o) })
}
