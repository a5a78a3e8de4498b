package egress

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// waitForAudit returns the audit once it has n lines. A line is written after
// the program has seen the end, so a test may be early.
func (w *world) waitForAudit(t *testing.T, n int) []api.Connection {
	t.Helper()
	for {
		if seen := w.seen(); len(seen) >= n {
			return seen
		}
		select {
		case <-t.Context().Done():
			t.Fatal("no audit")
		case <-w.recorded:
		}
	}
}

// serveBytes runs a session over bytes that a program sends before it closes.
func serveBytes(t *testing.T, w *world, policy api.Network, data []byte) {
	t.Helper()
	parsed, err := ParsePolicy(policy)
	if err != nil {
		t.Fatal(err)
	}
	client, server := net.Pipe()
	go io.Copy(io.Discard, client)
	go func() {
		client.Write(data)
		client.Close()
	}()
	NewProxy(parsed, w.options()).Serve(t.Context(), server)
}

// inBubble runs a session in a bubble with its own time.
func inBubble(t *testing.T, w *world, test func(client net.Conn, done <-chan struct{}, cancel func())) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		client, server := net.Pipe()
		done := make(chan struct{})
		p := NewProxy(&Policy{public: true}, w.options())
		go func() {
			defer close(done)
			p.Serve(ctx, server)
		}()
		test(client, done, cancel)
		client.Close()
		<-done
	})
}

// A head that comes drop by drop is cut off (attack N12).
func TestSlowLoris(t *testing.T) {
	inBubble(t, newWorld(), func(client net.Conn, done <-chan struct{}, _ func()) {
		start := time.Now()
		for {
			if _, err := client.Write([]byte("G")); err != nil {
				break
			}
			time.Sleep(time.Second)
		}
		<-done
		if took := time.Since(start); took < headTimeout || took > headTimeout+2*time.Second {
			t.Errorf("cut off after %v", took)
		}
	})
}

func TestIdleConnectionEnds(t *testing.T) {
	inBubble(t, newWorld(), func(_ net.Conn, done <-chan struct{}, _ func()) {
		start := time.Now()
		<-done
		if took := time.Since(start); took != idleTimeout {
			t.Errorf("ended after %v", took)
		}
	})
}

// pipes is a dialer whose servers are in memory, for tests with their own time.
type pipes func(net.Conn)

func (p pipes) DialContext(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	go p(server)
	return client, nil
}

// tunnelInBubble opens a tunnel to handle in a bubble.
func tunnelInBubble(t *testing.T, policy *Policy, to string, handle pipes, test func(client net.Conn, done <-chan struct{}, cancel func())) *world {
	w := newWorld()
	w.name("a.org", "1.2.3.4")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		options := w.options()
		options.Dialer = handle
		client, server := net.Pipe()
		done := make(chan struct{})
		go func() {
			defer close(done)
			NewProxy(policy, options).Serve(ctx, server)
		}()
		fmt.Fprintf(client, "CONNECT %s HTTP/1.1\r\n\r\n", to)
		if head := readHead(client); !strings.Contains(head, " 200 ") {
			t.Errorf("answer %q", head)
		}
		test(client, done, cancel)
		client.Close()
		<-done
	})
	return w
}

func drain(conn net.Conn) {
	io.Copy(io.Discard, conn)
	conn.Close()
}

func TestTunnelThatIsUsedLives(t *testing.T) {
	tunnelInBubble(t, &Policy{public: true}, "a.org:22", drain, func(client net.Conn, done <-chan struct{}, _ func()) {
		for range 3 {
			time.Sleep(idleTimeout - time.Second)
			if _, err := client.Write([]byte("x")); err != nil {
				t.Fatalf("a living tunnel was cut: %v", err)
			}
		}
		start := time.Now()
		<-done
		if took := time.Since(start); took != idleTimeout {
			t.Errorf("ended %v after the last byte", took)
		}
	})
}

func TestTunnelEndsWithTheRun(t *testing.T) {
	w := tunnelInBubble(t, &Policy{public: true}, "a.org:22", drain, func(client net.Conn, done <-chan struct{}, cancel func()) {
		start := time.Now()
		cancel()
		<-done
		if took := time.Since(start); took != 0 {
			t.Errorf("it took %v", took)
		}
		if _, err := client.Read(make([]byte, 1)); err == nil {
			t.Error("the connection is open")
		}
	})
	if len(w.audit) != 1 {
		t.Errorf("audit %+v", w.audit)
	}
}

func TestSilentTunnelToTheWebEnds(t *testing.T) {
	policy, err := ParsePolicy(allow("a.org"))
	if err != nil {
		t.Fatal(err)
	}
	tunnelInBubble(t, policy, "a.org:443", drain, func(_ net.Conn, done <-chan struct{}, _ func()) {
		start := time.Now()
		<-done
		if took := time.Since(start); took != helloTimeout {
			t.Errorf("ended after %v", took)
		}
	})
}

type deafDialer struct{}

func (deafDialer) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestConnectingIsBounded(t *testing.T) {
	w := newWorld()
	w.name("a.org", "1.2.3.1", "1.2.3.2", "1.2.3.3", "1.2.3.4", "1.2.3.5")
	synctest.Test(t, func(t *testing.T) {
		options := w.options()
		options.Dialer = deafDialer{}
		p := NewProxy(&Policy{public: true}, options)
		start := time.Now()
		if _, r := p.open(t.Context(), target{host: "a.org", port: 80}); r == nil || r.status != http.StatusBadGateway {
			t.Errorf("got %v", r)
		}
		if took := time.Since(start); took != connectTimeout {
			t.Errorf("gave up after %v", took)
		}
	})
}

func TestOneConnectionTooMany(t *testing.T) {
	w := newWorld()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		p := NewProxy(&Policy{public: true}, w.options())
		for range maxConnections {
			_, server := net.Pipe()
			go p.Serve(ctx, server)
		}
		synctest.Wait()
		client, server := net.Pipe()
		go p.Serve(ctx, server)
		resp, err := http.ReadResponse(bufio.NewReader(client), nil)
		if err != nil || resp.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("got %v, %v", resp, err)
		}
		deaf, server := net.Pipe()
		go p.Serve(ctx, server)
		time.Sleep(2 * time.Second)
		if _, err := deaf.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("a program that does not read holds a connection: %v", err)
		}
		cancel()
		synctest.Wait()
		if len(p.slots) != 0 || len(w.audit) != 2 {
			t.Errorf("%d slots in use, audit %+v", len(p.slots), w.audit)
		}
	})
}

func TestQuota(t *testing.T) {
	w := newWorld()
	w.serve(t, "a.org", "1.2.3.4", func(rw http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		rw.Write(bytes.Repeat([]byte("x"), 1<<20))
	})
	w.listen(t, "1.2.3.4:22", echo)
	for _, test := range []struct {
		name string
		use  func(c *cell)
	}{
		{"download", func(c *cell) {
			resp, err := c.client().Get("http://a.org/")
			if err != nil {
				t.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, resp.Body); n > 100<<10 || err == nil {
				t.Errorf("%d bytes came, %v", n, err)
			}
		}},
		{"upload", func(c *cell) {
			resp, err := c.client().Post("http://a.org/", "text/plain", bytes.NewReader(make([]byte, 1<<20)))
			if err == nil && resp.StatusCode != http.StatusForbidden {
				t.Errorf("got %s", resp.Status)
			}
		}},
		{"tunnel", func(c *cell) {
			conn, r, _ := c.connect("a.org:22")
			go io.Copy(conn, bytes.NewReader(make([]byte, 1<<20)))
			if n, _ := io.Copy(io.Discard, r); n > 100<<10 {
				t.Errorf("%d bytes came", n)
			}
		}},
	} {
		before := len(w.seen())
		options := w.options()
		options.Quota = 100 << 10
		c := w.cellWith(t, public, options)
		test.use(c)
		if audit := w.waitForAudit(t, before+1)[before]; !strings.Contains(audit.Reason, "quota") {
			t.Errorf("%s: audit %+v", test.name, audit)
		}
		if status, body := c.get("http://a.org/"); status != http.StatusForbidden || !strings.Contains(body, "quota") {
			t.Errorf("%s: afterwards %d %q", test.name, status, body)
		}
		w.waitForAudit(t, before+2)
	}
}
