package cli

import (
	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

// startFlags are the flags of glovebox start.
type startFlags struct {
	followFlags
	grantFlags
	inputs []string
	cache  string
}

func (c *cli) startCommand() *cobra.Command {
	var f startFlags
	cmd := &cobra.Command{
		Use: "start TASK[@VERSION]", Short: "Run a deployed task", Args: cobra.ExactArgs(1), ValidArgsFunction: c.complete(taskNames),
		Long: "Run a deployed task. The types of its inputs are those that it declares.",
		Example: "  glovebox start stats.pipeline -i n=10\n" +
			"  glovebox start stats.lines@2 -i data=report.csv --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.follow(cmd.Context(), f.followFlags, "", func(service api.Service) (*job, error) {
				version, err := service.Task(cmd.Context(), args[0])
				if err != nil {
					return nil, err
				}
				inputs, err := inputsFor(version.Signature.Inputs, f.inputs)
				if err != nil {
					return nil, err
				}
				return submission(service, version.Signature, version.Kind,
					api.Submission{Name: versionName(*version), Inputs: inputs, Cache: api.CacheMode(f.cache),
						Clock: api.Clock(f.clock), Random: api.Random(f.random)}), nil
			})
		},
	}
	f.followFlags.register(cmd)
	f.grantFlags.register(cmd)
	cmd.Flags().StringArrayVarP(&f.inputs, "input", "i", nil, "input as `NAME=VALUE`; repeatable")
	cmd.Flags().StringVar(&f.cache, "cache", "", "auto, override or disable, instead of what the task says")
	return cmd
}
