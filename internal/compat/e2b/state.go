package e2b

import (
	"context"
	"net/http"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// setTimeout moves the end of a sandbox: so many seconds from now.
func (f *Face) setTimeout(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Timeout int64 `json:"timeout"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	return f.moveEnd(w, r, in.Timeout, false)
}

// refresh moves the end of a sandbox, only ever to later.
func (f *Face) refresh(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Duration int64 `json:"duration"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	return f.moveEnd(w, r, in.Duration, true)
}

func (f *Face) moveEnd(w http.ResponseWriter, r *http.Request, n int64, later bool) error {
	if n < 0 || n > maxSeconds {
		return badRequest("timeout is no number of seconds")
	}
	s, err := f.live(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	if _, err := f.endIn(r.Context(), s, n, later); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// endIn makes a session end in n seconds; with later only if that is later.
func (f *Face) endIn(ctx context.Context, s *api.Session, n int64, later bool) (*api.Session, error) {
	end := time.Now().Add(time.Duration(n) * time.Second)
	if later && (s.Ends.IsZero() || s.Ends.After(end)) {
		return s, nil
	}
	return f.Sessions.ChangeSession(ctx, s.ID, api.SessionChange{Ends: &end})
}

// pause saves a sandbox. One that is paused already is a conflict, which SDKs tell
// from a failure.
func (f *Face) pause(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Memory *bool `json:"memory"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	s, err := f.live(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	if s.State == api.SessionPaused {
		return refused{http.StatusConflict, "sandbox " + s.ID + " is paused already"}
	}
	if _, err := f.Sessions.PauseSession(r.Context(), s.ID, api.PauseOptions{FilesOnly: in.Memory != nil && !*in.Memory}); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// connect resumes a sandbox if it is paused. The end of a running one is only ever
// moved to later.
func (f *Face) connect(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Timeout *int64 `json:"timeout"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	s, resumed, err := f.awake(r.Context(), r.PathValue("id"), in.Timeout)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if resumed {
		status = http.StatusCreated
	}
	writeJSON(w, status, f.sandbox(r, s))
	return nil
}

// resume is connect of the oldest SDKs, which refuse a running sandbox.
func (f *Face) resume(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Timeout   *int64 `json:"timeout"`
		AutoPause *bool  `json:"autoPause"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	s, resumed, err := f.awake(r.Context(), r.PathValue("id"), in.Timeout)
	if err != nil {
		return err
	}
	if !resumed {
		return refused{http.StatusConflict, "sandbox " + s.ID + " is running already"}
	}
	if in.AutoPause != nil {
		atEnd := api.AtEndKill
		if *in.AutoPause {
			atEnd = api.AtEndPause
		}
		if s, err = f.Sessions.ChangeSession(r.Context(), s.ID, api.SessionChange{AtEnd: &atEnd}); err != nil {
			return err
		}
	}
	writeJSON(w, http.StatusCreated, f.sandbox(r, s))
	return nil
}

// awake returns a running session, and whether it was resumed for that.
func (f *Face) awake(ctx context.Context, id string, timeout *int64) (s *api.Session, resumed bool, err error) {
	n := int64(defaultTimeout)
	if timeout != nil {
		n = *timeout
	}
	if n < 0 || n > maxSeconds {
		return nil, false, badRequest("timeout is no number of seconds")
	}
	if s, err = f.live(ctx, id); err != nil {
		return nil, false, err
	}
	if s.State != api.SessionPaused {
		if timeout == nil {
			return s, false, nil
		}
		s, err = f.endIn(ctx, s, n, true)
		return s, false, err
	}
	if s, err = f.Sessions.ResumeSession(ctx, id); err != nil {
		return nil, false, err
	}
	s, err = f.endIn(ctx, s, n, false)
	return s, true, err
}
