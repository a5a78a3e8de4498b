package s3

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/internal/blob/s3/s3test"
)

// fault is what a proxy does with a request.
type fault int

const (
	pass      fault = iota
	refuse          // ends the connection instead of asking the server
	forget          // asks the server, and ends the connection instead of answering
	cut             // ends the connection in the middle of the answer
	fail            // answers 500
	throttle        // answers 503 SlowDown
	blackhole       // never answers
)

var faults = map[string]fault{"refused": refuse, "forgotten": forget, "cut": cut, "failed": fail, "throttled": throttle, "silent": blackhole}

// proxy stands before a server and makes it fail.
type proxy struct {
	*httptest.Server
	mu     sync.Mutex
	seen   []string                           // method and path of each request
	decide func(n int, r *http.Request) fault // called before the request, without the lock
	behind time.Duration                      // how far the clock of the server seems to be behind
}

func newProxy(t *testing.T, server *s3test.Server) *proxy {
	p := &proxy{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { p.serve(w, r, server.Endpoint) }))
	p.Config.ErrorLog = nil
	t.Cleanup(p.Close)
	return p
}

// count returns how many requests there were.
func (p *proxy) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.seen)
}

// set begins to count anew, with other faults.
func (p *proxy) set(decide func(n int, r *http.Request) fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen, p.decide = nil, decide
}

func (p *proxy) next(r *http.Request) fault {
	p.mu.Lock()
	n, decide := len(p.seen), p.decide
	p.seen = append(p.seen, r.Method+" "+r.URL.Path)
	p.mu.Unlock()
	if decide == nil {
		return pass
	}
	return decide(n, r)
}

func (p *proxy) serve(w http.ResponseWriter, r *http.Request, to string) {
	f := p.next(r)
	switch f {
	case refuse:
		panic(http.ErrAbortHandler)
	case blackhole:
		_, _ = io.Copy(io.Discard, r.Body) // until the client gives up
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	case fail:
		w.WriteHeader(http.StatusInternalServerError)
		return
	case throttle:
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>")
		return
	}
	p.forward(w, r, to, f)
}

func (p *proxy) forward(w http.ResponseWriter, r *http.Request, to string, f fault) {
	out, err := http.NewRequest(r.Method, to+r.URL.RequestURI(), r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	out.Header, out.Host, out.ContentLength = r.Header.Clone(), r.Host, r.ContentLength
	answer, err := http.DefaultTransport.RoundTrip(out)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer answer.Body.Close()
	if f == forget {
		_, _ = io.Copy(io.Discard, answer.Body)
		panic(http.ErrAbortHandler)
	}
	for name, values := range answer.Header {
		w.Header()[name] = values
	}
	if p.behind != 0 {
		w.Header().Set("Date", time.Now().Add(-p.behind).UTC().Format(http.TimeFormat))
	}
	w.WriteHeader(answer.StatusCode)
	if f == cut {
		_, _ = io.CopyN(w, answer.Body, max(answer.ContentLength/2, 0))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	_, _ = io.Copy(w, answer.Body)
}

// closedPort is the URL of a server that is not there.
func closedPort(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String()
}
