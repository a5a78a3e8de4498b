package cli

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

func (c *cli) nodeCommand() *cobra.Command {
	return group("node", "List the servers on one journal, and stop them gently", reader(c.nodeList()), c.nodeDrain())
}

func (c *cli) nodeList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "ls", Short: "List the servers that work on the journal", Args: cobra.NoArgs,
		Long: "List the servers that work on the journal, if that is in Postgres: what each does,\n" +
			"how many runs and sessions it holds and for how many more sandboxes it has room,\n" +
			"when it last renewed its lease, and where the others reach it.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.withServer(cmd.Context(), func(service api.Service) error {
				nodes, err := service.Nodes(cmd.Context())
				if err != nil {
					return err
				}
				return c.printNodes(asJSON, nodes)
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (c *cli) printNodes(asJSON bool, nodes []api.Node) error {
	if asJSON {
		return printJSON(c.Out, append([]api.Node{}, nodes...))
	}
	t := c.table("NODE", "HOST", "STATE", "RUNS", "SESSIONS", "ROOM", "MEMORY", "SEEN", "LABELS", "ADDRESS")
	for _, n := range nodes {
		t.row(n.ID, n.Host, string(n.State), strconv.Itoa(n.Runs), strconv.Itoa(n.Sessions), strconv.Itoa(n.Room), memoryOf(&n), ago(n.Seen, time.Now()), visible(labelText(n.Labels)), visible(n.Address))
	}
	return t.flush()
}

// memoryOf says how much memory of how much is left for runs.
func memoryOf(n *api.Node) string {
	return quantity.FormatSize(n.FreeMemory) + " of " + quantity.FormatSize(n.Memory)
}

func (c *cli) nodeDrain() *cobra.Command {
	return &cobra.Command{
		Use: "drain NODE", Short: "Have a server hand over what waits, and stop when the rest has ended", Args: cobra.ExactArgs(1),
		Long: "Ask a server to take nothing new, as SIGTERM does: other servers take what waits,\n" +
			"sleeps or asks people, and it stops when the rest has ended, or its --drain is over.",
		Example: "  glovebox node drain node-w4imo2jhwmjz2oys",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withServer(cmd.Context(), func(service api.Service) error {
				if err := service.DrainNode(cmd.Context(), args[0]); err != nil {
					return err
				}
				_, err := fmt.Fprintf(c.Err, "asked %s to stop\n", args[0])
				return err
			})
		},
	}
}
