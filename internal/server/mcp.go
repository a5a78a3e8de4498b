package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
)

// registerMCP adds the routes for clients of MCP, which are one endpoint.
func (s *Server) registerMCP() {
	post := operation(http.MethodPost, "/mcp", "mcp", "sendMCP", "Send a message of the Model Context Protocol")
	post.Description = "A message of JSON-RPC, as MCP's streamable HTTP says: the answer is JSON or server-sent events. docs/guides/mcp.md lists the tools."
	message := &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true, Description: "A message of JSON-RPC"}
	route(s, traits{stream: true, raw: true}, post, s.answerMCP)
	s.operationOf(post).RequestBody = &huma.RequestBody{ // only now: huma would read it
		Description: "One message", Content: map[string]*huma.MediaType{"application/json": {Schema: message}},
	}
	s.answers(post, "200", "The answer, with notifications before it", map[string]*huma.MediaType{
		"application/json": {Schema: message}, mediaEvents: streamOf(mediaEvents, message, mcpExample),
	})
	s.content(post, "202", "The message needs no answer")

	get := operation(http.MethodGet, "/mcp", "mcp", "followMCP", "What the server has to say to a client of MCP")
	route(s, traits{stream: true}, get, s.answerMCP)
	s.answers(get, "200", "Notifications", map[string]*huma.MediaType{mediaEvents: streamOf(mediaEvents, message, mcpExample)})

	end := operation(http.MethodDelete, "/mcp", "mcp", "endMCP", "End the session of a client of MCP")
	end.DefaultStatus = http.StatusNoContent
	route(s, traits{stream: true}, end, s.answerMCP)
}

// MCPInput are the headers by which a client of MCP is known.
type MCPInput struct {
	Session string `header:"Mcp-Session-Id" doc:"The session that the server gave the client with its first answer"`
	Version string `header:"Mcp-Protocol-Version" doc:"The version of the protocol that was agreed on"`
	Last    string `header:"Last-Event-ID" doc:"Not supported: streams cannot be continued"`
}

func (s *Server) answerMCP(context.Context, *MCPInput) (*huma.StreamResponse, error) {
	if s.MCP == nil {
		return nil, api.Errorf(api.NotFound, "this server takes no clients of MCP")
	}
	return streamed(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer s.cancelOnDrain(ctx, cancel)()
		s.MCP.ServeHTTP(w, r.WithContext(ctx))
	}), nil
}
