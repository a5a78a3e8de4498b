package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
)

// processPath is the path of something below a process of a session.
func processPath(p api.ProcessRef, below string) string {
	if p.PID != 0 {
		return "/processes/" + strconv.Itoa(p.PID) + below
	}
	return "/processes/" + url.PathEscape("tag:"+p.Tag) + below
}

// StartProcess starts a command and follows it, over as many connections as it
// takes.
func (c *Client) StartProcess(ctx context.Context, session string, spec api.ProcessSpec) iter.Seq2[api.ProcessEvent, error] {
	return func(yield func(api.ProcessEvent, error) bool) {
		path, err := sessionPath(session, "/processes")
		start := request{method: http.MethodPost, path: path}
		if err == nil {
			start, err = withJSON(start, spec)
		}
		if err != nil {
			yield(api.ProcessEvent{}, err)
			return
		}
		l := &listener{ctx: ctx, client: c, session: session, yield: yield, patience: c.newPatience()}
		l.listen(start)
	}
}

// FollowProcess follows a command that was started before.
func (c *Client) FollowProcess(ctx context.Context, session string, p api.ProcessRef, from int64) iter.Seq2[api.ProcessEvent, error] {
	return func(yield func(api.ProcessEvent, error) bool) {
		l := &listener{ctx: ctx, client: c, session: session, process: p, from: from, yield: yield, patience: c.newPatience()}
		r, err := l.again()
		if err != nil {
			yield(api.ProcessEvent{}, err)
			return
		}
		l.listen(r)
	}
}

// listener follows one process.
type listener struct {
	ctx     context.Context
	client  *Client
	session string
	process api.ProcessRef
	from    int64 // what comes next in its output
	yield   func(api.ProcessEvent, error) bool

	patience *patience
	started  bool // the process is known, so a connection that breaks is made again
}

// listen yields what comes of a request, and of further ones that take up where a
// connection broke.
func (l *listener) listen(r request) {
	for {
		whole, err := readEntries(l.ctx, l.client, r, l.take)
		if whole {
			return
		}
		if err == nil {
			l.patience.answered()
			err = l.client.unavailable("ended its stream early", errEarly)
		}
		if !l.started {
			l.yield(api.ProcessEvent{}, api.AsError(err))
			return
		}
		if err = l.patience.pause(l.ctx, err); err == nil {
			r, err = l.again()
		}
		if err != nil {
			l.yield(api.ProcessEvent{}, err)
			return
		}
	}
}

func (l *listener) take(e api.ProcessEvent) (more bool) {
	l.patience.met()
	if e.Type == api.ProcessStarted {
		if l.started {
			return true // of the connection that takes up
		}
		l.started = true
		if l.process == (api.ProcessRef{}) {
			l.process.PID = e.PID
		}
	}
	l.from = e.Offset
	return l.yield(e, nil) && e.Type != api.ProcessExited
}

// again asks for what comes next.
func (l *listener) again() (request, error) {
	path, err := sessionPath(l.session, processPath(l.process, "/events"))
	query := url.Values{"from": {strconv.FormatInt(l.from, 10)}}
	return request{method: http.MethodGet, path: path, query: query, repeat: true}, err
}

// Processes lists the commands of a session.
func (c *Client) Processes(ctx context.Context, session string) ([]api.Process, error) {
	out, err := askSession[struct {
		Processes []api.Process `json:"processes"`
	}](ctx, c, request{method: http.MethodGet, repeat: true}, session, "/processes", nil)
	if err != nil {
		return nil, err
	}
	return out.Processes, nil
}

// WriteInput writes to a command.
func (c *Client) WriteInput(ctx context.Context, session string, p api.ProcessRef, data []byte) error {
	path, err := sessionPath(session, processPath(p, "/input"))
	if err != nil {
		return err
	}
	r := request{method: http.MethodPost, path: path, body: data, slow: true, header: http.Header{"Content-Type": {"application/octet-stream"}}}
	return c.ask(ctx, r, nil)
}

// CloseInput ends the standard input of a command.
func (c *Client) CloseInput(ctx context.Context, session string, p api.ProcessRef) error {
	return c.tellSession(ctx, request{method: http.MethodDelete, repeat: true}, session, processPath(p, "/input"), nil)
}

// SignalProcess sends a signal to a command.
func (c *Client) SignalProcess(ctx context.Context, session string, p api.ProcessRef, signal string, tree bool) error {
	in := struct {
		Signal string `json:"signal"`
		Tree   bool   `json:"tree,omitempty"`
	}{signal, tree}
	return c.tellSession(ctx, request{method: http.MethodPost}, session, processPath(p, "/signal"), in)
}

// ResizeTerminal changes the size of the terminal of a command.
func (c *Client) ResizeTerminal(ctx context.Context, session string, p api.ProcessRef, size api.TerminalSize) error {
	return c.tellSession(ctx, request{method: http.MethodPut, repeat: true}, session, processPath(p, "/terminal"), size)
}
