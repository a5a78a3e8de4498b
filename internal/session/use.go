package session

import (
	"context"
	"errors"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
)

// use lets a request use a running session, and resumes one that is paused. The
// caller calls leave. Requests that follow something may last for ever: a session
// does not wait for them when it is saved.
func (s *Service) use(ctx context.Context, id string, follow bool) (*use, error) {
	for {
		u, wait, err := s.tryUse(ctx, id, follow)
		if u != nil || err != nil {
			return u, err
		}
		if wait == nil { // it has no cell in this process
			if err := s.wake(ctx, id); err != nil {
				return nil, err
			}
			continue
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, api.Errorf(api.Canceled, "waiting for session %s: %w", id, context.Cause(ctx))
		}
	}
}

// useAgain waits until a session that stood still runs again; nil if it was paused
// instead, also if it was resumed meanwhile: what has a number in it may be another
// process then.
func (l *live) useAgain(ctx context.Context) (*use, error) {
	for {
		u, wait, err := l.service.tryUse(ctx, l.id, true)
		if u != nil && u.live != l {
			u.leave()
			return nil, nil
		}
		if u != nil || err != nil || wait == nil {
			return u, err
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, api.Errorf(api.Canceled, "waiting for session %s: %w", l.id, context.Cause(ctx))
		}
	}
}

// tryUse returns a use of a session that runs, or what to wait for.
func (s *Service) tryUse(ctx context.Context, id string, follow bool) (*use, <-chan struct{}, error) {
	s.mu.Lock()
	l := s.live[id]
	s.mu.Unlock()
	if l == nil {
		return nil, nil, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch state := l.record.State; {
	case state == "":
		return nil, nil, nil
	case over(state):
		r := l.record
		return nil, nil, ended(&r)
	case state == api.SessionPaused:
		return nil, nil, nil
	case state != api.SessionRunning || l.standing:
		return nil, l.changed, nil
	}
	u := &use{live: l, follow: follow, stands: l.stands}
	u.ctx, u.cancel = context.WithCancelCause(ctx)
	l.users[u] = true
	if l.idle != nil {
		l.idle.Stop()
	}
	return u, nil, nil
}

// wake resumes a session that is paused and whose client lets it.
func (s *Service) wake(ctx context.Context, id string) error {
	l, err := s.hold(ctx, id)
	if err != nil {
		return err
	}
	defer l.done()
	r := l.current()
	switch {
	case r.State == api.SessionRunning:
		return nil
	case over(r.State):
		return ended(&r)
	case r.State != api.SessionPaused:
		return api.Errorf(api.Conflict, "session %s is %s", id, r.State)
	case r.Spec.NoAutoResume:
		return api.Errorf(api.Conflict, "session %s is paused", id).WithHint("resume it first")
	}
	return l.resume(ctx)
}

// leave ends a use. The time begins in which the session is idle.
func (u *use) leave() {
	u.cancel(nil)
	l := u.live
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.users, u)
	l.checkQuiet()
	if len(l.users) == 0 && l.record.State == api.SessionRunning {
		l.startIdle()
	}
}

// follows makes it a use that follows something.
func (u *use) follows() {
	l := u.live
	l.mu.Lock()
	defer l.mu.Unlock()
	u.follow = true
	l.checkQuiet()
}

// cell returns the cell of a session in use.
func (u *use) cell() *sandbox.Kept { return u.live.kept() }

// explain says why something in a session failed, if the session is the reason.
func (u *use) explain(err error) error {
	if err == nil {
		return nil
	}
	switch cause := context.Cause(u.ctx); {
	case errors.Is(cause, errStands):
		return paused(u.live.id)
	case errors.Is(cause, errOver):
		r := u.live.current()
		return ended(&r)
	}
	return api.AsError(err)
}

func paused(id string) error {
	return api.Errorf(api.Conflict, "session %s was paused meanwhile", id).WithHint("ask again: what runs in it continues when it is resumed")
}

// stoodSince reports whether the session has stood still since it had done so so
// often.
func (l *live) stoodSince(stands int) bool {
	return l.stoodStill() != stands
}

// stoodStill is how often the session has stood still.
func (l *live) stoodStill() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stands
}

// stand makes a session stand still, so that it can be saved: it lets no further
// request in, and waits for those under way, but not for those that follow
// something. Those find the connection to the cell broken, and join again. The
// caller calls goOn, or ends the cell.
func (l *live) stand(ctx context.Context) error {
	quiet := l.whenQuiet()
	patience := time.NewTimer(standPatience)
	defer patience.Stop()
	for {
		select {
		case <-quiet:
			return nil
		case <-patience.C:
			l.interrupt(errStands, false)
		case <-ctx.Done():
			return api.Errorf(api.Canceled, "waiting until session %s stands still: %w", l.id, context.Cause(ctx))
		}
	}
}

// standPatience is how long requests under way may take until they are broken off.
const standPatience = 5 * time.Second

// goOn lets requests in again.
func (l *live) goOn() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.standing = false
	l.tell()
}

// tell wakes those who wait for a change of the session. The caller holds mu.
func (l *live) tell() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// whenQuiet returns what is closed when no request has to be waited for.
func (l *live) whenQuiet() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.standing = true
	l.stands++
	l.quiet = make(chan struct{})
	quiet := l.quiet
	l.checkQuiet()
	return quiet
}

// checkQuiet wakes who waits until nobody uses the session. The caller holds mu.
func (l *live) checkQuiet() {
	if l.quiet == nil {
		return
	}
	for u := range l.users {
		if !u.follow {
			return
		}
	}
	close(l.quiet)
	l.quiet = nil
}

// interrupt takes the session from its users, or only from those that do not
// follow something.
func (l *live) interrupt(cause error, followers bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for u := range l.users {
		if followers || !u.follow {
			u.cancel(cause)
		}
	}
}
