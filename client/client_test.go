package client

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/glovebox-dev/glovebox/api"
)

func wantCode(t *testing.T, err error, code api.Code) *api.Error {
	t.Helper()
	var e *api.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("got %v, want an error of code %s", err, code)
	}
	return e
}

func TestAddresses(t *testing.T) {
	for _, good := range []string{
		"http://127.0.0.1:8080", "http://localhost:1", "http://[::1]:1/", "https://example.com", "https://example.com:1/below/",
	} {
		c, err := Dial(good, Options{})
		if err != nil {
			t.Errorf("%s: %v", good, err)
			continue
		}
		c.Close()
	}
	if c, err := Dial("unix:///run/glovebox.sock", Options{}); runtime.GOOS == "windows" {
		wantCode(t, err, api.RequestInvalid)
	} else if err != nil {
		t.Error(err)
	} else {
		c.Close()
	}
	for _, bad := range []string{
		"", "/run/glovebox.sock", "127.0.0.1:8080", "localhost:1", "unix:run.sock", "unix://run/sock", "unix:///", "ftp://host", "http://", "https://:1",
		"http://192.0.2.1:80", "http://example.com", "https://user:password@host", "https://host?x=1", "https://host#x", "://", "http://[::1", "https://host:port",
		"unix:///" + strings.Repeat("x", 107),
	} {
		_, err := Dial(bad, Options{})
		e := wantCode(t, err, api.RequestInvalid)
		if e.Details.Expected == "" || strings.Contains(e.Error(), "password") && strings.Contains(e.Error(), "user:password") {
			t.Errorf("%s: %v", bad, e)
		}
	}
}

func TestTokenThatIsNone(t *testing.T) {
	for _, token := range []string{"hidden\n", "hidden token", "hidden\x00", "hiddén"} {
		_, err := Dial("http://127.0.0.1:1", Options{Token: token})
		if e := wantCode(t, err, api.RequestInvalid); strings.Contains(e.Error(), "hidd") {
			t.Errorf("the error tells the token: %v", e)
		}
	}
}

func TestHTTPClientIsNotForSockets(t *testing.T) {
	needSockets(t)
	_, err := Dial("unix:///run/sock", Options{HTTPClient: http.DefaultClient})
	wantCode(t, err, api.RequestInvalid)
}

// A certificate that nobody vouches for ends it before the token is sent; a
// client of the caller's may know better, but follows no redirect either.
func TestTLS(t *testing.T) {
	var requests atomic.Int32
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer server.Close()
	for _, given := range []*http.Client{nil, server.Client()} {
		c, err := Dial(server.URL, Options{Token: "t", HTTPClient: given})
		if err != nil {
			t.Fatal(err)
		}
		_, err = quick(c).Deploy(t.Context(), api.Deployment{})
		wantCode(t, err, api.ServerUnavailable)
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if n := requests.Load(); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// needSockets skips a test of Unix sockets where servers have none to reach.
func needSockets(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Unix sockets of servers cannot be reached from Windows")
	}
}

// Over a socket neither names nor proxies count.
func TestUnixSocket(t *testing.T) {
	needSockets(t)
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("http_proxy", "http://127.0.0.1:1")
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	server := &httptest.Server{Listener: l, Config: &http.Server{Handler: routes(map[string]http.HandlerFunc{
		"GET /v1/secrets": func(w http.ResponseWriter, r *http.Request) {
			answer(w, 200, map[string]any{"names": []string{r.Host, r.Header.Get("Authorization"), r.UserAgent()}})
		},
	})}}
	server.Start()
	defer server.Close()
	c, err := Dial("unix://"+path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	got, err := c.Secrets(t.Context())
	if diff := cmp.Diff([]string{"localhost", "", "glovebox-client"}, got); err != nil || diff != "" {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}

// TestProblems: the caller gets the error that the server had, for every code.
func TestProblems(t *testing.T) {
	details := api.Details{Field: "x", Expected: "int", Got: "str", Limit: 3, Exception: &api.Exception{Type: "ValueError", Frames: []api.Frame{{File: "f.py", Line: 7}}}}
	for _, info := range api.Codes() {
		want := api.Errorf(info.Code, "it is <wrong> & so on").WithHint("do this").WithDetails(details)
		want.Attempts, want.Retryable, want.Outcome = 3, !info.Retryable, api.Failed
		c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fail(w, 418, want) }))
		_, err := c.Run(t.Context(), "r")
		got := wantCode(t, err, info.Code)
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(api.Error{})); diff != "" {
			t.Errorf("%s -want +got:\n%s", info.Code, diff)
		}
	}
}

func TestAnswersThatAreNoneOfOurs(t *testing.T) {
	reply := func(status int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(text))
		}
	}
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		code    api.Code
	}{
		"unauthorized":   {reply(401, "no"), api.Unauthorized},
		"too many":       {reply(429, "slow down"), api.Overloaded},
		"page not found": {reply(404, "404 page not found"), api.ServerUnavailable},
		"bad gateway":    {reply(502, "<html>"), api.ServerUnavailable},
		"other JSON":     {reply(500, `{"error": "x"}`), api.ServerUnavailable},
		"portal":         {reply(200, "<html>welcome</html>"), api.ServerUnavailable},
		"other value":    {reply(200, `[1]`), api.ServerUnavailable},
		"nothing":        {reply(200, ""), api.ServerUnavailable},
		"cut at once":    {func(w http.ResponseWriter, _ *http.Request) { cut(w) }, api.ServerUnavailable},
		"cut inside": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte("{"))
			cut(w)
		}, api.ServerUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			c := serve(t, test.handler)
			_, err := c.Run(t.Context(), "r")
			if e := wantCode(t, err, test.code); !strings.Contains(e.Message, "127.0.0.1") {
				t.Errorf("the error does not name the server: %v", e)
			}
		})
	}
}

func TestNobodyListens(t *testing.T) {
	needSockets(t)
	c, err := Dial("unix://"+filepath.Join(t.TempDir(), "none"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer quick(c).Close()
	_, err = c.Submit(t.Context(), api.Submission{Task: &api.Task{Name: "x"}})
	if e := wantCode(t, err, api.ServerUnavailable); e.Outcome != api.NotStarted || !e.Retryable || !strings.Contains(e.Message, "none") {
		t.Errorf("got %+v", e)
	}
}

// A token must not go to where a server points.
func TestRedirectsAreNotFollowed(t *testing.T) {
	var visited atomic.Bool
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visited.Store(true) }))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, status) }))
		_, err := c.Run(t.Context(), "r")
		if e := wantCode(t, err, api.ServerUnavailable); !strings.Contains(e.Message, other.URL) {
			t.Errorf("the error does not say where to: %v", e)
		}
	}
	if visited.Load() {
		t.Error("the other server was visited")
	}
}

func TestNamesThatNobodyHas(t *testing.T) {
	c := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s was asked for", r.URL) }))
	for _, name := range []string{"", ".", ".."} {
		_, err := c.Run(t.Context(), name)
		wantCode(t, err, api.NotFound)
		_, err = c.Task(t.Context(), name)
		wantCode(t, err, api.NotFound)
		wantCode(t, c.RemoveSecret(t.Context(), name), api.NotFound)
	}
}

func TestNamesStayOneSegment(t *testing.T) {
	c := serve(t, routes(map[string]http.HandlerFunc{
		"GET /v1/runs/{id}": func(w http.ResponseWriter, r *http.Request) { answer(w, 200, api.Run{ID: r.PathValue("id")}) },
	}))
	for _, name := range []string{"a/b", "../secrets", "a?b#c", "a%2Fb", "ä b"} {
		run, err := c.Run(t.Context(), name)
		if err != nil || run.ID != name {
			t.Errorf("%s: got %v, %v", name, run, err)
		}
	}
}

// The end of a context, or of the client, ends whatever waits.
func TestEverythingStops(t *testing.T) {
	reached := make(chan struct{}, 100)
	stall := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice that the client leaves
		_ = http.NewResponseController(w).Flush()
		reached <- struct{}{}
		<-r.Context().Done()
	}
	for name, call := range map[string]func(context.Context, *Client) error{
		"wait": func(ctx context.Context, c *Client) error { _, err := c.Wait(ctx, "r"); return err },
		"run":  func(ctx context.Context, c *Client) error { _, err := c.Run(ctx, "r"); return err },
		"events": func(ctx context.Context, c *Client) (err error) {
			for _, err = range c.Events(ctx, "r", 0) {
			}
			return err
		},
		"logs": func(ctx context.Context, c *Client) (err error) {
			for _, err = range c.Logs(ctx, "r", 0, false) {
			}
			return err
		},
		"image": func(ctx context.Context, c *Client) error {
			_, err := c.BuildImage(ctx, api.ImageSpec{}, nil)
			return err
		},
		"blob": func(ctx context.Context, c *Client) error {
			_, _, err := c.PutBlob(ctx, io.MultiReader(strings.NewReader("x"))) // not asked for first
			return err
		},
		"connect": func(ctx context.Context, c *Client) error { _, err := c.Connect(ctx); return err },
	} {
		t.Run(name, func(t *testing.T) {
			c := serve(t, http.HandlerFunc(stall))
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- call(ctx, c) }()
			<-reached
			cancel()
			err := <-done
			if name == "connect" { // the stall answered with 200
				return
			}
			wantCode(t, err, api.Canceled)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("the cause is lost: %v", err)
			}
			if name == "connect" {
				return
			}
			go func() { done <- call(t.Context(), c) }()
			<-reached
			c.Close()
			wantCode(t, <-done, api.Canceled)
		})
	}
}

func TestSilence(t *testing.T) {
	c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	c.timing.silence = time.Millisecond
	_, err := c.Run(t.Context(), "r")
	if e := wantCode(t, err, api.ServerUnavailable); !errors.Is(e, errSilent) {
		t.Errorf("got %v", e)
	}
}

func TestCloseRemovesResults(t *testing.T) {
	c, err := Dial("http://127.0.0.1:1", Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir, err := c.store.path()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there: %v", dir, err)
	}
	given := t.TempDir()
	if c, err = Dial("http://127.0.0.1:1", Options{Dir: given}); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(given); err != nil {
		t.Errorf("the directory of the caller: %v", err)
	}
}
