package embed

import (
	"context"
	"sync/atomic"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
	"github.com/glovebox-dev/glovebox/internal/app"
	"github.com/glovebox-dev/glovebox/internal/host"
)

// prepared records that Init was called. It is process-wide because the role
// that Init plays is that of the process.
var prepared atomic.Bool

// Init plays the part of a cell, and does not return, if this process was
// started as one. Otherwise it returns and does nothing. Make it the first
// statement of main.
func Init() {
	app.Reexec()
	prepared.Store(true)
}

// Open starts the engine in this process: it finds or creates the home and
// removes what killed processes left there. Close it after use.
func Open(o Options) (*glovebox.Glovebox, error) {
	if !prepared.Load() {
		return nil, api.Errorf(api.IsolationUnavailable, "embed.Init was not called, so this program cannot play the part of a cell").
			WithHint("make embed.Init() the first statement of main, or of TestMain")
	}
	a, err := app.Open(context.Background(), host.Options{
		Home: o.Home, Isolation: o.Isolation, MaxCells: o.MaxCells, WarmCells: o.WarmCells, WarmMemory: o.WarmMemory,
	})
	if err != nil {
		return nil, err
	}
	register := func(f client.Function) (release func(), err error) { return a.Functions().Register(f.Task, f.Call) }
	return glovebox.New(a.Owned(), register), nil
}
