package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

func (c *cli) reportCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use: "report RUN", Short: "Print the report of a run, a page of HTML", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeRun(),
		Long: "Print what the program of a run wrote for people beside its outputs, until now or at\n" +
			"its end, also where it failed. The page comes from the program: open it where its\n" +
			"script can do no harm. The page of a server shows it in a frame without script.",
		Example: "  glovebox report latest -o report.html",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withRun(cmd.Context(), args[0], func(service api.Service, id string) error {
				from, err := reportOf(cmd.Context(), service, id)
				if err != nil {
					return err
				}
				defer from.Close()
				return c.writeReport(from, out)
			})
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "write it to `FILE`, which is replaced")
	return cmd
}

// reportOf opens the report of a run.
func reportOf(ctx context.Context, service api.Service, id string) (io.ReadCloser, error) {
	run, err := service.Run(ctx, id)
	if err != nil {
		return nil, err
	}
	if run.Report == nil {
		return nil, api.Errorf(api.NotFound, "run %s has no report", id).WithHint("give its task a report, and have the program write one")
	}
	from, _, err := service.OpenBlob(ctx, run.Report.SHA256)
	return from, err
}

func (c *cli) writeReport(from io.Reader, path string) error {
	if path == "" {
		to := forTerminal(c.Out, c.Out, false)
		if _, err := io.Copy(to, from); err != nil {
			return err
		}
		return to.flush()
	}
	return unwritable(path, writeWhole(path, from), "name another file")
}
