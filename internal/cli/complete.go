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

// completeRun completes the first argument with ids of runs.
func (c *cli) completeRun() cobra.CompletionFunc {
	ids := c.complete(runIDs)
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return ids(cmd, args, begun)
	}
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

// The values of flags that have a few.
var (
	cacheModes = []string{string(api.CacheAuto), string(api.CacheOverride), string(api.CacheDisable)}
	dialects   = []string{"strict", "extended"}
	networks   = []string{"none", "public"}
)

// completeSecrets completes the values of flags with names of stored secrets.
func (c *cli) completeSecrets(cmd *cobra.Command, flags ...string) {
	for _, flag := range flags {
		completeFlag(cmd, flag, c.complete(secretNames))
	}
}

// completeFlag completes the value of a flag. It fails only for a flag that the
// command does not have, which is a mistake in this package.
func completeFlag(cmd *cobra.Command, flag string, values cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, values); err != nil {
		panic(err)
	}
}

// oneOf completes a value that is one of a few.
func oneOf(values []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return beginning(values, begun), cobra.ShellCompDirectiveNoFileComp
	}
}

// someOf completes the last of values with commas between them.
func someOf(values []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		before := begun[:strings.LastIndexByte(begun, ',')+1]
		lists := make([]string, len(values))
		for i, value := range values {
			lists[i] = before + value
		}
		return beginning(lists, begun), cobra.ShellCompDirectiveNoFileComp
	}
}

func secretNames(ctx context.Context, service api.Service) ([]string, error) {
	return service.Secrets(ctx)
}
