package client

import (
	"context"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// KeepWarm asks the server for cells to be kept ready for a task. An image that
// is not there is built first, which may take its time.
func (c *Client) KeepWarm(ctx context.Context, r api.WarmRequest) (*api.WarmPool, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	var pool api.WarmPool
	if err := c.askJSON(ctx, request{method: http.MethodPut, path: "/v1/warm", repeat: true, patient: true}, r, &pool); err != nil {
		return nil, err
	}
	return &pool, nil
}

// WarmPools lists the cells that the server keeps ready.
func (c *Client) WarmPools(ctx context.Context) ([]api.WarmPool, error) {
	var out struct {
		Pools []api.WarmPool `json:"pools"`
	}
	err := c.get(ctx, "/v1/warm", &out)
	return out.Pools, err
}
