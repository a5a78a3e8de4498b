package cli

import (
	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

func (c *cli) cancelCommand() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: "cancel RUN...", Short: "End runs, and the runs that they started", Args: cobra.MinimumNArgs(1), ValidArgsFunction: c.complete(runIDs),
		Long: "End runs, and the runs that they started. It returns when that is asked for;\nglovebox show tells when it is done.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(service api.Service) error {
				for _, name := range args {
					id, err := runID(cmd.Context(), service, name)
					if err != nil {
						return err
					}
					if err := service.Cancel(cmd.Context(), id, reason); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "canceled from the command line", "`TEXT` that is kept with the run")
	return cmd
}
