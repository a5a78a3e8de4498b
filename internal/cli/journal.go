package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/internal/host"
)

func (c *cli) journalCommand() *cobra.Command {
	return group("journal", "Move the journal of the home to a database and back", c.journalMoveCommand())
}

func (c *cli) journalMoveCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "move TO", Short: "Move the journal, cache and catalog of the home: to the URL of a database of Postgres, or to " + host.InHome, Args: cobra.ExactArgs(1),
		Long: "Move the journal, the cache and the catalog of the home of this host. TO is the\n" +
			"URL of a new database of Postgres, or " + host.InHome + " for a file in the home; then\n" +
			host.JournalVariable + " says where they are. Nothing else may use the home. All rows are\n" +
			"copied together, read again and compared; the original is kept.",
		Example: "  glovebox journal move postgres://glovebox@db.example.com/glovebox\n  glovebox journal move " + host.InHome,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.warnOfPassword(args[0])
			moved, err := c.engine.MoveJournal(cmd.Context(), host.Options{}, args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.Out, moved)
			}
			_, err = fmt.Fprintf(c.Err, "moved %d rows of %d tables from %s to %s; the original stays at %s\n", moved.Rows, len(moved.Tables), moved.From, moved.To, moved.Kept)
			return err
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}
