package cli

import (
	"cmp"
	"context"
	"os"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
	"github.com/glovebox-dev/glovebox/internal/home"
	"github.com/glovebox-dev/glovebox/internal/host"
)

// serverVariable names the server in the environment, tokenVariable the token
// for it.
const (
	serverVariable = "GLOVEBOX_URL"
	tokenVariable  = "GLOVEBOX_TOKEN"
)

// connectHere returns the server that the environment names, or the system in this
// process.
func (c *cli) connectHere(ctx context.Context, isolation string) (api.Service, error) {
	if url := cmp.Or(os.Getenv(serverVariable), c.server); url != "" {
		return dial(url, isolation)
	}
	return c.engine.Open(ctx, host.Options{Isolation: isolation, Reading: c.reads, Full: sync.OnceFunc(c.waitsForSpace)})
}

// waitsForSpace tells why nothing happens.
func (c *cli) waitsForSpace() {
	printError(c.Err, "the disk is full: what the run gave waits up to a minute for space, and is lost then", "", "free space, for example with: glovebox prune")
}

// dial returns the server at url. Files of results go to a place of their own in
// the home, so that prune finds them and no server there does.
func dial(url, isolation string) (api.Service, error) {
	if isolation != "" && isolation != defaultIsolation {
		return nil, usage("--isolation %s: the server decides on the isolation", isolation).
			hint("leave it out, or unset %s to run on this host", serverVariable)
	}
	dir, err := home.Find("", os.Getenv)
	if err != nil {
		return nil, err
	}
	if err := dir.Prepare(); err != nil {
		return nil, err
	}
	return client.Dial(url, client.Options{Token: os.Getenv(tokenVariable), Dir: dir.Downloads()})
}

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
