package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func refuseWorkers(context.Context, io.ReadWriteCloser) error { return errors.New("none") }

// TestOnlyWithToken is A01: without the token only health is answered.
func TestOnlyWithToken(t *testing.T) {
	h := start(t)
	for pattern, tr := range h.traits {
		method, path, _ := strings.Cut(pattern, " ")
		for _, header := range []string{"", "Authorization: Bearer", "Authorization: Bearer wrong", "Authorization: Basic " + token, "Authorization: " + token} {
			res := h.askTCP(method, path, "", header)
			if tr.open {
				if res.StatusCode != http.StatusOK {
					t.Errorf("%s: %d", pattern, res.StatusCode)
				}
				continue
			}
			expect(t, res, http.StatusUnauthorized, api.Unauthorized)
			if res.Header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s: no WWW-Authenticate", pattern)
			}
		}
	}
	if res := h.askTCP("GET", "/v1/version", "", "Authorization: bearer "+token); res.StatusCode != http.StatusOK {
		t.Errorf("with the token: %d", res.StatusCode)
	}
}

// TestNoTokenAdmitsNobody: a server without a token does not take the empty one.
func TestNoTokenAdmitsNobody(t *testing.T) {
	s, err := New(Config{Service: newFake()})
	if err != nil {
		t.Fatal(err)
	}
	for _, header := range []string{"", "Bearer", "Bearer ", "Bearer x"} {
		if s.authorised(header) {
			t.Errorf("%q is accepted", header)
		}
	}
}

// TestHostAndOrigin is A03: neither a name that was made to resolve here nor a
// page of another origin gets an answer, with the token or not.
func TestHostAndOrigin(t *testing.T) {
	h := start(t, func(c *Config) { c.Hosts = []string{"box.example", "fd00::7"} })
	port := h.tcp[strings.LastIndex(h.tcp, ":"):]
	for _, test := range []struct {
		headers []string
		status  int
	}{
		{nil, 200},
		{[]string{"Host: localhost" + port}, 200},
		{[]string{"Host: LOCALHOST"}, 200},
		{[]string{"Host: box.example:80"}, 200},
		{[]string{"Host: [fd00::7]:80"}, 200},
		{[]string{"Host: evil.example" + port}, 421},
		{[]string{"Host: localhost.evil.example"}, 421},
		{[]string{"Host: 10.0.0.1"}, 421},
		{[]string{"Host: 127.0.0.1.nip.io"}, 421},
		{[]string{"Origin: http://" + h.tcp}, 200},
		{[]string{"Origin: https://" + h.tcp}, 403},
		{[]string{"Origin: http://evil.example"}, 403},
		{[]string{"Origin: null"}, 403},
		{[]string{"Origin: http://localhost:1"}, 403},
		{[]string{"Sec-Fetch-Site: cross-site"}, 403},
		{[]string{"Sec-Fetch-Site: same-site"}, 403},
		{[]string{"Sec-Fetch-Site: none"}, 200},
	} {
		res := h.askTCP("GET", "/v1/version", "", append(test.headers, "Authorization: Bearer "+token)...)
		if res.StatusCode != test.status {
			t.Errorf("%q: %d, want %d", test.headers, res.StatusCode, test.status)
		}
		if cors := res.Header.Get("Access-Control-Allow-Origin"); cors != "" {
			t.Errorf("%q: the origin %s is allowed", test.headers, cors)
		}
	}
	expect(t, h.ask("GET", "/v1/version", "", "Origin: http://evil.example"), 403, api.RequestInvalid)
}

// TestHosts: a request refused for its host name gets a hint how to add the
// name, and names that no request can have are not accepted.
func TestHosts(t *testing.T) {
	res := start(t).askTCP("GET", "/v1/version", "", "Host: box.example", "Authorization: Bearer "+token)
	if p := expect(t, res, http.StatusMisdirectedRequest, api.RequestInvalid); !strings.Contains(p.Hint, "glovebox serve --host NAME") {
		t.Errorf("hint: %s", p.Hint)
	}
	for name, good := range map[string]bool{
		"box": true, "box.example.org": true, "my_box-1": true, "10.0.0.7": true, "fd00::7": true,
		"": false, "http://box": false, "box:80": false, "[fd00::7]": false, "*.example": false, "box.": false, "a b": false, strings.Repeat("a.", 127) + "a": false,
	} {
		if _, err := New(Config{Service: newFake(), Hosts: []string{"localhost", name}}); (err == nil) != good {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestUnknownRoutes(t *testing.T) {
	h := start(t)
	for _, path := range []string{"/", "/v1", "/v1/runs/", "/v1//runs", "/v1/../v1/runs", "/v1/runs/a/b/c", "/docs", "/openapi.yaml", "/v1/runs/%2e%2e/x/y"} {
		expect(t, h.ask("GET", path, ""), http.StatusNotFound, api.NotFound)
	}
	res := h.ask("PATCH", "/v1/runs", "{}")
	expect(t, res, http.StatusMethodNotAllowed, api.RequestInvalid)
	if got := res.Header.Get("Allow"); got != "GET, HEAD, POST" {
		t.Errorf("Allow: %s", got)
	}
	expect(t, h.ask("OPTIONS", "/v1/runs", ""), http.StatusMethodNotAllowed, api.RequestInvalid)
}

// TestPanicsStayInside is A05: the answer tells no path and no stack.
func TestPanicsStayInside(t *testing.T) {
	h := start(t)
	h.panics = true
	res := h.ask("GET", "/v1/images", "")
	p := expect(t, res, http.StatusInternalServerError, api.Internal)
	if strings.Contains(p.Detail, "secret") || !strings.HasSuffix(p.Instance, res.Header.Get("X-Request-Id")) {
		t.Errorf("the problem is %+v", p)
	}
	h.failure = errors.New("open /secret/path: no")
	if p := expect(t, h.ask("GET", "/v1/workers", ""), http.StatusInternalServerError, api.Internal); strings.Contains(p.Detail, "secret") {
		t.Errorf("the problem is %+v", p)
	}
}

// TestOverload is A06: beyond the bound clients get overloaded and Retry-After.
func TestOverload(t *testing.T) {
	h := start(t, func(c *Config) { c.Limits.Streams, c.Limits.Requests = 1, 1 })
	id := h.submit()
	res := h.ask("GET", "/v1/runs/"+id+"/events", "")
	if res.StatusCode != http.StatusOK {
		t.Fatalf("status %d", res.StatusCode)
	}
	refused := h.ask("GET", "/v1/runs/"+id+"/events", "")
	expect(t, refused, http.StatusTooManyRequests, api.Overloaded)
	if refused.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	if res := h.ask("GET", "/v1/version", ""); res.StatusCode != http.StatusOK {
		t.Errorf("streams take the places of requests: %d", res.StatusCode)
	}
	h.failure = api.Errorf(api.Overloaded, "full")
	expect(t, h.ask("GET", "/v1/workers", ""), http.StatusTooManyRequests, api.Overloaded)
	h.requests <- struct{}{}
	expect(t, h.ask("GET", "/v1/version", ""), http.StatusTooManyRequests, api.Overloaded)
	if res := h.ask("GET", "/healthz", ""); res.StatusCode != http.StatusOK {
		t.Errorf("health is refused: %d", res.StatusCode)
	}
}

// TestConnectionsAreBounded is A06: one connection too many is closed.
func TestConnectionsAreBounded(t *testing.T) {
	h := start(t, func(c *Config) { c.Limits.Connections = 1 })
	first, err := net.Dial("tcp", h.tcp)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if got := rawExchange(t, first, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"); !strings.Contains(got, "200 OK") {
		t.Fatalf("first: %q", got)
	}
	second, err := net.Dial("tcp", h.tcp)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if _, err := second.Read(make([]byte, 1)); err == nil {
		t.Error("the second connection is open")
	}
}

// rawExchange sends text and returns the first line of the answer.
func rawExchange(t *testing.T, conn net.Conn, request string) string {
	t.Helper()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// TestSocketOfOthers: another user needs a token even if the modes of the
// socket let him in.
func TestSocketOfOthers(t *testing.T) {
	h := start(t)
	if h.ask("GET", "/v1/version", "").StatusCode != http.StatusOK {
		t.Error("the owner is refused")
	}
	if isOwner(&net.TCPConn{}) || isOwner(&net.UnixConn{}) {
		t.Error("a connection without an owner is trusted")
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root, to be another user")
	}
	for _, path := range []string{h.socket, filepath.Dir(h.socket), filepath.Dir(filepath.Dir(h.socket)), filepath.Dir(filepath.Dir(filepath.Dir(h.socket)))} {
		if err := os.Chmod(path, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, h.asOther("/v1/version"), http.StatusUnauthorized, api.Unauthorized)
	if res := h.asOther("/healthz"); res.StatusCode != http.StatusOK {
		t.Errorf("health: %d", res.StatusCode)
	}
}

// asOther asks as the user nobody, with a thread that is not used again.
func (h *host) asOther(path string) *http.Response {
	h.t.Helper()
	type result struct {
		conn net.Conn
		err  error
	}
	dialled := make(chan result)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with this goroutine
		if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, ^uintptr(0), 65534, ^uintptr(0)); errno != 0 {
			dialled <- result{nil, errno}
			return
		}
		conn, err := net.Dial("unix", h.socket)
		dialled <- result{conn, err}
	}()
	r := <-dialled
	if r.err != nil {
		h.t.Fatal(r.err)
	}
	client := &http.Client{Transport: &http.Transport{
		DialContext:       func(context.Context, string, string) (net.Conn, error) { return r.conn, nil },
		DisableKeepAlives: true,
	}}
	return h.do(client, "http://localhost"+path, "GET", "")
}

// TestBodiesTogether is A06: bodies that are small enough one by one do not
// fill the memory together.
func TestBodiesTogether(t *testing.T) {
	h := start(t, func(c *Config) { c.Limits.JSON, c.Limits.Bodies = 1000, 1500 })
	body := `{"name":"` + strings.Repeat("x", 900) + `"}`
	first := h.dial()
	fmt.Fprintf(first, "POST /v1/runs HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", len(body))
	answers := bufio.NewReader(first)
	if line, err := answers.ReadString('\n'); !strings.Contains(line, "100 Continue") { // it is let in
		t.Fatalf("%q, %v", line, err)
	}
	expect(t, h.ask("POST", "/v1/runs", body), http.StatusTooManyRequests, api.Overloaded)
	expect(t, h.ask("POST", "/v1/runs", `{"name":"small"}`), http.StatusNotFound, api.NotFound)
	fmt.Fprint(first, body)
	if _, err := answers.ReadString('\n'); err != nil { // the end of the first answer
		t.Fatal(err)
	}
	res, err := http.ReadResponse(answers, nil)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, res, http.StatusNotFound, api.NotFound)
	expect(t, h.ask("POST", "/v1/runs", body), http.StatusNotFound, api.NotFound)
}

// Metrics tell of the whole process, which is not for those who come from a cell.
func TestMetricsAreNotForTheAdmitted(t *testing.T) {
	h := start(t, func(c *Config) { c.Admitted = true })
	expect(t, h.askTCP("GET", "/metrics", ""), http.StatusUnauthorized, api.Unauthorized)
}

// TestLongPathInQuery: a path that the document allows gets an answer, however its
// characters are escaped.
func TestLongPathInQuery(t *testing.T) {
	h := start(t)
	long := strings.Repeat("%F0%9F%98%80", 4096)
	if res := h.ask("GET", "/v1/sessions/none/files/stat?path="+long, ""); res.StatusCode == http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("status %d", res.StatusCode)
	}
}
