package client

import (
	"context"
	"net/http"
)

// PageCode returns a code that signs one browser in to the page of the server, once
// and within a minute: at /page/sign-in#code=CODE of its address.
func (c *Client) PageCode(ctx context.Context) (string, error) {
	var out struct {
		Code string `json:"code"`
	}
	err := c.ask(ctx, request{method: http.MethodPost, path: "/v1/page/codes", repeat: true}, &out)
	return out.Code, err
}
