package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/glovebox-dev/glovebox/api"
)

// ExplainCache says how a run met the cache.
func (c *Client) ExplainCache(ctx context.Context, run string) (*api.CacheExplanation, error) {
	path, err := runPath(run, "/cache")
	if err != nil {
		return nil, err
	}
	var e api.CacheExplanation
	if err := c.get(ctx, path, &e); err != nil {
		return nil, err
	}
	return &e, nil
}

// ClearCache forgets results.
func (c *Client) ClearCache(ctx context.Context, task string) (int, error) {
	r := request{method: http.MethodDelete, path: "/v1/cache"}
	if task != "" {
		r.query = url.Values{"task": {task}}
	}
	var out struct {
		Cleared int `json:"cleared"`
	}
	err := c.ask(ctx, r, &out)
	return out.Cleared, err
}
