package image

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// answers stands for an index.
type answers func(*http.Request) *http.Response

func (a answers) RoundTrip(req *http.Request) (*http.Response, error) { return a(req), nil }

// relayed connects to a relay of one index, index-0.
func relayed(t *testing.T, index0 answers) func() net.Conn {
	t.Helper()
	idx := index{relay: "index-0.glovebox.internal", url: &url.URL{Scheme: "https", Host: "index.example"}}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	serve := newRelay(indexes{list: []index{idx}}, &http.Client{Transport: index0}, nil)
	return func() net.Conn {
		ours, theirs := net.Pipe()
		go serve(ctx, &endingConn{Conn: theirs})
		return ours
	}
}

// endingConn is ended by a deadline, as connections from a cell are.
type endingConn struct {
	net.Conn
	timer *time.Timer
}

func (c *endingConn) SetReadDeadline(at time.Time) error {
	if c.timer != nil {
		c.timer.Stop()
	}
	if !at.IsZero() {
		c.timer = time.AfterFunc(time.Until(at), func() { c.Close() })
	}
	return nil
}

func TestRelayBoundsTheHeadOfARequest(t *testing.T) {
	connect := relayed(t, func(*http.Request) *http.Response { return plainResponse(http.StatusOK, "") })
	conn := connect()
	sent, err := io.Copy(conn, io.LimitReader(io.MultiReader(strings.NewReader("GET http://index-0"), letters{}), 8<<20))
	if err == nil || sent > 2*maxRelayHead {
		t.Errorf("the relay has taken %d bytes of a request without an end (%v)", sent, err)
	}
}

// letters never ends.
type letters struct{}

func (letters) Read(p []byte) (int, error) { return copy(p, bytes.Repeat([]byte("a"), len(p))), nil }

func TestRelayLetsAFileTakeItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		connect := relayed(t, func(*http.Request) *http.Response { return plainResponse(http.StatusOK, "wheel") })
		conn := connect()
		if _, err := io.WriteString(conn, "GET http://index-0.glovebox.internal/a.whl HTTP/1.1\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * headTime)
		text, err := io.ReadAll(conn)
		if err != nil || !strings.HasSuffix(string(text), "wheel\n") {
			t.Errorf("got %q, %v", text, err)
		}
	})
}

// TestRelayHoldsFewPages: programs in the cell ask for many pages at once and
// read none of them.
func TestRelayHoldsFewPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var read atomic.Int64
		connect := relayed(t, func(*http.Request) *http.Response {
			resp := plainResponse(http.StatusOK, "page")
			resp.Header.Set("Content-Type", "text/html")
			resp.Body = readOnce{resp.Body, func() { read.Add(1) }}
			return resp
		})
		var conns []net.Conn
		for range 3 * maxPages {
			conn := connect()
			if _, err := io.WriteString(conn, "GET http://index-0.glovebox.internal/simple/ HTTP/1.1\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			conns = append(conns, conn)
		}
		synctest.Wait()
		if got := read.Load(); got != maxPages {
			t.Errorf("%d pages are in memory, want %d", got, maxPages)
		}
		var readers sync.WaitGroup
		for _, conn := range conns {
			readers.Go(func() {
				if text, err := io.ReadAll(conn); err != nil || !strings.HasSuffix(string(text), "page\n") {
					t.Errorf("got %q, %v", text, err)
				}
			})
		}
		readers.Wait()
	})
}

// readOnce tells when a body has been read and closed.
type readOnce struct {
	io.ReadCloser
	closed func()
}

func (r readOnce) Close() error {
	r.closed()
	return r.ReadCloser.Close()
}
