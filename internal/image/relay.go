package image

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// The bounds of a relay. Pages are held in memory, so that few pass at once.
const (
	maxIndexPage = 64 << 20 // bytes
	maxPages     = 4
	maxRelayHead = 32 << 10 // bytes of a request
	headTime     = time.Minute
)

// relay lets a cell use indexes whose credentials or addresses it must not
// have: it answers requests for the stand-in host names with what the index
// says, and hands every other connection on.
type relay struct {
	byHost map[string]index
	client *http.Client
	next   func(context.Context, net.Conn)
	pages  chan struct{} // a place for each page in memory
}

// newRelay wraps next if one of the indexes has to be relayed.
func newRelay(set indexes, client *http.Client, next func(context.Context, net.Conn)) func(context.Context, net.Conn) {
	r := &relay{byHost: map[string]index{}, next: next, pages: make(chan struct{}, maxPages)}
	for _, i := range slices.Concat(set.list, set.links) {
		if i.relay != "" {
			r.byHost[i.relay] = i
		}
	}
	if len(r.byHost) == 0 {
		return next
	}
	direct := *client
	direct.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	r.client = &direct
	return r.serve
}

// serve looks at the first bytes of a connection and decides who answers it.
func (r *relay) serve(ctx context.Context, conn net.Conn) {
	seen, ours := sniffRelay(conn)
	whole := &replayConn{Conn: conn, r: io.MultiReader(bytes.NewReader(seen), conn)}
	if !ours {
		r.next(ctx, whole)
		return
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	r.answer(ctx, bufio.NewReader(io.LimitReader(whole, maxRelayHead)), conn)
}

// sniffRelay reads until it is clear whether a request for a stand-in comes.
func sniffRelay(conn net.Conn) (seen []byte, ours bool) {
	for len(seen) < 32 {
		buf := make([]byte, 4096)
		n, err := conn.Read(buf)
		seen = append(seen, buf[:n]...)
		for _, head := range []string{"GET http://index-", "HEAD http://index-"} {
			if bytes.HasPrefix(seen, []byte(head)) {
				return seen, true
			}
		}
		if err != nil || !bytes.HasPrefix([]byte("HEAD http://index-"), seen) && !bytes.HasPrefix([]byte("GET http://index-"), seen) {
			return seen, false
		}
	}
	return seen, false
}

type replayConn struct {
	net.Conn
	r io.Reader
}

func (c *replayConn) Read(p []byte) (int, error) { return c.r.Read(p) }

// CloseWrite passes a half-close on where the connection knows it.
func (c *replayConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// answer serves one request and ends the connection: the next request on it
// could be for somebody else, since clients share connections to a proxy.
func (r *relay) answer(ctx context.Context, in *bufio.Reader, out net.Conn) {
	if err := out.SetReadDeadline(time.Now().Add(headTime)); err != nil {
		return
	}
	req, err := http.ReadRequest(in)
	if err != nil || out.SetReadDeadline(time.Time{}) != nil { // a file may take longer
		return
	}
	resp := r.fetch(ctx, req)
	defer resp.Body.Close()
	resp.Request, resp.Close = req, true
	_ = resp.Write(out) // a cell that does not listen misses the answer
}

// fetch asks the index, with its credentials, for what the cell asked for.
func (r *relay) fetch(ctx context.Context, req *http.Request) *http.Response {
	idx, ok := r.byHost[req.URL.Host]
	if !ok || req.Method != http.MethodGet && req.Method != http.MethodHead {
		return plainResponse(http.StatusForbidden, "this connection reaches package indexes only")
	}
	target := *req.URL
	target.Scheme, target.Host, target.User = idx.url.Scheme, idx.url.Host, nil
	up, err := http.NewRequestWithContext(ctx, req.Method, target.String(), nil)
	if err != nil {
		return plainResponse(http.StatusBadRequest, "the request has no usable URL")
	}
	for _, h := range []string{"Accept", "Range", "If-None-Match", "If-Modified-Since", "User-Agent"} {
		if v := req.Header.Get(h); v != "" {
			up.Header.Set(h, v)
		}
	}
	if idx.user != nil {
		password, _ := idx.user.Password()
		up.SetBasicAuth(idx.user.Username(), password)
	}
	resp, err := r.client.Do(up)
	if err != nil {
		return plainResponse(http.StatusBadGateway, "the package index could not be reached")
	}
	return r.rewrite(ctx, resp, idx)
}

// rewrite makes links and redirects to the index itself go through the relay
// again, and drops headers that could carry secrets.
func (r *relay) rewrite(ctx context.Context, resp *http.Response, idx index) *http.Response {
	origin := idx.url.Scheme + "://" + idx.url.Host
	standIn := "http://" + idx.relay
	kept := http.Header{}
	for _, h := range []string{"Content-Type", "Content-Length", "Content-Range", "Accept-Ranges", "ETag", "Last-Modified", "Cache-Control"} {
		if v := resp.Header.Get(h); v != "" {
			kept.Set(h, v)
		}
	}
	if loc := resp.Header.Get("Location"); loc != "" {
		kept.Set("Location", withoutUser(loc, origin, standIn))
	}
	resp.Header = kept
	kind := kept.Get("Content-Type")
	if !strings.HasPrefix(kind, "text/html") && !strings.HasPrefix(kind, "application/vnd.pypi.simple") {
		return resp
	}
	select {
	case r.pages <- struct{}{}:
	case <-ctx.Done():
		resp.Body.Close()
		return plainResponse(http.StatusServiceUnavailable, "the build is over")
	}
	resp = rewritePage(resp, origin, standIn)
	resp.Body = &heldPage{resp.Body, func() { <-r.pages }}
	return resp
}

// heldPage gives its place back when it is closed, once.
type heldPage struct {
	io.ReadCloser
	release func()
}

func (p *heldPage) Close() error {
	p.release()
	p.release = func() {}
	return p.ReadCloser.Close()
}

func rewritePage(resp *http.Response, origin, standIn string) *http.Response {
	page, err := io.ReadAll(io.LimitReader(resp.Body, maxIndexPage+1))
	resp.Body.Close()
	if err != nil || len(page) > maxIndexPage {
		return plainResponse(http.StatusBadGateway, "the page of the package index is too large or was cut off")
	}
	page = bytes.ReplaceAll(page, []byte(origin+"/"), []byte(standIn+"/"))
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(page)), int64(len(page))
	resp.Header.Del("Content-Length")
	return resp
}

func withoutUser(loc, origin, standIn string) string {
	u, err := url.Parse(loc)
	if err != nil {
		return ""
	}
	u.User = nil
	return strings.Replace(u.String(), origin+"/", standIn+"/", 1)
}

func plainResponse(status int, text string) *http.Response {
	return &http.Response{
		StatusCode: status, ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {"text/plain; charset=utf-8"}},
		Body:          io.NopCloser(strings.NewReader(text + "\n")),
		ContentLength: int64(len(text) + 1),
	}
}
