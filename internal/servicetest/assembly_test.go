package servicetest_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/blob/file"
	"github.com/glovebox-dev/glovebox/internal/cache"
	"github.com/glovebox-dev/glovebox/internal/catalog"
	"github.com/glovebox-dev/glovebox/internal/engine"
	"github.com/glovebox-dev/glovebox/internal/evaluation"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
	"github.com/glovebox-dev/glovebox/internal/journal/tables"
	"github.com/glovebox-dev/glovebox/internal/notify"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
	"github.com/glovebox-dev/glovebox/internal/owner"
	"github.com/glovebox-dev/glovebox/internal/schedule"
	"github.com/glovebox-dev/glovebox/internal/secret"
	"github.com/glovebox-dev/glovebox/internal/servicetest"
	"github.com/glovebox-dev/glovebox/internal/signal"
	"github.com/glovebox-dev/glovebox/internal/webhook"
	"github.com/glovebox-dev/glovebox/internal/worker"
	"github.com/glovebox-dev/glovebox/value"
)

// assembly is a service of real parts, put together without those that need
// cells.
type assembly struct {
	noSessionsHere

	t             *testing.T
	stop          func() // the schedules
	orchestrators *orchestrator.Runner
	functions     *worker.Runner
	db            *tables.Store
	journal       journal.Journal
	cache         cache.Store
	blobs         blob.Store
	secrets       *secret.Store
	*evaluation.Evaluator
	*engine.Engine
	catalogs
	timed
	hooked
	notified
	kept
}

// catalogs keeps the names of the catalog and of the engine apart.
type catalogs struct{ *catalog.Service }

// timed keeps the name of the service of schedules apart.
type timed struct{ *schedule.Service }

// hooked keeps the name of the service of hooks apart.
type hooked struct{ *webhook.Service }

// kept keeps the name of the service of owners apart.
type kept struct{ *owner.Keeper }

// notified keeps the name of the service of notifications apart.
type notified struct{ *notify.Service }

// memory returns a directory that needs no disk, if the host has one: what lies
// there outlives no test, and syncing a disk is most of what a test would do.
func memory(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "servicetest-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// assemble keeps everything in files.
func assemble(t *testing.T) *assembly { return assembleOn(t, inFile(t), inFiles) }

// inFile keeps the runs in a file.
func inFile(t *testing.T) func(dir string) (*tables.Store, error) {
	return func(dir string) (*tables.Store, error) {
		db, err := sqlite.Open(t.Context(), filepath.Join(dir, "glovebox.db"), sqlite.Options{})
		if err != nil {
			return nil, err
		}
		return db.Store, nil
	}
}

// inFiles keeps the blobs in files.
func inFiles(dir string) (blob.Store, error) { return file.Open(filepath.Join(dir, "blobs")) }

// assembleOn keeps the runs in the database, and the blobs in the store, that are
// opened.
func assembleOn(t *testing.T, open func(dir string) (*tables.Store, error), openBlobs func(dir string) (blob.Store, error)) *assembly {
	dir := memory(t)
	a := &assembly{t: t, functions: worker.New(worker.Config{})}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var err error
	a.db, err = open(dir)
	must(err)
	a.blobs, err = openBlobs(dir)
	must(err)
	a.secrets, err = secret.Open(filepath.Join(dir, "secrets"))
	must(err)
	a.journal, a.cache = a.db.Journal(), a.db.Cache()
	a.orchestrators = orchestrator.New(orchestrator.Config{SnapshotKey: []byte("the key of the tests, of 32 bytes"), Check: a.check})
	a.catalogs.Service = &catalog.Service{Store: a.db.Catalog(), Validate: a.keep}
	a.Engine = engine.New(engine.Config{
		Kinds:   map[api.TaskKind]engine.Runner{api.KindFunction: a.functions, api.KindOrchestrator: a.orchestrators, api.KindSignal: signal.Runner{}},
		Journal: a.journal, Blobs: a.blobs, Cache: a.cache, Catalog: a.catalogs.Task,
		FileDir: filepath.Join(dir, "runs"), LogDir: filepath.Join(dir, "logs"), Owner: "here", Alive: func(owner string) bool { return owner == "here" },
	})
	a.Evaluator = evaluation.New(evaluation.Config{
		Runners: map[api.TaskKind]evaluation.Runner{api.KindOrchestrator: a.orchestrators}, Tools: evaluation.Direct{Functions: a.functions, Else: evaluation.Runs{Service: a.Engine}}, Catalog: a.catalogs.Task,
	})
	a.timed.Service = schedule.New(schedule.Config{
		Store: a.db.Schedules(), Task: a.catalogs.Task, Submit: a.Engine.Submit, Cancel: a.Engine.Cancel,
		Status: func(ctx context.Context, id string) (api.Status, error) {
			run, err := a.Engine.Run(ctx, id)
			if err != nil {
				return "", err
			}
			return run.Status, nil
		},
		ByKey: func(ctx context.Context, key string) (string, error) {
			run, err := a.journal.ByKey(ctx, api.IdentityOf(ctx).Owner, key)
			if errors.Is(err, journal.ErrNotFound) {
				return "", nil
			}
			return run, err
		},
	})
	a.hooked.Service = webhook.New(webhook.Config{Store: a.db.Hooks(), Task: a.catalogs.Task, Secret: a.secrets.Get, Submit: a.Engine.Submit})
	a.kept.Keeper = &owner.Keeper{Store: a.db.Owners(), Now: time.Now, Logger: slog.New(slog.DiscardHandler)}
	a.notified.Service = notify.New(notify.Config{Store: a.db.Deliveries(), Secret: a.secrets.Get})
	a.catalogs.Beside = []catalog.Beside{a.timed, a.hooked}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		a.timed.Work(ctx)
	}()
	a.stop = func() { stop(); <-ended }
	return a
}

func (a *assembly) check(task *api.Task) error { return a.Engine.Validate(task) }

func (a *assembly) keep(task *api.Task) ([]string, error) { return a.Engine.ValidateKept(task) }

func (a *assembly) Function(task api.Task, fn servicetest.Func) {
	release, err := a.functions.Register(task, func(ctx context.Context, call worker.Invocation) (map[string]any, error) { return fn(ctx, call.Inputs) })
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(release)
}

// connect takes the connection of a worker over.
func (a *assembly) connect(ctx context.Context, conn io.ReadWriteCloser) error {
	return a.functions.Serve(ctx, conn, worker.Peer{Owner: "tests"})
}

func (a *assembly) Check(_ context.Context, task *api.Task) ([]api.Problem, error) {
	return a.orchestrators.Check(task)
}

func (a *assembly) Prompt(_ context.Context, task *api.Task) (string, error) {
	return a.orchestrators.Prompt(task)
}

func (a *assembly) PutBlob(ctx context.Context, r io.Reader) (string, int64, error) {
	ref, err := a.blobs.Put(ctx, r, 0)
	return ref.Digest, ref.Size, err
}

func (a *assembly) OpenBlob(ctx context.Context, digest string) (io.ReadCloser, int64, error) {
	r, size, err := a.blobs.Open(ctx, digest)
	return r, size, blob.AsError("open the bytes", err)
}

func (a *assembly) PutTree(ctx context.Context, path string) (value.Dir, error) {
	return blob.PutTree(ctx, a.blobs, path, blob.TreeLimits{})
}

func (a *assembly) ExportTree(ctx context.Context, d value.Dir, path string) error {
	return blob.ExportTree(ctx, a.blobs, d, path)
}

func (a *assembly) ExplainCache(ctx context.Context, run string) (*api.CacheExplanation, error) {
	rec, err := a.journal.Load(ctx, run)
	if errors.Is(err, journal.ErrNotFound) {
		return nil, api.Errorf(api.NotFound, "run %s: %w", run, err)
	}
	if err != nil || rec.Cache == nil {
		return &api.CacheExplanation{Run: run}, err
	}
	return rec.Cache, nil
}

func (a *assembly) ClearCache(ctx context.Context, task string) (int, error) {
	return a.cache.Clear(ctx, task)
}

func (a *assembly) SetSecret(_ context.Context, name string, value []byte) error {
	return a.secrets.Set(name, value)
}
func (a *assembly) Secrets(context.Context) ([]string, error)         { return a.secrets.List() }
func (a *assembly) RemoveSecret(_ context.Context, name string) error { return a.secrets.Remove(name) }
func (*assembly) ListMCPTools(context.Context, api.MCPServer) ([]api.Task, error) {
	return nil, api.Errorf(api.MCPUnavailable, "the suite knows no MCP server")
}

func (a *assembly) Workers(context.Context) ([]api.Worker, error) { return a.functions.Workers(), nil }

func (*assembly) Nodes(context.Context) ([]api.Node, error) { return []api.Node{}, nil }
func (*assembly) DrainNode(_ context.Context, id string) error {
	return api.Errorf(api.NotFound, "there is no node %q", id)
}

// errNoCells is the answer to what needs them.
var errNoCells = api.Errorf(api.IsolationUnavailable, "this service has no cells")

func (a *assembly) BuildImage(context.Context, api.ImageSpec, func(api.Progress)) (*api.ImageInfo, error) {
	return nil, errNoCells
}
func (a *assembly) Images(context.Context) ([]api.ImageInfo, error)       { return nil, nil }
func (a *assembly) Image(context.Context, string) (*api.ImageInfo, error) { return nil, errNoCells }
func (a *assembly) RemoveImage(context.Context, string) error             { return errNoCells }
func (a *assembly) PushImage(context.Context, string, string, string, func(api.Progress)) (string, error) {
	return "", errNoCells
}
func (a *assembly) KeepWarm(context.Context, api.WarmRequest) (*api.WarmPool, error) {
	return nil, errNoCells
}
func (a *assembly) WarmPools(context.Context) ([]api.WarmPool, error) { return nil, nil }
func (a *assembly) Prune(context.Context, api.PruneRequest) (*api.Pruned, error) {
	return nil, errNoCells
}
func (a *assembly) Retention(context.Context) (*api.Retention, error) { return &api.Retention{}, nil }
func (a *assembly) Cells(context.Context) ([]api.LiveCell, error)     { return nil, nil }

func (a *assembly) Doctor(context.Context, bool) ([]api.Finding, error) { return nil, nil }

func (a *assembly) Close() error {
	a.stop()
	a.Evaluator.Close()
	a.Engine.Close()
	return errors.Join(a.functions.Close(), a.journal.Close())
}

// noSessionsHere is what nothing here asks for.
type noSessionsHere = api.Sessions
