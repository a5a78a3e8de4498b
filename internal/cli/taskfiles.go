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
	file, err := taskfile.Read(ctx, path, service)
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
