package client

import (
	"context"
	"net/http"
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
)

func portPath(port int) string { return "/ports/" + strconv.Itoa(port) }

// OpenPort lets the server carry requests to a port of a session.
func (c *Client) OpenPort(ctx context.Context, session string, port int, o api.PortOptions) (*api.Port, error) {
	return askSession[api.Port](ctx, c, request{method: http.MethodPut, repeat: true}, session, portPath(port), o)
}

// ClosePort takes that back.
func (c *Client) ClosePort(ctx context.Context, session string, port int) error {
	return c.tellSession(ctx, request{method: http.MethodDelete, repeat: true}, session, portPath(port), nil)
}
