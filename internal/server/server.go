// Package server is the HTTP server: it offers an api.Service to other processes,
// as /openapi.json describes it. It trusts only authorised clients, bounds what
// every client can make it hold, and answers errors as the service gave them.
package server

import (
	"context"
	"crypto/sha256"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/budget"
	"github.com/glovebox-dev/glovebox/internal/server/page"
)

// Config is what a Server is made of.
type Config struct {
	Service api.Service
	// Workers speaks with a worker over conn until it leaves or ctx ends. Nil
	// refuses workers.
	Workers func(ctx context.Context, conn io.ReadWriteCloser) error
	// Monty takes the connection of a request over, and answers a client of
	// Monty's protocol on it until that leaves or ctx ends. Nil refuses them.
	Monty func(ctx context.Context, w http.ResponseWriter, r *http.Request) error
	E2B   Face         // answers the SDKs of E2B; nil leaves them without an answer
	Hooks Hooks        // answers calls of hooks; nil refuses them
	MCP   http.Handler // answers clients of MCP, of which it bounds what they send; nil refuses them
	// TokenHash is HashToken of the token that every connection but those of a
	// Unix socket needs. Zero admits Unix sockets only.
	TokenHash [sha256.Size]byte
	// Authenticate returns who shows another token than that of the server. Nil knows none.
	Authenticate func(ctx context.Context, token string) (api.Identity, error)
	// Guard returns what stands before a service and holds clients to their identities. Nil
	// lets all of them do everything.
	Guard func(api.Service) api.Service
	// Node reports whether a token is one of those that nodes show each other, and
	// whether it is for this one. Who shows it may use the sessions that are here. Nil is
	// a server that is alone.
	Node func(token string) (ofNode, here bool)
	// Admitted lets in every client that reaches the listener: no connection
	// needs a token, and none is from the user of this host. They have the Identity; without
	// scopes it is that of the home.
	Admitted bool
	Identity api.Identity
	Hosts    []string             // names that clients may call this server by, beside localhost and its address
	Metrics  *prometheus.Registry // shown at /metrics; nil makes one
	Logger   *slog.Logger         // nil discards
	Version  string
	Dir      string // where directories lie on their way to a client; empty: that of the system
	Limits   Limits
	// Memory is what decoded bodies and answers may take together, beside what
	// else is charged to it; nil bounds nothing.
	Memory *budget.Memory
}

// HashToken returns what Config keeps of a token.
func HashToken(token string) [sha256.Size]byte { return sha256.Sum256([]byte(token)) }

// Server answers HTTP requests. It is safe for concurrent use.
type Server struct {
	Config
	whole     api.Service // the Service without its guard, for what the server looks up by itself
	mux       *http.ServeMux
	document  huma.API
	traits    map[string]traits // by pattern
	metrics   *metrics
	page      func() (*page.Page, error) // made for the first browser: most servers of one process meet none
	requests  chan struct{}              // a place for each request that is answered
	streams   chan struct{}              // a place for each stream
	hookCalls chan struct{}              // a place for each call of a hook
	bodies    atomic.Int64               // bytes that JSON bodies may still take
	handler   http.Handler

	leaving  atomic.Bool   // it takes no new work
	draining chan struct{} // closed when the server stops
	drain    sync.Once
	active   activity
	carried  carried
}

// traits are what the surroundings of an operation need to know about it.
type traits struct {
	open   bool      // no token needed
	signed bool      // the same: the handler checks a signature; counted apart
	stream bool      // takes its time; counted apart
	raw    bool      // the body is no JSON
	inputs bool      // the body has inputs, which may be long
	limit  int64     // bytes of the body
	scope  api.Scope // that a token needs
}

// New returns a server that waits for Serve. The error is of a registry that
// has other metrics by the same names.
func New(c Config) (*Server, error) {
	if err := checkHosts(c.Hosts); err != nil {
		return nil, err
	}
	c.Limits = c.Limits.withDefaults()
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Metrics == nil {
		c.Metrics = prometheus.NewRegistry()
	}
	whole := c.Service
	if c.Guard != nil {
		c.Service = c.Guard(c.Service)
	}
	m, err := newMetrics(c.Metrics)
	if err != nil {
		return nil, err
	}
	s := &Server{
		Config: c, whole: whole, mux: http.NewServeMux(), traits: map[string]traits{}, metrics: m,
		requests: make(chan struct{}, c.Limits.Requests), streams: make(chan struct{}, c.Limits.Streams), hookCalls: make(chan struct{}, maxHookCalls),
		draining: make(chan struct{}),
	}
	s.bodies.Store(c.Limits.Bodies)
	s.page = sync.OnceValues(s.newPage)
	s.document = humago.New(s.mux, documentConfig(c.Version))
	s.register()
	if err := s.completeDocument(); err != nil {
		return nil, err
	}
	s.handler = s.observe(s.proxy(s.compat(s.pages(s.guard(s.admit(http.HandlerFunc(s.dispatch)))))))
	return s, nil
}

// Handler returns the handler of all routes. Only requests that Serve accepted
// from a Unix socket need no token.
func (s *Server) Handler() http.Handler { return s.handler }

// dispatch gives unknown routes the same problem document as other errors.
func (s *Server) dispatch(w http.ResponseWriter, r *http.Request) {
	if infoOf(r).pattern != "" {
		s.mux.ServeHTTP(w, r)
		return
	}
	asked := &refusedRequest{header: http.Header{}}
	s.mux.ServeHTTP(asked, r)
	if allow := asked.header.Get("Allow"); allow != "" {
		w.Header().Set("Allow", allow)
		refusal(http.StatusMethodNotAllowed, api.Errorf(api.RequestInvalid, "%s cannot be asked for with %s", r.URL.Path, r.Method).
			WithDetails(api.Details{Field: "method", Expected: allow, Got: r.Method})).write(w, r)
		return
	}
	newFailure(api.Errorf(api.NotFound, "there is no route %s %s", r.Method, r.URL.Path).
		WithHint("see /openapi.json for the routes")).write(w, r)
}

// refusedRequest takes what the mux says to a request that it does not know.
type refusedRequest struct{ header http.Header }

func (w *refusedRequest) Header() http.Header         { return w.header }
func (w *refusedRequest) Write(p []byte) (int, error) { return len(p), nil }
func (w *refusedRequest) WriteHeader(int)             {}

// Leave makes /readyz report that the server is about to stop. All other routes
// answer as before.
func (s *Server) Leave() { s.leaving.Store(true) }

// isDraining reports whether the server stops.
func (s *Server) isDraining() bool {
	select {
	case <-s.draining:
		return true
	default:
		return false
	}
}
