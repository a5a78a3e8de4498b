package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/internal/app"
)

func (c *cli) serveCommand() *cobra.Command {
	o := app.ServeOptions{Version: c.version}
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve the HTTP API", Args: cobra.NoArgs,
		Long: "Serve the HTTP API. Without --listen it listens on a socket in the home\n" +
			"directory that only this user can open. On HOST:PORT clients need a token.",
		Example: "  glovebox serve --listen unix:/run/user/1000/glovebox.sock\n" +
			"  glovebox serve --listen 127.0.0.1:8700 --token-file token",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if (o.TLSCert == "") != (o.TLSKey == "") {
				return usage("--tls-cert and --tls-key belong together").hint("give both, or none")
			}
			return c.serve(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Listen, "listen", "", "`ADDRESS` to listen on: unix:PATH or HOST:PORT")
	flags.StringVar(&o.TLSCert, "tls-cert", "", "`FILE` with the certificate of the server, in PEM")
	flags.StringVar(&o.TLSKey, "tls-key", "", "`FILE` with its key, in PEM")
	flags.StringVar(&o.TokenFile, "token-file", "", "`FILE` with the token that clients send")
	return cmd
}

// serve serves the home of this host until ctx ends.
func (c *cli) serve(ctx context.Context, o app.ServeOptions) error {
	system, err := app.Open(ctx, app.Options{Logger: slog.New(slog.NewTextHandler(c.Err, nil))})
	if err != nil {
		return err
	}
	o.Ready = func(address string) { fmt.Fprintf(c.Err, "glovebox: listening on %s\n", visible(address)) }
	return errors.Join(system.Serve(ctx, o), system.Close())
}
