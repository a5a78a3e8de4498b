package app

import (
	"context"
	"errors"
	"net"
	"os"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/evaluator"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
	"github.com/glovebox-dev/glovebox/internal/runsc"
)

// Engine is the engine of this machine, as the command line gets it.
type Engine struct{}

var _ host.Engine = Engine{}

// Open implements host.Engine.
func (Engine) Open(ctx context.Context, o host.Options) (host.System, error) {
	a, err := Open(ctx, o)
	if err != nil {
		return nil, err
	}
	return a.Owned(), nil
}

// Prune implements host.Engine.
func (Engine) Prune(ctx context.Context, o host.Options, r api.PruneRequest) (*api.Pruned, error) {
	pruned, err := PruneHome(ctx, o, r.MaxImages, r.OlderThan)
	return &pruned, err
}

// Evaluate implements host.Engine. It opens no home.
func (Engine) Evaluate(ctx context.Context, socket string, ready func()) error {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return api.Errorf(api.RequestInvalid, "listen on %s: %w", socket, err).WithHint("name a socket that does not exist yet, in a directory that only you can write to")
	}
	if err := os.Chmod(socket, 0o600); err != nil {
		return errors.Join(err, l.Close())
	}
	ready()
	return evaluator.New(orchestrator.New(orchestrator.Config{})).Serve(ctx, l)
}

// Isolation implements host.Engine.
func (Engine) Isolation() string { return runsc.Version() }

// Owned returns the service of a as the only owner of it: closing the service
// closes a too.
func (a *App) Owned() host.System { return owned{a.Service(), a} }

type owned struct {
	api.Service
	app *App
}

func (o owned) Close() error { return o.app.Close() }

func (o owned) Serve(ctx context.Context, s host.ServeOptions) error { return o.app.Serve(ctx, s) }
