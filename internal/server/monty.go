package server

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
)

// registerMonty adds the route for clients of Monty's protocol.
func (s *Server) registerMonty() {
	op := operation(http.MethodGet, "/v1/monty", "workers", "connectMonty", "Run code as a worker of Monty, over this connection")
	op.Description = "A WebSocket, each message of which is one frame of the protocol, as docs/MONTY.md says. Its session is stored when it ends, unless the client wants it ephemeral."
	route(s, traits{stream: true, raw: true}, op, s.connectMonty)
	s.becomes(op, "websocket")
}

func (s *Server) connectMonty(_ context.Context, in *UpgradeInput) (*huma.StreamResponse, error) {
	if !strings.EqualFold(in.Upgrade, "websocket") || !strings.Contains(strings.ToLower(in.Connection), "upgrade") {
		return nil, refusal(http.StatusUpgradeRequired, api.Errorf(api.RequestInvalid, "a client of Monty has to ask for a WebSocket").
			WithDetails(api.Details{Field: "Upgrade", Expected: "websocket", Got: in.Upgrade}))
	}
	if s.Config.Monty == nil {
		return nil, api.Errorf(api.WorkerUnavailable, "this server takes no clients of Monty")
	}
	return streamed(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context())) // that of r also ends with what is read
		defer s.cancelOnDrain(ctx, cancel)()
		if answer, ok := w.(*response); ok {
			answer.status = http.StatusSwitchingProtocols
		}
		if err := s.Config.Monty(ctx, w, r); err != nil && ctx.Err() == nil { // else we left it
			s.Logger.Warn("a client of Monty left", "request", infoOf(r).id, "error", err)
		}
	}), nil
}
