package client

import (
	"context"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// ListMCPTools asks the server for the tools of an MCP server, which it connects to.
func (c *Client) ListMCPTools(ctx context.Context, server api.MCPServer) ([]api.Task, error) {
	var out struct {
		Tools []api.Task `json:"tools"`
	}
	asked := struct {
		Server api.MCPServer `json:"server"`
	}{server}
	err := c.askJSON(ctx, request{method: http.MethodPost, path: "/v1/mcp/tools", repeat: true, patient: true}, asked, &out)
	return out.Tools, err
}
