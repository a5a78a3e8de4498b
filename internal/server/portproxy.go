package server

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// Requests to an open port show its token in a header, in a parameter that becomes
// a cookie, or in that cookie. None of them is passed on.
const (
	portTokenHeader = "Glovebox-Port-Token"
	portTokenQuery  = "glovebox_port_token"
	portTokenCookie = "glovebox-port-token"
)

// portRequest is a request to an open port, by its own host or below a path.
type portRequest struct {
	session string
	port    int
	host    string // behind PORT-ID in the host; empty below a path
	path    string // of the server in the cell, escaped
}

var (
	portHost = lazyregexp.New(`^([0-9]{1,5})-([a-z0-9]{1,64})\.(.+)$`)
	portBase = lazyregexp.New(`^/v1/sessions/([a-z0-9]{1,64})/ports/([0-9]{1,5})/proxy(/.*)?$`)
)

// portRequestOf reads where a request goes; ok is false if it is for the server itself.
func portRequestOf(r *http.Request) (p portRequest, ok bool) {
	if m := portHost().FindStringSubmatch(r.Host); m != nil {
		p = portRequest{session: m[2], host: m[3], path: r.URL.EscapedPath()}
		p.port, _ = strconv.Atoi(m[1]) // it has the form
		return p, true
	}
	m := portBase().FindStringSubmatch(r.URL.EscapedPath())
	if m == nil {
		return p, false
	}
	p = portRequest{session: m[1], path: cmp.Or(m[3], "/")}
	p.port, _ = strconv.Atoi(m[2]) // it has the form
	return p, true
}

// proxy carries requests to open ports of sessions. Each port has a host of its
// own, so that a page of it shares its origin with nothing else; what is below a
// path is for programs, and runs in no browser.
func (s *Server) proxy(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to, ok := portRequestOf(r)
		if !ok || slices.Contains(s.Hosts, hostName(r.Host)) {
			next.ServeHTTP(w, r)
			return
		}
		if p := s.foreign(r, cmp.Or(to.host, r.Host)); p != nil {
			p.write(w, r)
			return
		}
		port, owner, err := s.openPortOf(r.Context(), to)
		if err != nil && to.host != "" && s.E2B != nil {
			next.ServeHTTP(w, r)
			return
		}
		if err != nil {
			failureOf(err).write(w, r)
			return
		}
		s.enterPort(w, r, to, port, owner)
	})
}

// openPortOf finds the port of a request, and whose session it is of.
func (s *Server) openPortOf(ctx context.Context, to portRequest) (port *api.Port, owner string, err error) {
	session, err := s.whole.Session(ctx, to.session)
	if err != nil {
		return nil, "", err
	}
	i := slices.IndexFunc(session.Ports, func(p api.Port) bool { return p.Port == to.port })
	if i < 0 {
		return nil, "", api.Errorf(api.NotFound, "port %d of session %s is not open", to.port, to.session).
			WithHint("open it with: glovebox session ports %s --open %d", to.session, to.port)
	}
	return &session.Ports[i], session.Owner, nil
}

// trusts reports whether a request needs no token of a port: below a path, that of the
// server, or one of the owner of the session, is as good.
func (s *Server) trusts(r *http.Request, to portRequest, owner string) bool {
	if isLocal(r.Context()) || s.Admitted {
		return true
	}
	if to.host != "" {
		return false
	}
	who, err := s.identify(r)
	return err == nil && who.Sees(owner) && who.May(api.ScopeRun)
}

// enterPort lets a request to a port in, or says why not.
func (s *Server) enterPort(w http.ResponseWriter, r *http.Request, to portRequest, port *api.Port, owner string) {
	if given := r.URL.Query().Get(portTokenQuery); given != "" && to.host != "" && r.Method == http.MethodGet && sameToken(given, port.Token) {
		redirectWithCookie(w, r, given)
		return
	}
	if !s.trusts(r, to, owner) && !port.Public && !hasPortToken(r, to, port) {
		newFailure(api.Errorf(api.Unauthorized, "the request has no token of port %d", to.port).
			WithHint("give it in the header %s, or once as the parameter %s", portTokenHeader, portTokenQuery)).write(w, r)
		return
	}
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		newFailure(api.Errorf(api.Overloaded, "the server answers %d requests of this kind already", cap(s.streams))).write(w, r)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer s.cancelOnDrain(ctx, cancel)()
	defer s.carried.add(portKey{to.session, to.port}, cancel)()
	clear(w.Header()) // what this server says of its own answers
	s.portProxy(to).ServeHTTP(w, r.WithContext(ctx))
}

// hasPortToken reports whether a request shows the token of a port. A cookie counts
// at the host of the port alone.
func hasPortToken(r *http.Request, to portRequest, port *api.Port) bool {
	if sameToken(r.Header.Get(portTokenHeader), port.Token) {
		return true
	}
	cookie, err := r.Cookie(portTokenCookie)
	return err == nil && to.host != "" && sameToken(cookie.Value, port.Token)
}

func sameToken(given, token string) bool {
	return token != "" && subtle.ConstantTimeCompare([]byte(given), []byte(token)) == 1
}

// redirectWithCookie keeps the token of a link out of the address, and out of what
// the page passes on of it.
func redirectWithCookie(w http.ResponseWriter, r *http.Request, token string) {
	http.SetCookie(w, &http.Cookie{Name: portTokenCookie, Value: token, Path: "/", HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode})
	query := r.URL.Query()
	query.Del(portTokenQuery)
	there := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, "/"), RawQuery: query.Encode()} // "//" would name a host
	w.Header().Set("Location", there.String())
	w.WriteHeader(http.StatusSeeOther)
}

// portProxy carries one request. A connection is made for it, and ends with it.
func (s *Server) portProxy(to portRequest) http.Handler {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return s.whole.DialPort(ctx, to.session, to.port)
	}
	return &httputil.ReverseProxy{
		Transport:     &http.Transport{DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: maxCellHeader, DialContext: dial},
		FlushInterval: -1,
		Rewrite:       func(p *httputil.ProxyRequest) { s.rewrite(p, to) },
		ModifyResponse: func(res *http.Response) error {
			ownCookies(res.Header)
			if to.host == "" {
				res.Header.Set("Content-Security-Policy", "sandbox")
			}
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() == nil {
				badGateway(err).write(w, r)
			}
		},
		ErrorLog: slog.NewLogLogger(s.Logger.Handler(), slog.LevelDebug),
	}
}

// maxCellHeader bounds the head of an answer of a cell, in bytes.
const maxCellHeader = 256 << 10

// rewrite takes what belongs to this server out of a request, and says in it where
// it came from.
func (s *Server) rewrite(p *httputil.ProxyRequest, to portRequest) {
	out := p.Out
	out.URL.Scheme, out.URL.Host = "http", net.JoinHostPort("localhost", strconv.Itoa(to.port))
	out.URL.RawPath = to.path
	out.URL.Path, _ = url.PathUnescape(to.path) // it was parsed before
	query := out.URL.Query()
	if query.Has(portTokenQuery) {
		query.Del(portTokenQuery)
		out.URL.RawQuery = query.Encode()
	}
	out.Host = p.In.Host
	out.Header.Del(portTokenHeader)
	if _, err := s.byToken(p.In); !errors.Is(err, api.Unauthorized) { // another one is for the server in the cell
		out.Header.Del("Authorization")
	}
	cookies := p.In.Cookies()
	out.Header.Del("Cookie")
	for _, c := range cookies {
		if c.Name != portTokenCookie && to.host != "" {
			out.AddCookie(c)
		}
	}
	out.Header.Set("X-Forwarded-Host", p.In.Host)
	out.Header.Set("X-Forwarded-Proto", schemeOf(p.In))
	if to.host == "" {
		out.Header.Set("X-Forwarded-Prefix", strings.TrimSuffix(p.In.URL.EscapedPath(), to.path))
	}
}

func schemeOf(r *http.Request) string {
	if r.TLS != nil {
		return "https"
	}
	return "http"
}

// ownCookies makes what a cell sets hold for its own host alone.
func ownCookies(h http.Header) {
	lines := h.Values("Set-Cookie")
	h.Del("Set-Cookie")
	for _, line := range lines {
		if c, err := http.ParseSetCookie(line); err == nil && c.Name != portTokenCookie {
			c.Domain = ""
			h.Add("Set-Cookie", c.String())
		}
	}
}

// badGateway is the answer for a server in a cell that did not answer.
func badGateway(err error) *failure {
	if e, ok := api.FindError(err); ok {
		return newFailure(e)
	}
	return refusal(http.StatusBadGateway, api.Errorf(api.CellLost, "the server in the cell did not answer as HTTP does"))
}
