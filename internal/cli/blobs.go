package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/internal/host"
)

func (c *cli) blobsCommand() *cobra.Command {
	return group("blobs", "Move the blobs of the home to a store that speaks S3 and back", c.blobsMoveCommand())
}

func (c *cli) blobsMoveCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "move TO", Short: "Move the blobs of the home: to an address s3://BUCKET/PREFIX, or to " + host.BlobsInHome, Args: cobra.ExactArgs(1),
		Long: "Move the blobs of the home of this host: the bytes of inputs, outputs and files.\n" +
			"TO is an address in a store that speaks S3, or " + host.BlobsInHome + " for a directory of the\n" +
			"home; then " + host.BlobsVariable + " says where they are. Nothing else may use the home.\n" +
			"Every blob is checked against its digest; the originals are kept. A move that\n" +
			"was interrupted continues when it is repeated.",
		Example: "  glovebox blobs move 's3://my-bucket/glovebox?region=eu-central-1'\n  glovebox blobs move " + host.BlobsInHome,
		RunE: func(cmd *cobra.Command, args []string) error {
			moved, err := c.engine.MoveBlobs(cmd.Context(), host.Options{}, args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.Out, moved)
			}
			_, err = fmt.Fprintf(c.Err, "moved %d blobs of %d bytes from %s to %s; the originals stay at %s\n", moved.Blobs, moved.Bytes, moved.From, moved.To, moved.Kept)
			return err
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}
