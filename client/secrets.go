package client

import (
	"context"
	"net/http"
)

// SetSecret stores a secret on the server.
func (c *Client) SetSecret(ctx context.Context, name string, value []byte) error {
	s, err := segment("secret", name)
	if err != nil {
		return err
	}
	if value == nil {
		value = []byte{}
	}
	header := http.Header{"Content-Type": {"application/octet-stream"}}
	return c.ask(ctx, request{method: http.MethodPut, path: "/v1/secrets" + s, body: value, header: header, repeat: true}, nil)
}

// Secrets lists the names of the secrets.
func (c *Client) Secrets(ctx context.Context) ([]string, error) {
	var out struct {
		Names []string `json:"names"`
	}
	err := c.get(ctx, "/v1/secrets", &out)
	return out.Names, err
}

// RemoveSecret deletes a secret.
func (c *Client) RemoveSecret(ctx context.Context, name string) error {
	s, err := segment("secret", name)
	if err != nil {
		return err
	}
	return c.ask(ctx, request{method: http.MethodDelete, path: "/v1/secrets" + s}, nil)
}
