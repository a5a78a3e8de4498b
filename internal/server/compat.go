package server

import (
	"context"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// Face answers clients of another system on the address of the server. It bounds
// what it reads, and knows its requests by their headers.
type Face interface {
	// Claims reports whether a request is one of its clients; known says that the
	// server has a route of its own for it.
	Claims(r *http.Request, known bool) bool
	// APIKey returns what a client shows in place of the token of the server.
	APIKey(r *http.Request) string
	// HostSuffix returns the name of the server in a host that names something
	// behind it as well.
	HostSuffix(host string) (suffix string, ok bool)
	// Serve answers a request; authorised says whether its client has shown the
	// token, or needs none.
	Serve(w http.ResponseWriter, r *http.Request, authorised bool)
}

// compat gives requests of E2B's clients to their face. Pages in a browser are kept
// out as everywhere, and each request takes a place of a stream.
func (s *Server) compat(next http.Handler) http.Handler {
	if s.E2B == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.E2B.Claims(r, infoOf(r).pattern != "") {
			next.ServeHTTP(w, r)
			return
		}
		host := r.Host
		if suffix, ok := s.E2B.HostSuffix(host); ok {
			host = suffix
		}
		if p := s.foreign(r, host); p != nil {
			p.write(w, r)
			return
		}
		select {
		case s.streams <- struct{}{}:
		default:
			newFailure(api.Errorf(api.Overloaded, "the server answers %d requests of this kind already", cap(s.streams))).write(w, r)
			return
		}
		defer func() { <-s.streams }()
		ctx, cancel := context.WithCancel(r.Context())
		defer s.cancelOnDrain(ctx, cancel)()
		s.E2B.Serve(w, r.WithContext(ctx), isLocal(r.Context()) || s.Admitted || s.authorised("Bearer "+s.E2B.APIKey(r)))
	})
}
