package session

import (
	"context"
	"iter"
	"maps"
	"path"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/environ"
)

// StartProcess implements api.Processes.
func (s *Service) StartProcess(ctx context.Context, session string, spec api.ProcessSpec) iter.Seq2[api.ProcessEvent, error] {
	return func(yield func(api.ProcessEvent, error) bool) {
		if len(spec.Argv) == 0 || spec.Argv[0] == "" {
			yield(api.ProcessEvent{}, wrong("argv", "empty", "a command"))
			return
		}
		f, err := s.join(ctx, session)
		if err != nil {
			yield(api.ProcessEvent{}, err)
			return
		}
		defer func() { f.leave() }() // of the use that it has then
		f.attachment, err = f.cell().StartProcess(f.ctx, f.live.process(spec))
		f.hand(yield, err)
	}
}

// FollowProcess implements api.Processes.
func (s *Service) FollowProcess(ctx context.Context, session string, p api.ProcessRef, from int64) iter.Seq2[api.ProcessEvent, error] {
	return func(yield func(api.ProcessEvent, error) bool) {
		f, err := s.join(ctx, session)
		if err != nil {
			yield(api.ProcessEvent{}, err)
			return
		}
		defer func() { f.leave() }() // of the use that it has then
		f.attachment, err = f.cell().AttachProcess(f.ctx, p, from)
		f.hand(yield, err)
	}
}

// follower follows a process for a request, also across the moments in which its
// session stands still.
type follower struct {
	*use
	request    context.Context
	attachment *cell.Attachment
	pid        int   // 0 until it is known
	offset     int64 // where what comes next begins
}

func (s *Service) join(ctx context.Context, session string) (*follower, error) {
	u, err := s.use(ctx, session, false) // until the process is known
	if err != nil {
		return nil, err
	}
	return &follower{use: u, request: ctx}, nil
}

// hand hands on what happens to a process until it has ended.
func (f *follower) hand(yield func(api.ProcessEvent, error) bool, err error) {
	for {
		var e api.ProcessEvent
		if err == nil {
			e, err = f.attachment.Next()
		}
		if err != nil && f.pid != 0 && f.live.stoodSince(f.stands) {
			if err = f.attachAgain(); err == nil {
				continue
			}
		}
		if err != nil {
			yield(api.ProcessEvent{}, f.explain(err))
			return
		}
		again := e.Type == api.ProcessStarted && f.pid != 0
		if f.offset = e.Offset; e.Type == api.ProcessStarted {
			f.pid = e.PID
			f.follows()
		}
		if !again && !yield(e, nil) {
			f.attachment.Close()
			return
		}
		if e.Type == api.ProcessExited {
			return
		}
	}
}

// attachAgain follows the process from where it was, once the session runs again.
// If it was paused instead, nobody resumes it for a follower.
func (f *follower) attachAgain() error {
	f.attachment.Close()
	f.leave()
	u, err := f.live.useAgain(f.request)
	if err != nil {
		return err
	}
	if u == nil {
		return paused(f.live.id)
	}
	f.use = u
	f.attachment, err = f.cell().AttachProcess(f.ctx, api.ProcessRef{PID: f.pid}, f.offset)
	return err
}

// process completes what a command is started with by what its session says.
func (l *live) process(spec api.ProcessSpec) cell.ProcessSpec {
	k, session := l.kept(), l.current().Spec
	if spec.User == "" {
		spec.User = session.User
	}
	spec.Dir = inDir(session.Dir, spec.Dir)
	env := environ.Variables{}
	env.SetAll(k.Env)
	if spec.User != "" {
		delete(env, "HOME") // that of the user
	}
	maps.Copy(env, session.Env)
	maps.Copy(env, spec.Env)
	return cell.ProcessSpec{ProcessSpec: spec, Variables: env.List()}
}

// inDir is a path that begins at the directory of a session if it is not absolute.
// The guest knows the homes of users.
func inDir(dir, name string) string {
	if name == "" {
		return dir
	}
	if name[0] == '/' || name[0] == '~' {
		return name
	}
	return path.Join(dir, name)
}

// Processes implements api.Processes.
func (s *Service) Processes(ctx context.Context, session string) ([]api.Process, error) {
	return asked(ctx, s, session, func(u *use) ([]api.Process, error) { return u.cell().Processes(u.ctx) })
}

// WriteInput implements api.Processes.
func (s *Service) WriteInput(ctx context.Context, session string, p api.ProcessRef, data []byte) error {
	return s.do(ctx, session, func(u *use) error { return u.cell().WriteInput(u.ctx, p, data) })
}

// CloseInput implements api.Processes.
func (s *Service) CloseInput(ctx context.Context, session string, p api.ProcessRef) error {
	return s.do(ctx, session, func(u *use) error { return u.cell().CloseInput(u.ctx, p) })
}

// SignalProcess implements api.Processes.
func (s *Service) SignalProcess(ctx context.Context, session string, p api.ProcessRef, signal string, tree bool) error {
	return s.do(ctx, session, func(u *use) error { return u.cell().SignalProcess(u.ctx, p, signal, tree) })
}

// ResizeTerminal implements api.Processes.
func (s *Service) ResizeTerminal(ctx context.Context, session string, p api.ProcessRef, size api.TerminalSize) error {
	return s.do(ctx, session, func(u *use) error { return u.cell().ResizeTerminal(u.ctx, p, size) })
}

// do does something with a session.
func (s *Service) do(ctx context.Context, session string, f func(*use) error) error {
	_, err := asked(ctx, s, session, func(u *use) (struct{}, error) { return struct{}{}, f(u) })
	return err
}

// asked is do with an answer.
func asked[T any](ctx context.Context, s *Service, session string, f func(*use) (T, error)) (T, error) {
	u, err := s.use(ctx, session, false)
	if err != nil {
		var none T
		return none, err
	}
	defer u.leave()
	answer, err := f(u)
	return answer, u.explain(err)
}
