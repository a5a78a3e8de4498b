package e2b

import (
	"context"
	"net"
	"net/http"
	"net/http/httputil"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// tokenHeader has the token of a sandbox whose ports are not public.
const tokenHeader = "E2b-Traffic-Access-Token"

// mayEnter reports whether a call may reach a server in the sandbox. Otherwise it
// answers the call.
func (c *call) mayEnter() bool {
	if isPublic(c.session) || equal(c.r.Header.Get(tokenHeader), c.face.token(trafficPurpose, c.session.ID)) {
		return true
	}
	writeJSON(c.w, http.StatusForbidden, proxyError{
		SandboxID: c.session.ID, Message: "The sandbox's ports need a valid " + tokenHeader, Code: http.StatusForbidden,
	})
	return false
}

// isPublic reports whether the ports of a session are reached by its id alone: those
// of a sandbox are by default. A session that no client of E2B made has them closed.
func isPublic(s *api.Session) bool {
	_, made := s.Spec.Labels[labelTemplate]
	return made && s.Spec.Labels[labelPrivate] == ""
}

// serveTraffic carries a request to a server in the sandbox, and its answer back.
func (c *call) serveTraffic(port int) {
	if !c.mayEnter() {
		return
	}
	clear(c.w.Header()) // what this server says of its own answers
	transport := &http.Transport{
		DisableKeepAlives: true, DisableCompression: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return c.face.Sessions.DialPort(ctx, c.session.ID, port)
		},
	}
	defer transport.CloseIdleConnections()
	proxy := &httputil.ReverseProxy{
		Transport: transport, FlushInterval: -1,
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.Scheme, p.Out.URL.Host = "http", net.JoinHostPort("localhost", strconv.Itoa(port))
			p.Out.Host = c.hostSeen(port)
			for _, name := range []string{"E2b-Sandbox-Id", "E2b-Sandbox-Port", tokenHeader, "X-Api-Key"} {
				p.Out.Header.Del(name)
			}
			p.SetXForwarded()
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			switch {
			case r.Context().Err() != nil:
			case c.left():
				writeGone(w, c.session.ID)
			case isNotFound(err):
				writeClosed(w, c.session.ID, port)
			default:
				writeError(w, r, http.StatusBadGateway, "the server in the sandbox did not answer")
			}
		},
	}
	proxy.ServeHTTP(c.w, c.r)
}

// hostSeen returns the host that a server in the sandbox reads.
func (c *call) hostSeen(port int) string {
	if mask := c.session.Spec.Labels[labelMask]; mask != "" {
		return strings.ReplaceAll(mask, "${PORT}", strconv.Itoa(port))
	}
	return c.r.Host
}
