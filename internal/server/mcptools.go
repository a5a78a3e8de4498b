package server

import (
	"context"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/budget"
)

// registerMCPTools adds the route that lists the tools of somebody else's MCP server.
func (s *Server) registerMCPTools() {
	op := operation(http.MethodPost, "/v1/mcp/tools", "mcp", "listMCPTools", "Connect to an MCP server and describe its tools as tasks of kind mcp")
	route(s, traits{stream: true}, op, s.listMCPTools)
}

type mcpToolsBody struct {
	Server api.MCPServer `json:"server" doc:"How it is reached" required:"true"`
}

type mcpToolsAnswer struct {
	Tools []api.Task `json:"tools"`
}

func (s *Server) listMCPTools(ctx context.Context, in *struct{ Body jsonBody[mcpToolsBody] }) (*answer[mcpToolsAnswer], error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	if err := checkMCPServer(given.Server, isLocal(ctx)); err != nil {
		return nil, err
	}
	budget.ShareOf(ctx).Release() // it may take long
	tools, err := s.Service.ListMCPTools(ctx, given.Server)
	return answerWith(mcpToolsAnswer{orEmpty(tools)}, err)
}
