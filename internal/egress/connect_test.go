package egress

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// serveTLS makes name a host at addr with an HTTPS server on port 443, and
// returns a client of c that trusts it.
func (w *world) serveTLS(t *testing.T, name, addr string) *httptest.Server {
	t.Helper()
	server := httptest.NewTLSServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { io.WriteString(rw, "hello "+r.Host) }))
	t.Cleanup(server.Close)
	w.name(name, addr)
	w.servers[addr+":443"] = server.Listener.Addr().String()
	return server
}

func trusting(c *cell, serverName string) *http.Client {
	client := c.client()
	client.Transport.(*http.Transport).TLSClientConfig = &tls.Config{InsecureSkipVerify: true, ServerName: serverName}
	return client
}

func TestTunnelCarriesTLS(t *testing.T) {
	w := newWorld()
	w.serveTLS(t, "a.org", "1.2.3.4")
	for _, policy := range []api.Network{allow("a.org"), public} {
		before := len(w.seen())
		client := trusting(w.cell(t, policy), "")
		resp, err := client.Get("https://a.org/")
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		client.CloseIdleConnections()
		if string(body) != "hello a.org" {
			t.Errorf("got %q", body)
		}
		audit := w.waitForAudit(t, before+1)[before]
		if !audit.Allowed || audit.Host != "a.org" || audit.Port != 443 || audit.Address != "1.2.3.4:443" || audit.BytesIn == 0 || audit.BytesOut == 0 {
			t.Errorf("audit %+v", audit)
		}
	}
}

// TLS in a tunnel must ask for the host that was checked (attack N06).
func TestTunnelChecksTheServerName(t *testing.T) {
	w := newWorld()
	w.serveTLS(t, "a.org", "1.2.3.4")
	for _, name := range []string{"evil.org", "b.a.org", "a.org.evil.org"} {
		before := len(w.seen())
		if _, err := trusting(w.cell(t, allow("a.org", "*.a.org")), name).Get("https://a.org/"); err == nil {
			t.Errorf("%s passed", name)
		}
		audit := w.waitForAudit(t, before+1)[before]
		if audit.Allowed || !strings.Contains(audit.Reason, name) || audit.BytesOut != 0 {
			t.Errorf("%s: audit %+v", name, audit)
		}
	}
	resp, err := trusting(w.cell(t, allow("a.org")), "A.oRg").Get("https://a.org/")
	if err != nil {
		t.Fatalf("another case: %v", err)
	}
	resp.Body.Close()
}

func TestTunnelOnWebPortsMustBeTLS(t *testing.T) {
	w := newWorld()
	w.name("a.org", "1.2.3.4")
	w.listen(t, "1.2.3.4:443", echo)
	w.listen(t, "1.2.3.4:80", echo)
	noName := helloBytes(t, "")
	for _, first := range []string{"GET / HTTP/1.1\r\nHost: evil.org\r\n\r\n", "SSH-2.0-x\r\n", "\x16\x03\x01\x00\x02xx", string(noName)} {
		for _, port := range []string{"443", "80"} {
			before := len(w.seen())
			conn, r, status := w.cell(t, allow("a.org")).connect("a.org:" + port)
			io.WriteString(conn, first)
			conn.CloseWrite()
			if got, _ := io.ReadAll(r); len(got) != 0 {
				t.Errorf("%q on %s: came back %q", first, port, got)
			}
			if audit := w.waitForAudit(t, before+1)[before]; status != "200 Connection established" || audit.Allowed || audit.BytesOut != 0 {
				t.Errorf("%q on %s: %s, audit %+v", first, port, status, audit)
			}
		}
	}
}

func TestTunnelOnAnotherPortIsRaw(t *testing.T) {
	w := newWorld()
	w.name("a.org", "1.2.3.4")
	w.listen(t, "1.2.3.4:22", func(conn net.Conn) {
		io.WriteString(conn, "welcome ") // the server speaks first
		echo(conn)
	})
	conn, r, _ := w.cell(t, allow("a.org:22")).connect("a.org:22")
	welcome := make([]byte, 8)
	if _, err := io.ReadFull(r, welcome); err != nil || string(welcome) != "welcome " {
		t.Fatalf("%q, %v", welcome, err)
	}
	io.WriteString(conn, "hello")
	conn.CloseWrite() // and the end of one direction leaves the other
	if got, err := io.ReadAll(r); string(got) != "hello" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	audit := w.waitForAudit(t, 1)[0]
	if audit.BytesOut != 5 || audit.BytesIn != 13 || audit.Reason != "" {
		t.Errorf("audit %+v", audit)
	}
}

// The server may end its direction first.
func TestTunnelHalfCloseOfTheServer(t *testing.T) {
	w := newWorld()
	w.name("a.org", "1.2.3.4")
	got := make(chan string, 1)
	w.listen(t, "1.2.3.4:22", func(conn net.Conn) {
		conn.(*net.TCPConn).CloseWrite()
		text, _ := io.ReadAll(conn)
		got <- string(text)
	})
	conn, r, _ := w.cell(t, public).connect("a.org:22")
	if rest, err := io.ReadAll(r); len(rest) != 0 || err != nil {
		t.Fatalf("%q, %v", rest, err)
	}
	io.WriteString(conn, "still here")
	conn.CloseWrite()
	if text := <-got; text != "still here" {
		t.Errorf("the server got %q", text)
	}
}

func TestRefusedTunnelSaysWhyInTheStatus(t *testing.T) {
	w := newWorld()
	w.name("inside.org", "192.168.0.1")
	for to, words := range map[string]string{
		"b.org:443":      "403 b.org:443 is not allowed, only a.org, inside.org may be reached",
		"1.2.3.4:443":    "403 addresses are refused",
		"inside.org:443": "403 inside.org is at an address that is never reachable",
		"a.org:25":       "403 a.org:25 is not allowed",
		"a.org:443":      "502 the name a.org could not be resolved",
	} {
		_, r, status := w.cell(t, allow("a.org", "inside.org")).connect(to)
		if !strings.HasPrefix(status, words) {
			t.Errorf("%s: %q", to, status)
		}
		if rest, _ := io.ReadAll(r); len(rest) == 0 || bytes.Count(rest, []byte("\n")) != 1 {
			t.Errorf("%s: body %q", to, rest)
		}
	}
	if len(w.dialled) != 0 {
		t.Errorf("dialled %v", w.dialled)
	}
}

func TestHostBehindAProxy(t *testing.T) {
	for _, test := range []struct{ answer, want string }{
		{"HTTP/1.1 200 Fine\r\nX: y\r\n\r\nfirst ", "first hello"},
		{"HTTP/1.1 407 No\r\n\r\n", ""},
		{"nonsense\r\n\r\n", ""},
	} {
		w := newWorld()
		w.name("a.org", "1.2.3.4")
		asked := make(chan string, 1)
		w.listen(t, "10.1.1.1:3128", func(conn net.Conn) {
			head := readHead(conn)
			asked <- head
			io.WriteString(conn, test.answer)
			echo(conn)
		})
		options := w.options()
		options.Upstream = func(r *http.Request) (*url.URL, error) {
			if r.URL.String() != "https://a.org:22" {
				t.Errorf("asked about %s", r.URL)
			}
			return url.Parse("http://me:pw@10.1.1.1:3128")
		}
		conn, r, status := w.cellWith(t, public, options).connect("a.org:22")
		if head := <-asked; head != "CONNECT 1.2.3.4:22 HTTP/1.1\r\nHost: 1.2.3.4:22\r\nProxy-Authorization: Basic bWU6cHc=\r\n\r\n" {
			t.Errorf("the proxy was asked %q", head)
		}
		if test.want == "" {
			if !strings.HasPrefix(status, "502") || strings.Contains(status, "pw") {
				t.Errorf("%q: status %q", test.answer, status)
			}
			continue
		}
		io.WriteString(conn, "hello")
		conn.CloseWrite()
		if got, _ := io.ReadAll(r); string(got) != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func readHead(conn net.Conn) string {
	var head []byte
	one := make([]byte, 1)
	for !bytes.HasSuffix(head, []byte("\r\n\r\n")) {
		if _, err := conn.Read(one); err != nil {
			break
		}
		head = append(head, one[0])
	}
	return string(head)
}

// helloBytes is what a client that asks for name says first.
func helloBytes(t testing.TB, name string) []byte {
	t.Helper()
	client, server := net.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		_ = tls.Client(client, &tls.Config{ServerName: name, InsecureSkipVerify: true}).HandshakeContext(ctx)
		client.Close()
	}()
	buffer := make([]byte, 16<<10)
	n, err := server.Read(buffer)
	server.Close()
	if err != nil {
		t.Fatal(err)
	}
	return buffer[:n]
}

func TestServerName(t *testing.T) {
	hello := helloBytes(t, "a.org")
	name, read, err := serverName(io.MultiReader(bytes.NewReader(hello), strings.NewReader("more")))
	if name != "a.org" || err != nil || !bytes.HasPrefix(append(hello, "more"...), read) || len(read) < len(hello) {
		t.Errorf("%q, %d bytes, %v", name, len(read), err)
	}
	for cut := range hello {
		if _, _, err := serverName(bytes.NewReader(hello[:cut])); err == nil {
			t.Fatalf("a hello cut at %d was read", cut)
		}
	}
	if name, _, err := serverName(bytes.NewReader(fragmented(hello))); name != "a.org" || err != nil {
		t.Errorf("in fragments: %q, %v", name, err)
	}
	if _, _, err := serverName(bytes.NewReader(helloBytes(t, ""))); err == nil {
		t.Error("a hello without a name was accepted")
	}
}

// fragmented puts the message of one record into records of 20 bytes.
func fragmented(hello []byte) []byte {
	var out []byte
	for rest := hello[5:]; len(rest) > 0; {
		n := min(20, len(rest))
		out = append(append(out, 0x16, 3, 1, 0, byte(n)), rest[:n]...)
		rest = rest[n:]
	}
	return out
}

func FuzzServerName(f *testing.F) {
	f.Add(helloBytes(f, "a.org"))
	f.Add(fragmented(helloBytes(f, "b.example.com")))
	f.Add(helloBytes(f, ""))
	f.Fuzz(func(t *testing.T, data []byte) {
		name, read, err := serverName(bytes.NewReader(data))
		if !bytes.HasPrefix(data, read) {
			t.Error("what was read is not what came")
		}
		if err == nil && name == "" {
			t.Error("a hello without a name was accepted")
		}
		if err != nil && errors.Is(err, errSeen) {
			t.Error("an inner error came out")
		}
	})
}
