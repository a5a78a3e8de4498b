package client

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/glovebox-dev/glovebox/api"
)

// Approvals lists runs that ask for approval.
func (c *Client) Approvals(ctx context.Context, q api.ApprovalQuery) (page api.ApprovalPage, err error) {
	v := url.Values{}
	setQuery(v, "state", string(q.State))
	setQuery(v, "task", q.Task)
	setQuery(v, "root", q.Root)
	setPage(v, q.Limit, q.Cursor)
	err = c.ask(ctx, request{method: http.MethodGet, path: "/v1/approvals", query: v, repeat: true}, &page)
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
	var asked api.PendingApproval
	r := request{method: http.MethodPost, path: "/v1/approvals" + s, header: http.Header{"Idempotency-Key": {d.Key}}, repeat: true}
	if err := c.askJSON(ctx, r, decision{d.Approved, d.Reason, d.Arguments, d.By, d.From}, &asked); err != nil {
		return nil, err
	}
	return &asked, nil
}

// decision is the body of a request that decides: what is the client's to say.
type decision struct {
	Approved  bool            `json:"approved"`
	Reason    string          `json:"reason,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	By        string          `json:"by,omitempty"`
	From      api.DecidedFrom `json:"from,omitempty"`
}
