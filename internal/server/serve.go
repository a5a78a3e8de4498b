package server

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

type localKey struct{}

// isLocal reports whether the request of ctx came by a Unix socket, from the
// user of this process.
func isLocal(ctx context.Context) bool {
	local, _ := ctx.Value(localKey{}).(bool)
	return local
}

// Serve answers requests from ln until ctx ends, then stops: /readyz says no,
// nothing new is accepted, streams end, requests under way are answered, for at
// most Limits.Drain. Several listeners may be served; when one stops, all do.
// Ending as asked is no error.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	if ln.Addr().Network() != "unix" && !s.Admitted && s.TokenHash == [sha256.Size]byte{} {
		_ = ln.Close()
		return api.Errorf(api.RequestInvalid, "listening on %s needs a token", ln.Addr())
	}
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	srv := s.httpServer(base)
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ln) }()
	var err error
	select {
	case <-ctx.Done():
	case err = <-ended:
	}
	stopped := s.stop(srv, cancel)
	if err == nil {
		err = <-ended // only then it has closed the listener, if it had hardly begun
	}
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		return api.Errorf(api.ServerUnavailable, "the server on %s ended: %w", ln.Addr(), err)
	}
	return stopped
}

// maxHeader bounds the line and the headers of a request. A path of the longest kind
// is 48 KiB in a query that escapes each of its bytes.
const maxHeader = 96 << 10

// httpServer speaks HTTP/1.1 only: workers take connections over, and the
// bounds hold for connections.
func (s *Server) httpServer(base context.Context) *http.Server {
	return &http.Server{
		Handler: s.handler, ReadHeaderTimeout: s.Limits.Header, IdleTimeout: s.Limits.Idle, MaxHeaderBytes: maxHeader,
		DisableGeneralOptionsHandler: true,
		TLSNextProto:                 map[string]func(*http.Server, *tls.Conn, http.Handler){},
		BaseContext:                  func(net.Listener) context.Context { return base },
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(withConn(ctx, c), localKey{}, isOwner(c))
		},
		ConnState: s.countConnections(),
		ErrorLog:  slog.NewLogLogger(s.Logger.Handler(), slog.LevelDebug),
	}
}

// countConnections closes connections beyond the limit as they come.
func (s *Server) countConnections() func(net.Conn, http.ConnState) {
	var open atomic.Int64
	return func(c net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			if open.Add(1) > int64(s.Limits.Connections) {
				_ = c.Close()
			}
		case http.StateClosed, http.StateHijacked:
			open.Add(-1)
		}
	}
}

// stop ends srv: gently for as long as the limits say, then immediately.
func (s *Server) stop(srv *http.Server, cancel context.CancelFunc) error {
	s.drain.Do(func() { close(s.draining) })
	ctx, done := context.WithTimeout(context.Background(), s.Limits.Drain)
	defer done()
	err := srv.Shutdown(ctx)
	if err == nil {
		err = s.active.wait(ctx)
	}
	if err == nil {
		return nil
	}
	cancel()
	_ = srv.Close()
	last, done := context.WithTimeout(context.Background(), abandonAfter)
	defer done()
	if s.active.wait(last) != nil {
		return api.Errorf(api.Internal, "requests go on although the server stopped")
	}
	return nil
}

// abandonAfter is how long a request may take to notice that it was cut.
const abandonAfter = 5 * time.Second
