package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

func (c *cli) resumeCommand() *cobra.Command {
	var f followFlags
	var o api.ResumeOptions
	cmd := &cobra.Command{
		Use: "resume RUN", Short: "Continue a run that was interrupted, failed or was canceled", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeRun(),
		Long: "Continue a run that was interrupted, failed or was canceled. Calls that succeeded\n" +
			"are not done again. A call whose outcome is unknown is done again only with\n" +
			"--retry-unknown, or if its task is idempotent.",
		Example: "  glovebox runs --status interrupted\n  glovebox resume run-0abc",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.follow(cmd.Context(), f, "", func(service api.Service) (*job, error) {
				id, err := runID(cmd.Context(), service, args[0])
				if err != nil {
					return nil, err
				}
				return resumption(cmd.Context(), service, id, o)
			})
		},
	}
	f.register(cmd)
	f.registerVerbose(cmd)
	cmd.Flags().BoolVar(&o.RetryUnknown, "retry-unknown", false, "do calls again whose outcome is unknown")
	return cmd
}

// resumption resumes a run, and shows what it prints from now on.
func resumption(ctx context.Context, service api.Service, id string, o api.ResumeOptions) (*job, error) {
	j, err := jobOf(ctx, service, id)
	if err != nil {
		return nil, err
	}
	err = copyLogs(ctx, service, id, 0, false, func(e api.LogEntry) error {
		j.after = e.Seq
		return nil
	})
	j.submit = func(ctx context.Context, _ output, _ func(api.Progress)) (*api.Run, error) {
		return service.Resume(ctx, id, o)
	}
	return j, err
}

// jobOf describes a job that comes of a run.
func jobOf(ctx context.Context, service api.Service, id string) (*job, error) {
	run, err := service.Run(ctx, id)
	if err != nil {
		return nil, err
	}
	if run.Signature == nil {
		return nil, api.Errorf(api.Internal, "nothing tells the signature of run %s", id)
	}
	return &job{signature: *run.Signature, kind: run.Kind, logs: true}, nil
}
