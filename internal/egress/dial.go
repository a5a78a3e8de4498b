package egress

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
)

// open applies the policy to t, resolves it, checks every address and connects
// to one of the checked addresses. Nothing resolves the name a second time.
func (p *Proxy) open(ctx context.Context, t target) (*upstream, *refusal) {
	if r := p.policy.check(t); r != nil {
		return nil, r
	}
	if p.quota.spent() {
		return nil, p.quota.refusal()
	}
	conn, addr, r := p.connectTo(ctx, t)
	if r != nil {
		return nil, r
	}
	return &upstream{Conn: conn, address: addr, quota: &p.quota}, nil
}

// connectTo resolves t, checks every address and connects to one of them.
func (p *Proxy) connectTo(ctx context.Context, t target) (net.Conn, netip.AddrPort, *refusal) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	addrs, r := p.resolve(ctx, t)
	if r != nil {
		return nil, netip.AddrPort{}, r
	}
	conn, addr, err := p.dialAny(ctx, t, addrs)
	if errors.Is(err, errSelf) {
		return nil, netip.AddrPort{}, unsafeAddress(t, addr)
	}
	if err != nil {
		return nil, netip.AddrPort{}, unreachable("%s could not be reached: %v", t, err)
	}
	return conn, netip.AddrPortFrom(addr, t.port), nil
}

// resolve returns the addresses of t, all of them reachable. One address that
// is not spoils the answer: a host that names both is not to be trusted.
func (p *Proxy) resolve(ctx context.Context, t target) ([]netip.Addr, *refusal) {
	addrs := []netip.Addr{t.addr}
	if !t.addr.IsValid() {
		var err error
		// The final dot keeps the search domains of the host out.
		if addrs, err = p.options.Resolver.LookupNetIP(ctx, "ip", t.host+"."); err != nil || len(addrs) == 0 {
			return nil, unreachable("the name %s could not be resolved", t.host)
		}
	}
	addrs = slices.Clone(addrs)
	own, err := p.options.Own()
	if err != nil {
		return nil, unreachable("the addresses of the host are not known, so none can be distinguished from them")
	}
	for i, addr := range addrs {
		addrs[i] = addr.Unmap()
		inner := embedded(addr)
		if p.also(inner) {
			continue
		}
		if !reachable(addr) || slices.ContainsFunc(own, func(n netip.Prefix) bool { return n.Contains(inner) }) {
			return nil, unsafeAddress(t, addr)
		}
	}
	return addrs, nil
}

// also reports whether an address may be reached whatever it is.
func (p *Proxy) also(addr netip.Addr) bool {
	return slices.ContainsFunc(p.options.Also, func(n netip.Prefix) bool { return n.Contains(addr) })
}

// unsafeAddress tells the cell no address that it has not named: names inside of
// networks, and where they lead, are not its business.
func unsafeAddress(t target, addr netip.Addr) *refusal {
	const why = " never reachable from a cell: it is a private, local or metadata address, or one of this host or its link"
	if t.addr.IsValid() {
		return denied("%s is%s", t.host, why)
	}
	r := denied("%s is at an address that is%s", t.host, why)
	r.audit = t.host + " is at " + addr.String() + ", which is" + why
	return r
}

// dialAny tries the addresses in turn, at most four of them.
func (p *Proxy) dialAny(ctx context.Context, t target, addrs []netip.Addr) (net.Conn, netip.Addr, error) {
	const tries = 4
	var last error
	for _, addr := range addrs[:min(tries, len(addrs))] {
		conn, err := p.dialOne(ctx, t, netip.AddrPortFrom(addr, t.port))
		if err == nil || errors.Is(err, errSelf) {
			return conn, addr, err
		}
		last = err
	}
	return nil, netip.Addr{}, last
}

func (p *Proxy) dialOne(ctx context.Context, t target, addr netip.AddrPort) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout/3)
	defer cancel()
	asked := &http.Request{URL: &url.URL{Scheme: "https", Host: t.String()}}
	via, err := p.options.Upstream(asked)
	if err != nil {
		return nil, plainError("the proxy settings of the host cannot be read")
	}
	if via == nil {
		return p.dialDirectly(ctx, addr)
	}
	return p.dialVia(ctx, via, addr)
}

// errSelf says that an address turned out to be this host's.
var errSelf = errors.New("the address is one of this host")

func (p *Proxy) dialDirectly(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
	conn, err := p.options.Dialer.DialContext(ctx, "tcp", addr.String())
	if err != nil {
		return nil, err
	}
	if isSelf(conn, addr.Addr()) && !p.also(embedded(addr.Addr())) {
		return nil, errors.Join(errSelf, conn.Close())
	}
	return conn, nil
}

// plainError is an error without the address or the credentials of a proxy.
type plainError string

func (e plainError) Error() string { return string(e) }

// dialVia connects through the proxy of the host, which is asked for the
// checked address and so has nothing to resolve.
func (p *Proxy) dialVia(ctx context.Context, via *url.URL, addr netip.AddrPort) (net.Conn, error) {
	if via.Scheme != "http" {
		return nil, plainError("the proxy of the host must be an http:// address")
	}
	port := via.Port()
	if port == "" {
		port = "80"
	}
	conn, err := p.options.Dialer.DialContext(ctx, "tcp", net.JoinHostPort(via.Hostname(), port))
	if err != nil {
		return nil, plainError("the proxy of the host could not be reached")
	}
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if err := requestTunnel(conn, via, addr); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

func requestTunnel(conn net.Conn, via *url.URL, addr netip.AddrPort) error {
	head := "CONNECT " + addr.String() + " HTTP/1.1\r\nHost: " + addr.String() + "\r\n"
	if via.User != nil {
		password, _ := via.User.Password()
		credentials := via.User.Username() + ":" + password
		head += "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(credentials)) + "\r\n"
	}
	if _, err := conn.Write([]byte(head + "\r\n")); err != nil {
		return plainError("the proxy of the host closed the connection")
	}
	// One byte at a time, so that nothing of the tunnel is read here.
	answer := bufio.NewReaderSize(&oneByte{conn: conn, left: maxHead}, 16)
	resp, err := http.ReadResponse(answer, &http.Request{Method: http.MethodConnect})
	if err != nil {
		return plainError("the proxy of the host gave no HTTP answer")
	}
	if resp.StatusCode != http.StatusOK {
		return plainError("the proxy of the host refused with status " + http.StatusText(resp.StatusCode))
	}
	return nil
}

// oneByte reads single bytes, and no more than left of them.
type oneByte struct {
	conn net.Conn
	left int
}

func (o *oneByte) Read(p []byte) (int, error) {
	if o.left == 0 {
		return 0, plainError("answer too long")
	}
	o.left--
	return o.conn.Read(p[:min(1, len(p))])
}
