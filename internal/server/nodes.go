package server

import (
	"context"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// registerNodes adds the routes of the servers on one journal.
func (s *Server) registerNodes() {
	route(s, traits{}, operation(http.MethodGet, "/v1/nodes", "nodes", "listNodes", "The servers that work on the journal, the oldest first"),
		func(ctx context.Context, _ *nothing) (*answer[nodesAnswer], error) {
			nodes, err := s.Service.Nodes(ctx)
			return answerWith(nodesAnswer{orEmpty(nodes)}, err)
		})
	drain := operation(http.MethodPost, "/v1/nodes/{id}/drain", "nodes", "drainNode", "Ask a node to take nothing new, hand over what waits, and stop when the rest has ended")
	drain.DefaultStatus = http.StatusAccepted
	route(s, traits{}, drain, func(ctx context.Context, in *NodePath) (*nothing, error) {
		return &nothing{}, s.Service.DrainNode(ctx, in.ID)
	})
}

type nodesAnswer struct {
	Nodes []api.Node `json:"nodes"`
}

// NodePath is the parameter of the routes of one node.
type NodePath struct {
	ID string `path:"id" maxLength:"64" doc:"The id of a node" example:"node-w4imo2jhwmjz2oys"`
}
