package egress

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

var public = api.Network{Public: true}

func allow(rules ...string) api.Network { return api.Network{Allow: rules} }

func TestPlainRequest(t *testing.T) {
	w := newWorld()
	w.serve(t, "a.org", "1.2.3.4", func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		rw.Header().Set("Keep-Alive", "timeout=5")
		fmt.Fprintf(rw, "%s %s %s %s", r.Method, r.Host, r.RequestURI, body)
	})
	c := w.cell(t, allow("a.org"))
	resp, err := c.client().Post("http://a.org/x%2Fy?q=secret", "text/plain", strings.NewReader("hello"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	if want := "POST a.org /x%2Fy?q=secret hello"; string(body) != want || resp.StatusCode != 200 {
		t.Errorf("got %d %q, want %q", resp.StatusCode, body, want)
	}
	if resp.Header.Get("Keep-Alive") != "" {
		t.Error("a header of the hop came through")
	}
	audit := w.waitForAudit(t, 1)[0]
	if audit.Host != "a.org" || audit.Port != 80 || audit.Address != "1.2.3.4:80" || !audit.Allowed || audit.Reason != "" || audit.Time.IsZero() {
		t.Errorf("audit %+v", audit)
	}
	if audit.BytesOut < 50 || audit.BytesIn < 50 {
		t.Errorf("bytes %d out, %d in", audit.BytesOut, audit.BytesIn)
	}
	if strings.Contains(fmt.Sprint(audit), "secret") {
		t.Errorf("the query is in the audit: %+v", audit)
	}
}

func TestHeadersOfTheHopStay(t *testing.T) {
	w := newWorld()
	got := make(chan http.Header, 1)
	w.serve(t, "a.org", "1.2.3.4", func(_ http.ResponseWriter, r *http.Request) { got <- r.Header })
	conn := w.cell(t, allow("a.org")).dial()
	io.WriteString(conn, "GET http://user:pass@a.org/ HTTP/1.1\r\nHost: evil.org\r\nProxy-Authorization: Basic x\r\nProxy-Connection: keep-alive\r\n"+
		"Connection: x-mine, keep-alive\r\nX-Mine: 1\r\nTe: trailers\r\nAccept: */*\r\n\r\n")
	if _, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil {
		t.Fatal(err)
	}
	want := http.Header{"Accept": {"*/*"}, "Connection": {"close"}}
	if diff := cmp.Diff(want, <-got); diff != "" {
		t.Error(diff)
	}
}

func TestHostHeaderIsTheTarget(t *testing.T) {
	w := newWorld()
	w.serve(t, "a.org", "1.2.3.4", func(rw http.ResponseWriter, r *http.Request) { io.WriteString(rw, r.Host) })
	conn := w.cell(t, allow("a.org")).dial()
	io.WriteString(conn, "GET http://A.org./ HTTP/1.1\r\nHost: evil.org\r\n\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	if body, _ := io.ReadAll(resp.Body); string(body) != "a.org" {
		t.Errorf("the origin was asked for %q", body)
	}
}

// Chunked both ways, and an answer whose end is the end of its connection,
// over one connection from the cell.
func TestBodiesOverOneConnection(t *testing.T) {
	w := newWorld()
	w.serve(t, "a.org", "1.2.3.4", func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		rw.(http.Flusher).Flush()
		fmt.Fprintf(rw, "%d bytes", len(body))
	})
	w.name("old.org", "1.2.3.5")
	w.listen(t, "1.2.3.5:80", func(conn net.Conn) {
		http.ReadRequest(bufio.NewReader(conn))
		io.WriteString(conn, "HTTP/1.0 200 OK\r\n\r\nto the end")
	})
	conn := w.cell(t, public).dial()
	r := bufio.NewReader(conn)
	for _, step := range []struct{ request, want string }{
		{"POST http://a.org/ HTTP/1.1\r\nHost: a.org\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "5 bytes"},
		{"GET http://old.org/ HTTP/1.1\r\nHost: old.org\r\n\r\n", "to the end"},
		{"POST http://a.org/ HTTP/1.1\r\nHost: a.org\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nhi", "2 bytes"},
		{"HEAD http://a.org/ HTTP/1.1\r\nHost: a.org\r\n\r\n", ""},
		{"GET http://a.org/ HTTP/1.0\r\n\r\n", "0 bytes"},
	} {
		method, _, _ := strings.Cut(step.request, " ")
		io.WriteString(conn, step.request)
		resp, err := http.ReadResponse(r, &http.Request{Method: method})
		if err == nil && resp.StatusCode == http.StatusContinue {
			resp, err = http.ReadResponse(r, &http.Request{Method: method})
		}
		if err != nil {
			t.Fatalf("%q: %v", step.request, err)
		}
		if body, err := io.ReadAll(resp.Body); string(body) != step.want || err != nil {
			t.Errorf("%q: got %q, %v", step.request, body, err)
		}
	}
	if _, err := r.ReadByte(); err != io.EOF {
		t.Errorf("after HTTP/1.0 the connection goes on: %v", err)
	}
}

// Every request on a connection that is kept open is checked (attack N09).
func TestKeptConnectionCannotSwitchHosts(t *testing.T) {
	w := newWorld()
	w.serve(t, "a.org", "1.2.3.4", func(rw http.ResponseWriter, _ *http.Request) { io.WriteString(rw, "fine") })
	w.serve(t, "evil.org", "6.6.6.6", func(http.ResponseWriter, *http.Request) { t.Error("evil.org was reached") })
	conn := w.cell(t, allow("a.org")).dial()
	r := bufio.NewReader(conn)
	io.WriteString(conn, "GET http://a.org/ HTTP/1.1\r\nHost: a.org\r\n\r\nGET http://evil.org/ HTTP/1.1\r\nHost: a.org\r\n\r\n")
	for _, want := range []int{200, 403} {
		resp, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		if resp.StatusCode != want {
			t.Errorf("got %d, want %d", resp.StatusCode, want)
		}
	}
}

// A redirect is a request like any other (attack N07).
func TestRedirectIsCheckedAgain(t *testing.T) {
	w := newWorld()
	w.serve(t, "a.org", "1.2.3.4", func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, "http://169.254.169.254/latest/meta-data/", http.StatusFound)
	})
	for _, policy := range []api.Network{allow("a.org"), public} {
		status, body := w.cell(t, policy).get("http://a.org/")
		if status != 403 || !strings.Contains(body, "glovebox: ") || strings.Count(body, "\n") != 1 {
			t.Errorf("%+v: got %d %q", policy, status, body)
		}
	}
}

func TestRefusals(t *testing.T) {
	w := newWorld()
	w.name("a.org", "1.2.3.4")
	w.name("inside.org", "10.0.0.5")
	w.name("mixed.org", "1.2.3.4", "127.0.0.1")
	w.name("mapped.org", "::ffff:169.254.169.254")
	w.name("own.org", "203.0.113.7")
	w.name("own64.org", "64:ff9b::203.0.113.7")
	w.name("neighbour.org", "203.0.113.12")
	w.name("neighbour6.org", "2001:db8:7::5")
	w.name("down.org", "1.2.3.9")
	tests := []struct {
		policy api.Network
		url    string
		status int
		words  string
	}{
		{api.Network{}, "http://a.org/", 403, "is not allowed, nothing may be reached"},
		{allow("a.org", "*.b.org:81"), "http://c.org/", 403, "c.org:80 is not allowed, only a.org, *.b.org:81"},
		{allow("a.org"), "http://1.2.3.4/", 403, "addresses are refused"},
		{allow("inside.org"), "http://inside.org/", 403, "never reachable"},
		{public, "http://inside.org/", 403, "never reachable"},
		{public, "http://mixed.org/", 403, "never reachable"},
		{public, "http://mapped.org/", 403, "never reachable"},
		{public, "http://own.org/", 403, "never reachable"},
		{public, "http://neighbour.org/", 403, "never reachable"},
		{public, "http://neighbour6.org/", 403, "never reachable"},
		{public, "http://own64.org/", 403, "never reachable"},
		{public, "http://203.0.113.7/", 403, "never reachable"},
		{public, "http://127.0.0.1/", 403, "never reachable"},
		{public, "http://2130706433/", 403, "neither a name nor an address"},
		{public, "http://0x7f.0.0.1/", 403, "neither a name nor an address"},
		{public, "http://0177.0.0.1/", 403, "neither a name nor an address"},
		{public, "http://[::1]/", 403, "never reachable"},
		{public, "http://[::ffff:127.0.0.1]/", 403, "never reachable"},
		{public, "http://[64:ff9b::7f00:1]/", 403, "never reachable"},
		{public, "http://localhost/", 403, "never reachable"},
		{public, "http://nowhere.org/", 502, "could not be resolved"},
		{public, "http://down.org/", 502, "connection refused"},
	}
	for _, test := range tests {
		before := len(w.seen())
		status, body := w.cell(t, test.policy).get(test.url)
		if status != test.status || !strings.Contains(body, test.words) || strings.Count(body, "\n") != 1 {
			t.Errorf("%s: got %d %q, want %d %q", test.url, status, body, test.status, test.words)
		}
		for _, addr := range []string{"10.0.0.5", "169.254", "203.0.113.12"} {
			if strings.Contains(body, addr) && !strings.Contains(test.url, addr) {
				t.Errorf("%s: the cell is told where the name leads: %q", test.url, body)
			}
		}
		audit := w.waitForAudit(t, before+1)[before]
		if audit.Allowed != (test.status == 502) || !strings.Contains(audit.Reason, test.words) {
			t.Errorf("%s: audit %+v", test.url, audit)
		}
	}
	if diff := cmp.Diff([]string{"1.2.3.9:80"}, w.dialled); diff != "" {
		t.Errorf("dialled:\n%s", diff)
	}
}

// A name that changes its answer is of no use: nothing asks a second time
// between the check and the connection (attack N05).
func TestRebinding(t *testing.T) {
	w := newWorld()
	w.serve(t, "rebind.org", "1.2.3.4", func(rw http.ResponseWriter, _ *http.Request) { io.WriteString(rw, "fine") })
	w.later["rebind.org"] = []netip.Addr{netip.MustParseAddr("127.0.0.1")}
	c := w.cell(t, public)
	if status, body := c.get("http://rebind.org/"); status != 200 || body != "fine" || w.lookups["rebind.org"] != 1 {
		t.Errorf("first: %d %q after %d lookups", status, body, w.lookups["rebind.org"])
	}
	if status, _ := c.get("http://rebind.org/"); status != 403 {
		t.Errorf("second: %d", status)
	}
	if diff := cmp.Diff([]string{"1.2.3.4:80"}, w.dialled); diff != "" {
		t.Error(diff)
	}
}

func TestSecondAddressIsTried(t *testing.T) {
	w := newWorld()
	w.name("a.org", "1.2.3.9")
	w.serve(t, "a.org", "1.2.3.4", func(rw http.ResponseWriter, _ *http.Request) { io.WriteString(rw, "fine") })
	if status, body := w.cell(t, public).get("http://a.org/"); status != 200 || body != "fine" {
		t.Errorf("got %d %q", status, body)
	}
}

func TestUnusableRequests(t *testing.T) {
	w := newWorld()
	w.serve(t, "a.org", "1.2.3.4", func(http.ResponseWriter, *http.Request) { t.Error("the origin was reached") })
	c := w.cell(t, public)
	for request, status := range map[string]int{
		"GET / HTTP/1.1\r\nHost: a.org\r\n\r\n":                                                             400,
		"GET https://a.org/ HTTP/1.1\r\nHost: a.org\r\n\r\n":                                                400,
		"GET ftp://a.org/ HTTP/1.1\r\nHost: a.org\r\n\r\n":                                                  400,
		"GET http:///x HTTP/1.1\r\nHost: a.org\r\n\r\n":                                                     400,
		"GET http://a.org:x/ HTTP/1.1\r\nHost: a.org\r\n\r\n":                                               400,
		"GET http://a.org\\@b.org/ HTTP/1.1\r\n\r\n":                                                        400,
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n":                                                                  400,
		"\x16\x03\x01\x00\x05hello\r\n\r\n":                                                                 400,
		"CONNECT a.org HTTP/1.1\r\nHost: a.org\r\n\r\n":                                                     400,
		"CONNECT /x HTTP/1.1\r\nHost: a.org\r\n\r\n":                                                        400,
		"GET http://a.org/ HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n":                   403,
		"GET http://a.org/ HTTP/1.1\r\nX: " + strings.Repeat("x", maxHead) + "\r\n\r\n":                     431,
		"GET http://a.org/" + strings.Repeat("x", maxHead) + " HTTP/1.1\r\n\r\n":                            431,
		"POST http://a.org/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx":                    400,
		"POST http://a.org/ HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\nContent-Length: 2\r\n\r\n0\r\n": 400,
	} {
		conn := c.dial()
		go func() { // the proxy may stop reading before the end
			io.WriteString(conn, request)
			conn.CloseWrite()
		}()
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || resp.StatusCode != status {
			t.Errorf("%q: got %v, %v, want %d", clip(request), resp, err, status)
		}
	}
}

func TestHostileOrigin(t *testing.T) {
	for name, answer := range map[string]string{
		"garbage":     "\x00\x01\x02\r\n\r\n",
		"nothing":     "",
		"endless":     "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 2*maxHead),
		"switches":    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
		"two lengths": "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.name("a.org", "1.2.3.4")
			w.listen(t, "1.2.3.4:80", func(conn net.Conn) {
				http.ReadRequest(bufio.NewReader(conn))
				io.WriteString(conn, answer)
			})
			if status, body := w.cell(t, public).get("http://a.org/"); status != 502 {
				t.Errorf("got %d %q", status, body)
			}
		})
	}
}

func FuzzRequestHead(f *testing.F) {
	f.Add([]byte("GET http://a.org/ HTTP/1.1\r\nHost: a.org\r\n\r\n"))
	f.Add([]byte("CONNECT a.org:443 HTTP/1.1\r\n\r\n\x16\x03\x01"))
	f.Add([]byte("POST http://127.0.0.1/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		w := newWorld()
		w.name("a.org", "1.2.3.4")
		w.name("inside.org", "10.0.0.1")
		serveBytes(t, w, allow("a.org", "inside.org"), data)
		for _, to := range w.dialled {
			if !strings.HasPrefix(to, "1.2.3.4:") {
				t.Errorf("dialled %s", to)
			}
		}
	})
}
