package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
)

// entries yields what a stream of a session brings, over one connection. Without
// an entry for which last is true it ends with an error.
func entries[T any](ctx context.Context, c *Client, r request, last func(T) bool) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		whole, err := readEntries(ctx, c, r, func(v T) (more bool) { return yield(v, nil) && !last(v) })
		if err == nil && !whole {
			err = c.unavailable("ended its stream early", errEarly)
		}
		if err != nil {
			yield(none, err)
		}
	}
}

// errEarly is the end of a stream whose last entry has not come.
var errEarly = errors.New("its last entry has not come")

// readEntries gives take what a stream brings, until it wants no more. whole says
// that it came to its end, or was left.
func readEntries[T any](ctx context.Context, c *Client, r request, take func(T) (more bool)) (whole bool, err error) {
	ctx, cancel := c.joined(ctx)
	defer cancel(nil)
	r.header = http.Header{"Accept": {eventStream}}
	resp, err := c.send(ctx, r)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	m := newMessages(resp.Body)
	for {
		msg, err := m.next()
		switch {
		case err == io.EOF:
			return false, nil
		case err != nil:
			return false, c.brokenStream(err)
		case msg.kind == "problem":
			return false, c.problemIn(msg.data)
		}
		var v T
		if err := c.decode(msg.data, &v); err != nil {
			return false, err
		}
		if !take(v) {
			return true, nil
		}
	}
}

// problemIn returns the error that ended a stream.
func (c *Client) problemIn(text []byte) error {
	var entry struct {
		Problem problem `json:"problem"`
	}
	if json.Unmarshal(text, &entry) != nil || entry.Problem.Code == "" {
		return c.unavailable("ended its stream with an error that cannot be read", nonsense{io.ErrUnexpectedEOF})
	}
	return entry.Problem.asError()
}

// sessionEntries is entries of a request to a session.
func sessionEntries[T any](ctx context.Context, c *Client, r request, id, below string, in any, last func(T) bool) iter.Seq2[T, error] {
	var err error
	if r.path, err = sessionPath(id, below); err == nil && in != nil {
		r, err = withJSON(r, in)
	}
	if err != nil {
		return func(yield func(T, error) bool) {
			var none T
			yield(none, err)
		}
	}
	return entries(ctx, c, r, last)
}
