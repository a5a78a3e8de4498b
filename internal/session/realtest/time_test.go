package realtest

import (
	"errors"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// TestServiceStops: sessions are paused when their process stops, unless they are to
// be killed at their end.
func TestServiceStops(t *testing.T) {
	h := newHome(t)
	s := h.open()
	kept, killed, paused := s.create(api.SessionSpec{}), s.create(api.SessionSpec{AtEnd: api.AtEndKill}), s.create(api.SessionSpec{})
	s.start(kept.ID, "python3", "-c", counter)
	before := s.count(kept.ID)
	s.sh(paused.ID, "echo kept > file")
	if _, err := s.PauseSession(t.Context(), paused.ID, api.PauseOptions{FilesOnly: true}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	later := h.open()
	later.want(kept.ID, api.SessionPaused)
	later.want(killed.ID, api.SessionLost)
	later.want(paused.ID, api.SessionPaused)
	if err := later.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := later.sh(paused.ID, "cat file"); got != "kept" {
		t.Errorf("%q", got)
	}
	if got := later.count(kept.ID); got < before {
		t.Errorf("it counts from %d, and was at %d", got, before)
	}
	if _, err := s.NewSession(t.Context(), api.SessionSpec{}); !errors.Is(err, api.ServerUnavailable) {
		t.Errorf("a service that is closed: %v", err)
	}
}

// TestIdle: a session that nobody uses is paused, and wakes when it is used.
func TestIdle(t *testing.T) {
	s := newHome(t).open()
	x := s.create(api.SessionSpec{Idle: time.Second, FilesOnly: true})
	s.sh(x.ID, "echo kept > file")
	s.eventually(x.ID, api.SessionPaused)
	if got := s.want(x.ID, api.SessionPaused).Reason; got != "it was idle" {
		t.Errorf("it was paused because %q", got)
	}
	if got := s.sh(x.ID, "cat file"); got != "kept" {
		t.Errorf("%q", got)
	}
	busy := s.create(api.SessionSpec{Idle: 3 * time.Second, AtEnd: api.AtEndKill})
	if got := s.sh(busy.ID, "sleep 4; echo awake"); got != "awake" {
		t.Errorf("a session that somebody follows: %q", got)
	}
	s.eventually(busy.ID, api.SessionOver)
}

// TestBound: sessions beyond the bound are refused, and those that are paused do not
// count.
func TestBound(t *testing.T) {
	s := newHome(t).openWith(1)
	x := s.create(api.SessionSpec{FilesOnly: true})
	full := &api.Error{Code: api.Overloaded}
	if _, err := s.NewSession(t.Context(), api.SessionSpec{}); !errors.Is(err, full) {
		t.Errorf("a second one: %v", err)
	}
	if forks, err := s.ForkSession(t.Context(), x.ID, api.ForkOptions{FilesOnly: true}); err != nil || !errors.Is(forks[0].Error, full) {
		t.Errorf("a fork: %+v, %v", forks, err)
	}
	if _, err := s.PauseSession(t.Context(), x.ID, api.PauseOptions{}); err != nil {
		t.Fatal(err)
	}
	other := s.create(api.SessionSpec{})
	if _, err := s.ResumeSession(t.Context(), x.ID); !errors.Is(err, full) {
		t.Errorf("the first one again: %v", err)
	}
	if err := s.KillSession(t.Context(), other.ID); err != nil {
		t.Fatal(err)
	}
	if got := s.sh(x.ID, "echo back"); got != "back" {
		t.Errorf("%q", got)
	}
}

// TestTimeout: a session ends when its time is over, unless that is changed.
func TestTimeout(t *testing.T) {
	s := newHome(t).open()
	x := s.create(api.SessionSpec{Timeout: time.Second, AtEnd: api.AtEndKill})
	longer := time.Hour
	y := s.create(api.SessionSpec{Timeout: time.Minute, AtEnd: api.AtEndKill})
	if got, err := s.ChangeSession(t.Context(), y.ID, api.SessionChange{Timeout: &longer}); err != nil || time.Until(got.Ends) < longer/2 {
		t.Fatalf("%+v, %v", got, err)
	}
	_, _, err := s.run(x.ID, api.ProcessSpec{Argv: []string{"sleep", "60"}})
	if !errors.Is(err, api.SessionEnded) {
		t.Errorf("a command of a session that ends: %v", err)
	}
	s.want(x.ID, api.SessionOver)
	s.sh(y.ID, "true")
	now := time.Duration(1)
	if _, err := s.ChangeSession(t.Context(), y.ID, api.SessionChange{Timeout: &now}); err != nil {
		t.Fatal(err)
	}
	s.eventually(y.ID, api.SessionOver)
}

func TestNoAutoResume(t *testing.T) {
	s := newHome(t).open()
	x := s.create(api.SessionSpec{NoAutoResume: true})
	if _, err := s.PauseSession(t.Context(), x.ID, api.PauseOptions{FilesOnly: true}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.run(x.ID, api.ProcessSpec{Argv: []string{"true"}}); !errors.Is(err, api.Conflict) {
		t.Errorf("%v", err)
	}
	if _, err := s.PauseSession(t.Context(), x.ID, api.PauseOptions{FilesOnly: true}); !errors.Is(err, api.Conflict) {
		t.Errorf("paused twice: %v", err)
	}
	if _, err := s.ResumeSession(t.Context(), x.ID); err != nil {
		t.Fatal(err)
	}
	s.sh(x.ID, "true")
}

// TestEndInThePast: a session that was paused at its end may be resumed.
func TestEndInThePast(t *testing.T) {
	s := newHome(t).open()
	x := s.create(api.SessionSpec{FilesOnly: true})
	end := time.Now().Add(300 * time.Millisecond)
	if _, err := s.ChangeSession(t.Context(), x.ID, api.SessionChange{Ends: &end}); err != nil {
		t.Fatal(err)
	}
	s.eventually(x.ID, api.SessionPaused)
	s.sh(x.ID, "sleep 0.3")
	if got := s.want(x.ID, api.SessionRunning); !got.Ends.IsZero() {
		t.Errorf("it ends again at %s", got.Ends)
	}
}
