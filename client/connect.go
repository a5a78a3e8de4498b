package client

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
)

// Workers lists the processes that offer functions.
func (c *Client) Workers(ctx context.Context) ([]api.Worker, error) {
	var out struct {
		Workers []api.Worker `json:"workers"`
	}
	err := c.get(ctx, "/v1/workers", &out)
	return out.Workers, err
}

// workerProtocol is what a connection is upgraded to.
const workerProtocol = "glovebox-worker"

// Connect opens a connection over which functions are offered; docs/WORKER.md
// describes what is said on it. Ending ctx later does not end it; closing the
// client does not either.
func (c *Client) Connect(ctx context.Context) (net.Conn, error) {
	return c.upgrade(ctx, http.MethodPost, "/v1/workers/connect", workerProtocol)
}

// portProtocol is what a connection to a port of a session is upgraded to.
const portProtocol = "glovebox-port"

// DialPort connects to a port of a session. Ending ctx later does not end the
// connection; closing the client does not either.
func (c *Client) DialPort(ctx context.Context, session string, port int) (net.Conn, error) {
	path, err := sessionPath(session, portPath(port)+"/connect")
	if err != nil {
		return nil, err
	}
	return c.upgrade(ctx, http.MethodGet, path, portProtocol)
}

// upgrade makes the connection of a request one of another protocol.
func (c *Client) upgrade(ctx context.Context, method, path, protocol string) (net.Conn, error) {
	// The request lives as long as the connection, so it cannot have ctx.
	life, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	var conn net.Conn
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) { conn = info.Conn }}
	resp, err := c.roundTrip(httptrace.WithClientTrace(life, trace), request{
		method: method, path: path, header: http.Header{"Connection": {"Upgrade"}, "Upgrade": {protocol}},
	})
	if wanted := stop(); err == nil && !wanted { // ctx ended, and what ends the request with it may still be on its way
		resp.Body.Close()
		err = context.Cause(ctx)
	}
	if err != nil {
		defer cancel(nil)
		return nil, c.failure(ctx, err)
	}
	return c.upgraded(resp, conn, cancel)
}

// upgraded takes the connection over if the server agreed.
func (c *Client) upgraded(resp *http.Response, conn net.Conn, cancel context.CancelCauseFunc) (net.Conn, error) {
	if resp.StatusCode == http.StatusSwitchingProtocols && conn != nil {
		if stream, ok := resp.Body.(io.ReadWriteCloser); ok {
			return &upgraded{Conn: conn, stream: stream, cancel: cancel}, nil
		}
	}
	defer cancel(nil)
	defer resp.Body.Close()
	if resp.StatusCode < 400 {
		return nil, c.unavailable("does not hand connections over", fmt.Errorf("status %d", resp.StatusCode))
	}
	return nil, api.AsError(c.problem(resp))
}

// upgraded is a connection that was one of HTTP. What the transport has read
// of it already comes out of stream.
type upgraded struct {
	net.Conn
	stream io.ReadWriteCloser
	cancel context.CancelCauseFunc
	once   sync.Once
	err    error
}

func (u *upgraded) Read(p []byte) (int, error)  { return u.stream.Read(p) }
func (u *upgraded) Write(p []byte) (int, error) { return u.stream.Write(p) }

// CloseWrite ends what is sent, where the connection has two halves.
func (u *upgraded) CloseWrite() error {
	if half, ok := u.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return u.Close()
}

func (u *upgraded) Close() error {
	u.once.Do(func() {
		u.err = u.stream.Close()
		u.cancel(nil)
	})
	return u.err
}
