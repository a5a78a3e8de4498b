package server

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The bounds of clients over HTTP.
const (
	maxSessions = 256              // sessions of clients at once
	maxIdle     = time.Hour        // of a session without a request
	maxBody     = 16 << 20         // bytes of a request
	sessionless = "2026-07-28"     // the first version of the protocol without sessions
	retryAfter  = 10 * time.Second // when there are too many sessions
)

// Handler answers any number of clients at one path, over streamable HTTP. It
// trusts its caller with who may ask: who that is, and from where.
func (s *Server) Handler() http.Handler {
	s.refresh(context.Background())
	get := func(*http.Request) *mcp.Server { return s.mcp }
	kept := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		SessionTimeout: maxIdle, MaxRequestBodyBytes: maxBody, DisableLocalhostProtection: true, Logger: s.logger,
	})
	single := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: maxBody, DisableLocalhostProtection: true, Logger: s.logger,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Mcp-Protocol-Version") >= sessionless:
			single.ServeHTTP(w, r)
		case r.Header.Get("Mcp-Session-Id") == "" && s.full():
			w.Header().Set("Retry-After", fmt.Sprint(retryAfter.Seconds()))
			http.Error(w, fmt.Sprintf("%d clients of MCP have a session already", maxSessions), http.StatusServiceUnavailable)
		default:
			kept.ServeHTTP(w, r)
		}
	})
}

// full reports whether there are as many sessions of clients as there may be.
func (s *Server) full() bool {
	count := 0
	for range s.mcp.Sessions() {
		count++
	}
	return count >= maxSessions
}
