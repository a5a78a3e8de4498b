package glovebox

import (
	"context"
	"errors"
	"os"
	"sync"
	"sync/atomic"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/app"
)

// Options say how Glovebox works on this host. The zero value is right for
// most programs.
type Options struct {
	// Home is the directory for runs, images, secrets and files, private to the
	// user. Empty: $GLOVEBOX_HOME, else glovebox in the XDG data directory.
	Home string
	// Isolation names the driver of the cells; empty or "gvisor" is gVisor.
	Isolation string
	// MaxCells bounds how many sandboxes run at once; 0 means two for each CPU.
	MaxCells int
	// WarmCells bounds how many cells are ready or on their way ahead of runs, and
	// WarmMemory the bytes that they hold together. 0 means two cells for each
	// CPU, at least 2 and at most 8, and an eighth of the memory of the host, at
	// most 2 GiB; less than 0 keeps none. See KeepWarm.
	WarmCells  int
	WarmMemory int64
}

// Glovebox runs tasks: in this process, made by Open, or on a server, made by
// Dial. It is safe for concurrent use.
type Glovebox struct {
	service api.Service
	host    host
	end     func() error // releases the service

	mu      sync.Mutex
	offered map[string]*function // by id
	closed  bool
}

// prepared remembers that Init was called. It is process-wide because the role
// that Init plays is that of the process.
var prepared atomic.Bool

// Init must be the first statement of main: a cell is this program, executed
// once more, and in that case Init plays the part of the cell and does not
// return. Else it returns at once.
func Init() {
	app.Reexec()
	prepared.Store(true)
}

// Open makes a Glovebox ready in this process: it finds or creates its home and
// sweeps away what killed processes left there. Close it after use.
func Open(o Options) (*Glovebox, error) {
	if !prepared.Load() {
		return nil, api.Errorf(api.Internal, "glovebox.Init was not called").
			WithHint("make glovebox.Init() the first statement of main, or of TestMain")
	}
	a, err := app.Open(context.Background(), app.Options{
		Home: o.Home, Isolation: o.Isolation, MaxCells: o.MaxCells, WarmCells: o.WarmCells, WarmMemory: o.WarmMemory,
	})
	if err != nil {
		return nil, err
	}
	return newGlovebox(a.Service(), &inProcess{register: registerer(a)}, a.Close), nil
}

func registerer(a *app.App) func(api.Task, code) (func(), error) {
	return func(task api.Task, c code) (func(), error) { return a.Functions().Register(task, c) }
}

// Connect dials the server that $GLOVEBOX_URL names, with the token in
// $GLOVEBOX_TOKEN. Without that variable it opens a Glovebox in this process,
// so that one program serves for both.
func Connect(ctx context.Context, o Options) (*Glovebox, error) {
	if url := os.Getenv("GLOVEBOX_URL"); url != "" {
		return Dial(ctx, url, DialOptions{Token: os.Getenv("GLOVEBOX_TOKEN")})
	}
	return Open(o)
}

func newGlovebox(s api.Service, h host, end func() error) *Glovebox {
	return &Glovebox{service: s, host: h, end: end, offered: map[string]*function{}}
}

// Service gives access to everything else that a Glovebox can be asked for:
// lists of runs, the catalog, blobs, the cache, images, secrets, workers, the cells that are kept ready.
func (g *Glovebox) Service() api.Service { return g.service }

// Close takes the functions of this process back and releases what Open or Dial
// took. Runs under way in this process are interrupted, and can be resumed;
// runs on a server go on. It may be called more than once.
func (g *Glovebox) Close() error {
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return nil
	}
	g.closed = true
	g.mu.Unlock()
	return errors.Join(g.host.close(), g.end())
}
