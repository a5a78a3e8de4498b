package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// errNoToken says no more of a token than that it does not count.
func errNoToken() error {
	return api.Errorf(api.Unauthorized, "the request has no token that this server accepts")
}

// identify returns who asks: the user of this host over a Unix socket, whoever has the
// token of the server, or one of its owners.
func (s *Server) identify(r *http.Request) (api.Identity, error) {
	switch {
	case s.Admitted && len(s.Identity.Scopes) > 0:
		return s.Identity, nil
	case isLocal(r.Context()), s.Admitted:
		return api.Home(), nil
	}
	return s.byToken(r)
}

// byToken returns whose token a request shows: that of the server, or of an owner.
func (s *Server) byToken(r *http.Request) (api.Identity, error) {
	if s.authorised(r.Header.Get("Authorization")) {
		return api.Home(), nil
	}
	token := bearer(r)
	if token == "" || s.Authenticate == nil {
		return api.Identity{}, errNoToken()
	}
	return s.Authenticate(r.Context(), token)
}

// authorised reports whether a header has the token of the server. It compares digests,
// so that the time tells nothing about the token.
func (s *Server) authorised(header string) bool {
	scheme, token, _ := strings.Cut(header, " ")
	given := HashToken(strings.TrimSpace(token))
	match := subtle.ConstantTimeCompare(given[:], s.TokenHash[:]) == 1
	return match && strings.EqualFold(scheme, "Bearer") && s.TokenHash != [sha256.Size]byte{} && token != ""
}

// admitted finds out who asks for a route, and holds the scope of the route to it. It
// returns the request with the identity in its context, or why it is refused.
func (s *Server) admitted(r *http.Request) (*http.Request, *failure) {
	t := infoOf(r).traits
	if t.open || t.signed {
		return r, nil
	}
	who, err := s.identify(r)
	if err != nil {
		return r, failureOf(err)
	}
	if t.scope != "" && !who.May(t.scope) {
		return r, newFailure(who.Lacks(t.scope))
	}
	return r.WithContext(api.WithIdentity(r.Context(), who)), nil
}
