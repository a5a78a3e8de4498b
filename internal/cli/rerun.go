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
	cache   string
	inputFlags
}

func (c *cli) rerunCommand() *cobra.Command {
	var f rerunFlags
	cmd := &cobra.Command{
		Use: "rerun RUN", Short: "Run again what a run did, with other code or inputs", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeRun(),
		Long: "Make a new run of an earlier one. Calls of the earlier one that succeeded and that\n" +
			"the new run makes in the same way are not done again.",
		Example: "  glovebox rerun run-0abc --code fixed.py\n  glovebox rerun run-0abc -i n=11 --from 3",
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.options.Fresh && f.options.From > 0 {
				return usage("both --fresh and --from are given").hint("--fresh reuses nothing, --from N reuses the calls before N")
			}
			reader := c.readInputs(cmd.Context())
			defer reader.remove()
			return c.follow(cmd.Context(), f.followFlags, "", func(service api.Service) (*job, error) {
				id, err := runID(cmd.Context(), service, args[0])
				if err != nil {
					return nil, err
				}
				return c.repetition(cmd.Context(), service, id, f, reader)
			})
		},
	}
	f.followFlags.register(cmd)
	f.registerVerbose(cmd)
	flags := cmd.Flags()
	flags.Uint64Var(&f.options.From, "from", 0, "do the `CALL` of this number again in any case, and those after it")
	flags.BoolVar(&f.options.Fresh, "fresh", false, "reuse nothing: no call of the earlier run, and no result of the cache")
	flags.StringVar(&f.cache, "cache", "", "auto, override or disable instead of what the task says")
	completeFlag(cmd, "cache", oneOf(cacheModes))
	flags.BoolVar(&f.options.SkipCheck, "no-check", false, "start the code although the checker finds that it would fail")
	flags.StringVar(&f.file, "code", "", "`FILE` with the code to run instead")
	f.inputFlags.register(cmd, "input as `NAME=VALUE` instead of the earlier one")
	return cmd
}

// repetition makes a job of an earlier run.
func (c *cli) repetition(ctx context.Context, service api.Service, id string, f rerunFlags, r *inputs) (*job, error) {
	j, err := jobOf(ctx, service, id)
	if err != nil {
		return nil, err
	}
	o := f.options
	o.Cache = api.CacheMode(f.cache)
	given, err := r.inputsFor(j.signature.Inputs, f.inputFlags)
	if err != nil {
		return nil, err
	}
	o.Inputs = given.Map()
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
