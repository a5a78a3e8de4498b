package server

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/server"
)

const token = "a token of enough bytes"

// serve offers f over HTTP, as glovebox serve does, and returns its address.
func serve(t *testing.T, f *fake) string {
	t.Helper()
	h, err := server.New(server.Config{Service: f, TokenHash: server.HashToken(token), MCP: New(Config{Service: f}).Handler()})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(ctx, ln) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return "http://" + ln.Addr().String()
}

// bearer adds the token to requests.
type bearer struct{}

func (bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token)
	return http.DefaultTransport.RoundTrip(r)
}

// TestHTTP has clients of the protocol with sessions, and without, do their work.
func TestHTTP(t *testing.T) {
	address := serve(t, newFake(func(_ context.Context, s api.Submission) (*api.Result, error) {
		if s.Progress != nil {
			s.Progress(api.Progress{Stage: "start"})
			time.Sleep(50 * time.Millisecond)
		}
		return &api.Result{Stdout: []byte("hello\n")}, nil
	}))
	for _, version := range []string{"2025-06-18", "2025-11-25", sessionless} {
		t.Run(version, func(t *testing.T) {
			heard := make(chan string, 10)
			o := &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { heard <- r.Params.Message }}
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
			c, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: address + "/mcp", HTTPClient: &http.Client{Transport: bearer{}}},
				&mcp.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			p := &mcp.CallToolParams{Name: "run_python", Arguments: map[string]any{"code": "..."}}
			p.SetProgressToken("here")
			r, err := c.CallTool(t.Context(), p)
			if err != nil || !strings.Contains(said(r), "hello") {
				t.Fatalf("the answer is %+v, %v", r, err)
			}
			select {
			case message := <-heard:
				if message != "start" {
					t.Errorf("heard %q", message)
				}
			case <-time.After(10 * time.Second):
				t.Error("no progress was heard")
			}
		})
	}
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// post sends a message as a client would, changed by change.
func post(t *testing.T, address, body string, change func(*http.Request)) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/mcp", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if change != nil {
		change(r)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	return answer
}

// TestHTTPGuards: no page of a browser gets to the tools, and nobody without the
// token, not even with the session of a client.
func TestHTTPGuards(t *testing.T) {
	f := newFake(printing(""))
	address := serve(t, f)
	good := post(t, address, initialize, nil)
	session := good.Header.Get("Mcp-Session-Id")
	if good.StatusCode != http.StatusOK || session == "" {
		t.Fatalf("a client gets %d, session %q", good.StatusCode, session)
	}
	call := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run_python","arguments":{"code":"1"}}}`
	for name, c := range map[string]struct {
		status int
		change func(*http.Request)
	}{
		"page":          {403, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }},
		"page, fetched": {403, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }},
		"rebound name":  {421, func(r *http.Request) { r.Host = "evil.example" }},
		"no token":      {401, func(r *http.Request) { r.Header.Del("Authorization") }},
		"wrong token":   {401, func(r *http.Request) { r.Header.Set("Authorization", "Bearer of another server") }},
		"form":          {415, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }},
		"no session":    {404, func(r *http.Request) { r.Header.Set("Mcp-Session-Id", "guessed") }},
	} {
		answer := post(t, address, call, func(r *http.Request) {
			r.Header.Set("Mcp-Session-Id", session)
			c.change(r)
		})
		if answer.StatusCode != c.status {
			t.Errorf("%s: %d, want %d", name, answer.StatusCode, c.status)
		}
	}
	if answer := post(t, address, strings.Repeat(" ", maxBody+1), nil); answer.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a long message gets %d", answer.StatusCode)
	}
	if len(f.runs) != 0 {
		t.Errorf("%d runs were started", len(f.runs))
	}
}

// TestHTTPSessionsAreBounded: who opens sessions without end gets no more, while
// those that are there go on, and an ended one makes room.
func TestHTTPSessionsAreBounded(t *testing.T) {
	address := serve(t, newFake(nil))
	var last string
	for i := range maxSessions {
		answer := post(t, address, initialize, nil)
		if answer.StatusCode != http.StatusOK {
			t.Fatalf("client %d gets %d", i, answer.StatusCode)
		}
		_, _ = io.Copy(io.Discard, answer.Body) // the connection can be used again
		last = answer.Header.Get("Mcp-Session-Id")
	}
	if answer := post(t, address, initialize, nil); answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" {
		t.Errorf("one more gets %d", answer.StatusCode)
	}
	inSession := func(r *http.Request) { r.Header.Set("Mcp-Session-Id", last) }
	if answer := post(t, address, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, inSession); answer.StatusCode != http.StatusAccepted {
		t.Errorf("one that is there gets %d", answer.StatusCode)
	}
	if answer := post(t, address, "", func(r *http.Request) { inSession(r); r.Method = http.MethodDelete }); answer.StatusCode != http.StatusNoContent {
		t.Errorf("one that leaves gets %d", answer.StatusCode)
	}
	if answer := post(t, address, initialize, nil); answer.StatusCode != http.StatusOK {
		t.Errorf("after one left another gets %d", answer.StatusCode)
	}
}

// TestSilentClient: a client that never reads slows its answer, and not its run.
func TestSilentClient(t *testing.T) {
	ended := make(chan struct{})
	f := newFake(func(_ context.Context, s api.Submission) (*api.Result, error) {
		defer close(ended)
		for i := range 10_000 {
			fmt.Fprintf(s.Stdout, "line %d\n", i)
		}
		return &api.Result{}, nil
	})
	out, _ := io.Pipe() // nobody reads what is written to its other end
	in, send := io.Pipe()
	defer out.Close()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	_, never := io.Pipe()
	go func() { done <- New(Config{Service: f}).Serve(ctx, in, never) }()
	fmt.Fprint(send, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_python","arguments":{"code":"1"},"_meta":{"progressToken":1,`+
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`+"\n")
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("the run waits for its client")
	}
	stop()
	_ = never.Close()
	<-done
}
