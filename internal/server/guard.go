package server

import (
	"cmp"
	"context"
	"maps"
	"mime"
	"net"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
	"github.com/glovebox-dev/glovebox/value"
)

// guard refuses requests that a browser was talked into, those without a token, and
// those whose token lacks the scope of the route. No browser reaches a Unix socket, and
// its owner needs no token.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p := s.suspicion(r); p != nil {
			p.write(w, r)
			return
		}
		if s.showsNode(r) { // and is that of this one, or suspicion had refused it
			next.ServeHTTP(w, r.WithContext(context.WithValue(api.WithIdentity(r.Context(), api.Home()), nodeKey{}, true)))
			return
		}
		known, p := s.admitted(r)
		if p != nil {
			p.write(w, r)
			return
		}
		next.ServeHTTP(w, known)
	})
}

// suspicion returns why a request is refused, or nil.
func (s *Server) suspicion(r *http.Request) *failure {
	if path.Clean(r.URL.EscapedPath()) != r.URL.EscapedPath() {
		return newFailure(api.Errorf(api.NotFound, "there is no route %s %s", r.Method, r.URL.Path))
	}
	if p := s.foreign(r, r.Host); p != nil {
		return p
	}
	if s.showsNode(r) {
		return s.strangeNode(r)
	}
	return nil
}

// foreign refuses what a page of another origin asks for, or one whose name, host,
// was made to resolve to this server.
func (s *Server) foreign(r *http.Request, host string) *failure {
	if p := s.strange(r, host); p != nil {
		return p
	}
	return crossOrigin(r)
}

// strange refuses a name that is none of this server's.
func (s *Server) strange(r *http.Request, host string) *failure {
	if !isLocal(r.Context()) && !s.knownHost(r, host) {
		return refusal(http.StatusMisdirectedRequest, api.Errorf(api.RequestInvalid, "this server is not called %s", host).
			WithHint("use its address, or start it with the name that you use: glovebox serve --host NAME").
			WithDetails(api.Details{Field: "Host", Got: value.Shorten(host, 100)}))
	}
	return nil
}

var hostPattern = lazyregexp.New(`^[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*$`)

// checkHosts refuses what no request can have as the name in Host.
func checkHosts(names []string) error {
	for _, name := range names {
		if (len(name) > 253 || !hostPattern().MatchString(name)) && net.ParseIP(name) == nil {
			return api.Errorf(api.RequestInvalid, "%q is not the name of a host", value.Shorten(name, 100)).
				WithHint("give a name or an address without scheme and port, such as box.example.org").
				WithDetails(api.Details{Field: "host", Got: name, Expected: "the name of a host"})
		}
	}
	return nil
}

// knownHost keeps out pages whose name was made to resolve to this server: an
// address cannot be made to resolve to another one.
func (s *Server) knownHost(r *http.Request, host string) bool {
	if r.TLS != nil { // a browser has held the name to the certificate
		return true
	}
	name := hostName(host)
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
	_, hasOrigin := r.Header["Origin"]
	if (site == "" || site == "same-origin" || site == "none") && (!hasOrigin || sameOrigin(r)) {
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

// admit refuses a body of the wrong type or size, and a request beyond the
// number that the server answers at the same time.
func (s *Server) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t := infoOf(r).traits
		if p := cmp.Or(badQuery(r), badHeader(r), badBody(r, t)); p != nil {
			p.write(w, r)
			return
		}
		places := s.requests
		if t.signed {
			places = s.hookCalls
		}
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
		s.withinMemory(w, r, next)
	})
}

// bodySize is what a JSON body may take while it waits to be decoded.
func bodySize(r *http.Request, t traits) int64 {
	switch {
	case t.raw || t.limit == 0:
		return 0
	case r.ContentLength < 0: // unknown
		return t.limit
	}
	return r.ContentLength
}

// badQuery refuses parameters without a value, which would count as none.
func badQuery(r *http.Request) *failure {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return newFailure(api.Errorf(api.RequestInvalid, "the parameters of the query cannot be read: %v", err).WithDetails(api.Details{Field: "query"}))
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if slices.Contains(query[name], "") {
			return newFailure(api.Errorf(api.RequestInvalid, "the parameter %s has no value", value.Shorten(name, 100)).
				WithDetails(api.Details{Field: name, Expected: "a value", Got: "nothing"}).WithHint("leave it out, or give it a value"))
		}
	}
	return nil
}

// badHeader refuses headers without a value, which would count as none: who
// sends an empty key believes to be safe from a repetition.
func badHeader(r *http.Request) *failure {
	for _, name := range []string{"Idempotency-Key", "Last-Event-ID"} {
		if slices.Contains(r.Header.Values(name), "") {
			return newFailure(api.Errorf(api.RequestInvalid, "the header %s has no value", name).
				WithDetails(api.Details{Field: name, Expected: "a value", Got: "nothing"}).WithHint("leave it out, or give it a value"))
		}
	}
	return nil
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
