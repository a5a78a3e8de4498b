package server

import (
	"net"
	"sync"
)

// Handed is a listener of connections that others accepted.
type Handed struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// NewHanded returns a listener without connections.
func NewHanded() *Handed {
	return &Handed{conns: make(chan net.Conn), closed: make(chan struct{})}
}

// Hand has a connection served, and returns when that is over. The connection is
// closed then.
func (h *Handed) Hand(conn net.Conn) {
	c := &handedConn{Conn: conn, closed: make(chan struct{})}
	select {
	case h.conns <- c:
		<-c.closed
	case <-h.closed:
		_ = conn.Close()
	}
}

// Accept implements net.Listener.
func (h *Handed) Accept() (net.Conn, error) {
	select {
	case c := <-h.conns:
		return c, nil
	case <-h.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (h *Handed) Close() error {
	h.once.Do(func() { close(h.closed) })
	return nil
}

// Addr implements net.Listener.
func (h *Handed) Addr() net.Addr { return handedAddr{} }

type handedAddr struct{}

func (handedAddr) Network() string { return "handed" }
func (handedAddr) String() string  { return "handed" }

// handedConn tells when it is closed.
type handedConn struct {
	net.Conn
	closed chan struct{}
	once   sync.Once
}

// Close implements net.Conn.
func (c *handedConn) Close() error {
	defer c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}
