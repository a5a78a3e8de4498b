package client

import (
	"context"
	"iter"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// NewContext starts an interpreter in a session.
func (c *Client) NewContext(ctx context.Context, session string, spec api.ContextSpec) (*api.Context, error) {
	return askSession[api.Context](ctx, c, request{method: http.MethodPost, slow: true}, session, "/contexts", spec)
}

// Contexts lists the interpreters of a session.
func (c *Client) Contexts(ctx context.Context, session string) ([]api.Context, error) {
	out, err := askSession[struct {
		Contexts []api.Context `json:"contexts"`
	}](ctx, c, request{method: http.MethodGet, repeat: true}, session, "/contexts", nil)
	if err != nil {
		return nil, err
	}
	return out.Contexts, nil
}

// RunCode executes code in a context.
func (c *Client) RunCode(ctx context.Context, session string, r api.CodeRequest) iter.Seq2[api.CodeEvent, error] {
	return sessionEntries(ctx, c, request{method: http.MethodPost}, session, "/code", r, func(e api.CodeEvent) bool { return e.Type == api.CodeEnded })
}

// InterruptContext interrupts the code that a context executes.
func (c *Client) InterruptContext(ctx context.Context, session, id string) error {
	return c.tellContext(ctx, request{method: http.MethodPost, repeat: true}, session, id, "/interrupt")
}

// RestartContext starts an interpreter again.
func (c *Client) RestartContext(ctx context.Context, session, id string) error {
	return c.tellContext(ctx, request{method: http.MethodPost, slow: true}, session, id, "/restart")
}

// RemoveContext ends an interpreter.
func (c *Client) RemoveContext(ctx context.Context, session, id string) error {
	return c.tellContext(ctx, request{method: http.MethodDelete}, session, id, "")
}

func (c *Client) tellContext(ctx context.Context, r request, session, id, below string) error {
	s, err := segment("context", id)
	if err != nil {
		return err
	}
	return c.tellSession(ctx, r, session, "/contexts"+s+below, nil)
}
