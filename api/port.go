package api

import (
	"context"
	"net"
)

// Ports reaches servers in sessions. A cell has no address; the host carries
// each connection in.
type Ports interface {
	// DialPort connects to a TCP port of the loopback device of the cell. A port on
	// which nothing listens is not_found.
	DialPort(ctx context.Context, session string, port int) (net.Conn, error)
	// OpenPort lets the server carry requests to a port for whoever has its token.
	// Opening an open port changes nothing but Public.
	OpenPort(ctx context.Context, session string, port int, o PortOptions) (*Port, error)
	// ClosePort takes that back, and ends the connections to it.
	ClosePort(ctx context.Context, session string, port int) error
}

// PortOptions say who may reach a port.
type PortOptions struct {
	Public bool `json:"public,omitempty"` // without its token
}

// Port is a port of a session that is open.
type Port struct {
	Port   int    `json:"port" minimum:"1" maximum:"65535"` // in the cell
	Token  string `json:"token"`                            // what a request to it shows
	Public bool   `json:"public,omitempty"`                 // no request to it needs the token
	URL    string `json:"url,omitempty"`                    // where the server answers for it, if there is one
}
