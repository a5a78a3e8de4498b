package app

import (
	"net/http"
	"sync"

	mcpserver "github.com/glovebox-dev/glovebox/internal/mcp/server"
)

// mcpServer answers clients of MCP that come over HTTP. Its tools, whose schemas
// take a while, are made for the first of them.
func (a *App) mcpServer(version string) http.Handler {
	made := sync.OnceValue(func() http.Handler {
		return mcpserver.New(mcpserver.Config{Service: a.Service(), Version: version, Logger: a.logger}).Handler()
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { made().ServeHTTP(w, r) })
}
