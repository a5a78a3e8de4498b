package client

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// evaluation is the body of a request for one.
type evaluation struct {
	Task   *api.Task       `json:"task,omitempty"`
	Name   string          `json:"name,omitempty"`
	Inputs json.RawMessage `json:"inputs,omitempty"`
	Clock  api.Clock       `json:"clock,omitempty"`
	Random api.Random      `json:"random,omitempty"`
}

// Evaluate evaluates on the server. It is asked once: nobody knows what an
// evaluation has called whose answer was lost.
func (c *Client) Evaluate(ctx context.Context, e api.Evaluation) (*api.Result, error) {
	inputs, err := c.submittedInputs(ctx, e.Submission())
	if err != nil {
		return nil, err
	}
	r, err := withJSON(request{method: http.MethodPost, path: "/v1/evaluations"}, evaluation{e.Task, e.Name, inputs, e.Clock, e.Random})
	if err != nil {
		return nil, err
	}
	resp, err := c.send(ctx, r)
	if err != nil {
		return nil, err
	}
	text, err := c.readAll(resp)
	if err != nil {
		return nil, api.AsError(err)
	}
	result, failure, err := api.DecodeEvaluation(text)
	if err != nil {
		return nil, c.unavailable("answered with something else than it should", nonsense{err})
	}
	e.Show(result)
	if failure != nil {
		return result, failure
	}
	return result, nil
}
