package session

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

const (
	maxPort      = 1<<16 - 1
	maxOpenPorts = 256 // of a session
)

func checkPort(port int) error {
	if port < 1 || port > maxPort {
		return wrong("port", fmt.Sprint(port), fmt.Sprintf("1 to %d", maxPort))
	}
	return nil
}

// DialPort implements api.Ports. The session is in use until the connection is
// closed.
func (s *Service) DialPort(ctx context.Context, session string, port int) (net.Conn, error) {
	if err := checkPort(port); err != nil {
		return nil, err
	}
	u, err := s.use(context.WithoutCancel(ctx), session, true)
	if err != nil {
		return nil, err
	}
	conn, err := u.cell().DialPort(ctx, port)
	if err != nil {
		defer u.leave()
		return nil, u.explain(err)
	}
	c := &connection{Conn: conn, use: u}
	context.AfterFunc(u.ctx, func() { c.Close() })
	return c, nil
}

// connection is a connection into a session, which holds it.
type connection struct {
	net.Conn
	use *use
}

// Close implements net.Conn.
func (c *connection) Close() error {
	err := c.Conn.Close()
	c.use.leave()
	return err
}

// CloseWrite ends the direction towards the cell.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// OpenPort implements api.Ports.
func (s *Service) OpenPort(ctx context.Context, session string, port int, o api.PortOptions) (*api.Port, error) {
	if err := checkPort(port); err != nil {
		return nil, err
	}
	opened := api.Port{Port: port, Token: rand.Text(), Public: o.Public}
	err := s.changePorts(ctx, session, api.SessionEvent{Type: "port_opened", Detail: fmt.Sprint(port)}, func(ports []api.Port) ([]api.Port, error) {
		if i := indexOf(ports, port); i >= 0 {
			opened.Token = ports[i].Token
			ports[i] = opened
			return ports, nil
		}
		if len(ports) >= maxOpenPorts {
			return nil, api.Errorf(api.LimitExceeded, "session %s has %d open ports, which is the bound", session, len(ports)).WithHint("close one")
		}
		return append(ports, opened), nil
	})
	if err != nil {
		return nil, err
	}
	return &opened, nil
}

// ClosePort implements api.Ports.
func (s *Service) ClosePort(ctx context.Context, session string, port int) error {
	if err := checkPort(port); err != nil {
		return err
	}
	return s.changePorts(ctx, session, api.SessionEvent{Type: "port_closed", Detail: fmt.Sprint(port)}, func(ports []api.Port) ([]api.Port, error) {
		i := indexOf(ports, port)
		if i < 0 {
			return nil, api.Errorf(api.NotFound, "port %d of session %s is not open", port, session).WithDetails(api.Details{Field: "port", Got: fmt.Sprint(port)})
		}
		return slices.Delete(ports, i, i+1), nil
	})
}

func indexOf(ports []api.Port, port int) int {
	return slices.IndexFunc(ports, func(p api.Port) bool { return p.Port == port })
}

func (s *Service) changePorts(ctx context.Context, session string, e api.SessionEvent, change func([]api.Port) ([]api.Port, error)) error {
	l, err := s.hold(ctx, session)
	if err != nil {
		return err
	}
	defer l.done()
	r := l.current()
	if over(r.State) {
		return ended(&r)
	}
	ports, err := change(slices.Clone(r.Ports))
	if err != nil {
		return err
	}
	if err := l.noted(ctx, e, func(r *journal.SessionRecord) { r.Ports = ports }); err != nil {
		return api.AsError(err)
	}
	return nil
}
