package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/internal/app"
)

func (c *cli) serveCommand() *cobra.Command {
	o := app.ServeOptions{Version: c.version}
	var limits app.Options
	var warmMemory size
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve the HTTP API", Args: cobra.NoArgs,
		Long: "Serve the HTTP API. Without --listen it listens on a socket in the home\n" +
			"directory that only this user can open. On HOST:PORT clients need a token.\n\n" +
			"With --attached it serves the process that started it, on a Unix socket, until\n" +
			"its standard input ends: keep the other end of that pipe open. Any number of\n" +
			"them work on one home at once, beside a server that is not attached. In the end\n" +
			"it removes its socket, and the directory that it was in if nothing else is there.",
		Example: "  glovebox serve --listen unix:/run/user/1000/glovebox.sock\n" +
			"  glovebox serve --listen 127.0.0.1:8700 --token-file token",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if (o.TLSCert == "") != (o.TLSKey == "") {
				return usage("--tls-cert and --tls-key belong together").hint("give both, or none")
			}
			for name, limit := range map[string]int{"max-cells": limits.MaxCells, "max-runs": limits.MaxRuns, "warm-cells": limits.WarmCells} {
				if limit < 0 {
					return usage("--%s is %d, expected a positive number", name, limit).hint("leave it out for the default")
				}
			}
			if limits.WarmMemory = int64(warmMemory); limits.WarmCells == 0 && cmd.Flags().Changed("warm-cells") {
				limits.WarmCells = app.NoWarmCells
			}
			if o.Attached {
				return c.serveAttached(cmd.Context(), limits, o)
			}
			return c.serve(cmd.Context(), limits, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Listen, "listen", "", "`ADDRESS` to listen on: unix:PATH or HOST:PORT")
	flags.StringVar(&o.TLSCert, "tls-cert", "", "`FILE` with the certificate of the server, in PEM")
	flags.StringVar(&o.TLSKey, "tls-key", "", "`FILE` with its key, in PEM")
	flags.StringVar(&o.TokenFile, "token-file", "", "`FILE` with the token that clients send")
	flags.BoolVar(&o.Attached, "attached", false, "serve the process that started it, until standard input ends")
	flags.IntVar(&limits.MaxCells, "max-cells", 0, "at most `N` sandboxes at once; the default is two for each CPU")
	flags.IntVar(&limits.MaxRuns, "max-runs", 0, "at most `N` orchestrators, and as many functions, at once; the default is 1000")
	flags.IntVar(&limits.WarmCells, "warm-cells", 0, "keep at most `N` cells ready ahead of runs, 0 for none; the default is two for each CPU, 2 to 8")
	flags.Var(&warmMemory, "warm-memory", "memory that cells which are ready may hold together; the default is an eighth of what there is, at most 2 GiB")
	return cmd
}

// serveAttached serves until standard input ends, which it does when the process
// at its other end does, however that ends.
func (c *cli) serveAttached(ctx context.Context, limits app.Options, o app.ServeOptions) error {
	if !strings.HasPrefix(o.Listen, "unix:") {
		return usage("--attached needs --listen unix:PATH").hint("name a socket in a directory that only you can write to")
	}
	if o.TokenFile != "" || o.TLSCert != "" {
		return usage("--attached takes no token and no certificate").hint("the socket lets in this user only")
	}
	defer removePlace(strings.TrimPrefix(o.Listen, "unix:"))
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	go func() {
		_, _ = io.Copy(io.Discard, c.In) // a pipe that cannot be read has ended too
		end(errInputEnded)
	}()
	return c.serve(ctx, limits, o)
}

// removePlace removes what is left of a socket: the process that made a directory
// for it cannot if it was killed.
func removePlace(socket string) {
	if _, err := os.Lstat(socket); err == nil {
		return // another server is there
	}
	_ = os.Remove(socket + ".lock")
	_ = os.Remove(filepath.Dir(socket)) // which fails unless it is empty
}

// errInputEnded is why an attached server ends.
var errInputEnded = errors.New("standard input has ended")

// serve serves the home of this host until ctx ends.
func (c *cli) serve(ctx context.Context, limits app.Options, o app.ServeOptions) error {
	limits.Logger = slog.New(slog.NewTextHandler(c.Err, nil))
	system, err := app.Open(ctx, limits)
	if err != nil && errors.Is(context.Cause(ctx), errInputEnded) {
		return usage("standard input ended before the server was up").hint("keep the other end of its pipe open for as long as the server is needed")
	}
	if err != nil {
		return err
	}
	o.Ready = func(address string) { fmt.Fprintf(c.Err, "glovebox: listening on %s\n", visible(address)) }
	return errors.Join(system.Serve(ctx, o), system.Close())
}
