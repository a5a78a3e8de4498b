package cell

import (
	"context"
	"errors"
	"net"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// DialPort connects to a TCP port of the loopback device of the cell. Ctx bounds
// the dialing alone. The connection has CloseWrite; a deadline ends it for good.
func (c *Cell) DialPort(ctx context.Context, port int) (net.Conn, error) {
	if port < 1 || port > 65535 {
		return nil, api.Errorf(api.RequestInvalid, "the port is %d, expected 1 to 65535", port).WithDetails(api.Details{Field: "port"})
	}
	ch, err := c.mux.Open(wire.KindConnect, wire.Connect{Port: port})
	if err != nil {
		return nil, c.refused(ctx, err)
	}
	if err := c.awaitConnection(ctx, ch); err != nil {
		ch.Close(wire.Done{})
		return nil, err
	}
	return newConn(ch), nil
}

// awaitConnection waits for the byte that says that the guest is connected.
func (c *Cell) awaitConnection(ctx context.Context, ch *wire.Channel) error {
	stop := c.closeWith(ctx, ch)
	stream, _, err := ch.Next()
	if !stop() {
		return c.refused(ctx, context.Cause(ctx))
	}
	if err != nil {
		if refused := c.endOf(ctx, ch); refused != nil {
			return refused
		}
		return c.refused(ctx, err)
	}
	if stream != 1 {
		return c.refused(ctx, errors.New("data of a connection before it is one"))
	}
	return nil
}
