package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
)

// Deliveries lists what runs tell.
func (c *Client) Deliveries(ctx context.Context, q api.DeliveryQuery) (api.DeliveryPage, error) {
	v := url.Values{}
	for name, text := range map[string]string{"run": q.Run, "state": string(q.State), "cursor": q.Cursor} {
		if text != "" {
			v.Set(name, text)
		}
	}
	if q.Limit != 0 {
		v.Set("limit", strconv.Itoa(q.Limit))
	}
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
