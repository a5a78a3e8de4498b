package client

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/secret"
)

// Bounds of connections.
const (
	maxConnections = 256
	maxIdle        = 30 * time.Second // that a connection without a call stays open
	connectTimeout = 2 * time.Minute  // a session may have to be made first
	progressPause  = 100 * time.Millisecond
	maxWords       = 8 << 10 // bytes of what a server says in an error
	maxLine        = 200     // bytes of a line of progress
)

// place is what calls share a connection for.
type place struct{ root, server string }

// connection is an open connection to one server, or one that is being opened.
type connection struct {
	place    place
	redactor *secret.Redactor
	opened   chan struct{} // closed when session or err is there
	session  *mcp.ClientSession
	err      error
	end      func() // of what the server runs in

	// The runner's lock guards these.
	users int
	idle  *time.Timer

	mu       sync.Mutex
	last     int
	watchers map[string]func(api.Progress) // by the token of the call
}

// acquire returns the connection of a tree of runs to a server; release it.
func (r *Runner) acquire(ctx context.Context, root string, server api.MCPServer) (*connection, error) {
	text, err := json.Marshal(server)
	if err != nil {
		return nil, api.Errorf(api.Internal, "encode a server: %w", err)
	}
	c, err := r.join(place{root, string(text)}, server)
	if err != nil {
		return nil, err
	}
	select {
	case <-c.opened:
	case <-ctx.Done():
		r.release(c)
		return nil, ctx.Err()
	}
	if c.err != nil {
		r.drop(c)
		r.release(c)
		return nil, c.err
	}
	return c, nil
}

// join counts a call in, and opens a connection if there is none.
func (r *Runner) join(at place, server api.MCPServer) (*connection, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, api.Errorf(api.Interrupted, "the process of the run is ending")
	}
	c := r.live[at]
	if c == nil {
		if len(r.live) == maxConnections {
			return nil, api.Errorf(api.Overloaded, "there are %d connections to MCP servers already", maxConnections)
		}
		c = &connection{place: at, opened: make(chan struct{}), end: func() {}, watchers: map[string]func(api.Progress){}}
		r.live[at] = c
		go r.open(c, server)
	}
	if c.idle != nil {
		c.idle.Stop()
	}
	c.users++
	return c, nil
}

// open is not bound to the call that came first: others wait for it too.
func (r *Runner) open(c *connection, server api.MCPServer) {
	defer close(c.opened)
	ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
	defer cancel()
	c.err = r.connect(ctx, c, server)
}

// release counts a call out. The connection stays for the next one for a while.
func (r *Runner) release(c *connection) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c.users--; c.users > 0 {
		return
	}
	if r.live[c.place] != c || r.closed {
		go c.close()
		return
	}
	c.idle = time.AfterFunc(r.idle, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if c.users == 0 && r.live[c.place] == c {
			delete(r.live, c.place)
			go c.close()
		}
	})
}

// drop lets no further call join the connection.
func (r *Runner) drop(c *connection) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.live[c.place] == c {
		delete(r.live, c.place)
	}
}

// Close ends all connections, and the calls on them.
func (r *Runner) Close() {
	r.mu.Lock()
	r.closed = true
	var all []*connection
	for _, c := range r.live {
		all = append(all, c)
	}
	clear(r.live)
	r.mu.Unlock()
	var closing sync.WaitGroup
	for _, c := range all {
		closing.Go(c.close)
	}
	closing.Wait()
}

// close may be called more than once.
func (c *connection) close() {
	<-c.opened
	if c.session != nil {
		_ = c.session.Close() // what it runs in ends in any case
	}
	c.end()
}

// call calls a tool. Ending ctx tells the server that the call is cancelled.
func (c *connection) call(ctx context.Context, tool string, arguments json.RawMessage, progress func(api.Progress)) (*mcp.CallToolResult, error) {
	params := &mcp.CallToolParams{Name: tool, Arguments: arguments}
	token := c.watch(progress)
	params.SetProgressToken(token)
	defer c.unwatch(token)
	answer, err := c.session.CallTool(ctx, params)
	if err == nil && answer.NeedsInput() {
		return nil, errors.New("it asks for what only a person can give")
	}
	return answer, err
}

func (c *connection) watch(progress func(api.Progress)) (token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	token = strconv.Itoa(c.last)
	if progress != nil {
		c.watchers[token] = slowly(progress)
	}
	return token
}

func (c *connection) unwatch(token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.watchers, token)
}

// slowly leaves out what comes too soon after another one.
func slowly(progress func(api.Progress)) func(api.Progress) {
	var last time.Time
	return func(p api.Progress) {
		if time.Since(last) >= progressPause {
			last = time.Now()
			progress(p)
		}
	}
}

// progressed passes on what a server says of a call that is under way.
func (c *connection) progressed(_ context.Context, n *mcp.ProgressNotificationClientRequest) {
	token, _ := n.Params.ProgressToken.(string)
	c.mu.Lock()
	defer c.mu.Unlock()
	if show := c.watchers[token]; show != nil {
		show(api.Progress{Stage: "run", Message: line(c.redactor, n.Params.Message), Done: steps(n.Params.Progress), Total: steps(n.Params.Total)})
	}
}
