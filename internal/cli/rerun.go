package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

// rerunFlags are the flags of glovebox rerun.
type rerunFlags struct {
	followFlags
	options api.RerunOptions
	file    string
	inputs  []string
}

func (c *cli) rerunCommand() *cobra.Command {
	var f rerunFlags
	cmd := &cobra.Command{
		Use: "rerun RUN", Short: "Run again what a run did, with other code or inputs", Args: cobra.ExactArgs(1), ValidArgsFunction: c.complete(runIDs),
		Long: "Make a new run of an earlier one. Calls of the earlier one that succeeded and that\n" +
			"the new run makes in the same way are not done again.",
		Example: "  glovebox rerun run-0abc --code fixed.py\n  glovebox rerun run-0abc -i n=11 --from 3",
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.options.Fresh && f.options.From > 0 {
				return usage("both --fresh and --from are given").hint("--fresh reuses nothing, --from N reuses the calls before N")
			}
			return c.follow(cmd.Context(), f.followFlags, "", func(service api.Service) (*job, error) {
				return c.repetition(cmd.Context(), service, args[0], f)
			})
		},
	}
	f.followFlags.register(cmd)
	flags := cmd.Flags()
	flags.Uint64Var(&f.options.From, "from", 0, "do the `CALL` of this number again in any case, and those after it")
	flags.BoolVar(&f.options.Fresh, "fresh", false, "reuse nothing")
	flags.StringVar(&f.file, "code", "", "`FILE` with the code to run instead")
	flags.StringArrayVarP(&f.inputs, "input", "i", nil, "input as `NAME=VALUE` instead of the earlier one; repeatable")
	return cmd
}

// repetition makes a job of an earlier run.
func (c *cli) repetition(ctx context.Context, service api.Service, id string, f rerunFlags) (*job, error) {
	j, err := jobOf(ctx, service, id)
	if err != nil {
		return nil, err
	}
	o := f.options
	if o.Inputs, err = inputsFor(j.signature.Inputs, f.inputs); err != nil {
		return nil, err
	}
	if f.file != "" {
		if o.Code, err = c.readSource(f.file); err != nil {
			return nil, err
		}
	}
	j.submit = func(ctx context.Context, _ output, _ func(api.Progress)) (*api.Run, error) {
		return service.Rerun(ctx, id, o)
	}
	return j, nil
}
