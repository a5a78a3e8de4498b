package cli

import (
	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	mcpserver "github.com/glovebox-dev/glovebox/internal/mcp/server"
)

const mcpHelp = `Serve the client of MCP that starts it, such as a coding agent: on standard input
and output, until standard input ends. Its tools run code and commands in cells.

It uses the server that ` + serverVariable + ` names, or else the one that glovebox
serve runs for this home, whose sessions outlive the client. Without one
everything happens in this process, and ends with it.`

func (c *cli) mcpCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "mcp", Short: "Serve the MCP client that starts it", Long: mcpHelp, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c.findServer()
			return c.with(cmd.Context(), func(service api.Service) error {
				return mcpserver.New(mcpserver.Config{Service: service, Version: c.version}).Serve(cmd.Context(), c.In, c.Out)
			})
		},
	}
	cmd.AddCommand(c.mcpInstallCommand())
	return cmd
}
