package client

import (
	"context"
	"errors"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
)

// Events yields the events of a run.
func (c *Client) Events(ctx context.Context, id string, after int64) iter.Seq2[api.Event, error] {
	return follow(ctx, c, id, "/events", after, func(e api.Event) (int64, bool) { return e.Seq, e.Kind == api.EventEnded })
}

// Logs yields what a run printed.
func (c *Client) Logs(ctx context.Context, id string, after int64, live bool) iter.Seq2[api.LogEntry, error] {
	number := func(e api.LogEntry) (int64, bool) { return e.Seq, false }
	if live {
		return follow(ctx, c, id, "/logs", after, number)
	}
	return func(yield func(api.LogEntry, error) bool) {
		ctx, cancel := c.joined(ctx)
		defer cancel(nil)
		f := newFollower(ctx, c, id, "/logs", after, number, yield)
		f.open, f.last = f.lines, true
		f.run()
	}
}

// follow yields the items of an event stream, each once and in order, over as
// many connections as it takes.
func follow[T any](ctx context.Context, c *Client, id, below string, after int64, number func(T) (int64, bool)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		ctx, cancel := c.joined(ctx)
		defer cancel(nil)
		f := newFollower(ctx, c, id, below, after, number, yield)
		f.open = f.messages
		if below == "/logs" {
			f.query.Set("follow", "true")
		}
		f.run()
	}
}

// follower is one walk through a stream.
type follower[T any] struct {
	ctx    context.Context
	client *Client
	path   func() (string, error)
	query  url.Values // of an event stream
	after  int64      // the number of the last item
	// number returns the number of an item, 0 if it has none, and whether it is
	// the last one unless the run is taken up again.
	number func(T) (int64, bool)
	yield  func(T, error) bool
	open   func() (next func() ([]byte, error), end func() error, err error)
	// over reports whether what is followed has ended, for now.
	over func(context.Context) (bool, error)

	patience *patience
	last     bool // the connection to come is the last one if it ends well
	ended    bool // the item that came last is the last one
	left     bool // the consumer wants no more
}

func newFollower[T any](ctx context.Context, c *Client, id, below string, after int64, number func(T) (int64, bool), yield func(T, error) bool) *follower[T] {
	return &follower[T]{
		ctx: ctx, client: c, after: after, number: number, yield: yield, patience: c.newPatience(),
		path: func() (string, error) { return runPath(id, below) }, query: url.Values{},
		over: func(ctx context.Context) (bool, error) {
			run, err := c.Run(ctx, id)
			return err == nil && (run.Status.Ended() || run.Status == api.StatusInterrupted), err
		},
	}
}

func (f *follower[T]) run() {
	for {
		err := f.connection()
		switch {
		case f.left:
			return
		case err == nil && (f.ended || f.last):
			return
		case err == nil:
			err = f.askWhetherEnded()
		}
		if f.last && err == nil {
			continue
		}
		if err = f.patience.pause(f.ctx, err); err != nil {
			var none T
			f.yield(none, err)
			return
		}
	}
}

// askWhetherEnded finds out why the server ended the stream: because what is
// followed has ended or was interrupted, or because the server is about to stop.
func (f *follower[T]) askWhetherEnded() (err error) {
	f.last, err = f.over(f.ctx)
	return err
}

// connection yields what one connection brings. A stream that the server ended
// properly is no error.
func (f *follower[T]) connection() error {
	next, end, err := f.open()
	if err != nil {
		return err
	}
	defer end()
	for {
		text, err := next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		f.patience.met()
		if err := f.take(text); err != nil || f.left {
			return err
		}
	}
}

func (f *follower[T]) take(text []byte) error {
	var item T
	if err := f.client.decode(text, &item); err != nil {
		return err
	}
	n, last := f.number(item)
	if n != 0 && n <= f.after {
		return nil
	}
	if n != 0 {
		f.after, f.ended = n, last
	}
	f.left = !f.yield(item, nil)
	return nil
}

func (f *follower[T]) request(accept string) (*http.Response, error) {
	path, err := f.path()
	if err != nil {
		return nil, err
	}
	r := request{method: http.MethodGet, path: path, repeat: true, query: maps.Clone(f.query), header: http.Header{"Accept": {accept}}}
	if f.after != 0 {
		r.query.Set("after", strconv.FormatInt(f.after, 10))
	}
	return f.client.send(f.ctx, r)
}

const eventStream = "text/event-stream"

// messages opens an event stream.
func (f *follower[T]) messages() (func() ([]byte, error), func() error, error) {
	resp, err := f.request(eventStream)
	if err != nil {
		return nil, nil, err
	}
	f.patience.answered()
	m := newMessages(resp.Body)
	return func() ([]byte, error) {
		msg, err := m.next()
		if err == nil && msg.kind == "problem" {
			return nil, f.client.problemIn(msg.data)
		}
		return msg.data, f.client.brokenStream(err)
	}, resp.Body.Close, nil
}

// lines opens a stream of JSON lines.
func (f *follower[T]) lines() (func() ([]byte, error), func() error, error) {
	resp, err := f.request("application/x-ndjson")
	if err != nil {
		return nil, nil, err
	}
	f.patience.answered()
	m := newMessages(resp.Body)
	return func() ([]byte, error) {
		line, err := m.line(maxMessage)
		if err == io.EOF && len(line) > 0 {
			err = io.ErrUnexpectedEOF
		}
		return line, f.client.brokenStream(err)
	}, resp.Body.Close, nil
}

// brokenStream turns the error of a stream into one of ours, but for its end.
func (c *Client) brokenStream(err error) error {
	var e *api.Error
	if err == nil || err == io.EOF || errors.As(err, &e) {
		return err
	}
	return c.unavailable("sent a stream that cannot be read", err)
}
