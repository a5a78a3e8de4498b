package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"mime"
	"net"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// guard refuses requests that a browser was talked into, and those without the
// token. No browser reaches a Unix socket, and its owner needs no token.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p := s.suspicion(r); p != nil {
			p.write(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// suspicion returns why a request is refused, or nil.
func (s *Server) suspicion(r *http.Request) *failure {
	if path.Clean(r.URL.EscapedPath()) != r.URL.EscapedPath() {
		return newFailure(api.Errorf(api.NotFound, "there is no route %s %s", r.Method, r.URL.Path))
	}
	if isLocal(r.Context()) {
		return crossOrigin(r)
	}
	if !s.knownHost(r) {
		return refusal(http.StatusMisdirectedRequest, api.Errorf(api.RequestInvalid, "this server is not called %s", r.Host).
			WithHint("use its address, or start it with the name that you use"))
	}
	if p := crossOrigin(r); p != nil {
		return p
	}
	if !infoOf(r).traits.open && !s.Admitted && !s.authorised(r.Header.Get("Authorization")) {
		return newFailure(api.Errorf(api.Unauthorized, "the request has no token that this server accepts"))
	}
	return nil
}

// knownHost keeps out pages whose name was made to resolve to this server: an
// address cannot be made to resolve to another one.
func (s *Server) knownHost(r *http.Request) bool {
	if r.TLS != nil { // a browser has held the name to the certificate
		return true
	}
	name := hostName(r.Host)
	if strings.EqualFold(name, "localhost") || slices.ContainsFunc(s.Hosts, func(h string) bool { return strings.EqualFold(h, name) }) {
		return true
	}
	asked := net.ParseIP(name)
	here, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return asked != nil && ok && here.IP.Equal(asked)
}

// hostName returns a host without its port and brackets.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

// crossOrigin refuses what a page of another origin asks for. Programs send
// neither header.
func crossOrigin(r *http.Request) *failure {
	site := r.Header.Get("Sec-Fetch-Site")
	_, told := r.Header["Origin"]
	if (site == "" || site == "same-origin" || site == "none") && (!told || sameOrigin(r)) {
		return nil
	}
	return refusal(http.StatusForbidden, api.Errorf(api.RequestInvalid, "pages of other origins cannot use this server").
		WithDetails(api.Details{Field: "Origin", Got: r.Header.Get("Origin")}))
}

func sameOrigin(r *http.Request) bool {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	u, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && u.Scheme == scheme && strings.EqualFold(u.Host, r.Host)
}

// authorised compares digests, so that the time tells nothing about the token.
func (s *Server) authorised(header string) bool {
	scheme, token, _ := strings.Cut(header, " ")
	given := HashToken(strings.TrimSpace(token))
	match := subtle.ConstantTimeCompare(given[:], s.TokenHash[:]) == 1
	return match && strings.EqualFold(scheme, "Bearer") && s.TokenHash != [sha256.Size]byte{} && token != ""
}

// admit refuses what does not fit: a body of the wrong type or size, or one
// request more than the server answers at once.
func (s *Server) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t := infoOf(r).traits
		if p := badBody(r, t); p != nil {
			p.write(w, r)
			return
		}
		places := s.requests
		if t.stream {
			places = s.streams
			s.metrics.streams.Inc()
			defer s.metrics.streams.Dec()
		}
		if !t.open {
			select {
			case places <- struct{}{}:
				defer func() { <-places }()
			default:
				newFailure(api.Errorf(api.Overloaded, "the server answers %d requests of this kind already", cap(places))).write(w, r)
				return
			}
		}
		size := bodySize(r, t)
		defer s.bodies.Add(size)
		if s.bodies.Add(-size) < 0 {
			newFailure(api.Errorf(api.Overloaded, "the bodies of other requests take the %d bytes that the server has for them", s.Limits.Bodies)).write(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// bodySize is what a JSON body may take, which becomes several times as much
// when it is decoded: so many requests at once would fill the memory.
func bodySize(r *http.Request, t traits) int64 {
	switch {
	case t.raw || t.limit == 0:
		return 0
	case r.ContentLength < 0: // not told
		return t.limit
	}
	return r.ContentLength
}

func badBody(r *http.Request, t traits) *failure {
	if r.ContentLength == 0 {
		return nil
	}
	if t.limit > 0 && r.ContentLength > t.limit {
		return newFailure(bodyTooLarge(t.limit))
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if t.raw || t.limit == 0 || (err == nil && kind == "application/json") {
		return nil
	}
	return refusal(http.StatusUnsupportedMediaType, api.Errorf(api.RequestInvalid, "the body has to be JSON").
		WithDetails(api.Details{Field: "Content-Type", Expected: "application/json", Got: r.Header.Get("Content-Type")}))
}
