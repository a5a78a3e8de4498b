package cli

import (
	"context"
	"errors"
	"os"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
	"github.com/glovebox-dev/glovebox/internal/app"
)

// serverVariable names the server in the environment, tokenVariable the token
// for it.
const (
	serverVariable = "GLOVEBOX_URL"
	tokenVariable  = "GLOVEBOX_TOKEN"
)

// connect returns the server that the environment names, or the system in this
// process.
func connect(ctx context.Context, isolation string) (api.Service, error) {
	if url := os.Getenv(serverVariable); url != "" {
		return dial(url, isolation)
	}
	system, err := app.Open(ctx, app.Options{Isolation: isolation})
	if err != nil {
		return nil, err
	}
	return local{system.Service(), system}, nil
}

// dial returns the server at url. Files of results go where those of runs in
// this process are, so that prune finds them.
func dial(url, isolation string) (api.Service, error) {
	if isolation != "" && isolation != defaultIsolation {
		return nil, usage("--isolation %s: the server decides on the isolation", isolation).
			hint("leave it out, or unset %s to run on this host", serverVariable)
	}
	dir, err := app.ResultDir()
	if err != nil {
		return nil, err
	}
	return client.Dial(url, client.Options{Token: os.Getenv(tokenVariable), Dir: dir})
}

// local is the system in this process.
type local struct {
	api.Service
	system *app.App
}

func (l local) Close() error { return errors.Join(l.Service.Close(), l.system.Close()) }

// with calls f with a service, and closes it after.
func (c *cli) with(ctx context.Context, f func(api.Service) error) error {
	service, err := c.connect(ctx, "")
	if err != nil {
		return err
	}
	return closing(service, f(service))
}

// closing closes service; of two errors the first one counts.
func closing(service api.Service, err error) error {
	if closed := service.Close(); err == nil {
		return closed
	}
	return err
}
