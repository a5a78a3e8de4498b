package cli

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/buildcontext"
	"github.com/glovebox-dev/glovebox/internal/taskfile"
)

// readTasks reads a file of tasks, and stores the build contexts of Dockerfiles
// that it names.
func readTasks(ctx context.Context, path string, service api.Service) (*taskfile.File, error) {
	file, err := taskfile.Read(ctx, path, storing{service})
	if err != nil {
		return nil, err
	}
	for i := range file.Tasks {
		if err := buildcontext.TakeAll(ctx, service, &file.Tasks[i]); err != nil {
			return nil, err
		}
	}
	return file, nil
}

// storing stores the build context of an MCP server that runs in an image of a
// Dockerfile, before the server is asked anything.
type storing struct{ api.Service }

// ListMCPTools implements api.MCP.
func (s storing) ListMCPTools(ctx context.Context, server api.MCPServer) ([]api.Task, error) {
	image, err := buildcontext.Take(ctx, s.Service, server.Image)
	if err != nil {
		return nil, err
	}
	server.Image = image
	return s.Service.ListMCPTools(ctx, server)
}
