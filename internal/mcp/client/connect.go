package client

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Bounds of what a server sends.
const (
	maxMessage = 16 << 20  // bytes of one message
	maxStream  = 256 << 20 // bytes of the messages about one call
)

// connect opens c.
func (r *Runner) connect(ctx context.Context, c *connection, server api.MCPServer) error {
	token, err := r.token(server.Token)
	if err != nil {
		return err
	}
	c.redactor = r.redactors.Of([]byte(token))
	transport, err := r.transport(ctx, c, server, token)
	if err != nil {
		return err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "glovebox", Version: "1"}, &mcp.ClientOptions{
		Capabilities:                &mcp.ClientCapabilities{}, // it gives servers nothing
		ProgressNotificationHandler: c.progressed,
		MultiRoundTrip:              &mcp.MultiRoundTripOptions{Disabled: true},
	})
	if c.session, err = client.Connect(ctx, transport, nil); err != nil {
		return api.Errorf(api.MCPUnavailable, "MCP server %s: %s", label(server), words(c.redactor, err.Error()))
	}
	return nil
}

func (r *Runner) transport(ctx context.Context, c *connection, server api.MCPServer, token string) (mcp.Transport, error) {
	switch {
	case server.URL == "" && server.Host:
		return r.hostProgram(c, server)
	case server.URL == "":
		return r.program(ctx, c, server)
	}
	return &mcp.StreamableClientTransport{
		Endpoint: server.URL, HTTPClient: r.httpClient(server, token), MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: maxMessage,
	}, nil
}

// token returns the token that a secret holds, or none without a name.
func (r *Runner) token(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	stored, err := r.config.Secret(name)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(stored))
	if token == "" || strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return "", api.Errorf(api.SecretUnreadable, "secret %q is no token: a token is one word", name).
			WithHint("store the token alone: glovebox secret set %s", name)
	}
	return token, nil
}

// httpClient follows no redirect: it would take the arguments along, and the token
// too as far as the host is the same.
func (r *Runner) httpClient(server api.MCPServer, token string) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if !server.Host {
		transport.Proxy = nil
		dialer := &net.Dialer{Timeout: 30 * time.Second, Control: r.checkAddress}
		transport.DialContext = dialer.DialContext
	}
	return &http.Client{
		Transport:     guarded{transport, token},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

var errPrivate = errors.New("its address is private or of this host, which only host: true allows")

// checkAddress sees the address that a name has, whatever it had before.
func (r *Runner) checkAddress(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil || r.config.Never(host) {
		return errPrivate
	}
	return nil
}

// guarded adds the token, and bounds what a server sends.
type guarded struct {
	next  http.RoundTripper
	token string
}

// RoundTrip implements http.RoundTripper.
func (g guarded) RoundTrip(req *http.Request) (*http.Response, error) {
	if g.token != "" {
		req = req.Clone(req.Context())
		req.Header.Set("Authorization", "Bearer "+g.token)
	}
	res, err := g.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	limit := int64(maxMessage)
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		limit = maxStream
	}
	res.Body = &bounded{res.Body, limit}
	return res, nil
}

var errTooMuch = errors.New("it sent more than an answer can be")

// bounded fails a reader that has no end.
type bounded struct {
	io.ReadCloser
	left int64
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errTooMuch
	}
	return n, err
}

// host is the host of a URL, for people.
func host(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return value.Shorten(u.Host, 256)
	}
	return "without a name"
}
