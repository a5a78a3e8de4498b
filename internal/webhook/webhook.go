// Package webhook starts deployed tasks when somebody calls a hook with the
// signature of its secret.
//
// A message is checked before anything else is said or done about it, in constant
// time, and a hook that is not there answers like a wrong signature. The id of a
// message is part of the idempotency key of its run, so a message that is
// repeated, by its sender or by somebody who has seen it, gets the run of the
// first.
package webhook

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// Config is what a Service works with.
type Config struct {
	Store journal.Hooks
	// Task returns a deployed task by NAME or NAME@VERSION.
	Task func(ctx context.Context, ref string) (*api.TaskVersion, error)
	// Secret returns a stored secret.
	Secret func(name string) ([]byte, error)
	// Submit makes a run.
	Submit func(ctx context.Context, s api.Submission) (*api.Run, error)
	Now    func() time.Time // nil is the clock of the host
	Logger *slog.Logger     // nil discards
}

// The most messages of one hook that start runs: so many a second, and so many at
// once.
const (
	perSecond = 10
	atOnce    = 50
)

// Service is an api.Hooks, and answers calls of hooks. It is safe for concurrent
// use.
type Service struct {
	config Config
	nobody []byte // the secret of hooks that are not there

	mu    sync.Mutex
	rates map[string]*rate.Limiter // by hook
}

var _ api.Hooks = (*Service)(nil)

// New returns a service.
func New(c Config) *Service {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return &Service{config: c, nobody: []byte(rand.Text()), rates: map[string]*rate.Limiter{}}
}

// Hooks is part of api.Hooks.
func (s *Service) Hooks(ctx context.Context) ([]api.Hook, error) {
	records, err := s.config.Store.Hooks(ctx)
	if err != nil {
		return nil, api.AsError(err)
	}
	hooks := make([]api.Hook, len(records))
	for i, r := range records {
		hooks[i] = r.Hook
	}
	return hooks, nil
}

// shownCalls is how many calls are shown of one hook.
const shownCalls = 20

// Hook is part of api.Hooks.
func (s *Service) Hook(ctx context.Context, name string) (*api.Hook, error) {
	r, err := s.load(ctx, name)
	if err != nil {
		return nil, err
	}
	return s.shown(ctx, r)
}

func (s *Service) shown(ctx context.Context, r *journal.HookRecord) (*api.Hook, error) {
	shown := r.Hook
	var err error
	if shown.LastCalls, err = s.config.Store.HookCalls(ctx, r.Name, shownCalls); err != nil {
		return nil, api.AsError(err)
	}
	return &shown, nil
}

// load returns a hook, or says which there are.
func (s *Service) load(ctx context.Context, name string) (*journal.HookRecord, error) {
	r, err := s.config.Store.Hook(ctx, name)
	if err == nil {
		return r, nil
	}
	if !errors.Is(err, journal.ErrNotFound) {
		return nil, api.AsError(err)
	}
	hooks, err := s.Hooks(ctx)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(hooks))
	for i, h := range hooks {
		names[i] = h.Name
	}
	e := api.Errorf(api.NotFound, "there is no hook %s", value.Quote(value.Shorten(name, maxName)))
	near := value.Nearest(name, names)
	if near != "" {
		e.Hint = "did you mean " + near + "?"
	}
	return nil, e.WithDetails(api.Details{Field: "hook", Got: value.Shorten(name, maxName), Suggestion: near})
}

// PauseHook is part of api.Hooks.
func (s *Service) PauseHook(ctx context.Context, name string) (*api.Hook, error) {
	return s.setPaused(ctx, name, true)
}

// ResumeHook is part of api.Hooks.
func (s *Service) ResumeHook(ctx context.Context, name string) (*api.Hook, error) {
	return s.setPaused(ctx, name, false)
}

func (s *Service) setPaused(ctx context.Context, name string, paused bool) (*api.Hook, error) {
	r, err := s.load(ctx, name)
	if err != nil {
		return nil, err
	}
	if r.Paused != paused {
		r.Paused = paused
		if err := s.config.Store.PutHooks(ctx, []journal.HookRecord{*r}, nil); err != nil {
			return nil, api.AsError(err)
		}
	}
	return s.shown(ctx, r)
}

// RemoveHook is part of api.Hooks.
func (s *Service) RemoveHook(ctx context.Context, name string) error {
	if _, err := s.load(ctx, name); err != nil {
		return err
	}
	if err := s.config.Store.PutHooks(ctx, nil, []string{name}); err != nil {
		return api.AsError(err)
	}
	return nil
}
