package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

func (c *cli) eventsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "events RUN", Short: "Print what happened to a run, and what happens until it has ended", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeRun(),
		Long: "Print what happened to a run: its events in the journal, and the stages of one that\n" +
			"is under way. It continues until the run has ended.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withRun(cmd.Context(), args[0], func(service api.Service, id string) error {
				for event, err := range service.Events(cmd.Context(), id, 0) {
					if err == nil {
						err = c.printEvent(asJSON, event)
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one line of JSON for each event")
	return cmd
}

func (c *cli) printEvent(asJSON bool, e api.Event) error {
	if asJSON {
		return printJSON(c.Out, e)
	}
	number := ""
	if e.Seq > 0 {
		number = fmt.Sprint(e.Seq)
	}
	_, err := fmt.Fprintf(c.Out, "%s  %4s  %-16s %s\n", clock(e.Time), number, visible(string(e.Kind)), visible(shownValue(e.Data)))
	return err
}
