package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/buildcontext"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

func (c *cli) imageCommand() *cobra.Command {
	return group("image", "Build, list, inspect, push and remove images",
		c.imageBuild(), reader(c.imageList()), reader(c.imageInspect()), c.imagePush(), c.imageRemove())
}

func (c *cli) imageBuild() *cobra.Command {
	var f imageFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use: "build [flags]", Short: "Build or pull an image ahead of a run, and print its id", Args: cobra.NoArgs,
		Example: "  glovebox image build -p numpy --apt libgomp1 --name stats\n" +
			"  glovebox image build --image ./Dockerfile --build-arg VERSION=2",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(service api.Service) error {
				line := newProgress(c.Err, os.Getenv)
				defer line.start()()
				spec, err := f.given()
				if err != nil {
					return err
				}
				if spec, err = buildcontext.Take(cmd.Context(), service, spec); err != nil {
					return err
				}
				img, err := service.BuildImage(cmd.Context(), spec, line.show)
				line.clear()
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(c.Out, img)
				}
				_, err = fmt.Fprintln(c.Out, img.ID)
				return err
			})
		},
	}
	f.register(cmd)
	c.completeSecrets(cmd, "registry-secret")
	cmd.Flags().StringVar(&f.spec.Name, "name", "", "`NAME` of the image; the default is made from what is in it")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (c *cli) imageList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "ls", Short: "List the images", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(service api.Service) error {
				images, err := service.Images(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(c.Out, append([]api.ImageInfo{}, images...))
				}
				t := c.table("NAME", "ID", "SIZE", "CREATED")
				for _, img := range images {
					t.row(img.Name, shortID(img.ID), quantity.FormatSize(img.Size), clock(img.Created))
				}
				return t.flush()
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

// shortID is enough of an id to tell images apart.
func shortID(id string) string {
	hex := strings.TrimPrefix(id, "sha256:")
	return hex[:min(12, len(hex))]
}

// imageName is what an image is called in the store. One that was read from a
// file is called by its absolute path.
func imageName(arg string) (string, error) { return api.AbsoluteImage(arg, ".") }

func (c *cli) imageInspect() *cobra.Command {
	return &cobra.Command{
		Use: "inspect IMAGE", Short: "Print all that is known of an image, with its lock, as JSON", Args: cobra.ExactArgs(1), ValidArgsFunction: c.complete(imageNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(service api.Service) error {
				name, err := imageName(args[0])
				if err != nil {
					return err
				}
				img, err := service.Image(cmd.Context(), name)
				if err != nil {
					return err
				}
				return printIndented(c.Out, img)
			})
		},
	}
}

func (c *cli) imagePush() *cobra.Command {
	var secret string
	cmd := &cobra.Command{
		Use: "push IMAGE REF", Short: "Push an image to a registry", Args: cobra.ExactArgs(2), ValidArgsFunction: c.complete(imageNames),
		Long: "Push an image to a registry and print its reference there by digest, NAME@sha256:...\n" +
			"Credentials are those of docker login, or a stored secret of the form user:password.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(service api.Service) error {
				name, err := imageName(args[0])
				if err != nil {
					return err
				}
				line := newProgress(c.Err, os.Getenv)
				defer line.start()()
				reference, err := service.PushImage(cmd.Context(), name, args[1], secret, line.show)
				line.clear()
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(c.Out, reference)
				return err
			})
		},
	}
	cmd.Flags().StringVar(&secret, "secret", "", "`NAME` of the secret with user:password")
	c.completeSecrets(cmd, "secret")
	return cmd
}

func (c *cli) imageRemove() *cobra.Command {
	return &cobra.Command{
		Use: "rm IMAGE...", Short: "Remove images", Args: cobra.MinimumNArgs(1), ValidArgsFunction: c.complete(imageNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(service api.Service) error {
				for _, arg := range args {
					name, err := imageName(arg)
					if err != nil {
						return err
					}
					if err := service.RemoveImage(cmd.Context(), name); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}
