package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/glovebox-dev/glovebox/api"
)

// Wait waits for a run to end, and downloads the files of its result.
func (c *Client) Wait(ctx context.Context, id string) (*api.Result, error) {
	ctx, cancel := c.joined(ctx)
	defer cancel(nil)
	run, result, err := c.result(ctx, id)
	if err != nil {
		return &api.Result{RunID: id}, err
	}
	printed := c.printed(ctx, id)
	err = c.download(ctx, result)
	switch {
	case run.Error != nil:
		return result, run.Error
	case err != nil:
		return result, err
	case printed != nil:
		return result, printed
	}
	return result, nil
}

// result asks for the result until there is one.
func (c *Client) result(ctx context.Context, id string) (*api.Run, *api.Result, error) {
	path, err := runPath(id, "/result")
	if err != nil {
		return nil, nil, err
	}
	r := request{method: http.MethodGet, path: path, query: url.Values{"wait": {c.timing.poll.String()}}, repeat: true}
	for p := c.newPatience(); ; {
		text, err := c.poll(ctx, r, p)
		if text != nil {
			return c.decodeResult(text)
		}
		if err := p.pause(ctx, err); err != nil {
			return nil, nil, err
		}
	}
}

// poll returns the text of the result, or nil if there is none yet.
func (c *Client) poll(ctx context.Context, r request, p *patience) ([]byte, error) {
	resp, err := c.send(ctx, r)
	if err != nil {
		return nil, err
	}
	p.answered()
	text, err := c.readAll(resp)
	if err != nil {
		return nil, err
	}
	p.met()
	if resp.StatusCode == http.StatusAccepted {
		return nil, nil
	}
	return text, nil
}

func (c *Client) decodeResult(text []byte) (*api.Run, *api.Result, error) {
	run, result, err := api.DecodeResult(text)
	if err != nil {
		return nil, nil, c.unavailable("answered with something else than a result", err)
	}
	return run, result, nil
}
