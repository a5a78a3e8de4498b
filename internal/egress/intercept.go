package egress

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"strings"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/withheld"
)

// The bounds of one connection whose TLS ends here.
const (
	maxStreams = 32 // requests at once, by HTTP/2
	maxOnward  = 8  // connections to the host
)

// interception is one connection to a host of withheld secrets. Its TLS ends here, and
// the connection to the host has TLS of its own.
type interception struct {
	session   *session
	target    target
	place     *withheld.Place
	transport *http.Transport
	requests  sync.WaitGroup

	mu      sync.Mutex
	address string // of the host, that was dialled last
}

// intercept handles CONNECT to such a host.
func (s *session) intercept(start time.Time, t target, place *withheld.Place) {
	r := s.proxy.policy.check(t)
	if r == nil && s.proxy.quota.spent() {
		r = s.proxy.quota.refusal()
	}
	if r != nil {
		s.refuse(start, t, r)
		return
	}
	select {
	case s.proxy.heldSlots <- struct{}{}:
		defer func() { <-s.proxy.heldSlots }()
	default:
		s.refuse(start, t, exhausted("more than %d connections to hosts of withheld secrets at once, close some first", maxHeld))
		return
	}
	if _, err := io.WriteString(s.conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	i := &interception{session: s, target: t, place: place}
	i.transport = &http.Transport{
		DialContext: i.dial, TLSClientConfig: &tls.Config{RootCAs: s.proxy.options.Roots, MinVersion: tls.VersionTLS12}, ForceAttemptHTTP2: true,
		DisableCompression: true, MaxResponseHeaderBytes: maxHead, MaxConnsPerHost: maxOnward, TLSHandshakeTimeout: connectTimeout,
		ResponseHeaderTimeout: idleTimeout, IdleConnTimeout: idleTimeout,
	}
	defer i.transport.CloseIdleConnections()
	if r := s.carry(i.serve, &s.proxy.quota); r != nil {
		s.proxy.record(start, t, nil, r)
	}
}

// dial connects to the host under the rules for all connections.
func (i *interception) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	conn, addr, r := i.session.proxy.connectTo(ctx, i.target)
	if r != nil {
		return nil, r
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.address = addr.String()
	return conn, nil
}

// serve ends the TLS of conn and handles its requests, by HTTP/1.1 or HTTP/2.
func (i *interception) serve(ctx context.Context, conn net.Conn) {
	start := time.Now()
	one := &oneConn{Conn: conn, closed: make(chan struct{})}
	secured := tls.Server(one, i.place.TLS())
	if err := i.shake(ctx, secured); err != nil {
		i.session.proxy.record(start, i.target, nil, handshakeRefusal(i.target, err))
		return
	}
	server := &http.Server{
		Handler: i, ReadHeaderTimeout: headTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHead, ErrorLog: log.New(io.Discard, "", 0),
		BaseContext: func(net.Listener) context.Context { return ctx }, HTTP2: &http.HTTP2Config{MaxConcurrentStreams: maxStreams},
		TLSConfig: &tls.Config{NextProtos: []string{"h2", "http/1.1"}},
	}
	_ = server.Serve(&oneListener{conn: secured, closed: one.closed})
	server.Close()
	i.requests.Wait()
}

func (i *interception) shake(ctx context.Context, conn *tls.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, helloTimeout)
	defer cancel()
	return conn.HandshakeContext(ctx)
}

func handshakeRefusal(t target, err error) *refusal {
	var known *withheld.Refusal
	if errors.As(err, &known) {
		return denied("%s", known.Reason)
	}
	r := denied("the program made no TLS connection to %s, which a secret of this run goes to: %s", t, clip(err.Error()))
	r.hint = "let the program trust the certificates in SSL_CERT_FILE"
	return r
}

// ServeHTTP implements http.Handler.
func (i *interception) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.requests.Add(1)
	defer i.requests.Done()
	q := &intercepted{interception: i, start: time.Now(), method: r.Method, path: r.URL.Path}
	defer q.record()
	if q.refused = i.check(r); q.refused != nil {
		answerHTTP(w, q.refused)
		return
	}
	x, no := i.place.Begin(r, i.transport)
	if no != nil {
		q.refused = withheldRefusal(no)
		answerHTTP(w, q.refused)
		return
	}
	q.exchange = x
	(&httputil.ReverseProxy{
		Transport: x, FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0), Rewrite: i.rewrite,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			q.refused = i.failure(x, err)
			answerHTTP(w, q.refused)
		},
	}).ServeHTTP(w, r)
}

// check makes sure that the request is for the host whose name the TLS has.
func (i *interception) check(r *http.Request) *refusal {
	if r.Method == http.MethodConnect {
		return badRequest("CONNECT within a connection to %s is refused", i.target)
	}
	if named, no := parseTarget(r.Host, i.target.port); no != nil || named != i.target {
		return denied("a request on a connection to %s asks for the host %q", i.target, clip(r.Host))
	}
	return nil
}

// rewrite sends the request to the host of the connection, whatever it says.
func (i *interception) rewrite(p *httputil.ProxyRequest) {
	p.Out.URL.Scheme, p.Out.URL.Host = "https", i.target.String()
	p.Out.URL.RawQuery = p.In.URL.RawQuery
	p.Out.Host = strings.TrimSuffix(i.target.String(), ":443")
}

// failure says why the host gave no answer that could be passed on.
func (i *interception) failure(x *withheld.Exchange, err error) *refusal {
	var known *refusal
	var no *withheld.Refusal
	var certificate *tls.CertificateVerificationError
	switch {
	case x.Cut() != nil:
		return withheldRefusal(x.Cut())
	case errors.As(err, &known):
		return known
	case errors.As(err, &no):
		return withheldRefusal(no)
	case errors.As(err, &certificate):
		return unreachable("%s could not prove who it is, so no secret was sent: %v", i.target, reasonOf(certificate))
	}
	return unreachable("%s gave no answer: %s", i.target, clip(err.Error()))
}

// reasonOf leaves out what a certificate says of itself: it may be any text.
func reasonOf(e *tls.CertificateVerificationError) string {
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(e, &name):
		return "its certificate is for another name"
	case errors.As(e, &invalid) && invalid.Reason == x509.Expired:
		return "its certificate has expired"
	}
	return "its certificate is from no authority that this host trusts"
}

func withheldRefusal(r *withheld.Refusal) *refusal {
	return &refusal{status: http.StatusForbidden, reason: r.Reason, hint: r.Hint}
}

// answerHTTP sends a refusal in the protocol of the request.
func answerHTTP(w http.ResponseWriter, r *refusal) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(r.status)
	_, _ = io.WriteString(w, r.line())
}

// intercepted is one request, for the audit.
type intercepted struct {
	*interception
	start        time.Time
	method, path string
	exchange     *withheld.Exchange // nil if it was refused before
	refused      *refusal
}

// record writes the line of the request.
func (q *intercepted) record() {
	q.mu.Lock()
	address := q.address
	q.mu.Unlock()
	q.session.proxy.recordRequest(q.start, q.target, address, q.method, q.path, q.exchange, q.refused)
}

// maxPath bounds what of a path is in the audit.
const maxPath = 256

func (p *Proxy) recordRequest(start time.Time, t target, address, method, path string, x *withheld.Exchange, r *refusal) {
	c := api.Connection{Time: start, Host: t.host, Port: int(t.port), Address: address, Method: clip(method), Path: path[:min(len(path), maxPath)]}
	if x != nil {
		c.Status, c.Secrets = x.Status(), x.Secrets()
		c.BytesIn, c.BytesOut = x.Sizes()
		if cut := x.Cut(); r == nil && cut != nil {
			r = withheldRefusal(cut)
		}
	}
	c.Allowed = r == nil || r.status == http.StatusBadGateway
	if r != nil {
		c.Status, c.Reason = cmp.Or(c.Status, r.status), cmp.Or(r.audit, r.reason)
	}
	p.audit(c)
}

// oneConn says when it was closed.
type oneConn struct {
	net.Conn
	once   sync.Once
	closed chan struct{}
}

// Close implements net.Conn.
func (c *oneConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// oneListener hands out one connection, and ends when that does.
type oneListener struct {
	conn   net.Conn
	closed chan struct{}
	given  bool
}

// Accept implements net.Listener.
func (l *oneListener) Accept() (net.Conn, error) {
	if !l.given {
		l.given = true
		return l.conn, nil
	}
	<-l.closed
	return nil, net.ErrClosed
}

// Close implements net.Listener.
func (l *oneListener) Close() error { return nil }

// Addr implements net.Listener.
func (l *oneListener) Addr() net.Addr { return l.conn.LocalAddr() }
