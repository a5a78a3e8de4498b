package server

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/duplex"
)

// portProtocol is what a connection to a port asks to be upgraded to.
const portProtocol = "glovebox-port"

// registerPorts adds the routes of ports of sessions.
func (s *Server) registerPorts() {
	connect := operation(http.MethodGet, "/v1/sessions/{id}/ports/{port}/connect", "sessions", "connectPort", "Connect to a port of the loopback in the cell, over this connection")
	connect.Description = "With Connection: Upgrade and Upgrade: glovebox-port. What either side sends then goes through as it is."
	route(s, traits{stream: true, raw: true}, connect, s.connectPort)
	s.becomes(connect, portProtocol)
	open := operation(http.MethodPut, "/v1/sessions/{id}/ports/{port}", "sessions", "openPort", "Let the server carry requests to a port, for whoever has its token")
	open.Description = "Requests of any method and WebSockets reach it at the host PORT-ID.HOST, which url names, and programs also below /v1/sessions/{id}/ports/{port}/proxy/. " +
		"The token is in the header Glovebox-Port-Token, or once in the parameter glovebox_port_token, which becomes a cookie; below the path the token of the API does too."
	open.RequestBody = &huma.RequestBody{}
	route(s, traits{}, open, s.openPort)
	open.RequestBody.Required = false
	route(s, traits{}, operation(http.MethodDelete, "/v1/sessions/{id}/ports/{port}", "sessions", "closePort", "Take that back, and end the connections to it"),
		func(ctx context.Context, in *PortPath) (*nothing, error) {
			err := s.Service.ClosePort(ctx, in.ID, in.Port)
			s.carried.end(portKey{in.ID, in.Port})
			return &nothing{}, err
		})
}

// PortPath is the parameter of the routes of one port.
type PortPath struct {
	SessionPath
	Port int `path:"port" minimum:"1" maximum:"65535" doc:"A TCP port in the cell" example:"8000"`
}

type openPortInput struct {
	PortPath
	Body jsonBody[api.PortOptions]
}

func (s *Server) openPort(ctx context.Context, in *openPortInput) (*answer[*api.Port], error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	port, err := s.Service.OpenPort(ctx, in.ID, in.Port, *given)
	if err != nil {
		return nil, err
	}
	port.URL = portURL(ctx, in.ID, in.Port)
	return &answer[*api.Port]{port}, nil
}

type connectPortInput struct {
	PortPath
	UpgradeInput
}

func (s *Server) connectPort(ctx context.Context, in *connectPortInput) (*huma.StreamResponse, error) {
	if !strings.EqualFold(in.Upgrade, portProtocol) || !strings.Contains(strings.ToLower(in.Connection), "upgrade") {
		return nil, refusal(http.StatusUpgradeRequired, api.Errorf(api.RequestInvalid, "a connection to a port has to ask for an upgrade").
			WithDetails(api.Details{Field: "Upgrade", Expected: portProtocol, Got: in.Upgrade}))
	}
	to, err := s.Service.DialPort(ctx, in.ID, in.Port)
	if err != nil {
		return nil, err
	}
	return streamed(func(w http.ResponseWriter, r *http.Request) {
		defer to.Close()
		if FromNode(ctx) { // it carries requests to the port, which end when that is closed
			defer s.carried.add(portKey{in.ID, in.Port}, func() { to.Close() })()
		}
		s.upgrade(w, r, portProtocol, func(ctx context.Context, from upgraded) { duplex.Join(ctx, from, to) })
	}), nil
}
