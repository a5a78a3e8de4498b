package cli

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

// Completion answers a person who presses a key: soon, with not too much, and
// without a word about what went wrong.
const (
	completionTime = 2 * time.Second
	maxCompletions = 200
)

// complete completes arguments with the names that list returns.
func (c *cli) complete(list func(context.Context, api.Service) ([]string, error)) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		ctx, stop := context.WithTimeout(cmd.Context(), completionTime)
		defer stop()
		var names []string
		err := c.with(ctx, func(service api.Service) (err error) {
			names, err = list(ctx, service)
			return err
		})
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return beginning(names, begun), cobra.ShellCompDirectiveNoFileComp
	}
}

// beginning returns those of names that begin with begun and can stand on a
// command line.
func beginning(names []string, begun string) []string {
	var fit []string
	for _, name := range names {
		if strings.HasPrefix(name, begun) && name == visible(name) && len(fit) < maxCompletions {
			fit = append(fit, name)
		}
	}
	return fit
}

func runIDs(ctx context.Context, service api.Service) ([]string, error) {
	page, err := service.Runs(ctx, api.RunQuery{Limit: maxCompletions})
	ids := make([]string, len(page.Runs))
	for i, run := range page.Runs {
		ids[i] = run.ID
	}
	return ids, err
}

func taskNames(ctx context.Context, service api.Service) ([]string, error) {
	tasks, err := service.Tasks(ctx)
	names := make([]string, len(tasks))
	for i, task := range tasks {
		names[i] = task.Name
	}
	return names, err
}

func imageNames(ctx context.Context, service api.Service) ([]string, error) {
	images, err := service.Images(ctx)
	names := make([]string, len(images))
	for i, img := range images {
		names[i] = img.Name
	}
	return names, err
}

func secretNames(ctx context.Context, service api.Service) ([]string, error) {
	return service.Secrets(ctx)
}
