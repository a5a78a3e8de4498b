// Package app is the composition root: it turns options into a running system.
// Here, and nowhere else, the parts learn of each other.
package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	blobfile "github.com/glovebox-dev/glovebox/internal/blob/file"
	"github.com/glovebox-dev/glovebox/internal/catalog"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/cell/gvisor"
	"github.com/glovebox-dev/glovebox/internal/cell/pool"
	"github.com/glovebox-dev/glovebox/internal/engine"
	"github.com/glovebox-dev/glovebox/internal/image"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
	"github.com/glovebox-dev/glovebox/internal/runsc"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
	"github.com/glovebox-dev/glovebox/internal/secret"
	"github.com/glovebox-dev/glovebox/internal/worker"
)

// Options say how a system is put together. The zero value is the default.
type Options struct {
	Home      string // directory of all state; empty: $GLOVEBOX_HOME, else in the XDG data directory
	Isolation string // name of the driver; empty: gvisor
	MaxCells  int    // attempts of sandboxes at once; 0: two for each CPU
	MaxRuns   int    // attempts of orchestrators at once, and as many of functions; 0: engine.DefaultPlaces
	// WarmCells and WarmMemory, in bytes, bound the cells that are kept ready
	// together; 0 takes the defaults of warmBounds, and less keeps none.
	WarmCells  int
	WarmMemory int64
	Logger     *slog.Logger // nil discards
}

// App is a running system.
type App struct {
	Home string

	driver        cell.Driver
	presence      *presence
	db            *sqlite.DB
	blobs         *blobfile.Store
	images        *image.Service
	secrets       *secret.Store
	cells         *sandbox.Runner
	warm          pool.Config // of the cells that are kept ready
	workers       *worker.Runner
	orchestrators *orchestrator.Runner
	catalog       *catalog.Service
	engine        *engine.Engine
	meters        meters
	logger        *slog.Logger
	closing       sync.Once
}

// Open puts a system together, sweeps away what killed processes left in its
// home, and marks their runs as interrupted. Errors are *api.Error.
func Open(ctx context.Context, o Options) (*App, error) {
	if runsc.IsReexec() {
		return nil, api.Errorf(api.Internal, "this process is part of a cell: its main has to ask package runsc first")
	}
	home, err := findHome(o.Home, os.Getenv)
	if err != nil {
		return nil, err
	}
	if err := prepareHome(home); err != nil {
		return nil, err
	}
	a := &App{Home: home, logger: o.Logger, meters: newMeters()}
	if a.logger == nil {
		a.logger = slog.New(slog.DiscardHandler)
	}
	if err := a.open(ctx, o); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if _, err := a.engine.Recover(ctx, false); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// open makes the parts that hold state, enters the home, and then makes those
// that work on it.
func (a *App) open(ctx context.Context, o Options) (err error) {
	if a.driver, err = newDriver(o.Isolation, a.below("cells")); err != nil {
		return err
	}
	if a.secrets, err = secret.Open(a.below("secrets")); err != nil {
		return err
	}
	if a.images, err = newImages(a.driver, a.secrets, a.below("images")); err != nil {
		return err
	}
	if a.blobs, err = blobfile.Open(a.below("blobs")); err != nil {
		return err
	}
	if a.presence, err = enter(ctx, a.Home, func() error { return a.sweep(ctx) }); err != nil {
		return err
	}
	if a.db, err = sqlite.Open(ctx, a.database(), sqlite.Options{}); err != nil {
		return err
	}
	return a.wire(o)
}

// wire makes the parts that carry out runs and introduces them to each other.
func (a *App) wire(o Options) error {
	key, err := snapshotKey(a.below("snapshot.key"))
	if err != nil {
		return err
	}
	a.workers = worker.New(worker.Config{})
	a.warm = warmBounds(o, runtime.GOMAXPROCS(0), hostMemory(os.DirFS("/")))
	a.warm.Logger = a.logger
	a.cells = sandbox.New(sandbox.Config{
		Driver: a.driver, Images: images{a.images}, Secrets: a.secrets.Get, Egress: waysOut, Engine: a.wayToEngine, Certificates: certificates,
		Dir: a.runs(), Warm: a.warm, Logger: a.logger,
	})
	a.orchestrators = orchestrator.New(orchestrator.Config{SnapshotKey: key, Logger: a.logger})
	a.catalog = &catalog.Service{Store: a.db.Catalog(), Validate: func(t *api.Task) error { return a.engine.Validate(t) }}
	a.engine = engine.New(engine.Config{
		Kinds: map[api.TaskKind]engine.Runner{
			api.KindSandbox: a.cells, api.KindOrchestrator: a.orchestrators, api.KindFunction: a.workers,
		},
		Journal: a.db.Journal(), Blobs: a.blobs, Cache: a.db.Cache(), Catalog: a.catalog.Task,
		FileDir: a.runs(), LogDir: a.logs(), Owner: a.presence.name(), Alive: a.presence.alive,
		Limits: map[api.TaskKind]int{api.KindSandbox: o.MaxCells, api.KindOrchestrator: o.MaxRuns, api.KindFunction: o.MaxRuns}, Ended: a.meters.count, Logger: a.logger,
	})
	return nil
}

func (a *App) below(name string) string { return filepath.Join(a.Home, name) }
func (a *App) database() string         { return a.below("glovebox.db") }

func newDriver(name, dir string) (cell.Driver, error) {
	if name != "" && name != "gvisor" {
		return nil, api.Errorf(api.InvalidTask, "there is no isolation %q", name).
			WithHint("use gvisor").WithDetails(api.Details{Field: "isolation", Expected: "gvisor", Got: name})
	}
	return gvisor.New(gvisor.Config{Program: program, Dir: dir})
}

// program is this program, also when its file was replaced or removed.
const program = "/proc/self/exe"

// Prompt describes a task of kind orchestrator to whoever is going to write its
// code.
func Prompt(task *api.Task) (string, error) {
	return orchestrator.New(orchestrator.Config{}).Prompt(task)
}

// IsolationVersion returns the version of gVisor.
func IsolationVersion() string { return runsc.Version() }

// Reexec plays the part of a cell, and does not return, if this process was
// started as one. A program that opens a system calls it first.
func Reexec() {
	if runsc.IsReexec() {
		runsc.Main()
	}
	runsc.CloseOnExec()
}

// runs is where the files of runs are laid out, logs where their logs are.
func (a *App) runs() string             { return a.below("runs") }
func (a *App) logs() string             { return a.below("logs") }
func (a *App) logPath(id string) string { return filepath.Join(a.logs(), id+".jsonl") }

// cellPatience bounds how long Close waits for cells to be gone; what is left
// then is swept away by the next process.
const cellPatience = 30 * time.Second

// Close interrupts the runs of this process and releases the home. It may be
// called more than once.
func (a *App) Close() (err error) {
	a.closing.Do(func() {
		if a.engine != nil {
			a.engine.Close()
			err = a.workers.Close()
		}
		if a.cells != nil {
			ctx, cancel := context.WithTimeout(context.Background(), cellPatience)
			defer cancel()
			err = errors.Join(err, a.cells.Close(ctx))
		}
		if a.db != nil {
			err = errors.Join(err, a.db.Close())
		}
		if a.presence != nil {
			err = errors.Join(err, a.presence.leave())
		}
	})
	return err
}

// sweep removes what killed processes left behind.
func (a *App) sweep(ctx context.Context) error {
	if err := a.driver.Sweep(ctx); err != nil {
		return api.Errorf(api.Internal, "remove what is left of earlier cells: %w", err)
	}
	if err := a.blobs.Sweep(ctx); err != nil {
		return api.AsError(err)
	}
	return sweepRuns(a.runs())
}
