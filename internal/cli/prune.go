package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

// defaultPruneAge is how long something unused is kept.
const defaultPruneAge = 30 * 24 * time.Hour

func (c *cli) pruneCommand() *cobra.Command {
	var most size
	var asJSON bool
	age := duration(defaultPruneAge)
	cmd := &cobra.Command{
		Use: "prune", Short: "Remove what was not used lately: ended runs, their logs and files, images, results in the cache", Args: cobra.NoArgs,
		Long: "Remove what was not used lately: images, ended runs with their logs and files,\n" +
			"results in the cache, and the stored files that nothing refers to any more.\n" +
			"Runs that have not ended, interrupted ones too, keep everything they need, and\n" +
			"deployed tasks stay. It may run beside other processes and a server. With\n" +
			serverVariable + " set it is that server that forgets; what was downloaded from\n" +
			"servers is removed without it.",
		Example: "  glovebox prune --older-than 7d\n  glovebox prune --max-size 20Gi --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			pruned, err := c.pruned(cmd.Context(), api.PruneRequest{OlderThan: time.Duration(age), MaxImages: int64(most)})
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.Out, pruned)
			}
			_, err = fmt.Fprintln(c.Err, prunedLine(pruned))
			return err
		},
	}
	cmd.Flags().Var(&most, "max-size", "keep at most so many bytes of images, those used last")
	cmd.Flags().Var(&age, "older-than", "remove what was not used for so long, such as 12h or 30d")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// pruned removes what the request says, of a server or of the home here, which
// need not open: its disk may be full.
func (c *cli) pruned(ctx context.Context, r api.PruneRequest) (pruned *api.Pruned, err error) {
	if !c.remote {
		return c.engine.Prune(ctx, host.Options{}, r)
	}
	err = c.with(ctx, func(service api.Service) error {
		pruned, err = service.Prune(ctx, r)
		return err
	})
	return pruned, err
}

func prunedLine(p *api.Pruned) string {
	size := quantity.FormatSize
	return fmt.Sprintf("removed %d images (%s), %d runs (logs: %s), files of runs (%d directories, %s), %d cached results, %d sessions, %d blobs (%s)",
		p.Images.Count, size(p.Images.Bytes), p.Runs.Count, size(p.Runs.Bytes), p.Files.Count, size(p.Files.Bytes),
		p.Results, p.Sessions, p.Blobs.Count, size(p.Blobs.Bytes))
}
