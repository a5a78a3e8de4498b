package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

// startFlags are the flags of glovebox start.
type startFlags struct {
	followFlags
	grantFlags
	inputFlags
	submitFlags
	cache string
}

func (c *cli) startCommand() *cobra.Command {
	var f startFlags
	cmd := &cobra.Command{
		Use: "start TASK[@VERSION]", Short: "Run a deployed task", Args: cobra.ExactArgs(1), ValidArgsFunction: c.complete(taskNames),
		Long: "Run a deployed task. The types of its inputs are those that it declares.",
		Example: "  glovebox start stats.pipeline -i n=10\n" +
			"  glovebox start stats.lines@2 -i data=report.csv --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			asked, err := f.submission()
			if err != nil {
				return err
			}
			reader := c.readInputs(cmd.Context())
			defer reader.remove()
			return c.follow(cmd.Context(), f.followFlags, "", func(service api.Service) (*job, error) {
				version, err := service.Task(cmd.Context(), args[0])
				if err != nil {
					return nil, withoutEnvironment(cmd.Context(), service, args[0], err)
				}
				inputs, err := reader.inputsFor(version.Signature.Inputs, f.inputFlags)
				if err != nil {
					return nil, err
				}
				c.noteReceivers(&asked, version.Task)
				asked.Name, asked.Checked = versionName(*version), inputs
				asked.Cache, asked.Clock, asked.Random = api.CacheMode(f.cache), api.Clock(f.clock), api.Random(f.random)
				return submission(service, version.Signature, version.Kind, asked), nil
			})
		},
	}
	f.followFlags.register(cmd)
	f.registerVerbose(cmd)
	f.grantFlags.register(cmd)
	f.inputFlags.register(cmd, "input as `NAME=VALUE`")
	cmd.Flags().StringVar(&f.cache, "cache", "", "auto, override or disable, instead of what the task says")
	completeFlag(cmd, "cache", oneOf(cacheModes))
	f.submitFlags.register(cmd)
	return cmd
}

// withoutEnvironment adds to the error about a task that is not there the tasks
// of that name in environments.
func withoutEnvironment(ctx context.Context, service api.Service, ref string, err error) error {
	known := api.AsError(err)
	if known.Code != api.NotFound {
		return err
	}
	name, _, _ := strings.Cut(ref, "@")
	names, listed := taskNames(ctx, service)
	if listed != nil {
		return err
	}
	var fit []string
	for _, task := range names {
		if strings.HasSuffix(task, "."+name) {
			fit = append(fit, task)
		}
	}
	if len(fit) == 0 {
		return err
	}
	slices.Sort(fit)
	hinted := *known
	return hinted.WithHint("did you mean %s?", strings.Join(fit[:min(len(fit), maxCandidates)], " or "))
}
