package egress

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// world is the network that a proxy under test sees.
type world struct {
	mu      sync.Mutex
	names   map[string][]netip.Addr // without the final dot
	later   map[string][]netip.Addr // the answers after the first, where they differ
	lookups map[string]int
	servers map[string]string // "address:port" to where it really listens
	dialled []string
	audit   []api.Connection

	recorded chan struct{} // gets something after each line of the audit
}

func newWorld() *world {
	return &world{names: map[string][]netip.Addr{}, later: map[string][]netip.Addr{}, lookups: map[string]int{}, servers: map[string]string{},
		recorded: make(chan struct{}, 1)}
}

// name gives addresses to a name.
func (w *world) name(name string, addrs ...string) {
	for _, addr := range addrs {
		w.names[name] = append(w.names[name], netip.MustParseAddr(addr))
	}
}

func (w *world) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	name, ok := strings.CutSuffix(host, ".")
	if !ok {
		return nil, errors.New("the search domains of the host would be used")
	}
	w.lookups[name]++
	if later, ok := w.later[name]; ok && w.lookups[name] > 1 {
		return later, nil
	}
	if addrs, ok := w.names[name]; ok {
		return addrs, nil
	}
	return nil, errors.New("no such host")
}

func (w *world) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	w.mu.Lock()
	w.dialled = append(w.dialled, address)
	real, ok := w.servers[address]
	w.mu.Unlock()
	if !ok {
		return nil, errors.New("connection refused")
	}
	return new(net.Dialer).DialContext(ctx, network, real)
}

func (w *world) record(c api.Connection) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.audit = append(w.audit, c)
	select {
	case w.recorded <- struct{}{}:
	default:
	}
}

func (w *world) seen() []api.Connection {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]api.Connection(nil), w.audit...)
}

func noUpstream(*http.Request) (*url.URL, error) { return nil, nil }

func (w *world) options() Options {
	own := func() ([]netip.Prefix, error) {
		return []netip.Prefix{netip.MustParsePrefix("203.0.113.0/28"), netip.MustParsePrefix("2001:db8:7::/64")}, nil
	}
	return Options{Audit: w.record, Resolver: w, Dialer: w, Own: own, Upstream: noUpstream}
}

// serve makes name a host at addr with an HTTP server on port 80.
func (w *world) serve(t *testing.T, name, addr string, handler http.HandlerFunc) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	w.name(name, addr)
	w.servers[addr+":80"] = server.Listener.Addr().String()
}

// listen makes "addr:port" a server that handles each connection by itself.
func (w *world) listen(t *testing.T, addrPort string, handle func(net.Conn)) {
	t.Helper()
	l := listener(t, handle)
	w.servers[addrPort] = l
}

func listener(t *testing.T, handle func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	group.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			group.Go(func() {
				defer conn.Close()
				handle(conn)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		group.Wait()
	})
	return l.Addr().String()
}

// cell is the program's side: connections to one proxy.
type cell struct {
	t       *testing.T
	address string
}

func (w *world) cell(t *testing.T, policy api.Network) *cell {
	return w.cellWith(t, policy, w.options())
}

func (w *world) cellWith(t *testing.T, policy api.Network, options Options) *cell {
	t.Helper()
	parsed, err := ParsePolicy(policy)
	if err != nil {
		t.Fatal(err)
	}
	p := NewProxy(parsed, options)
	ctx, cancel := context.WithCancel(context.Background())
	address := listener(t, func(conn net.Conn) { p.Serve(ctx, conn) })
	t.Cleanup(cancel) // runs before the listener waits
	return &cell{t, address}
}

func (c *cell) dial() *net.TCPConn {
	c.t.Helper()
	conn, err := net.Dial("tcp", c.address)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { conn.Close() })
	return conn.(*net.TCPConn)
}

// client is an ordinary HTTP client that uses the proxy.
func (c *cell) client() *http.Client {
	proxy := &url.URL{Scheme: "http", Host: c.address}
	transport := &http.Transport{Proxy: http.ProxyURL(proxy)}
	c.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// get returns status and body.
func (c *cell) get(address string) (int, string) {
	c.t.Helper()
	resp, err := c.client().Get(address)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// connect asks for a tunnel and returns the status of the answer.
func (c *cell) connect(to string) (*net.TCPConn, *bufio.Reader, string) {
	c.t.Helper()
	conn := c.dial()
	fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", to, to)
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, &http.Request{Method: http.MethodConnect})
	if err != nil {
		c.t.Fatal(err)
	}
	return conn, r, resp.Status
}

func echo(conn net.Conn) {
	io.Copy(conn, conn)
	conn.(*net.TCPConn).CloseWrite()
}
