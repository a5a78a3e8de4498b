package server

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/duplex"
)

// UpgradeInput are the headers of a request for another protocol.
type UpgradeInput struct {
	Upgrade    string `header:"Upgrade" doc:"What the connection is to become"`
	Connection string `header:"Connection" doc:"That it is to become something else"`
}

// upgrade turns the connection of a request into one of another protocol, which
// serve speaks on it until it returns. Its ctx ends when the server stops.
func (s *Server) upgrade(w http.ResponseWriter, r *http.Request, protocol string, serve func(context.Context, upgraded)) {
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		newFailure(api.Errorf(api.RequestInvalid, "this connection cannot be upgraded")).write(w, r)
		return
	}
	defer conn.Close()
	if answer, ok := w.(*response); ok {
		answer.status = http.StatusSwitchingProtocols
	}
	_ = conn.SetDeadline(time.Time{}) // fails only when the connection is gone
	switched := "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: " + protocol + "\r\n" + requestIDHeader + ": " + infoOf(r).id + "\r\n\r\n"
	if _, err := io.WriteString(conn, switched); err != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context())) // that of r also ends with what is read
	defer s.cancelOnDrain(ctx, cancel)()
	serve(ctx, upgraded{conn, buffered.Reader})
}

// becomes describes a route whose connection becomes something else.
func (s *Server) becomes(op huma.Operation, protocol string) {
	s.content(op, "101", "The connection speaks "+protocol+" now")
	known := s.operationOf(op)
	delete(known.Responses, "200")
	for _, p := range known.Parameters { // without them it is 426, which huma would not know
		switch p.Name {
		case "Upgrade":
			p.Required, p.Schema.Enum = true, []any{protocol}
		case "Connection":
			p.Required, p.Schema.Enum = true, []any{"Upgrade"}
		}
	}
}

// upgraded is a connection of which something was read already.
type upgraded struct {
	net.Conn
	r *bufio.Reader
}

func (c upgraded) Read(p []byte) (int, error) { return c.r.Read(p) }

// CloseWrite ends what is sent, where the connection has two halves.
func (c upgraded) CloseWrite() error { return duplex.CloseWrite(c.Conn) }
