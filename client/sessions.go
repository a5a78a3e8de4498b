package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

var _ api.Sessions = (*Client)(nil)

// sessionPath is the path of something below a session.
func sessionPath(id, below string) (string, error) {
	s, err := segment("session", id)
	return "/v1/sessions" + s + below, err
}

// askSession sends a request to a session and decodes its answer into a T; in is
// the body unless it is nil.
func askSession[T any](ctx context.Context, c *Client, r request, id, below string, in any) (*T, error) {
	var err error
	if r.path, err = sessionPath(id, below); err != nil {
		return nil, err
	}
	if in != nil {
		if r, err = withJSON(r, in); err != nil {
			return nil, err
		}
	}
	var out T
	if err := c.ask(ctx, r, &out); err != nil {
		return nil, err
	}
	return &out, nil
}

// tellSession sends a request to a session that is answered with nothing.
func (c *Client) tellSession(ctx context.Context, r request, id, below string, in any) error {
	var err error
	if r.path, err = sessionPath(id, below); err != nil {
		return err
	}
	if in != nil {
		return c.askJSON(ctx, r, in, nil)
	}
	return c.ask(ctx, r, nil)
}

// NewSession starts a session. An image that is not there is built first, which
// may take its time.
func (c *Client) NewSession(ctx context.Context, spec api.SessionSpec) (*api.Session, error) {
	var session api.Session
	if err := c.askJSON(ctx, request{method: http.MethodPost, path: "/v1/sessions", slow: true}, spec, &session); err != nil {
		return nil, err
	}
	return &session, nil
}

// Session returns a session.
func (c *Client) Session(ctx context.Context, id string) (*api.Session, error) {
	return askSession[api.Session](ctx, c, request{method: http.MethodGet, repeat: true}, id, "", nil)
}

// Sessions lists sessions.
func (c *Client) Sessions(ctx context.Context, q api.SessionQuery) (api.SessionPage, error) {
	var page api.SessionPage
	err := c.ask(ctx, request{method: http.MethodGet, path: "/v1/sessions", query: sessionQuery(q), repeat: true}, &page)
	return page, err
}

func sessionQuery(q api.SessionQuery) url.Values {
	v := url.Values{}
	setQuery(v, "state", joined(q.State))
	setLabels(v, q.Labels)
	setQuery(v, "parent", q.Parent)
	setQuery(v, "owner", q.Owner)
	setQuery(v, "since", instant(q.Since))
	if q.Oldest {
		v.Set("oldest", "true")
	}
	setPage(v, q.Limit, q.Cursor)
	return v
}

// ChangeSession changes a session.
func (c *Client) ChangeSession(ctx context.Context, id string, change api.SessionChange) (*api.Session, error) {
	return askSession[api.Session](ctx, c, request{method: http.MethodPatch}, id, "", change)
}

// KillSession ends a session.
func (c *Client) KillSession(ctx context.Context, id string) error {
	return c.tellSession(ctx, request{method: http.MethodDelete, repeat: true, slow: true}, id, "", nil)
}

// PauseSession saves a session and ends its cell.
func (c *Client) PauseSession(ctx context.Context, id string, o api.PauseOptions) (*api.Session, error) {
	return askSession[api.Session](ctx, c, request{method: http.MethodPost, slow: true}, id, "/pause", o)
}

// ResumeSession continues a paused session.
func (c *Client) ResumeSession(ctx context.Context, id string) (*api.Session, error) {
	return askSession[api.Session](ctx, c, request{method: http.MethodPost, repeat: true, slow: true}, id, "/resume", nil)
}

// ForkSession makes sessions that continue from the state of this one.
func (c *Client) ForkSession(ctx context.Context, id string, o api.ForkOptions) ([]api.Fork, error) {
	out, err := askSession[struct {
		Forks []api.Fork `json:"forks"`
	}](ctx, c, request{method: http.MethodPost, slow: true}, id, "/fork", o)
	if err != nil {
		return nil, err
	}
	return out.Forks, nil
}

// SessionEvents yields the events of a session.
func (c *Client) SessionEvents(ctx context.Context, id string, after int64, live bool) iter.Seq2[api.SessionEvent, error] {
	return func(yield func(api.SessionEvent, error) bool) {
		ctx, cancel := c.joined(ctx)
		defer cancel(nil)
		f := &follower[api.SessionEvent]{ctx: ctx, client: c, after: after, yield: yield, patience: c.newPatience(), last: !live}
		f.number = func(e api.SessionEvent) (int64, bool) {
			return e.Seq, e.State == api.SessionOver || e.State == api.SessionLost
		}
		f.open, f.query = f.messages, url.Values{}
		f.path = func() (string, error) { return sessionPath(id, "/events") }
		if live {
			f.query.Set("follow", "true")
		}
		f.over = func(ctx context.Context) (bool, error) {
			s, err := c.Session(ctx, id)
			return err == nil && (s.State == api.SessionOver || s.State == api.SessionLost), err
		}
		f.run()
	}
}

// SessionUsage returns samples of what a session used.
func (c *Client) SessionUsage(ctx context.Context, id string, since, until time.Time) ([]api.UsageSample, error) {
	v := url.Values{}
	setQuery(v, "since", instant(since))
	setQuery(v, "until", instant(until))
	out, err := askSession[struct {
		Samples []api.UsageSample `json:"samples"`
	}](ctx, c, request{method: http.MethodGet, query: v, repeat: true}, id, "/usage", nil)
	if err != nil {
		return nil, err
	}
	return out.Samples, nil
}

// SessionConnections returns the newest connections of a session.
func (c *Client) SessionConnections(ctx context.Context, id string) ([]api.Connection, error) {
	out, err := askSession[struct {
		Connections []api.Connection `json:"connections"`
	}](ctx, c, request{method: http.MethodGet, repeat: true}, id, "/connections", nil)
	if err != nil {
		return nil, err
	}
	return out.Connections, nil
}

// NewSnapshot saves the state of a session.
func (c *Client) NewSnapshot(ctx context.Context, session string, o api.SnapshotOptions) (*api.Snapshot, error) {
	return askSession[api.Snapshot](ctx, c, request{method: http.MethodPost, slow: true}, session, "/snapshots", o)
}

// Snapshot returns a snapshot.
func (c *Client) Snapshot(ctx context.Context, ref string) (*api.Snapshot, error) {
	path, err := segment("snapshot", ref)
	if err != nil {
		return nil, err
	}
	var out api.Snapshot
	if err := c.get(ctx, "/v1/snapshots"+path, &out); err != nil {
		return nil, err
	}
	return &out, nil
}

// Snapshots lists snapshots.
func (c *Client) Snapshots(ctx context.Context, session string) ([]api.Snapshot, error) {
	v := url.Values{}
	setQuery(v, "session", session)
	var out struct {
		Snapshots []api.Snapshot `json:"snapshots"`
	}
	err := c.ask(ctx, request{method: http.MethodGet, path: "/v1/snapshots", query: v, repeat: true}, &out)
	return out.Snapshots, err
}

// SnapshotImage makes an image of a snapshot.
func (c *Client) SnapshotImage(ctx context.Context, ref string, o api.SnapshotImageOptions) (*api.ImageInfo, error) {
	path, err := segment("snapshot", ref)
	if err != nil {
		return nil, err
	}
	r, err := withJSON(request{method: http.MethodPost, path: "/v1/snapshots" + path + "/image", slow: true}, o)
	if err != nil {
		return nil, err
	}
	var out api.ImageInfo
	if err := c.ask(ctx, r, &out); err != nil {
		return nil, err
	}
	return &out, nil
}

// RemoveSnapshot removes a snapshot.
func (c *Client) RemoveSnapshot(ctx context.Context, ref string) error {
	path, err := segment("snapshot", ref)
	if err != nil {
		return err
	}
	return c.ask(ctx, request{method: http.MethodDelete, path: "/v1/snapshots" + path}, nil)
}
