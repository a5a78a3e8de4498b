package client

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Signal sends a value to a run that waits for it. Without a key it makes one, so that a
// lost answer makes no second signal.
func (c *Client) Signal(ctx context.Context, run, name string, s api.Signal) (*api.PendingApproval, error) {
	id, err := segment("run", run)
	if err != nil {
		return nil, err
	}
	signal, err := segment("name", name)
	if err != nil {
		return nil, err
	}
	if s.Key == "" {
		s.Key = rand.Text()
	}
	var taken api.PendingApproval
	query := url.Values{}
	if s.Wait > 0 {
		query.Set("wait", s.Wait.Round(time.Millisecond).String())
	}
	r := request{method: http.MethodPost, path: "/v1/runs" + id + "/signals" + signal, query: query, header: http.Header{"Idempotency-Key": {s.Key}}, repeat: true}
	if err := c.askJSON(ctx, r, sent{s.Value, s.By, s.From}, &taken); err != nil {
		return nil, err
	}
	return &taken, nil
}

// sent is the body of a request that sends a signal: what is the client's to say.
type sent struct {
	Value json.RawMessage `json:"value,omitempty"`
	By    string          `json:"by,omitempty"`
	From  api.DecidedFrom `json:"from,omitempty"`
}
