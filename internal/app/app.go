// Package app is the composition root: it turns options into a running system.
// Here, and nowhere else, the parts learn of each other.
package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent"
	"github.com/glovebox-dev/glovebox/internal/agent/codegen"
	"github.com/glovebox-dev/glovebox/internal/agent/model"
	"github.com/glovebox-dev/glovebox/internal/budget"
	"github.com/glovebox-dev/glovebox/internal/catalog"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/cell/gvisor"
	"github.com/glovebox-dev/glovebox/internal/cell/pool"
	"github.com/glovebox-dev/glovebox/internal/disk"
	"github.com/glovebox-dev/glovebox/internal/egress"
	"github.com/glovebox-dev/glovebox/internal/engine"
	"github.com/glovebox-dev/glovebox/internal/evaluation"
	"github.com/glovebox-dev/glovebox/internal/home"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/image"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
	"github.com/glovebox-dev/glovebox/internal/mcp/client"
	"github.com/glovebox-dev/glovebox/internal/memory"
	"github.com/glovebox-dev/glovebox/internal/metrics"
	"github.com/glovebox-dev/glovebox/internal/node"
	"github.com/glovebox-dev/glovebox/internal/notify"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
	"github.com/glovebox-dev/glovebox/internal/owner"
	"github.com/glovebox-dev/glovebox/internal/prune"
	"github.com/glovebox-dev/glovebox/internal/runsc"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
	"github.com/glovebox-dev/glovebox/internal/schedule"
	"github.com/glovebox-dev/glovebox/internal/session"
	"github.com/glovebox-dev/glovebox/internal/signal"
	"github.com/glovebox-dev/glovebox/internal/tuning"
	"github.com/glovebox-dev/glovebox/internal/webhook"
	"github.com/glovebox-dev/glovebox/internal/worker"
)

// App is a running system.
type App struct {
	Home home.Dir

	driver        cell.Driver
	presence      *home.Presence
	reserve       *disk.Reserve
	pruneReserve  *disk.Reserve
	full          func() // see host.Options
	patience      *disk.Patience
	outage        *disk.Patience // with a store of blobs that is away
	pruning       bool
	unwritable    error // why it was opened to read only; nil if it was not
	db            database
	lease         *postgres.Lease // nil if the journal is a file
	wired         atomic.Bool     // the parts that hold runs are there
	blobs         blobStore
	images        *image.Service
	secrets       secrets
	cells         *sandbox.Runner
	warm          pool.Config // of the cells that are kept ready
	memory        *budget.Memory
	place         journal.Place // what this node has for runs
	workers       *worker.Runner
	models        *model.Runner
	mcp           *client.Runner // of MCP servers
	orchestrators *orchestrator.Runner
	evaluations   *evaluation.Evaluator
	catalog       *catalog.Service
	schedules     *schedule.Service
	hooks         *webhook.Service
	notifications *notify.Service
	retention     retention
	engine        *engine.Engine
	sessions      *session.Service
	everywhere    *node.Sessions // those of other nodes too
	peers         *node.Pool
	alone         bool // no other process worked on the home when it was opened
	owners        *owner.Keeper
	ended         metrics.Runs
	logger        *slog.Logger
	closing       sync.Once
}

// Open puts a system together, sweeps away what killed processes left in its
// home, and marks their runs as interrupted. Errors are *api.Error.
func Open(ctx context.Context, o host.Options) (*App, error) {
	if runsc.IsReexec() {
		return nil, api.Errorf(api.Internal, "this process is part of a cell: its main has to ask package runsc first")
	}
	if err := tuning.Set(os.Getenv(tuning.Variable)); err != nil {
		return nil, api.Errorf(api.RequestInvalid, "%w", err)
	}
	dir, err := home.Find(o.Home, os.Getenv)
	if err != nil {
		return nil, err
	}
	if err := dir.Prepare(); err != nil {
		return nil, err
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	a, err := openToWrite(ctx, dir, o)
	if err != nil && o.Reading && unwritable(err) {
		return openToRead(ctx, dir, o, err)
	}
	return a, err
}

func openToWrite(ctx context.Context, dir home.Dir, o host.Options) (*App, error) {
	a := newApp(dir, o)
	if err := a.open(ctx, o); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if err := a.goOver(ctx); err != nil {
		return nil, errors.Join(api.AsError(err), a.Close())
	}
	if _, err := a.engine.Recover(ctx, false); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if err := a.recoverSessions(ctx); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// recoverSessions records what became of the sessions of processes that died.
func (a *App) recoverSessions(ctx context.Context) error {
	if err := a.sessions.Recover(ctx); err != nil {
		return api.AsError(err)
	}
	if !a.alone || a.Home.Shares() { // what others are saving is in no row yet
		return nil
	}
	return a.sessions.Sweep(ctx)
}

func newApp(dir home.Dir, o host.Options) *App {
	a := &App{Home: dir, logger: o.Logger, ended: metrics.NewRuns(), pruning: o.Pruning}
	a.secrets, a.full = secrets{a.Home.Below("secrets")}, o.Full
	if a.full == nil {
		a.full = func() { a.logger.Warn("the disk of the home is full; the end of a run waits for space", "home", dir) }
	}
	a.patience = disk.NewPatience(outputPatience, a.full)
	a.outage = disk.NewPatienceFor(unavailable, outagePatience, a.blobsAway)
	return a
}

// open makes the parts that hold state, enters the home, and then makes those
// that work on it.
func (a *App) open(ctx context.Context, o host.Options) (err error) {
	if o.Shared != "" {
		if err := a.Home.Share(o.Shared); err != nil {
			return err
		}
	}
	if a.driver, err = newDriver(o.Isolation, a.Home.Below("cells")); err != nil {
		return err
	}
	if a.blobs, err = openBlobs(ctx, a.Home, o.Blobs); err != nil {
		return err
	}
	if a.images, err = newImages(a.driver, a.secrets, a.blobs, a.Home.Below("images"), cmp.Or(o.BuildNetwork, &api.Network{Public: true}), false); err != nil {
		return err
	}
	if a.presence, err = home.Enter(ctx, a.Home, func() error { return a.sweep(ctx) }); err != nil {
		return err
	}
	a.reserve = disk.OpenReserve(a.Home.Below("reserve"), disk.ReserveSize)
	a.pruneReserve = disk.OpenReserve(a.Home.Below("reserve.prune"), disk.PruneReserveSize)
	give := a.giveReserve
	if o.Reading {
		give = nil // there is another way
	}
	if a.db, err = a.openDatabase(ctx, o, func() (*sqlite.DB, error) {
		return sqlite.Open(ctx, a.Home.Database(), sqlite.Options{Known: a.Home.HasSnapshotKey(), Give: give, Waits: a.full})
	}); err != nil {
		return err
	}
	return a.wire(o)
}

// wire makes the parts that execute runs and introduces them to each other.
func (a *App) wire(o host.Options) error {
	key, err := a.Home.SnapshotKey(a.unwritable == nil)
	if err != nil {
		return err
	}
	a.workers = worker.New(worker.Config{})
	a.models = model.New(model.Config{Secret: a.secrets.Get, Ready: agent.PieceReady})
	a.warm = warmBounds(o, runtime.GOMAXPROCS(0), memory.OfHost(os.DirFS("/")))
	a.warm.Logger = a.logger
	a.place = journal.Place{Labels: o.NodeLabels, CPU: float64(runtime.GOMAXPROCS(0)), Memory: cmp.Or(o.NodeMemory, memory.OfHost(os.DirFS("/")))}
	a.memory = budget.New(cmp.Or(o.ValueMemory, memory.ForValues(memory.OfHost(os.DirFS("/")))))
	a.cells = sandbox.New(sandbox.Config{
		Driver: a.driver, Images: images{a.images}, Secrets: a.secrets.Get, Derive: a.secrets.Derive, Egress: waysOut, Within: egress.Within,
		Engine: a.wayToEngine, Model: a.wayToModel, Certificates: certificates,
		Dir: a.Home.Runs(), Warm: a.warm, MaxMemory: o.MaxCellMemory, Space: a.patience.Do, Logger: a.logger,
	})
	a.orchestrators = orchestrator.New(orchestrator.Config{SnapshotKey: key, Logger: a.logger})
	a.owners = &owner.Keeper{Store: a.db.Owners(), Now: time.Now, Logger: a.logger}
	a.catalog = &catalog.Service{Store: catalog.Owned(a.db.Catalog()), Validate: func(t *api.Task) ([]string, error) { return a.engine.ValidateKept(t) }}
	a.sessions = session.New(session.Config{
		Key:   a.Home.SessionKey,
		Cells: a.cells, Journal: a.db.Sessions(), Dir: a.Home.Sessions(), Owner: a.owner(), Alive: a.alive, Max: o.MaxSessions, Logger: a.logger,
		Egress: waysOut, Model: a.modelOfSession, Extend: a.extendImage,
	})
	if err := a.wirePeers(); err != nil {
		return err
	}
	hostPrograms, err := client.HostPrograms(os.Getenv(client.HostProgramsVariable))
	if err != nil {
		return api.Errorf(api.RequestInvalid, "%w", err)
	}
	a.mcp = client.New(client.Config{Secret: a.secrets.Get, Sessions: a.sessions, Never: egress.Never, HostPrograms: hostPrograms})
	a.engine = engine.New(engine.Config{
		Kinds: map[api.TaskKind]engine.Runner{
			api.KindSandbox: a.cells, api.KindOrchestrator: a.orchestrators, api.KindFunction: a.workers, api.KindModel: a.models, api.KindMCP: a.mcp,
			api.KindSignal:  signal.Runner{},
			api.KindAgent:   agent.New(agent.Config{Language: a.orchestrators}),
			api.KindCodegen: codegen.New(codegen.Config{Sandboxes: a.cells}),
		},
		Journal: a.db.Journal(), HasBlob: a.db.Owners().HasBlob, Blobs: a.blobs, Cache: a.db.Cache(), Catalog: a.catalog.Task,
		FileDir: a.Home.Runs(), LogDir: a.Home.Logs(), Owner: a.owner(), Alive: a.alive,
		Nodes:       a.serving(),
		LabelLimits: a.labelLimits(o),
		Place:       engine.Place{Place: a.place, ImageName: image.SpecDigest, HasImage: a.images.Has, Taken: a.sessions.Memory},
		Limits:      map[api.TaskKind]int{api.KindSandbox: o.MaxCells, api.KindOrchestrator: o.MaxRuns, api.KindFunction: o.MaxRuns, api.KindModel: o.MaxRuns, api.KindAgent: o.MaxRuns, api.KindCodegen: o.MaxRuns, api.KindMCP: o.MaxRuns, api.KindSignal: o.MaxRuns}, Memory: a.memory, Space: a.keep, Ended: a.runEnded, Logger: a.logger,
		LogBytes: o.RunLog, LogRoom: func() bool { return hasRoom(a.Home.Logs()) },
	})
	a.notifications = notify.New(notify.Config{Store: a.db.Deliveries(), Secret: a.secrets.Get, Logger: a.logger})
	a.wireTriggers()
	a.evaluations = evaluation.New(evaluation.Config{
		Runners: map[api.TaskKind]evaluation.Runner{api.KindOrchestrator: a.orchestrators, api.KindSandbox: onceInCell{a.engine}},
		Tools:   evaluation.Direct{Functions: a.workers, Else: evaluation.Runs{Service: a.engine}},
		Catalog: a.catalog.Task, Limit: o.MaxRuns,
	})
	a.wired.Store(true)
	return nil
}

// runEnded is called with each run that ends in this process.
func (a *App) runEnded(run api.Run) {
	a.ended.Count(run)
	a.notifications.Wake()
}

// giveReserve gives back what is reserved for the journal.
func (a *App) giveReserve() bool {
	given := a.reserve.Give() || a.pruning && a.pruneReserve.Give()
	if given {
		a.logger.Warn("the disk of the home is full; the space that is reserved for the journal is used", "home", a.Home)
	}
	return given
}

func newDriver(name, dir string) (cell.Driver, error) {
	if name != "" && name != "gvisor" {
		return nil, api.Errorf(api.InvalidTask, "there is no isolation %q", name).
			WithHint("use gvisor").WithDetails(api.Details{Field: "isolation", Expected: "gvisor", Got: name})
	}
	return gvisor.New(gvisor.Config{Program: program, Dir: dir})
}

// program is this program, also when its file was replaced or removed.
const program = "/proc/self/exe"

// Reexec plays the part of a cell, and does not return, if this process was
// started as one. A program that opens a system calls it first.
func Reexec() {
	if runsc.IsReexec() {
		runsc.Main()
	}
	runsc.CloseOnExec()
}

// hasRoom reports whether the file system of a directory has more free than what is to
// stay free for the journal and for cells under way.
func hasRoom(dir string) bool {
	space, err := disk.SpaceOf(dir)
	return err == nil && space.Room() > 0
}

// outputPatience bounds how long what a run gave waits for space on the disk.
const outputPatience = time.Minute

// cellPatience bounds how long Close waits for cells to be gone; what is left
// then is swept away by the next process.
const cellPatience = 30 * time.Second

// Close interrupts the runs of this process and releases the home. It may be
// called more than once.
func (a *App) Close() (err error) {
	a.closing.Do(func() {
		if a.db != nil {
			a.db.SetPatience(0)
		}
		a.patience.Set(0)
		a.outage.Set(0)
		if a.engine != nil {
			a.evaluations.Close()
			a.engine.Close()
			err = a.workers.Close()
			a.models.Close()
			a.mcp.Close()
		}
		if a.peers != nil {
			a.peers.Close()
		}
		if a.sessions != nil {
			err = errors.Join(err, a.sessions.Close())
		}
		if a.cells != nil {
			ctx, cancel := context.WithTimeout(context.Background(), cellPatience)
			defer cancel()
			err = errors.Join(err, a.cells.Close(ctx))
		}
		if a.db != nil {
			err = errors.Join(err, a.db.Close())
		}
		for _, reserve := range []*disk.Reserve{a.reserve, a.pruneReserve} {
			if reserve != nil {
				reserve.Close()
			}
		}
		if a.presence != nil {
			err = errors.Join(err, a.presence.Leave())
		}
	})
	return err
}

// unfinishedBlobs is how long other nodes may take to write a blob.
const unfinishedBlobs = 24 * time.Hour

// sweep removes what killed processes left behind.
func (a *App) sweep(ctx context.Context) error {
	a.alone = true
	if err := a.driver.Sweep(ctx); err != nil {
		return api.Errorf(api.Internal, "remove what is left of earlier cells: %w", err)
	}
	before := time.Now()
	if a.Home.Shares() {
		before = before.Add(-unfinishedBlobs)
	}
	if err := a.blobs.Sweep(ctx, before); err != nil {
		return api.AsError(err)
	}
	return prune.Sweep(a.Home.Runs())
}

// onceInCell runs sandboxes of which nothing is kept.
type onceInCell struct{ engine *engine.Engine }

// Prepare implements evaluation.Runner.
func (o onceInCell) Prepare(task *api.Task) (func(context.Context, *api.Request) (*api.Result, error), error) {
	if err := o.engine.Validate(task); err != nil {
		return nil, err
	}
	return o.engine.Once, nil
}
