package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Owners lists who shares the server, by name.
func (c *Client) Owners(ctx context.Context) ([]api.Owner, error) {
	var out struct {
		Owners []api.Owner `json:"owners"`
	}
	err := c.get(ctx, "/v1/owners", &out)
	return out.Owners, err
}

// SetOwner makes an owner, or gives one other quotas.
func (c *Client) SetOwner(ctx context.Context, o api.Owner) (*api.Owner, error) {
	s, err := segment("owner", o.Name)
	if err != nil {
		return nil, err
	}
	in := struct {
		Runs     int `json:"runs,omitempty"`
		Sessions int `json:"sessions,omitempty"`
	}{o.Runs, o.Sessions}
	var owner api.Owner
	if err := c.askJSON(ctx, request{method: http.MethodPut, path: "/v1/owners" + s, repeat: true}, in, &owner); err != nil {
		return nil, err
	}
	return &owner, nil
}

// RemoveOwner forgets an owner and its tokens.
func (c *Client) RemoveOwner(ctx context.Context, name string) error {
	s, err := segment("owner", name)
	if err != nil {
		return err
	}
	return c.ask(ctx, request{method: http.MethodDelete, path: "/v1/owners" + s}, nil)
}

// Tokens lists the tokens of an owner by name.
func (c *Client) Tokens(ctx context.Context, owner string) ([]api.Token, error) {
	s, err := segment("owner", owner)
	if err != nil {
		return nil, err
	}
	var out struct {
		Tokens []api.Token `json:"tokens"`
	}
	err = c.get(ctx, "/v1/owners"+s+"/tokens", &out)
	return out.Tokens, err
}

// NewToken makes a token. Its text is in the answer, and nowhere else.
func (c *Client) NewToken(ctx context.Context, t api.Token) (*api.NewToken, error) {
	s, err := segment("owner", t.Owner)
	if err != nil {
		return nil, err
	}
	in := struct {
		Name    string      `json:"name"`
		Scopes  []api.Scope `json:"scopes"`
		Expires time.Time   `json:"expires,omitzero"`
	}{t.Name, append([]api.Scope{}, t.Scopes...), t.Expires}
	var made api.NewToken
	if err := c.askJSON(ctx, request{method: http.MethodPost, path: "/v1/owners" + s + "/tokens"}, in, &made); err != nil {
		return nil, err
	}
	return &made, nil
}

// RemoveToken revokes a token.
func (c *Client) RemoveToken(ctx context.Context, owner, name string) error {
	s, err := segment("owner", owner)
	if err != nil {
		return err
	}
	t, err := segment("token", name)
	if err != nil {
		return err
	}
	return c.ask(ctx, request{method: http.MethodDelete, path: "/v1/owners" + s + "/tokens" + t}, nil)
}

// Deeds lists what was done with the tokens of owners, the newest first.
func (c *Client) Deeds(ctx context.Context, q api.DeedQuery) (page api.DeedPage, err error) {
	v := url.Values{}
	setQuery(v, "owner", q.Owner)
	setQuery(v, "object", q.Object)
	if q.Limit != 0 {
		v.Set("limit", strconv.Itoa(q.Limit))
	}
	if q.Before != 0 {
		v.Set("before", strconv.FormatInt(q.Before, 10))
	}
	err = c.ask(ctx, request{method: http.MethodGet, path: "/v1/deeds", query: v, repeat: true}, &page)
	return page, err
}
