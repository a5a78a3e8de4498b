package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

// evaluatorCommand is for clients in other languages, which start it.
func (c *cli) evaluatorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "evaluator", Short: "Evaluate orchestrators for the process that starts it", Args: cobra.NoArgs,
		Long: "Evaluate orchestrators for the process that starts it, and keep nothing. Standard\n" +
			"input is a Unix socket, over which it is handed its connections, until that ends.\n" +
			"docs/EVALUATION.md describes what is spoken on them. Clients start it.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			in, ok := c.In.(*os.File)
			if !ok {
				return usage("standard input is no file")
			}
			return c.engine.Evaluate(cmd.Context(), in, func() { fmt.Fprintln(c.Out, "ready") })
		},
	}
}
