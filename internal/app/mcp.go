package app

import (
	"net/http"

	mcpserver "github.com/glovebox-dev/glovebox/internal/mcp/server"
)

// mcpServer answers clients of MCP that come over HTTP.
func (a *App) mcpServer(version string) http.Handler {
	return mcpserver.New(mcpserver.Config{Service: a.Service(), Version: version, Logger: a.logger}).Handler()
}
