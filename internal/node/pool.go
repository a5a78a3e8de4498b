package node

import (
	"context"
	"crypto/tls"
	"errors"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
	"github.com/glovebox-dev/glovebox/internal/duplex"
)

// Pool has a client for each node that was asked. It is safe for concurrent use.
type Pool struct {
	key []byte

	mu     sync.Mutex
	asked  map[string]*asked // by the id of the node
	closed bool
}

// asked is a node that was asked.
type asked struct {
	Peer
	*client.Client
	life context.Context // ends when the node is gone
	end  context.CancelFunc
}

// NewPool returns a pool whose nodes all have key.
func NewPool(key []byte) *Pool { return &Pool{key: key, asked: map[string]*asked{}} }

// get returns the client of a node. A node that registered another address gets a new
// one.
func (p *Pool) get(peer Peer) (*asked, error) {
	if err := peer.reachable(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, api.Errorf(api.ServerUnavailable, "this process is closing")
	}
	if a := p.asked[peer.ID]; a != nil && a.Peer == peer {
		return a, nil
	}
	c, err := client.Dial(peer.Address, client.Options{Token: Token(p.key, peer.ID), HTTPClient: httpClient(&peer)})
	if err != nil {
		return nil, api.Errorf(api.ServerUnavailable, "the address of node %s cannot be used: %w", peer.ID, err)
	}
	p.drop(peer.ID)
	a := &asked{Peer: peer, Client: c}
	a.life, a.end = context.WithCancel(context.Background())
	p.asked[peer.ID] = a
	return a, nil
}

// drop ends what is under way with a node. The caller holds mu.
func (p *Pool) drop(id string) {
	if a := p.asked[id]; a != nil {
		a.end()
		_ = a.Close() // it keeps no files
		delete(p.asked, id)
	}
}

// Forget ends what is under way with nodes that are gone, which need not have said so.
func (p *Pool) Forget(alive func(id string) bool) {
	for _, id := range p.ids() {
		if !alive(id) {
			p.mu.Lock()
			p.drop(id)
			p.mu.Unlock()
		}
	}
}

func (p *Pool) ids() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Collect(maps.Keys(p.asked))
}

// Close ends all that is under way, and lets nothing new begin.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.Forget(func(string) bool { return false })
}

// httpClient speaks with what shows the registered certificate, and with nothing else,
// whatever proxies the environment names; nil for a Unix socket.
func httpClient(peer *Peer) *http.Client {
	if u, err := url.Parse(peer.Address); err != nil || u.Scheme == "unix" {
		return nil
	}
	dialer := &net.Dialer{Timeout: dialPatience, KeepAlive: 5 * time.Second}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true) // a connection may be handed over
	return &http.Client{Transport: &http.Transport{
		DialContext: dialer.DialContext, Protocols: protocols, TLSClientConfig: pinned(peer.Certificate), TLSHandshakeTimeout: dialPatience,
		ResponseHeaderTimeout: 2 * time.Minute, ExpectContinueTimeout: time.Second, IdleConnTimeout: time.Minute,
		MaxIdleConnsPerHost: 32, MaxResponseHeaderBytes: 64 << 10, DisableCompression: true,
	}}
}

// dialPatience is how long another node may take to be reached: less than a lease.
const dialPatience = 5 * time.Second

var errCertificate = errors.New("it shows another certificate than the one that the node registered")

// pinned takes one certificate, whoever signed it and whatever name is in it: the node
// itself has registered it where only nodes can.
func pinned(fingerprint string) *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12, InsecureSkipVerify: true, // VerifyConnection is stricter
		VerifyConnection: func(state tls.ConnectionState) error {
			if len(state.PeerCertificates) == 0 || Fingerprint(state.PeerCertificates[0].Raw) != fingerprint {
				return errCertificate
			}
			return nil
		},
	}
}

// DialPort connects to a port of a session there. The connection ends when the node is
// gone, also if the network says nothing of that.
func (a *asked) DialPort(ctx context.Context, session string, port int) (net.Conn, error) {
	conn, err := a.Client.DialPort(ctx, session, port)
	if err != nil {
		return nil, err
	}
	return &tied{Conn: conn, untie: context.AfterFunc(a.life, func() { conn.Close() })}, nil
}

// tied is a connection that ends with a node.
type tied struct {
	net.Conn
	untie func() bool
}

// Close implements net.Conn.
func (t *tied) Close() error {
	t.untie()
	return t.Conn.Close()
}

// CloseWrite ends what is sent.
func (t *tied) CloseWrite() error { return duplex.CloseWrite(t.Conn) }

// explain says why a node did not do what it was asked for, if it was not the request.
func (a *asked) explain(ctx context.Context, err error) error {
	var e *api.Error
	if !errors.As(err, &e) {
		return err
	}
	what := ""
	switch {
	case e.Code == api.Canceled && ctx.Err() == nil && a.life.Err() != nil:
		what = "is gone"
	case e.Code == api.Unauthorized:
		what = "has another name by now"
	case e.Code == api.ServerUnavailable:
		what = "does not answer as it should: " + e.Message
	default:
		return err
	}
	gone := api.Errorf(api.ServerUnavailable, "the session is on node %s on %s, which %s", a.ID, a.Host, what).
		WithHint("try again in a moment: if the node is gone for good, its sessions are lost within ten seconds; glovebox node ls shows it")
	gone.Outcome = e.Outcome
	return gone
}
