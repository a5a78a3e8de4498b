package cli

import (
	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

func (c *cli) waitCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "wait RUN", Short: "Wait for a run to end, and print what it gave", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeRun(),
		Long: "Wait for a run to end, and print its outputs, if it has any, as one line of JSON.\n" +
			"The exit status is that of the run. Interrupting the command leaves the run alone.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withRun(cmd.Context(), args[0], func(service api.Service, id string) error {
				result, err := service.Wait(cmd.Context(), id)
				if err != nil && cmd.Context().Err() != nil {
					return err
				}
				if result == nil {
					result = &api.Result{RunID: id}
				}
				c.hidden = true
				switch {
				case asJSON:
					if printed := printWhole(c.Out, result, err); err == nil {
						return printed
					}
				case err == nil && len(result.Outputs) > 0:
					return printOutputs(c.Out, result.Outputs)
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the whole result as one line of JSON")
	return cmd
}
