package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/cenkalti/backoff/v5"

	"github.com/glovebox-dev/glovebox/api"
)

// maxAnswer bounds an answer that is kept in memory: values of 64 MiB, and the
// ends of stdout and stderr in base64.
const maxAnswer = 256 << 20 // bytes

// request is one request to the server.
type request struct {
	method  string
	path    string // below the address, escaped
	query   url.Values
	header  http.Header
	body    []byte    // JSON, unless header says otherwise
	stream  io.Reader // instead of body; then the request is never repeated
	repeat  bool      // making it twice is as good as making it once
	patient bool      // the answer may pause for as long as it likes
	slow    bool      // the answer may begin as late as it likes
}

// ask sends a request and decodes its JSON answer into out, if that is not nil.
func (c *Client) ask(ctx context.Context, r request, out any) error {
	resp, err := c.send(ctx, r)
	if err != nil {
		return err
	}
	text, err := c.readAll(resp)
	if err != nil || out == nil {
		return err
	}
	return c.decode(text, out)
}

// askJSON is ask with a body.
func (c *Client) askJSON(ctx context.Context, r request, in, out any) error {
	r, err := withJSON(r, in)
	if err != nil {
		return err
	}
	return c.ask(ctx, r, out)
}

func withJSON(r request, in any) (request, error) {
	text, err := json.Marshal(in)
	if err != nil {
		return r, api.Errorf(api.RequestInvalid, "the request cannot be written as JSON: %w", err)
	}
	r.body = text
	return r, nil
}

func (c *Client) decode(text []byte, out any) error {
	if err := json.Unmarshal(text, out); err != nil {
		return c.unavailable("answered with something else than it should", nonsense{err})
	}
	return nil
}

func (c *Client) readAll(resp *http.Response) ([]byte, error) {
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err == nil && len(text) > maxAnswer {
		return nil, c.unavailable("answered", nonsense{errors.New("with more than 256 MiB")})
	}
	return text, err
}

// send sends a request, again if that can help and does no harm, and returns
// the answer of a success, whose body the caller closes.
func (c *Client) send(ctx context.Context, r request) (*http.Response, error) {
	waiting, stop := c.joined(ctx)
	defer stop(nil)
	resp, err := backoff.Retry(waiting, func() (*http.Response, error) {
		resp, err := c.once(ctx, r)
		return resp, r.judge(err)
	}, backoff.WithBackOff(c.timing.backOff()), backoff.WithMaxTries(c.timing.tries))
	switch {
	case err == nil:
		return resp, nil
	case waiting.Err() != nil:
		return nil, canceled(waiting)
	}
	return nil, api.AsError(err)
}

func (t timing) backOff() *backoff.ExponentialBackOff {
	return &backoff.ExponentialBackOff{InitialInterval: t.pause, MaxInterval: 20 * t.pause, Multiplier: 2, RandomizationFactor: 0.5}
}

// unsent marks an error of a request that never reached the server.
type unsent struct{ error }

func (u unsent) Unwrap() error { return u.error }

// judge marks an error as final, unless the request may be sent again.
func (r request) judge(err error) error {
	if err == nil {
		return nil
	}
	var never unsent
	refused := errors.As(err, &never) || errors.Is(err, &api.Error{Code: api.Overloaded})
	away := errors.Is(err, &api.Error{Code: api.ServerUnavailable})
	if r.stream == nil && (refused || away && r.repeat) {
		return err
	}
	return backoff.Permanent(err)
}

// once sends a request once.
func (c *Client) once(ctx context.Context, r request) (*http.Response, error) {
	joined, cancel := c.joined(ctx)
	resp, err := c.roundTrip(joined, r)
	if err != nil {
		defer cancel(nil)
		return nil, c.failure(joined, err)
	}
	c.heard.Store(true)
	resp.Body = c.watch(joined, cancel, resp.Body, r.patient)
	if resp.StatusCode < 300 {
		return resp, nil
	}
	defer resp.Body.Close()
	return nil, c.problem(resp)
}

func (c *Client) roundTrip(ctx context.Context, r request) (*http.Response, error) {
	target := c.address.base + r.path
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	body := r.stream
	if body == nil && r.body != nil {
		body = bytes.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, target, body)
	if err != nil {
		return nil, err
	}
	c.addHeaders(req, r)
	if r.slow {
		return c.slow.Do(req)
	}
	return c.http.Do(req)
}

func (c *Client) addHeaders(req *http.Request, r request) {
	if r.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json, application/problem+json")
	req.Header.Set("User-Agent", "glovebox-client")
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	for name, values := range r.header {
		req.Header[name] = values
	}
}

// failure says why there was no answer.
func (c *Client) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return canceled(ctx)
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // without the URL, which the message has
	}
	unreached := c.unavailable("could not be reached", err)
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		unreached.Outcome = api.NotStarted
		return unsent{unreached}
	}
	return unreached
}

func (c *Client) unavailable(what string, err error) *api.Error {
	return api.Errorf(api.ServerUnavailable, "the server at %s %s: %w", c.address.text, what, err)
}

// segment makes a part of a path of a name. Some texts cannot be one, so
// nothing has them for a name.
func segment(what, name string) (string, error) {
	switch name {
	case "", ".", "..":
		return "", api.Errorf(api.NotFound, "there is no %s %q", what, name).WithDetails(api.Details{Field: what, Got: name})
	}
	return "/" + url.PathEscape(name), nil
}

// setQuery sets a parameter that is given.
func setQuery(v url.Values, name, text string) {
	if text != "" {
		v.Set(name, text)
	}
}

// setPage sets which page of a list is asked for.
func setPage(v url.Values, limit int, cursor string) {
	if limit != 0 {
		v.Set("limit", strconv.Itoa(limit))
	}
	setQuery(v, "cursor", cursor)
}

// joined is a list of words as a parameter.
func joined[W ~string](words []W) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = string(w)
	}
	return strings.Join(texts, ",")
}
