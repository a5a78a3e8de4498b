package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/evaluator"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/interpreter"
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
func (Engine) Evaluate(ctx context.Context, control *os.File, ready func()) error {
	c, err := net.FileConn(control)
	if err != nil {
		return noSocket(err)
	}
	socket, ok := c.(*net.UnixConn)
	if !ok {
		return noSocket(errors.Join(fmt.Errorf("it is %T", c), c.Close()))
	}
	ready()
	return evaluator.New(orchestrator.New(orchestrator.Config{})).Serve(ctx, socket)
}

func noSocket(err error) error {
	return api.Errorf(api.RequestInvalid, "standard input is no Unix socket: %w", err).WithHint("let a client start the evaluator, as docs/EVALUATION.md says")
}

// Interpreter implements host.Engine.
func (Engine) Interpreter() (api.Service, error) { return interpreter.New(), nil }

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
