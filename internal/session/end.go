package session

import (
	"context"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
)

// KillSession implements api.Sessions.
func (s *Service) KillSession(ctx context.Context, id string) error {
	l, err := s.hold(ctx, id)
	if err != nil {
		return err
	}
	defer l.done()
	return l.endHeld(ctx, api.SessionOver, "it was killed")
}

// endHeld ends a session whose turn the caller has.
func (l *live) endHeld(ctx context.Context, to api.SessionState, reason string) error {
	r := l.current()
	if over(r.State) || r.State == api.SessionPaused && to == api.SessionLost {
		return nil
	}
	err := l.become(ctx, to, reason, nil) // first, so that whoever learns of the end finds it recorded
	l.leaveCell()
	if err == nil && r.Kept != "" {
		l.service.removeKept(r.Kept)
	}
	return err
}

// leaveCell takes a session from its users, and ends its cell if it has one. The caller
// has the turn.
func (l *live) leaveCell() {
	l.interrupt(errOver, true)
	l.stopTimers()
	if k := l.kept(); k != nil {
		k.Release() // nothing in it does anything any more
		l.setCell(nil)
		l.service.discard(k)
	}
}

// watch records the end of a session whose cell ended by itself.
func (l *live) watch(k *sandbox.Kept) {
	select {
	case <-k.Done():
	case <-l.service.ctx.Done():
		return
	}
	l.turn <- struct{}{}
	defer l.done()
	if l.kept() != k { // it was ended, or paused
		return
	}
	death, _ := k.Close()
	if err := l.endHeld(context.Background(), api.SessionLost, deathWords(death)); err != nil {
		l.service.config.Logger.Warn("recording that a session is lost", "session", l.id, "error", err)
	}
}

func deathWords(death cell.Death) string {
	switch {
	case death.OutOfMemory:
		return "it used up its memory"
	case death.NoSpace > 0:
		return "the disk of the host was nearly full, and its files took most of it"
	case death.Log != "":
		return "its cell ended: " + death.Log
	}
	return "its cell ended"
}

// startIdle begins the time in which a session is idle. The caller holds mu.
func (l *live) startIdle() {
	if l.idle != nil {
		l.idle.Stop()
	}
	if l.record.Spec.Idle > 0 && len(l.users) == 0 {
		l.idle = time.AfterFunc(l.record.Spec.Idle, func() { l.service.timeOver(l.id, true) })
	}
}

// startEnd begins the time that a session lives at most. The caller holds mu.
func (l *live) startEnd() {
	if l.ends != nil {
		l.ends.Stop()
	}
	if !l.record.Ends.IsZero() {
		l.ends = time.AfterFunc(time.Until(l.record.Ends), func() { l.service.timeOver(l.id, false) })
	}
}

func (l *live) stopTimers() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range []*time.Timer{l.idle, l.ends} {
		if t != nil {
			t.Stop()
		}
	}
}

// timeOver pauses or kills a session whose time is over.
func (s *Service) timeOver(id string, idle bool) {
	l, err := s.hold(s.ctx, id)
	if err != nil {
		return // it has ended
	}
	defer l.done()
	reason := "its time was over"
	if idle {
		reason = "it was idle"
	}
	if !l.overdue(idle) {
		return
	}
	r := l.current()
	if r.Spec.AtEnd == api.AtEndKill {
		err = l.endHeld(s.ctx, api.SessionOver, reason)
	} else {
		err = l.pause(s.ctx, api.PauseOptions{FilesOnly: r.Spec.FilesOnly, Reason: reason})
	}
	if err != nil {
		s.config.Logger.Warn("a session whose time is over", "session", id, "at_end", r.Spec.AtEnd, "error", err)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.idle = time.AfterFunc(retryAfter, func() { s.timeOver(id, idle) })
	}
}

// retryAfter is when what could not be done to a session whose time is over is tried
// again.
const retryAfter = time.Minute

// overdue reports whether the time of a session is over, though somebody may have
// used or changed it since its timer ran.
func (l *live) overdue(idle bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.record.State != api.SessionRunning {
		return false
	}
	if idle {
		return len(l.users) == 0 && l.record.Spec.Idle > 0
	}
	return !l.record.Ends.IsZero() && !time.Now().Before(l.record.Ends)
}
