package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/internal/app"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

func (c *cli) imageCommand() *cobra.Command {
	return group("image", "Build, list, inspect, push and remove images",
		c.imageBuild(), c.imageList(), c.imageInspect(), c.imagePush(), c.imageRemove())
}

// withApp runs f with an open system.
func (c *cli) withApp(ctx context.Context, f func(*app.App) error) error {
	system, err := c.open(ctx, "")
	if err != nil {
		return err
	}
	defer system.Close()
	return f(system)
}

func (c *cli) imageBuild() *cobra.Command {
	var f imageFlags
	cmd := &cobra.Command{
		Use: "build [flags]", Short: "Build or pull an image ahead of a run, and print its id", Args: cobra.NoArgs,
		Example: "  glovebox image build -p numpy --apt libgomp1 --name stats",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.withApp(cmd.Context(), func(system *app.App) error {
				line := newProgress(c.Err, os.Getenv)
				img, err := system.Images.Ensure(cmd.Context(), f.spec, line.show)
				line.clear()
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(c.Out, img.ID)
				return err
			})
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.spec.Name, "name", "", "`NAME` of the image; the default is made from what is in it")
	return cmd
}

func (c *cli) imageList() *cobra.Command {
	return &cobra.Command{
		Use: "ls", Short: "List the images", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.withApp(cmd.Context(), func(system *app.App) error {
				images, err := system.Images.List()
				if err != nil {
					return err
				}
				table := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
				fmt.Fprintln(table, "NAME\tID\tSIZE\tCREATED")
				for _, img := range images {
					fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", visible(img.Name), shortID(img.ID), quantity.FormatSize(img.Size), img.Created.Local().Format(time.DateTime))
				}
				return table.Flush()
			})
		},
	}
}

// shortID is enough of an id to tell images apart.
func shortID(id string) string {
	hex := strings.TrimPrefix(id, "sha256:")
	return hex[:min(12, len(hex))]
}

func (c *cli) imageInspect() *cobra.Command {
	return &cobra.Command{
		Use: "inspect IMAGE", Short: "Print all that is known of an image, with its lock, as JSON", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withApp(cmd.Context(), func(system *app.App) error {
				img, err := system.Images.Inspect(args[0])
				if err != nil {
					return err
				}
				encoder := json.NewEncoder(c.Out)
				encoder.SetIndent("", "  ")
				encoder.SetEscapeHTML(false)
				return encoder.Encode(img)
			})
		},
	}
}

func (c *cli) imagePush() *cobra.Command {
	var secret string
	cmd := &cobra.Command{
		Use: "push IMAGE REF", Short: "Push an image to a registry", Args: cobra.ExactArgs(2),
		Long: "Push an image to a registry. Credentials are those of docker login, or a stored\n" +
			"secret of the form user:password.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withApp(cmd.Context(), func(system *app.App) error {
				line := newProgress(c.Err, os.Getenv)
				digest, err := system.Images.Push(cmd.Context(), args[0], args[1], secret, line.show)
				line.clear()
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(c.Out, digest)
				return err
			})
		},
	}
	cmd.Flags().StringVar(&secret, "secret", "", "`NAME` of the secret with user:password")
	return cmd
}

func (c *cli) imageRemove() *cobra.Command {
	return &cobra.Command{
		Use: "rm IMAGE...", Short: "Remove images", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withApp(cmd.Context(), func(system *app.App) error {
				for _, name := range args {
					if err := system.Images.Remove(name); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}
