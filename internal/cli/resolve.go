package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

func (c *cli) resolveCommand() *cobra.Command {
	var value string
	var o api.Resolution
	cmd := &cobra.Command{
		Use: "resolve RUN [CALL]", Short: "Say what became of a call whose outcome is unknown",
		Args: cobra.RangeArgs(1, 2), ValidArgsFunction: c.completeRun(),
		Long: "Say what became of a call whose outcome is unknown: that it was done, with what it\n" +
			"gave, or that it was not. CALL is its number in the run, or the id of the run that\n" +
			"it started; where only one is in doubt, it can be left out. glovebox resume then\n" +
			"continues with the answer. A run without a caller ends with it.",
		Example: "  glovebox resolve run-0abc --value 42\n  glovebox resolve run-0abc 2 --failed \"card declined\" --type ValueError",
		RunE: func(cmd *cobra.Command, args []string) error {
			switch valued := cmd.Flags().Changed("value"); {
			case valued == (o.Failed != ""):
				return usage("glovebox resolve needs either --value or --failed").hint("--value JSON is what the call gave, --failed MESSAGE why it was not done")
			case valued && o.Exception != "":
				return usage("--type is given without --failed").hint("--type is the class of the exception that --failed raises")
			case valued:
				if o.Value = json.RawMessage(value); !json.Valid(o.Value) {
					return usage("--value is no JSON: %s", value).hint(`write text in double quotes: --value '"paid"'`)
				}
			}
			return c.withRun(cmd.Context(), args[0], func(service api.Service, id string) error {
				if len(args) > 1 {
					o.Call = args[1]
				}
				run, err := service.Resolve(cmd.Context(), id, o)
				if err != nil {
					return err
				}
				next := ""
				if run.Root != run.ID {
					next = "; continue with: glovebox resume " + run.Root
				}
				_, err = fmt.Fprintf(c.Out, "%s of %s %s%s\n", visible(run.ID), visible(run.Task), run.Status, visible(next))
				return err
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&value, "value", "", "what the call gave, as `JSON`: null if it has no output, a list of several")
	flags.StringVar(&o.Failed, "failed", "", "the call was not done, and why: the `MESSAGE` of the exception that the code gets")
	flags.StringVar(&o.Exception, "type", "", "the `CLASS` of that exception, such as ValueError (default RuntimeError)")
	return cmd
}
