package cell

import (
	"net"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// conn makes a channel look like a network connection. A deadline ends it for
// good, which is all that its user, the proxy, needs of one.
type conn struct {
	channel *wire.Channel

	mu    sync.Mutex
	timer *time.Timer
}

func newConn(ch *wire.Channel) net.Conn { return &conn{channel: ch} }

// Read implements net.Conn.
func (c *conn) Read(p []byte) (int, error) { return c.channel.Read(p) }

// Write implements net.Conn.
func (c *conn) Write(p []byte) (int, error) { return c.channel.Write(p) }

// CloseWrite ends the direction towards the cell.
func (c *conn) CloseWrite() error { return c.channel.CloseWrite() }

// Close implements net.Conn.
func (c *conn) Close() error {
	c.SetDeadline(time.Time{})
	return c.channel.Close(wire.Done{})
}

// SetDeadline implements net.Conn.
func (c *conn) SetDeadline(at time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	if !at.IsZero() {
		c.timer = time.AfterFunc(time.Until(at), func() { c.channel.Close(wire.Done{}) })
	}
	return nil
}

// SetReadDeadline implements net.Conn.
func (c *conn) SetReadDeadline(at time.Time) error { return c.SetDeadline(at) }

// SetWriteDeadline implements net.Conn.
func (c *conn) SetWriteDeadline(at time.Time) error { return c.SetDeadline(at) }

// LocalAddr implements net.Conn.
func (c *conn) LocalAddr() net.Addr { return address{} }

// RemoteAddr implements net.Conn.
func (c *conn) RemoteAddr() net.Addr { return address{} }

// address stands for the inside of a cell, which has no address on the host.
type address struct{}

func (address) Network() string { return "cell" }
func (address) String() string  { return "cell" }
