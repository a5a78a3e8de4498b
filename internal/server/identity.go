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
	case isLocal(r.Context()), s.Admitted, s.authorised(r.Header.Get("Authorization")):
		return api.Home(), nil
	case s.Authenticate == nil:
		return api.Identity{}, errNoToken()
	}
	token := bearer(r)
	if token == "" {
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

// accepts reports whether a request shows a token that this server knows, of itself or of
// an owner.
func (s *Server) accepts(r *http.Request) bool {
	if s.authorised(r.Header.Get("Authorization")) {
		return true
	}
	if token := bearer(r); token != "" && s.Authenticate != nil {
		_, err := s.Authenticate(r.Context(), token)
		return err == nil
	}
	return false
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
		return r, newFailure(lacks(who, t.scope))
	}
	return r.WithContext(api.WithIdentity(r.Context(), who)), nil
}

// lacks is the error of a token without a scope.
func lacks(who api.Identity, s api.Scope) *api.Error {
	return api.AsError(api.Errorf(api.Forbidden, "the token %s of %s lacks the scope %s", who.Token, who.Owner, s).
		WithHint("ask whoever has the server for a token with this scope").
		WithDetails(api.Details{Field: "scope", Expected: string(s)}))
}
