package client

import (
	"context"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// Hooks lists all hooks by name.
func (c *Client) Hooks(ctx context.Context) ([]api.Hook, error) {
	var out struct {
		Hooks []api.Hook `json:"hooks"`
	}
	err := c.get(ctx, "/v1/hooks", &out)
	return out.Hooks, err
}

// Hook returns a hook, with its last calls.
func (c *Client) Hook(ctx context.Context, name string) (*api.Hook, error) {
	return c.hook(ctx, http.MethodGet, name, "")
}

// PauseHook keeps a hook from starting anything.
func (c *Client) PauseHook(ctx context.Context, name string) (*api.Hook, error) {
	return c.hook(ctx, http.MethodPost, name, "/pause")
}

// ResumeHook has a hook start runs again.
func (c *Client) ResumeHook(ctx context.Context, name string) (*api.Hook, error) {
	return c.hook(ctx, http.MethodPost, name, "/resume")
}

// hook asks for something that can be asked for twice, and gets the hook.
func (c *Client) hook(ctx context.Context, method, name, what string) (*api.Hook, error) {
	s, err := segment("hook", name)
	if err != nil {
		return nil, err
	}
	var hook api.Hook
	if err := c.ask(ctx, request{method: method, path: "/v1/hooks" + s + what, repeat: true}, &hook); err != nil {
		return nil, err
	}
	return &hook, nil
}

// RemoveHook forgets a hook.
func (c *Client) RemoveHook(ctx context.Context, name string) error {
	s, err := segment("hook", name)
	if err != nil {
		return err
	}
	return c.ask(ctx, request{method: http.MethodDelete, path: "/v1/hooks" + s}, nil)
}
