package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/taskfile"
)

// grant reads all --tools flags.
func (c *cli) grant(ctx context.Context, service api.Service, flags []string) ([]api.Task, error) {
	var tools []api.Task
	for _, flag := range flags {
		more, err := toolsOf(ctx, service, flag)
		if err != nil {
			return nil, err
		}
		for _, tool := range more {
			if err := checkTool(tools, tool.Name, flag); err != nil {
				return nil, err
			}
			tools = append(tools, tool)
		}
	}
	return tools, nil
}

func checkTool(tools []api.Task, name, flag string) error {
	if err := api.CheckName(name, true); err != nil {
		return api.Errorf(api.InvalidTask, "--tools %s: a tool is called by its name, and %s", flag, api.AsError(err).Message).
			WithHint("give the task a name that is a Python identifier").WithDetails(api.Details{Field: name})
	}
	if slices.ContainsFunc(tools, func(t api.Task) bool { return t.Name == name }) {
		return api.Errorf(api.InvalidTask, "--tools %s: there is a tool %s already", flag, name).
			WithHint("rename one of them").WithDetails(api.Details{Field: name})
	}
	return nil
}

// toolsOf reads a file, or a deployed environment if there is no such file and
// the flag does not look like one.
func toolsOf(ctx context.Context, service api.Service, flag string) ([]api.Task, error) {
	_, err := os.Stat(flag)
	if errors.Is(err, fs.ErrNotExist) && !looksLikeFile(flag) {
		return environmentTools(ctx, service, flag)
	}
	file, err := readTasks(ctx, flag, service)
	if err != nil {
		return nil, err
	}
	return file.Tasks, nil
}

func looksLikeFile(flag string) bool {
	return flag == "" || strings.ContainsRune(flag, filepath.Separator) || filepath.Ext(flag) == ".yaml" || filepath.Ext(flag) == ".yml"
}

func environmentTools(ctx context.Context, service api.Service, ref string) ([]api.Task, error) {
	environment, err := service.Environment(ctx, ref)
	if err != nil {
		return nil, err
	}
	var tools []api.Task
	for _, name := range environment.Tasks {
		version, err := service.Task(ctx, name)
		if err != nil {
			return nil, err
		}
		if version.Task == nil {
			return nil, api.Errorf(api.NotFound, "the catalog has no task behind %s", name)
		}
		tool := *version.Task
		tool.Name = taskfile.ShortName(version.Name)
		tools = append(tools, tool)
	}
	return tools, nil
}
