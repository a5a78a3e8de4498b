package cell

import (
	"errors"
	"sync"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// connection is the way to the guest. It outlives its muxes: one ends in order when
// the cell is saved, and another one begins when the cell continues.
type connection struct {
	over chan struct{} // closed when the way has ended for good
	end  sync.Once

	mu      sync.Mutex
	changed sync.Cond // mux or closed
	mux     *wire.Mux
	closed  bool
}

func newConnection() *connection {
	c := &connection{over: make(chan struct{})}
	c.changed.L = &c.mu
	return c
}

// begin makes mux the way to the guest.
func (c *connection) begin(mux *wire.Mux) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mux = mux
	c.changed.Broadcast()
	if c.closed {
		mux.Close()
	}
	go func() {
		if err := mux.Run(); !errors.Is(err, wire.ErrQuiet) {
			c.end.Do(func() { close(c.over) })
		}
	}()
}

func (c *connection) current() *wire.Mux {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mux
}

// Open starts a channel. While the guest is silent that waits.
func (c *connection) Open(kind string, request any) (*wire.Channel, error) {
	for {
		mux, err := c.speaking()
		if err != nil {
			return nil, err
		}
		ch, err := mux.Open(kind, request)
		if !errors.Is(err, wire.ErrQuiet) {
			return ch, err
		}
		<-mux.Done() // nothing was sent, and soon the next one begins
	}
}

// NewUpload makes an upload. While the guest is silent that waits.
func (c *connection) NewUpload(kind string, request any) *wire.Upload {
	mux, err := c.speaking()
	if err != nil {
		mux = c.current() // which says the same
	}
	return mux.NewUpload(kind, request)
}

// speaking waits until the guest is not silent.
func (c *connection) speaking() (*wire.Mux, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !c.closed && errors.Is(c.mux.Err(), wire.ErrQuiet) {
		c.changed.Wait()
	}
	if c.closed {
		return nil, wire.ErrClosed
	}
	return c.mux, nil
}

// Wake makes an idle guest ready for work.
func (c *connection) Wake() error { return c.current().Wake() }

// Err returns why the way has ended, or nil while it lives or may begin anew.
func (c *connection) Err() error {
	if err := c.current().Err(); !errors.Is(err, wire.ErrQuiet) {
		return err
	}
	return nil
}

// silent says that the connection has ended in order, and none has begun since.
func (c *connection) silent() bool { return errors.Is(c.current().Err(), wire.ErrQuiet) }

// Done is closed when the way has ended for good.
func (c *connection) Done() <-chan struct{} { return c.over }

// Close ends the way for good.
func (c *connection) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.changed.Broadcast()
	c.mux.Close()
}
