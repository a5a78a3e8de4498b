package webhook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"

	"golang.org/x/time/rate"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// Receive answers a call of a hook: it returns the run that the message started,
// now or before. What became of it is kept, if it was signed right and the hook is
// not called too often: nobody else gets anything written.
func (s *Service) Receive(ctx context.Context, name string, header http.Header, body []byte) (*api.Run, error) {
	h, id, err := s.authenticate(ctx, name, header, body)
	if err != nil {
		return nil, err
	}
	now := s.config.Now().UTC().Round(0)
	if !s.limiter(h.Name).AllowN(now, 1) {
		return nil, api.Errorf(api.Overloaded, "hook %s has started %d runs a second, and starts no more just now", h.Name, perSecond)
	}
	run, err := s.startRun(ctx, h, id, body)
	call := api.HookCall{Time: now, Message: id, State: api.CallStarted}
	switch {
	case err != nil:
		e := api.AsError(err)
		call.State, call.Reason = api.CallRefused, value.Shorten(string(e.Code)+": "+e.Message, maxReason)
	case run.Created.Before(now):
		call.State, call.Run = api.CallRepeated, run.ID
	default:
		call.Run = run.ID
	}
	if err := s.config.Store.AddCall(context.WithoutCancel(ctx), h.Name, call); err != nil {
		s.config.Logger.Warn("a call of a hook cannot be kept", "hook", h.Name, "error", err)
	}
	return run, err
}

// maxReason bounds why a call was refused, in bytes.
const maxReason = 512

// startRun returns the run of a message whose signature was right.
func (s *Service) startRun(ctx context.Context, h *journal.HookRecord, id string, body []byte) (*api.Run, error) {
	if h.Paused {
		return nil, api.Errorf(api.Conflict, "hook %s is paused, and starts nothing", h.Name).WithHint("send the message again when the hook was resumed")
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
func (s *Service) authenticate(ctx context.Context, name string, header http.Header, body []byte) (*journal.HookRecord, string, error) {
	h, err := s.config.Store.Hook(ctx, name)
	known := err == nil
	if !known && !errors.Is(err, journal.ErrNotFound) {
		return nil, "", api.AsError(err)
	}
	secret := s.nobody
	if !known {
		h = &journal.HookRecord{}
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
