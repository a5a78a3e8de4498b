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
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
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
	hooks, err := s.config.Store.Hooks(ctx)
	if err != nil {
		return nil, api.AsError(err)
	}
	return hooks, nil
}

// Hook is part of api.Hooks.
func (s *Service) Hook(ctx context.Context, name string) (*api.Hook, error) {
	h, err := s.config.Store.Hook(ctx, name)
	if err == nil {
		return h, nil
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

// RemoveHook is part of api.Hooks.
func (s *Service) RemoveHook(ctx context.Context, name string) error {
	if _, err := s.Hook(ctx, name); err != nil {
		return err
	}
	if err := s.config.Store.PutHooks(ctx, nil, []string{name}); err != nil {
		return api.AsError(err)
	}
	return nil
}

// Receive answers a call of a hook: it returns the run that the message started,
// now or before.
func (s *Service) Receive(ctx context.Context, name string, header http.Header, body []byte) (*api.Run, error) {
	h, id, err := s.authenticate(ctx, name, header, body)
	if err != nil {
		return nil, err
	}
	if !s.limiter(h.Name).AllowN(s.config.Now(), 1) {
		return nil, api.Errorf(api.Overloaded, "hook %s has started %d runs a second, and starts no more just now", h.Name, perSecond)
	}
	version, err := s.config.Task(ctx, h.Task)
	if err != nil {
		return nil, err
	}
	text, err := inputsOf(&h.HookSpec, body)
	if err != nil {
		return nil, err
	}
	inputs, err := decodeInputs(version.Signature, text)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(id))
	return s.config.Submit(ctx, api.Submission{
		Name: fmt.Sprintf("%s@%d", version.Name, version.Version), Checked: inputs, IdempotencyKey: "hook " + h.Name + " " + hex.EncodeToString(sum[:]),
		Trigger: &api.Trigger{Hook: h.Name, Message: id, Time: s.config.Now().UTC()},
	})
}

// authenticate returns the hook of a message and the id of the message.
func (s *Service) authenticate(ctx context.Context, name string, header http.Header, body []byte) (*api.Hook, string, error) {
	h, err := s.config.Store.Hook(ctx, name)
	known := err == nil
	if !known && !errors.Is(err, journal.ErrNotFound) {
		return nil, "", api.AsError(err)
	}
	secret := s.nobody
	if !known {
		h = &api.Hook{}
	} else if stored, err := s.config.Secret(h.Secret); err != nil || len(keyOf(stored)) == 0 {
		s.config.Logger.Warn("a hook has no secret that can be read, and refuses everybody", "hook", name, "secret", h.Secret, "error", err)
	} else {
		secret = stored
	}
	id, ok := verify(h.Signature, secret, header, body, s.config.Now())
	if !ok || !known {
		return nil, "", api.Errorf(api.Unauthorized, "there is no hook by this name that this message is signed for")
	}
	return h, id, nil
}

// limiter is that of a hook that is there.
func (s *Service) limiter(name string) *rate.Limiter {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rates[name] == nil {
		s.rates[name] = rate.NewLimiter(perSecond, atOnce)
	}
	return s.rates[name]
}
