package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"
)

// evaluatorCommand is for clients in other languages, which start it.
func (c *cli) evaluatorCommand() *cobra.Command {
	var socket string
	cmd := &cobra.Command{
		Use: "evaluator", Short: "Evaluate orchestrators for the process that starts it", Args: cobra.NoArgs,
		Long: "Evaluate orchestrators for the process that starts it, and keep nothing, until\n" +
			"standard input ends. The socket lets in this user only. docs/EVALUATION.md\n" +
			"describes what is spoken on it. Clients start it; people need it to find faults.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !filepath.IsAbs(socket) {
				return usage("--listen is %q, expected the path of a socket", socket).hint("name a socket in a directory that only you can write to")
			}
			defer removePlace(socket)
			ctx, end := context.WithCancelCause(cmd.Context())
			defer end(nil)
			go func() {
				_, _ = io.Copy(io.Discard, c.In) // a pipe that cannot be read has ended too
				end(errInputEnded)
			}()
			return c.engine.Evaluate(ctx, socket, func() { fmt.Fprintln(c.Out, "ready") })
		},
	}
	cmd.Flags().StringVar(&socket, "listen", "", "`PATH` of the socket")
	return cmd
}
