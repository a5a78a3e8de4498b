package model

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Bounds of what a provider sends.
const (
	maxStream = 128 << 20 // bytes of the stream of one answer, most of which is not the answer
	maxEvent  = 16 << 20  // bytes between two empty lines of it
	maxFault  = 64 << 10  // bytes of what it says when it fails
)

// maxWait bounds how long a provider may have us wait before we ask again.
const maxWait = 2 * time.Minute

// connection is how one question reaches its provider. Nothing of it comes from the
// environment but what all programs of the host share: proxies and certificates.
type connection struct {
	model       *api.Model
	key         string
	idempotency string
	http        *http.Client
	retries     int
	response    *http.Response // the last, which says more than the errors of an SDK
}

func (c *connection) client() Client {
	if c.model.Protocol == api.ProtocolAnthropic {
		return anthropicClient{c}
	}
	return openaiClient{c}
}

// ask asks in the protocol of the provider, or in the words of another.
func (c *connection) ask(ctx context.Context, parent string, q api.ModelRequest, onText func(string), clean func(io.Writer) io.WriteCloser, waiting *exchanges) (api.ModelAnswer, error) {
	if q.Raw == nil {
		return c.client().Ask(ctx, q, onText)
	}
	return c.askRaw(ctx, *q.Raw, waiting.take(exchangeName(parent, *q.Raw), nil), onText, clean)
}

func newTransport() *http.Transport {
	return http.DefaultTransport.(*http.Transport).Clone()
}

// client follows no redirect: it would take the question along, and the key too as
// far as the host is the same.
func (r *Runner) client() *http.Client {
	return &http.Client{
		Transport:     guarded{r.transport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// guarded bounds what a provider sends.
type guarded struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (g guarded) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := g.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		res.Body = body{io.LimitReader(res.Body, maxFault), res.Body}
	} else {
		res.Body = body{&events{from: res.Body}, res.Body}
	}
	if retryAfter(res.Header) > maxWait.Seconds() {
		res.Header.Set("X-Should-Retry", "false") // as both SDKs understand it
	}
	return res, nil
}

// body reads from one and closes the other.
type body struct {
	io.Reader
	io.Closer
}

// retryAfter is how many seconds a provider wants to be left alone, 0 if it does
// not say.
func retryAfter(h http.Header) float64 {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return ms / 1000
	}
	after := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(after, 64); err == nil {
		return s
	}
	if at, err := http.ParseTime(after); err == nil {
		return math.Ceil(time.Until(at).Seconds())
	}
	return 0
}

var errStream = errors.New("it sent more than an answer can be")

// events bounds a stream of events, and each of them.
type events struct {
	from         io.Reader
	total, event int
	last         byte // that was no carriage return
}

// Read implements io.Reader.
func (e *events) Read(p []byte) (int, error) {
	n, err := e.from.Read(p)
	for _, c := range p[:n] {
		switch {
		case c == '\r':
			continue
		case c == '\n' && e.last == '\n':
			e.event = 0
		}
		e.event++
		e.last = c
	}
	if e.total += n; e.total > maxStream || e.event > maxEvent {
		return 0, errStream
	}
	return n, err
}
