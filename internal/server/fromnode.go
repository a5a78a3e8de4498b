package server

import (
	"context"
	"net/http"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

type nodeKey struct{}

// FromNode reports whether the request of ctx came from another node, which found that
// this one holds what is asked for.
func FromNode(ctx context.Context) bool {
	from, _ := ctx.Value(nodeKey{}).(bool)
	return from
}

// bearer returns the token that a request shows, if any.
func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// showsNode reports whether a request says that it comes from a node. Whether that is
// true is for strangeNode.
func (s *Server) showsNode(r *http.Request) bool {
	if s.Node == nil {
		return false
	}
	ofNode, _ := s.Node(bearer(r))
	return ofNode
}

// strangeNode refuses a request that says it comes from a node, wherever it came in, if
// its token is for another one, or if it asks for what nodes do not ask each other.
func (s *Server) strangeNode(r *http.Request) *failure {
	_, here := s.Node(bearer(r))
	switch {
	case !here:
		return newFailure(api.Errorf(api.Unauthorized, "the token is for another node, or this one has a new lease"))
	case !strings.HasPrefix(r.URL.Path, "/v1/sessions/"):
		return newFailure(api.Errorf(api.Unauthorized, "nodes ask each other for sessions alone, and this is %s", r.URL.Path))
	}
	return nil
}
