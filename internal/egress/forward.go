package egress

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/glovebox-dev/glovebox/internal/withheld"
)

// forward handles one plain HTTP request and reports whether another may
// follow on the connection.
func (s *session) forward(req *http.Request) bool {
	start := time.Now()
	t, r := plainTarget(req)
	if r == nil && s.proxy.options.Withheld.Secured(t.host) && s.proxy.options.Withheld.At(false, t.host, t.port) == nil {
		r = denied("a secret of this run goes to %s by https only, and this request has no TLS", t.host)
		r.hint = "ask for https://" + t.host
	}
	if r != nil {
		s.refuse(start, t, r)
		return false
	}
	up, r := s.proxy.open(s.ctx, t)
	if r != nil {
		s.refuse(start, t, r)
		return false
	}
	defer up.Close()
	if place := s.proxy.options.Withheld.At(false, t.host, t.port); place != nil {
		return s.forwardHeld(start, req, t, up, place)
	}
	again, r := s.exchange(req, t, up, roundTripper(up))
	s.proxy.record(start, t, up, r)
	return again
}

// forwardHeld is forward to a host that secrets go to without TLS.
func (s *session) forwardHeld(start time.Time, req *http.Request, t target, up *upstream, place *withheld.Place) bool {
	x, no := place.Begin(req, roundTripper(up))
	if no != nil {
		r := withheldRefusal(no)
		s.proxy.recordRequest(start, t, "", req.Method, req.URL.Path, nil, r)
		s.answer(r)
		return false
	}
	again, r := s.exchange(req, t, up, x)
	s.proxy.recordRequest(start, t, up.address.String(), req.Method, req.URL.Path, x, r)
	return again
}

// plainTarget reads where the request goes and refuses what cannot be carried.
func plainTarget(req *http.Request) (target, *refusal) {
	if req.URL.Scheme != "http" || req.URL.Host == "" {
		return target{}, badRequest("a plain request needs an http:// address, everything else needs CONNECT")
	}
	t, r := parseTarget(req.URL.Host, 80)
	if r != nil {
		return target{}, r
	}
	if req.Header.Get("Upgrade") != "" && headerHas(req.Header, "Connection", "upgrade") {
		return t, denied("an upgrade of a plain request is refused, use CONNECT")
	}
	return t, nil
}

// exchange sends the request by through, which speaks over up, and the answer back.
func (s *session) exchange(req *http.Request, t target, up *upstream, through http.RoundTripper) (bool, *refusal) {
	if req.ProtoAtLeast(1, 1) && headerHas(req.Header, "Expect", "100-continue") {
		_, _ = io.WriteString(s.conn, "HTTP/1.1 100 Continue\r\n\r\n")
	}
	sent := newBody(req)
	resp, err := through.RoundTrip(outgoing(req, sent, t))
	if err != nil {
		r := unreachable("%s gave no HTTP answer", t)
		if no := new(withheld.Refusal); errors.As(err, &no) {
			r = withheldRefusal(no)
		}
		if up.cut.Load() {
			r = s.proxy.quota.refusal()
		}
		s.answer(r)
		return false, r
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusSwitchingProtocols {
		r := unreachable("%s switches protocols unasked", t)
		s.answer(r)
		return false, r
	}
	return s.reply(req, sent, resp), nil
}

// outgoing is req as the origin gets it. The Host header is the target itself,
// so a request cannot be checked for one host and served for another.
func outgoing(req *http.Request, sent *body, t target) *http.Request {
	out := req.Clone(req.Context())
	out.URL = &url.URL{Scheme: "http", Host: hostHeader(t), Opaque: "", Path: req.URL.Path, RawPath: req.URL.RawPath,
		RawQuery: req.URL.RawQuery, ForceQuery: req.URL.ForceQuery}
	out.Host, out.RequestURI, out.Close, out.Trailer = hostHeader(t), "", true, nil
	if out.Body = sent; req.Body == http.NoBody {
		out.Body = nil
	}
	removeHopByHop(out.Header)
	out.Header.Del("Expect")
	if _, ok := out.Header["User-Agent"]; !ok {
		out.Header["User-Agent"] = nil // none, rather than the one of Go
	}
	return out
}

func hostHeader(t target) string {
	text := t.String()
	if t.port == 80 {
		return strings.TrimSuffix(text, ":80")
	}
	return text
}

// roundTripper speaks HTTP over the one connection that was checked.
func roundTripper(up *upstream) *http.Transport {
	var once sync.Once
	dial := func(context.Context, string, string) (conn net.Conn, err error) {
		err = errors.New("one request, one connection")
		once.Do(func() { conn, err = up, nil })
		return conn, err
	}
	return &http.Transport{DialContext: dial, DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: maxHead}
}

// reply sends resp to the cell and reports whether the connection can carry
// another request.
func (s *session) reply(req *http.Request, sent *body, resp *http.Response) bool {
	removeHopByHop(resp.Header)
	resp.Request = req
	resp.Close = req.Close || !req.ProtoAtLeast(1, 1)
	resp.Proto, resp.ProtoMajor, resp.ProtoMinor, resp.TransferEncoding = "HTTP/1.1", 1, 1, nil
	if resp.ContentLength < 0 && req.ProtoAtLeast(1, 1) {
		resp.TransferEncoding = []string{"chunked"} // its end must not need the end of the connection
	}
	if err := resp.Write(s.conn); err != nil || resp.Close {
		return false
	}
	return sent.read.Load()
}

// body is the body of a request, which the transport may still be reading when
// the answer is there. Only one that has been read to its end lets another
// request follow on the connection.
type body struct {
	r    io.Reader
	read atomic.Bool
}

func newBody(req *http.Request) *body {
	b := &body{r: req.Body}
	b.read.Store(req.Body == http.NoBody)
	return b
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if err == io.EOF {
		b.read.Store(true)
	}
	return n, err
}

// Close implements io.Closer. It does not read the rest, which may be endless.
func (b *body) Close() error { return nil }

// removeHopByHop takes out what is meant for the proxy and not for the other side.
func removeHopByHop(h http.Header) {
	for _, line := range h["Connection"] {
		for name := range strings.SplitSeq(line, ",") {
			h.Del(strings.TrimSpace(name))
		}
	}
	for name := range h {
		if strings.HasPrefix(strings.ToLower(name), "proxy-") {
			delete(h, name)
		}
	}
	for _, name := range []string{"Connection", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Upgrade"} {
		h.Del(name)
	}
}

// headerHas reports whether a list header contains token.
func headerHas(h http.Header, name, token string) bool {
	for _, line := range h[name] {
		for part := range strings.SplitSeq(line, ",") {
			if strings.EqualFold(strings.TrimSpace(part), token) {
				return true
			}
		}
	}
	return false
}
