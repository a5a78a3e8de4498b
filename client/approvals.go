package client

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/url"
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
)

// Approvals lists runs that ask for approval.
func (c *Client) Approvals(ctx context.Context, q api.ApprovalQuery) (page api.ApprovalPage, err error) {
	query := url.Values{}
	for name, v := range map[string]string{"state": string(q.State), "task": q.Task, "root": q.Root, "cursor": q.Cursor} {
		if v != "" {
			query.Set(name, v)
		}
	}
	if q.Limit != 0 {
		query.Set("limit", strconv.Itoa(q.Limit))
	}
	path := "/v1/approvals"
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	err = c.get(ctx, path, &page)
	return page, err
}

// Approval returns what a run asks.
func (c *Client) Approval(ctx context.Context, run string) (*api.PendingApproval, error) {
	s, err := segment("run", run)
	if err != nil {
		return nil, err
	}
	var asked api.PendingApproval
	if err := c.get(ctx, "/v1/approvals"+s, &asked); err != nil {
		return nil, err
	}
	return &asked, nil
}

// Decide approves or refuses a run. Without a key it makes one, so that a lost
// answer makes no conflict.
func (c *Client) Decide(ctx context.Context, run string, d api.Decision) (*api.PendingApproval, error) {
	s, err := segment("run", run)
	if err != nil {
		return nil, err
	}
	if d.Key == "" {
		d.Key = rand.Text()
	}
	body := map[string]any{"approved": d.Approved}
	for name, v := range map[string]string{"reason": d.Reason, "by": d.By, "from": string(d.From)} {
		if v != "" {
			body[name] = v
		}
	}
	if len(d.Arguments) > 0 {
		body["arguments"] = d.Arguments
	}
	r, err := withJSON(request{method: http.MethodPost, path: "/v1/approvals" + s, header: http.Header{"Idempotency-Key": {d.Key}}, repeat: true}, body)
	if err != nil {
		return nil, err
	}
	var asked api.PendingApproval
	if err := c.ask(ctx, r, &asked); err != nil {
		return nil, err
	}
	return &asked, nil
}
