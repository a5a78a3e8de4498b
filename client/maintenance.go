package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/glovebox-dev/glovebox/api"
)

// Prune removes what was not used lately on the server. Files downloaded to
// this host stay.
func (c *Client) Prune(ctx context.Context, r api.PruneRequest) (*api.Pruned, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	var pruned api.Pruned
	if err := c.askJSON(ctx, request{method: http.MethodPost, path: "/v1/prune", patient: true}, r, &pruned); err != nil {
		return nil, err
	}
	return &pruned, nil
}

// Retention says how long the server keeps what was used.
func (c *Client) Retention(ctx context.Context) (*api.Retention, error) {
	var kept api.Retention
	if err := c.get(ctx, "/v1/retention", &kept); err != nil {
		return nil, err
	}
	return &kept, nil
}

// Cells lists the cells in which runs and sessions of the server are.
func (c *Client) Cells(ctx context.Context) ([]api.LiveCell, error) {
	var out struct {
		Cells []api.LiveCell `json:"cells"`
	}
	err := c.get(ctx, "/v1/cells", &out)
	return out.Cells, err
}

// Doctor says what the host of the server offers for runs.
func (c *Client) Doctor(ctx context.Context, deep bool) ([]api.Finding, error) {
	var out struct {
		Findings []api.Finding `json:"findings"`
	}
	r := request{method: http.MethodGet, path: "/v1/doctor", repeat: true, patient: true}
	if deep {
		r.query = url.Values{"deep": {"true"}}
	}
	err := c.ask(ctx, r, &out)
	return out.Findings, err
}
