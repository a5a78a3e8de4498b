package server

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

// eitherWay is a listener whose connections speak TLS or not, as their first byte
// says.
type eitherWay struct {
	net.Listener
	config *tls.Config
}

// WithTLS lets the clients of a listener on the loopback choose TLS. It leaves
// listeners as they are that no other machine reaches either.
func WithTLS(ln net.Listener, config *tls.Config) net.Listener {
	if _, ok := ln.(*net.TCPListener); !ok {
		return ln
	}
	return eitherWay{ln, config}
}

// Accept returns the next connection, before it has said anything.
func (l eitherWay) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &eitherConn{Conn: c, config: l.config}, nil
}

// eitherConn finds out what a connection speaks when it is first read.
type eitherConn struct {
	net.Conn
	config *tls.Config

	once  sync.Once
	plain net.Conn                 // nil before the first byte, and if that begins TLS
	tls   atomic.Pointer[tls.Conn] // nil before the first byte, and without TLS
	err   error
}

// handshake is the type of the first record of TLS. No method of HTTP begins so.
const handshake = 0x16

func (c *eitherConn) begin() {
	first := make([]byte, 1)
	n, err := c.Conn.Read(first)
	if n == 0 {
		c.err = err
		return
	}
	begun := &begunConn{Conn: c.Conn, first: first}
	if first[0] == handshake {
		c.tls.Store(tls.Server(begun, c.config))
		return
	}
	c.plain = begun
}

// Read reads what the client says.
func (c *eitherConn) Read(p []byte) (int, error) {
	c.once.Do(c.begin)
	if c.err != nil {
		return 0, c.err
	}
	if secure := c.tls.Load(); secure != nil {
		return secure.Read(p)
	}
	return c.plain.Read(p)
}

// Write answers, which is after the first byte.
func (c *eitherConn) Write(p []byte) (int, error) {
	if secure := c.tls.Load(); secure != nil {
		return secure.Write(p)
	}
	return c.Conn.Write(p)
}

// Close ends the connection.
func (c *eitherConn) Close() error {
	if secure := c.tls.Load(); secure != nil {
		return secure.Close()
	}
	return c.Conn.Close()
}

// begunConn is a connection of which the first byte was read already.
type begunConn struct {
	net.Conn
	first []byte
}

func (c *begunConn) Read(p []byte) (int, error) {
	if len(c.first) > 0 {
		n := copy(p, c.first)
		c.first = c.first[n:]
		return n, nil
	}
	return c.Conn.Read(p)
}

type eitherKey struct{}

// withConn keeps a connection in the context of its requests, if it may speak TLS
// without the knowledge of package http.
func withConn(ctx context.Context, c net.Conn) context.Context {
	if either, ok := c.(*eitherConn); ok {
		return context.WithValue(ctx, eitherKey{}, either)
	}
	return ctx
}

// setTLS says in a request that it came over TLS.
func setTLS(r *http.Request) {
	c, ok := r.Context().Value(eitherKey{}).(*eitherConn)
	if !ok {
		return
	}
	if secure := c.tls.Load(); secure != nil {
		state := secure.ConnectionState()
		r.TLS = &state
	}
}
