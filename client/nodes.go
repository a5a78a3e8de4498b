package client

import (
	"context"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// Nodes lists the servers that work on the journal.
func (c *Client) Nodes(ctx context.Context) ([]api.Node, error) {
	var out struct {
		Nodes []api.Node `json:"nodes"`
	}
	err := c.get(ctx, "/v1/nodes", &out)
	return out.Nodes, err
}

// DrainNode asks a node to take nothing new, and to stop when what it has has ended.
func (c *Client) DrainNode(ctx context.Context, id string) error {
	s, err := segment("node", id)
	if err != nil {
		return err
	}
	return c.ask(ctx, request{method: http.MethodPost, path: "/v1/nodes" + s + "/drain", repeat: true}, nil)
}
