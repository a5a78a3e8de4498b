package server

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// logBuffer is what a logger wrote.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestLog is S01 for the server: the log names requests and traces, and neither
// tokens nor values.
func TestLog(t *testing.T) {
	var log logBuffer
	h := start(t, func(c *Config) { c.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	trace := strings.Repeat("ab", 16)
	res := h.ask("PUT", "/v1/secrets/S", "canary", "Traceparent: 00-"+trace+"-00f067aa0ba902b7-01")
	h.askTCP("GET", "/v1/runs?cursor=canary", "", "Authorization: Bearer "+token, "Traceparent: canary")
	h.stop()
	<-h.ended
	<-h.ended
	h.ended <- nil
	h.ended <- nil
	got := log.String()
	for _, want := range []string{"trace=" + trace, "request=" + res.Header.Get("X-Request-Id"), `route="PUT /v1/secrets/{name}"`, "status=204"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	for _, secret := range []string{"canary", token} {
		if strings.Contains(got, secret) {
			t.Errorf("%s is in the log", secret)
		}
	}
}

// TestRequestID: an id of the caller is in the answer and the log, unless it is
// not well-formed.
func TestRequestID(t *testing.T) {
	var log logBuffer
	h := start(t, func(c *Config) { c.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	long := strings.Repeat("x", 128)
	for _, test := range []struct {
		given []string
		taken bool
	}{
		{[]string{"Caller-1_a.b"}, true},
		{[]string{long}, true},
		{[]string{long + "x"}, false},
		{[]string{""}, false},
		{[]string{"a b"}, false},
		{[]string{"a\x1b[2J"}, false},
		{[]string{"a=b"}, false},
		{[]string{"one", "two"}, false},
		{nil, false},
	} {
		req := httptest.NewRequest("GET", "/healthz", nil)
		req.Header["X-Request-Id"] = test.given
		res := httptest.NewRecorder()
		h.Handler().ServeHTTP(res, req)
		got := res.Header().Get("X-Request-Id")
		if test.taken && got != test.given[0] || !test.taken && !regexp.MustCompile("^[0-9a-f]{16}$").MatchString(got) {
			t.Errorf("%q became %q", test.given, got)
		}
		if !strings.Contains(log.String(), "request="+got+" ") {
			t.Errorf("%s is not in the log", got)
		}
	}
	p := expect(t, h.ask("GET", "/v1/runs/none", "", "X-Request-Id: mine"), http.StatusNotFound, api.NotFound)
	if p.Instance != "urn:glovebox:request:mine" {
		t.Errorf("instance: %s", p.Instance)
	}
}

func TestTree(t *testing.T) {
	h := start(t)
	h.prepare()
	h.trees[digits] = map[string]string{"b/c": "3", "a": "1"}
	res := h.ask("GET", "/v1/runs/run-1/outputs/d", "")
	if got := res.Header.Get("Content-Disposition"); got != "attachment; filename=d.tar" {
		t.Errorf("Content-Disposition: %s", got)
	}
	var got []string
	for archive := tar.NewReader(res.Body); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		if header.Uid != 0 || header.Uname != "" || !header.ModTime.IsZero() && header.ModTime.Unix() != 0 {
			t.Errorf("%s tells about this host: %+v", header.Name, header)
		}
		got = append(got, header.Name+"="+string(content))
	}
	if diff := cmp.Diff([]string{"a=1", "b/=", "b/c=3"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestOutputsAreNotShown is A04: a browser keeps what a run made as a file.
func TestOutputsAreNotShown(t *testing.T) {
	h := start(t)
	h.prepare()
	for path, disposition := range map[string]string{
		"/v1/runs/run-1/outputs/f": "attachment; filename=f.txt", "/v1/blobs/" + h.put([]byte("<script>")): "attachment",
	} {
		res := h.ask("GET", path, "")
		want := map[string]string{
			"Content-Disposition": disposition, "Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff",
			"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
		}
		for name, value := range want {
			if got := res.Header.Get(name); got != value {
				t.Errorf("%s: %s is %q, want %q", path, name, got, value)
			}
		}
	}
}

// TestStrangeRequests: what is hardly HTTP gets an answer of 4xx, and the
// server keeps running.
func TestStrangeRequests(t *testing.T) {
	h := start(t)
	for _, request := range []string{
		"GET /v1/version HTTP/1.1\r\n\r\n",
		"GET /v1/version HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
		"GET /v1/version HTTP/3.9\r\nHost: a\r\n\r\n",
		"NONSENSE\r\n\r\n",
		"GET /v1/version HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("x", 128<<10) + "\r\n\r\n",
		"POST /v1/runs HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
		"POST /v1/runs HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
		"POST /v1/runs HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: gzip\r\n\r\n",
		"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
		"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
		"GET /v1/blobs/%ff HTTP/1.1\r\nHost: a\r\n\r\n",
		"GET http://evil.example/v1/none HTTP/1.1\r\nHost: a\r\n\r\n",
	} {
		got := rawExchange(t, h.dial(), request)
		if !strings.Contains(got, " 4") && !strings.Contains(got, " 5") {
			t.Errorf("%q: %q", request, got)
		}
	}
	if res := h.ask("GET", "/v1/version", ""); res.StatusCode != http.StatusOK {
		t.Errorf("afterwards: %d", res.StatusCode)
	}
}
