package cli

import "github.com/spf13/cobra"

// montyCommand is a worker that a client of pydantic-monty starts. Its alias is
// what such a client passes to the program that MONTY_BIN names.
func (c *cli) montyCommand() *cobra.Command {
	return &cobra.Command{
		Use: "monty", Aliases: []string{"subprocess"},
		Short: "Run code for the client of pydantic-monty that starts it", Args: cobra.NoArgs,
		Long: "Run restricted Python for a client of pydantic-monty, as its own worker does: on\n" +
			"standard input and output, until standard input ends. Clients start it if\n" +
			"MONTY_BIN is the path of this program. docs/MONTY.md says what there is.",
		RunE: func(cmd *cobra.Command, _ []string) error { return c.engine.Monty(cmd.Context(), "", c.In, c.Out) },
	}
}
