package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/glovebox-dev/glovebox/internal/app"
)

// serveHere serves the home of this host until ctx ends.
func (c *cli) serveHere(ctx context.Context, o ServeOptions) error {
	system, err := app.Open(ctx, app.Options{Logger: slog.New(slog.NewTextHandler(c.Err, nil))})
	if err != nil {
		return err
	}
	err = system.Serve(ctx, app.ServeOptions{
		Listen: o.Listen, TLSCert: o.TLSCert, TLSKey: o.TLSKey, TokenFile: o.TokenFile, Version: c.version,
		Ready: func(address string) { fmt.Fprintf(c.Err, "glovebox: listening on %s\n", address) },
	})
	return errors.Join(err, system.Close())
}
