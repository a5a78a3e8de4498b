// Package cellway leads from a cell to the engine: for the attempt of a task that
// starts runs, it is a server of its own that knows nothing but the scope of that
// attempt. Connections come from the proxy of the cell, one by one, and no port is
// opened on the host.
package cellway

import (
	"context"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/budget"
	"github.com/glovebox-dev/glovebox/internal/home"
	"github.com/glovebox-dev/glovebox/internal/scope"
	"github.com/glovebox-dev/glovebox/internal/server"
)

// limits bound what the code of one cell can make the server of its own
// hold. The proxy of the cell bounds its connections.
var limits = server.Limits{JSON: 16 << 20, Bodies: 64 << 20, Requests: 96, Streams: 96, Connections: 96, Drain: time.Second}

// Config is what the ways of all attempts share.
type Config struct {
	Engine scope.Engine
	Dir    string // where the server of a way keeps what it has not read yet
	Memory *budget.Memory
	// Identity is on whose behalf the program asks.
	Identity api.Identity
	Logger   *slog.Logger
}

// Way is the way of one attempt to the engine. Its server starts with the first
// connection.
type Way struct {
	config Config
	scope  *scope.Scope
	start  sync.Once

	listener *server.Handed
	cancel   context.CancelFunc
	done     chan struct{}
}

// Open opens the way of an attempt of a run.
func Open(c Config, run string, task *api.Task) *Way {
	return &Way{config: c, scope: scope.New(c.Engine, run, task), listener: server.NewHanded(), done: make(chan struct{})}
}

// quiet leaves out what is said of every request: code in a cell could fill the
// log of the host with them.
type quiet struct{ slog.Handler }

// Enabled implements slog.Handler.
func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && q.Handler.Enabled(ctx, level)
}

// Serve carries one connection.
func (w *Way) Serve(_ context.Context, conn net.Conn) {
	w.start.Do(w.listen)
	w.listener.Hand(conn)
}

// listen starts the server.
func (w *Way) listen() {
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	go func() {
		defer close(w.done)
		defer w.listener.Close()
		if err := w.answer(ctx); err != nil {
			w.config.Logger.Warn("the way of a cell to the engine", "error", err)
		}
	}()
}

func (w *Way) answer(ctx context.Context) error {
	if err := os.MkdirAll(w.config.Dir, 0o700); err != nil {
		return home.Error(w.config.Dir, err)
	}
	s, err := server.New(server.Config{
		Service: w.scope, Admitted: true, Identity: w.config.Identity, Hosts: []string{api.EngineHost}, Dir: w.config.Dir, Limits: limits, Memory: w.config.Memory, Logger: slog.New(quiet{w.config.Logger.Handler()}),
	})
	if err != nil {
		return err
	}
	return s.Serve(ctx, w.listener)
}

// End closes the way, and returns when none of its work is left.
func (w *Way) End() {
	w.start.Do(func() { w.listener.Close() })
	if w.cancel != nil {
		w.cancel()
		<-w.done
	}
	if err := w.scope.Close(); err != nil {
		w.config.Logger.Warn("the scope of a cell", "error", err)
	}
}
