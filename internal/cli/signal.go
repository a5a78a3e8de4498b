package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

func (c *cli) signalCommand() *cobra.Command {
	s := api.Signal{From: api.FromCLI}
	cmd := &cobra.Command{
		Use: "signal RUN NAME [VALUE]", Short: "Send a value to a run that waits for a signal", Args: cobra.RangeArgs(2, 3), ValidArgsFunction: c.completeRun(),
		Long: "Send a value to a run that waits for a signal; see docs/guides/approvals.md. NAME is\n" +
			"the name of the signal's task, and VALUE is JSON of its declared type, left out for\n" +
			"a signal without a value. Of several calls that wait for it, the first takes it.",
		Example: "  glovebox signal run-0abc paid 12.5\n  glovebox signal run-0abc answer '\"yes\"' --wait 30s",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 2 {
				if s.Value = json.RawMessage(args[2]); !json.Valid(s.Value) {
					return usage("VALUE is no JSON: %s", args[2]).hint(`write text in double quotes: glovebox signal RUN NAME '"yes"'`)
				}
			}
			c.findServer()
			return c.withRun(cmd.Context(), args[0], func(service api.Service, id string) error {
				taken, err := service.Signal(cmd.Context(), id, args[1], s)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(c.Out, "%s took %s%s\n", visible(taken.Run), visible(taken.Task), visible(next(taken)))
				return err
			})
		},
	}
	flags := cmd.Flags()
	flags.DurationVar(&s.Wait, "wait", 0, "how long to wait for the run to come to the signal, a minute at most")
	flags.StringVar(&s.By, "by", userName(), "who sends it: a `NAME`")
	return cmd
}
