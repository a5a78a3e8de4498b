package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/glovebox-dev/glovebox/api"
)

// Deliveries lists what runs tell.
func (c *Client) Deliveries(ctx context.Context, q api.DeliveryQuery) (api.DeliveryPage, error) {
	v := url.Values{}
	setQuery(v, "run", q.Run)
	setQuery(v, "state", string(q.State))
	setPage(v, q.Limit, q.Cursor)
	var page api.DeliveryPage
	err := c.ask(ctx, request{method: http.MethodGet, path: "/v1/notifications", query: v, repeat: true}, &page)
	return page, err
}

// Redeliver has a notification delivered again.
func (c *Client) Redeliver(ctx context.Context, id string) (*api.Delivery, error) {
	s, err := segment("notification", id)
	if err != nil {
		return nil, err
	}
	var d api.Delivery
	if err := c.ask(ctx, request{method: http.MethodPost, path: "/v1/notifications" + s + "/redeliver", repeat: true}, &d); err != nil {
		return nil, err
	}
	return &d, nil
}
