package cell

import (
	"encoding/json"
	"sync"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// accept serves the connections that programs open to the proxy of the cell,
// and refuses them while the cell belongs to no run. A guest that asks though
// it was started without one has broken the protocol.
func (c *Cell) accept() func(string, json.RawMessage, *wire.Channel) {
	if !c.spec.HasProxy() {
		return nil
	}
	return func(kind string, _ json.RawMessage, ch *wire.Channel) {
		defer ch.Close(wire.Done{})
		serve := c.run().serve
		if kind != wire.KindDial || serve == nil || !c.serves.begin() {
			return
		}
		defer c.serves.running.Done()
		conn := newConn(ch)
		defer conn.Close()
		serve(c.ctx, conn)
	}
}

// served counts the connections that are being served.
type served struct {
	mu      sync.Mutex
	over    bool           // no further connection is served
	running sync.WaitGroup // grows under mu, and not once over is set
}

// begin counts one more connection, unless the cell is being closed.
func (s *served) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.running.Add(1)
	}
	return !s.over
}

// end waits for the connections that are being served, and lets no further one
// begin.
func (s *served) end() {
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	s.running.Wait()
}
