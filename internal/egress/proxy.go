package egress

import (
	"cmp"
	"context"
	"crypto/x509"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/withheld"
)

// The bounds of one proxy.
const (
	maxConnections = 256      // at once
	maxEngine      = 96       // of them, to the engine
	maxModel       = 16       // of them, to the model
	maxHeld        = 64       // of them, to hosts of withheld secrets
	maxHead        = 32 << 10 // bytes of a request line and its headers, and of an answer's
	headTimeout    = 10 * time.Second
	helloTimeout   = 10 * time.Second
	connectTimeout = 30 * time.Second // resolving and connecting together
	lingerTimeout  = 5 * time.Second  // in which a program may end its side, when the engine has ended its own
	idleTimeout    = 5 * time.Minute  // without a byte in either direction
)

// Resolver finds the addresses of a name. *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Dialer opens connections. *net.Dialer is one.
type Dialer interface {
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// Options are what a proxy may be given; the zero value is usable.
type Options struct {
	// Audit is called once for every connection and every plain HTTP request,
	// at its end, one call at a time.
	Audit func(api.Connection)
	// Quota bounds the bytes of the whole run, both ways together; 0 means no
	// bound. Those to and from the engine are counted apart, and those to and from the
	// model too, under the same bound.
	Quota int64
	// Engine carries one connection to the engine, whatever the policy allows,
	// and returns when it has ended or ctx has. Nil refuses such connections.
	Engine func(ctx context.Context, conn net.Conn)
	// Model carries one connection to the model that the cell may ask, in the same
	// way. A program asks for it by taking the proxy for a server.
	Model func(ctx context.Context, conn net.Conn)
	// Withheld are the secrets that the program has placeholders of. Connections to
	// their hosts are ended here and made again; nil leaves all as they are.
	Withheld *withheld.Set
	// Roots are whom the certificates of those hosts must come from; nil is the host's.
	Roots *x509.CertPool

	Resolver Resolver // nil is the resolver of the host
	Dialer   Dialer   // nil is the network of the host
	// Own lists what is refused because it is the host's or on its links. Nil
	// asks the host for the networks of its interfaces.
	Own func() ([]netip.Prefix, error)
	// Also lists addresses that may be reached although Own or their kind would have
	// them refused.
	Also []netip.Prefix
	// Upstream names the proxy that the host itself needs for a request, or
	// nil. A nil function reads HTTPS_PROXY and NO_PROXY.
	Upstream func(*http.Request) (*url.URL, error)
}

// Proxy carries the connections of one cell under one policy.
type Proxy struct {
	policy  *Policy
	options Options
	slots   chan struct{}
	quota   quota

	engineSlots chan struct{}
	engineQuota quota
	modelSlots  chan struct{}
	heldSlots   chan struct{}
	modelQuota  quota

	mu sync.Mutex // serializes Audit
}

// NewProxy returns a proxy for one run.
func NewProxy(policy *Policy, options Options) *Proxy {
	if options.Audit == nil {
		options.Audit = func(api.Connection) {}
	}
	if options.Resolver == nil {
		options.Resolver = net.DefaultResolver
	}
	if options.Dialer == nil {
		options.Dialer = &net.Dialer{}
	}
	if options.Own == nil {
		options.Own = ownNetworks
	}
	if options.Upstream == nil {
		options.Upstream = http.ProxyFromEnvironment
	}
	p := &Proxy{policy: policy, options: options, slots: make(chan struct{}, maxConnections), engineSlots: make(chan struct{}, maxEngine), modelSlots: make(chan struct{}, maxModel),
		heldSlots: make(chan struct{}, maxHeld)}
	p.quota.limit, p.engineQuota.limit, p.modelQuota.limit = options.Quota, options.Quota, options.Quota
	return p
}

// Serve speaks the HTTP proxy protocol on conn, which comes from the cell, and
// closes it. It returns when the connection has ended or ctx is done.
func (p *Proxy) Serve(ctx context.Context, conn net.Conn) {
	defer conn.Close()
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	default:
		p.turnAway(conn)
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	newSession(ctx, cancel, p, conn).serve()
}

// turnAway answers a connection that is one too many. It does not wait for a
// program that does not read.
func (p *Proxy) turnAway(conn net.Conn) {
	r := exhausted("more than %d connections at once, close some first", maxConnections)
	defer time.AfterFunc(time.Second, func() { conn.Close() }).Stop()
	_, _ = conn.Write([]byte(r.raw()))
	p.audit(api.Connection{Time: time.Now(), Reason: r.reason})
}

func (p *Proxy) audit(c api.Connection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.options.Audit(c)
}

// record writes the line of one connection. up is nil if there was none.
func (p *Proxy) record(start time.Time, t target, up *upstream, r *refusal) {
	c := api.Connection{Time: start, Host: t.host, Port: int(t.port), Allowed: r == nil || r.status == http.StatusBadGateway}
	if up != nil {
		c.Address, c.BytesIn, c.BytesOut = up.address.String(), up.in.Load(), up.out.Load()
	}
	if r == nil && up != nil && up.cut.Load() {
		r = up.quota.refusal()
	}
	if r != nil {
		c.Reason = cmp.Or(r.audit, r.reason)
	}
	p.audit(c)
}
