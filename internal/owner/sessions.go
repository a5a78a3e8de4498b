package owner

import (
	"context"
	"io"
	"iter"
	"net"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// session refuses the session of another owner.
func (g *Guard) session(ctx context.Context, s api.Scope, id string) error {
	return sees(ctx, s, "session", id, func(ctx context.Context, id string) (string, error) {
		session, err := g.to.Session(ctx, id)
		if err != nil {
			return "", err
		}
		return session.Owner, nil
	})
}

// NewSession implements api.Sessions.
func (g *Guard) NewSession(ctx context.Context, spec api.SessionSpec) (*api.Session, error) {
	if err := Need(ctx, api.ScopeRun); err != nil {
		return nil, err
	}
	if err := g.sessionSpec(ctx, &spec); err != nil {
		return nil, err
	}
	leave, err := g.enter(ctx, sessionsOf)
	if err != nil {
		return nil, err
	}
	defer leave()
	session, err := g.to.NewSession(ctx, spec)
	if err == nil {
		g.config.Note(ctx, "session", session.ID)
	}
	return session, err
}

// Session implements api.Sessions.
func (g *Guard) Session(ctx context.Context, id string) (*api.Session, error) {
	if err := g.session(ctx, api.ScopeRead, id); err != nil {
		return nil, err
	}
	return g.to.Session(ctx, id)
}

// Sessions implements api.Sessions.
func (g *Guard) Sessions(ctx context.Context, q api.SessionQuery) (api.SessionPage, error) {
	none, err := ownOnly(ctx, &q.Owner)
	if err != nil || none {
		return api.SessionPage{}, err
	}
	return g.to.Sessions(ctx, q)
}

// ChangeSession implements api.Sessions.
func (g *Guard) ChangeSession(ctx context.Context, id string, c api.SessionChange) (*api.Session, error) {
	if err := g.session(ctx, api.ScopeRun, id); err != nil {
		return nil, err
	}
	session, err := g.to.ChangeSession(ctx, id, c)
	g.note(ctx, err, "change session", id)
	return session, err
}

// KillSession implements api.Sessions.
func (g *Guard) KillSession(ctx context.Context, id string) error {
	if err := g.session(ctx, api.ScopeRun, id); err != nil {
		return err
	}
	err := g.to.KillSession(ctx, id)
	g.note(ctx, err, "kill session", id)
	return err
}

// PauseSession implements api.Sessions.
func (g *Guard) PauseSession(ctx context.Context, id string, o api.PauseOptions) (*api.Session, error) {
	if err := g.session(ctx, api.ScopeRun, id); err != nil {
		return nil, err
	}
	return g.to.PauseSession(ctx, id, o)
}

// ResumeSession implements api.Sessions.
func (g *Guard) ResumeSession(ctx context.Context, id string) (*api.Session, error) {
	if err := g.session(ctx, api.ScopeRun, id); err != nil {
		return nil, err
	}
	return g.to.ResumeSession(ctx, id)
}

// ForkSession implements api.Sessions.
func (g *Guard) ForkSession(ctx context.Context, id string, o api.ForkOptions) ([]api.Fork, error) {
	if err := g.session(ctx, api.ScopeRun, id); err != nil {
		return nil, err
	}
	leave, err := g.enter(ctx, quota{sessionsOf.what, sessionsOf.of, sessionsOf.count, max(o.Count, 1)})
	if err != nil {
		return nil, err
	}
	defer leave()
	return g.to.ForkSession(ctx, id, o)
}

// SessionEvents implements api.Sessions.
func (g *Guard) SessionEvents(ctx context.Context, id string, after int64, follow bool) iter.Seq2[api.SessionEvent, error] {
	if err := g.session(ctx, api.ScopeRead, id); err != nil {
		return failed[api.SessionEvent](err)
	}
	return g.to.SessionEvents(ctx, id, after, follow)
}

// SessionUsage implements api.Sessions.
func (g *Guard) SessionUsage(ctx context.Context, id string, since, until time.Time) ([]api.UsageSample, error) {
	if err := g.session(ctx, api.ScopeRead, id); err != nil {
		return nil, err
	}
	return g.to.SessionUsage(ctx, id, since, until)
}

// SessionConnections implements api.Sessions.
func (g *Guard) SessionConnections(ctx context.Context, id string) ([]api.Connection, error) {
	if err := g.session(ctx, api.ScopeRead, id); err != nil {
		return nil, err
	}
	return g.to.SessionConnections(ctx, id)
}

// StartProcess implements api.Processes.
func (g *Guard) StartProcess(ctx context.Context, session string, spec api.ProcessSpec) iter.Seq2[api.ProcessEvent, error] {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return failed[api.ProcessEvent](err)
	}
	return g.to.StartProcess(ctx, session, spec)
}

// FollowProcess implements api.Processes.
func (g *Guard) FollowProcess(ctx context.Context, session string, p api.ProcessRef, from int64) iter.Seq2[api.ProcessEvent, error] {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return failed[api.ProcessEvent](err)
	}
	return g.to.FollowProcess(ctx, session, p, from)
}

// Processes implements api.Processes.
func (g *Guard) Processes(ctx context.Context, session string) ([]api.Process, error) {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return nil, err
	}
	return g.to.Processes(ctx, session)
}

// WriteInput implements api.Processes.
func (g *Guard) WriteInput(ctx context.Context, session string, p api.ProcessRef, data []byte) error {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return err
	}
	return g.to.WriteInput(ctx, session, p, data)
}

// CloseInput implements api.Processes.
func (g *Guard) CloseInput(ctx context.Context, session string, p api.ProcessRef) error {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return err
	}
	return g.to.CloseInput(ctx, session, p)
}

// SignalProcess implements api.Processes.
func (g *Guard) SignalProcess(ctx context.Context, session string, p api.ProcessRef, signal string, tree bool) error {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return err
	}
	return g.to.SignalProcess(ctx, session, p, signal, tree)
}

// ResizeTerminal implements api.Processes.
func (g *Guard) ResizeTerminal(ctx context.Context, session string, p api.ProcessRef, size api.TerminalSize) error {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return err
	}
	return g.to.ResizeTerminal(ctx, session, p, size)
}

// NewContext implements api.Contexts.
func (g *Guard) NewContext(ctx context.Context, session string, spec api.ContextSpec) (*api.Context, error) {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return nil, err
	}
	return g.to.NewContext(ctx, session, spec)
}

// Contexts implements api.Contexts.
func (g *Guard) Contexts(ctx context.Context, session string) ([]api.Context, error) {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return nil, err
	}
	return g.to.Contexts(ctx, session)
}

// RunCode implements api.Contexts.
func (g *Guard) RunCode(ctx context.Context, session string, r api.CodeRequest) iter.Seq2[api.CodeEvent, error] {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return failed[api.CodeEvent](err)
	}
	return g.to.RunCode(ctx, session, r)
}

// InterruptContext implements api.Contexts.
func (g *Guard) InterruptContext(ctx context.Context, session, id string) error {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return err
	}
	return g.to.InterruptContext(ctx, session, id)
}

// RestartContext implements api.Contexts.
func (g *Guard) RestartContext(ctx context.Context, session, id string) error {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return err
	}
	return g.to.RestartContext(ctx, session, id)
}

// RemoveContext implements api.Contexts.
func (g *Guard) RemoveContext(ctx context.Context, session, id string) error {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return err
	}
	return g.to.RemoveContext(ctx, session, id)
}

// DialPort implements api.Ports.
func (g *Guard) DialPort(ctx context.Context, session string, port int) (net.Conn, error) {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return nil, err
	}
	return g.to.DialPort(ctx, session, port)
}

// OpenPort implements api.Ports.
func (g *Guard) OpenPort(ctx context.Context, session string, port int, o api.PortOptions) (*api.Port, error) {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return nil, err
	}
	opened, err := g.to.OpenPort(ctx, session, port, o)
	g.note(ctx, err, "open port", session)
	return opened, err
}

// ClosePort implements api.Ports.
func (g *Guard) ClosePort(ctx context.Context, session string, port int) error {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return err
	}
	return g.to.ClosePort(ctx, session, port)
}

// NewSnapshot implements api.Snapshots. Snapshots, their names and the images that are
// made of them are those of the home.
func (g *Guard) NewSnapshot(ctx context.Context, session string, o api.SnapshotOptions) (*api.Snapshot, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.NewSnapshot(ctx, session, o)
}

// Snapshot implements api.Snapshots.
func (g *Guard) Snapshot(ctx context.Context, ref string) (*api.Snapshot, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.Snapshot(ctx, ref)
}

// Snapshots implements api.Snapshots.
func (g *Guard) Snapshots(ctx context.Context, session string) ([]api.Snapshot, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.Snapshots(ctx, session)
}

// SnapshotImage implements api.Snapshots.
func (g *Guard) SnapshotImage(ctx context.Context, ref string, o api.SnapshotImageOptions) (*api.ImageInfo, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.SnapshotImage(ctx, ref, o)
}

// RemoveSnapshot implements api.Snapshots.
func (g *Guard) RemoveSnapshot(ctx context.Context, ref string) error {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return err
	}
	return g.to.RemoveSnapshot(ctx, ref)
}

// SessionUser implements api.SessionFiles.
func (g *Guard) SessionUser(ctx context.Context, session, name string) (*api.User, error) {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return nil, err
	}
	return g.to.SessionUser(ctx, session, name)
}

// ReadFile implements api.SessionFiles.
func (g *Guard) ReadFile(ctx context.Context, session, path string, offset, limit int64, o api.FileOptions) (io.ReadCloser, *api.FileInfo, error) {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return nil, nil, err
	}
	return g.to.ReadFile(ctx, session, path, offset, limit, o)
}
