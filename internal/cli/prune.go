package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/internal/app"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

// defaultPruneAge is how long something unused is kept.
const defaultPruneAge = 30 * 24 * time.Hour

func (c *cli) pruneCommand() *cobra.Command {
	var most size
	age := duration(defaultPruneAge)
	cmd := &cobra.Command{
		Use: "prune", Short: "Remove images that were not used lately and the output files of old runs", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			system, err := app.Open(cmd.Context(), app.Options{})
			if err != nil {
				return err
			}
			defer system.Close()
			removed, err := system.Prune(cmd.Context(), int64(most), time.Duration(age))
			fmt.Fprintf(c.Err, "removed %d images (%s) and the files of %d runs (%s)\n",
				removed.Images, quantity.FormatSize(removed.ImageBytes), removed.Runs, quantity.FormatSize(removed.RunBytes))
			return err
		},
	}
	cmd.Flags().Var(&most, "max-size", "keep at most so many bytes of images, those used last")
	cmd.Flags().Var(&age, "older-than", "remove what was not used for so long, such as 12h or 30d")
	return cmd
}
