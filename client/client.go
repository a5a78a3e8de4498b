// Package client speaks to a Glovebox server. A *Client is an api.Service: what
// it answers is what the engine in process would answer. Files that go in are
// uploaded, files that come out are downloaded, so every path is one of this
// host.
package client

import (
	"context"
	"errors"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Options say how to reach a server. The zero value is for a server on a Unix
// socket.
type Options struct {
	// Token is sent with each request as a bearer token. Empty sends none, which
	// is enough on a Unix socket.
	Token string
	// HTTPClient replaces the client that Dial makes for http and https, for
	// example to trust a private certificate authority; with a Unix socket it is
	// refused. Nil means one that speaks HTTP/1.1, takes proxies from the
	// environment, and gives up after 10 s without a connection or 2 min without
	// the head of an answer. A Timeout also ends streams of logs and events, so
	// leave it at 0. No redirect is followed.
	HTTPClient *http.Client
	// Dir is the directory where output files of results are stored, each as
	// Dir/RUN/NAME; they stay there. Empty means a temporary directory, which
	// Close removes with all paths that results named.
	Dir string
}

// Client is a connection to a server. It is safe for concurrent use.
type Client struct {
	address address
	token   string
	http    *http.Client
	slow    *http.Client // for answers that may begin late
	timing  timing
	store   *resultStore
	heard   atomic.Bool // the server has answered

	life context.Context // ends with Close
	end  context.CancelCauseFunc

	followers sync.WaitGroup
	mu        sync.Mutex
	follows   map[string]*printing // of runs whose streams somebody wanted, by run
}

var _ api.Service = (*Client)(nil)

// timing is how long the client waits for what.
type timing struct {
	pause    time.Duration // before the first repetition; it grows
	tries    uint          // of a request that may be repeated
	patience time.Duration // with a server that was there and is gone
	silence  time.Duration // within an answer, after which the server counts as gone
	poll     time.Duration // that the server is asked to wait for a result
}

func defaultTiming() timing {
	return timing{pause: 100 * time.Millisecond, tries: 4, patience: 30 * time.Second, silence: 45 * time.Second, poll: 30 * time.Second}
}

var errClosed = errors.New("the client was closed")

// Dial returns a client of the server at url: unix:///path/to/socket,
// http://127.0.0.1:port or https://host:port. It does not connect yet.
func Dial(url string, o Options) (*Client, error) {
	a, err := parseAddress(url)
	if err != nil {
		return nil, err
	}
	if err := checkToken(o.Token); err != nil {
		return nil, err
	}
	hc, err := httpClient(a, o.HTTPClient)
	if err != nil {
		return nil, err
	}
	c := &Client{address: a, token: o.Token, http: hc, slow: withPatience(hc), timing: defaultTiming(), store: &resultStore{dir: o.Dir, own: o.Dir == ""}}
	c.follows = map[string]*printing{}
	c.life, c.end = context.WithCancelCause(context.Background())
	return c, nil
}

// checkToken refuses what cannot stand in a header, without repeating it.
func checkToken(token string) error {
	if !api.ValidToken(token) {
		return api.Errorf(api.RequestInvalid, "the token contains a character that no token has, such as a space or the end of a line").
			WithHint("set GLOVEBOX_TOKEN to the token alone").
			WithDetails(api.Details{Field: "token", Expected: api.TokenRule})
	}
	return nil
}

// Close ends what is under way, and removes the files of results unless Options
// named a directory for them. Runs on the server continue.
func (c *Client) Close() error {
	c.end(errClosed)
	c.followers.Wait()
	c.http.CloseIdleConnections()
	c.slow.CloseIdleConnections()
	if err := c.store.remove(); err != nil && !errors.Is(err, os.ErrNotExist) {
		return hostError("the files of results could not be removed", err)
	}
	return nil
}

// joined returns ctx, which then also ends with the client.
func (c *Client) joined(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(c.life, func() { cancel(errClosed) })
	return ctx, func(cause error) { stop(); cancel(cause) }
}

// canceled is the error of a request whose context ended.
func canceled(ctx context.Context) *api.Error {
	return api.Errorf(api.Canceled, "the request to the server was given up: %w", context.Cause(ctx))
}
