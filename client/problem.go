package client

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/glovebox-dev/glovebox/api"
)

const (
	maxProblem    = 4 << 20          // bytes of a problem document
	maxRetryAfter = 10 * time.Second // however long the server asks to wait
)

// problem is an error as the server writes it, RFC 9457.
type problem struct {
	Title     string      `json:"title"`
	Detail    string      `json:"detail"`
	Code      api.Code    `json:"code"`
	Hint      string      `json:"hint"`
	Retryable bool        `json:"retryable"`
	Outcome   api.Outcome `json:"outcome"`
	Attempts  int         `json:"attempts"`
	Details   api.Details `json:"details"`
}

// problem returns the error that an answer stands for: the one that the server
// had, or one derived from the status.
func (c *Client) problem(resp *http.Response) error {
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxProblem))
	var p problem
	if err != nil || json.Unmarshal(text, &p) != nil || p.Code == "" {
		return c.strange(resp)
	}
	e := p.asError()
	if p.Code != api.Overloaded {
		return e
	}
	return errors.Join(e, retryAfter(resp))
}

// asError is the error that p tells.
func (p *problem) asError() *api.Error {
	e := api.Errorf(p.Code, "%s", cmp.Or(p.Detail, p.Title)).WithDetails(p.Details)
	e.Hint, e.Retryable, e.Outcome, e.Attempts = p.Hint, p.Retryable, p.Outcome, p.Attempts
	return e
}

// strange is the error for an answer that is not of Glovebox.
func (c *Client) strange(resp *http.Response) error {
	switch {
	case resp.StatusCode == http.StatusNotFound && resp.Request.Method == http.MethodHead: // whose answer has no body
		return api.Errorf(api.NotFound, "the server at %s does not have it", c.address.text)
	case resp.StatusCode == http.StatusUnauthorized:
		return api.Errorf(api.Unauthorized, "the server at %s did not accept the token", c.address.text)
	case resp.StatusCode == http.StatusTooManyRequests:
		return errors.Join(api.Errorf(api.Overloaded, "the server at %s has too much to do", c.address.text), retryAfter(resp))
	case resp.StatusCode < 400:
		return c.unavailable("points elsewhere", fmt.Errorf("status %d, to %q", resp.StatusCode, resp.Header.Get("Location"))).
			WithHint("set GLOVEBOX_URL to the address of the server itself")
	}
	return c.unavailable("answered, but not as Glovebox does", fmt.Errorf("status %d", resp.StatusCode))
}

// retryAfter is how long the server asks to wait, as backoff understands it; nil
// if it does not say.
func retryAfter(resp *http.Response) error {
	seconds, err := strconv.Atoi(resp.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return nil
	}
	return &backoff.RetryAfterError{Duration: min(time.Duration(min(seconds, 3600))*time.Second, maxRetryAfter)}
}
