package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/servicetest"
)

const token = "a token"

// host is a server that serves a fake on a Unix socket and on the loopback.
type host struct {
	*Server
	*fake
	kept   *servicetest.FakeSessions
	t      *testing.T
	socket string // its path
	tcp    string // its address
	local  http.Client
	stop   context.CancelFunc
	ended  chan error // two values, one of each Serve
}

// repeatMCP stands for a server of MCP: it repeats what it is asked.
func repeatMCP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // a test that is cut fails by the answer
	fmt.Fprintf(w, "%s %s %s", r.Method, r.Header.Get("Mcp-Session-Id"), body)
}

func start(t *testing.T, change ...func(*Config)) *host {
	t.Helper()
	f := newFake()
	c := Config{Service: f, TokenHash: HashToken(token), Version: "v0-test", Logger: slog.New(slog.NewTextHandler(t.Output(), nil)), MCP: http.HandlerFunc(repeatMCP), Hooks: f.receive}
	for _, f := range change {
		f(&c)
	}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	h := &host{Server: s, fake: f, kept: f.FakeSessions, t: t, socket: filepath.Join(t.TempDir(), "run", "s.sock"), ended: make(chan error, 2)}
	ctx, stop := context.WithCancel(context.Background())
	h.stop = stop
	h.tcp = h.serve(ctx, "127.0.0.1:0")
	h.serve(ctx, "unix:"+h.socket)
	h.local.Transport = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", h.socket)
	}}
	t.Cleanup(func() {
		h.local.CloseIdleConnections()
		stop()
		for range 2 {
			if err := <-h.ended; err != nil {
				t.Errorf("Serve: %v", err)
			}
		}
	})
	return h
}

func (h *host) serve(ctx context.Context, address string) string {
	h.t.Helper()
	ln, err := Listen(address, ListenOptions{Token: true})
	if err != nil {
		h.t.Fatal(err)
	}
	go func() { h.ended <- h.Serve(ctx, ln) }()
	return ln.Addr().String()
}

// ask sends a request over the Unix socket; headers are "Name: value".
func (h *host) ask(method, path, body string, headers ...string) *http.Response {
	h.t.Helper()
	return h.do(&h.local, "http://glovebox"+path, method, body, headers...)
}

// askTCP sends a request over TCP.
func (h *host) askTCP(method, path, body string, headers ...string) *http.Response {
	h.t.Helper()
	return h.do(http.DefaultClient, "http://"+h.tcp+path, method, body, headers...)
}

func (h *host) do(client *http.Client, url, method, body string, headers ...string) *http.Response {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	if strings.HasPrefix(body, "{") {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		if name != "" {
			req.Header.Set(name, value)
		}
		if name == "Host" {
			req.Host = value
		}
	}
	res, err := client.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

func text(t *testing.T, res *http.Response) string {
	t.Helper()
	all, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(all))
}

// failed reads a problem, and holds it to what every problem has.
func failed(t *testing.T, res *http.Response) failure {
	t.Helper()
	content := text(t, res)
	var p failure
	if err := json.NewDecoder(bytes.NewReader([]byte(content))).Decode(&p); err != nil {
		t.Fatalf("status %d, no problem: %q", res.StatusCode, content)
	}
	if p.Status != res.StatusCode || p.Type != "urn:glovebox:error:"+string(p.Code) || p.Instance == "" || p.Title == "" || p.Outcome == "" {
		t.Errorf("status %d with the problem %s", res.StatusCode, content)
	}
	if got := res.Header.Get("Content-Type"); got != "application/problem+json" {
		t.Errorf("Content-Type is %q", got)
	}
	return p
}

func expect(t *testing.T, res *http.Response, status int, code api.Code) failure {
	t.Helper()
	p := failed(t, res)
	if res.StatusCode != status || p.Code != code {
		t.Errorf("got %d %s (%s), want %d %s", res.StatusCode, p.Code, p.Detail, status, code)
	}
	return p
}

// submit starts a run without inputs.
func (h *host) submit() string {
	h.t.Helper()
	res := h.ask("POST", "/v1/runs", `{"task": {"name": "t"}}`)
	var run api.Run
	if err := json.Unmarshal([]byte(text(h.t, res)), &run); err != nil || res.StatusCode != http.StatusCreated {
		h.t.Fatalf("status %d: %v", res.StatusCode, err)
	}
	return run.ID
}
