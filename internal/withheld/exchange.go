package withheld

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
)

// Exchange is one request to a place, and its answer.
type Exchange struct {
	base    http.RoundTripper
	place   *Place
	secrets []*held // whose rules allow it
	ruled   bool    // by method and path

	maxRequest, maxResponse int64

	in, out atomic.Int64 // bytes of the bodies
	status  atomic.Int64
	cut     atomic.Pointer[Refusal]
	used    []string // set before the request is sent
}

// Begin checks a request before anything of it is sent by base.
func (p *Place) Begin(r *http.Request, base http.RoundTripper) (*Exchange, *Refusal) {
	allowed, refusal := p.allowed(r)
	if refusal != nil {
		return nil, refusal
	}
	x := &Exchange{base: base, place: p, secrets: allowed}
	for _, h := range allowed {
		x.ruled = x.ruled || len(h.allow) > 0
		x.maxRequest, x.maxResponse = smaller(x.maxRequest, h.Ref.MaxRequest), smaller(x.maxResponse, h.Ref.MaxResponse)
	}
	if x.maxRequest > 0 && r.ContentLength > x.maxRequest {
		return nil, tooLarge("request", x.maxRequest)
	}
	return x, nil
}

// smaller returns the smaller bound; 0 is none.
func smaller(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// RoundTrip implements http.RoundTripper: it changes the request, which is the caller's
// to give, and the answer. Informational answers are not passed on.
func (x *Exchange) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil && req.Body != http.NoBody {
		req.Body = &counted{ReadCloser: req.Body, n: &x.out, max: x.maxRequest, over: func() error { return x.end(tooLarge("request", x.maxRequest)) }}
	}
	if refusal := x.put(req); refusal != nil {
		return nil, refusal
	}
	resp, err := x.base.RoundTrip(req.WithContext(noValues{req.Context()}))
	if err != nil {
		return nil, err
	}
	if err := x.take(resp); err != nil {
		resp.Body.Close()
		return nil, err
	}
	x.status.Store(int64(resp.StatusCode))
	return resp, nil
}

// noValues hides what a context holds: a trace would pass on what was not masked.
type noValues struct{ context.Context }

// Value implements context.Context.
func (noValues) Value(any) any { return nil }

// end notes why a body is cut.
func (x *Exchange) end(r *Refusal) error {
	x.cut.CompareAndSwap(nil, r)
	return r
}

// Cut returns why a body was cut, or nil.
func (x *Exchange) Cut() *Refusal { return x.cut.Load() }

// Secrets returns the names of the secrets that were put in.
func (x *Exchange) Secrets() []string { return x.used }

// Status returns that of the answer; 0 if there is none.
func (x *Exchange) Status() int { return int(x.status.Load()) }

// Sizes returns the bytes of the bodies, as far as they went.
func (x *Exchange) Sizes() (in, out int64) { return x.in.Load(), x.out.Load() }

// counted counts what is read of a body, and ends it beyond a bound.
type counted struct {
	io.ReadCloser
	n    *atomic.Int64
	max  int64 // 0 is no bound
	over func() error
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if total := c.n.Add(int64(n)); c.max > 0 && total > c.max {
		return 0, c.over()
	}
	return n, err
}
