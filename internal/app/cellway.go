package app

import (
	"context"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/home"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
	"github.com/glovebox-dev/glovebox/internal/scope"
	"github.com/glovebox-dev/glovebox/internal/server"
)

// cellLimits bound what the code of one cell can make the server of its own
// hold. The proxy of the cell bounds its connections.
var cellLimits = server.Limits{JSON: 16 << 20, Bodies: 64 << 20, Requests: 96, Streams: 96, Connections: 96, Drain: time.Second}

// cellWay is the way of one attempt to the engine: a server that knows nothing
// but the scope of the attempt. It starts with the first connection.
type cellWay struct {
	app   *App
	scope *scope.Scope
	start sync.Once

	listener *server.Handed
	cancel   context.CancelFunc
	done     chan struct{}
}

// wayToEngine opens the way of an attempt.
func (a *App) wayToEngine(run string, task *api.Task) (sandbox.Handler, func(), error) {
	w := &cellWay{app: a, scope: scope.New(a.scoped(), run, task), listener: server.NewHanded(), done: make(chan struct{})}
	return w.serve, w.end, nil
}

// scoped is what scopes stand on.
func (a *App) scoped() scope.Engine {
	return scope.Engine{
		Service: a.Service(), DeployFree: a.catalog.DeployFree, ParentOf: a.engine.ParentOf, KnownImage: a.images.Known,
		TreeSize: func(ctx context.Context, digest string) (int64, error) {
			size, err := blob.TreeSize(ctx, a.blobs, digest)
			return size, blob.AsError("the directory "+digest, err)
		},
	}
}

// quiet leaves out what is said of every request: code in a cell could fill the
// log of the host with them.
type quiet struct{ slog.Handler }

// Enabled implements slog.Handler.
func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && q.Handler.Enabled(ctx, level)
}

// serve carries one connection.
func (w *cellWay) serve(_ context.Context, conn net.Conn) {
	w.start.Do(w.listen)
	w.listener.Hand(conn)
}

// listen starts the server.
func (w *cellWay) listen() {
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	go func() {
		defer close(w.done)
		defer w.listener.Close()
		if err := w.answer(ctx); err != nil {
			w.app.logger.Warn("the way of a cell to the engine", "error", err)
		}
	}()
}

func (w *cellWay) answer(ctx context.Context) error {
	dir := w.app.Home.Below("server")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return home.Error(dir, err)
	}
	s, err := server.New(server.Config{
		Service: w.scope, Admitted: true, Hosts: []string{api.EngineHost}, Dir: dir, Limits: cellLimits, Memory: w.app.memory, Logger: slog.New(quiet{w.app.logger.Handler()}),
	})
	if err != nil {
		return err
	}
	return s.Serve(ctx, w.listener)
}

// end closes the way, and returns when none of its work is left.
func (w *cellWay) end() {
	w.start.Do(func() { w.listener.Close() })
	if w.cancel != nil {
		w.cancel()
		<-w.done
	}
	if err := w.scope.Close(); err != nil {
		w.app.logger.Warn("the scope of a cell", "error", err)
	}
}
