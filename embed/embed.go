// Package embed opens Glovebox with its engine in this process: no server, no
// daemon, nothing to install beside the program. What it returns is a
// [glovebox.Glovebox] as [glovebox.Dial] returns one of a server, and programs
// use both alike:
//
//	func main() {
//		embed.Init() // must be the first statement
//		gb, err := embed.Open(embed.Options{})
//		...
//		defer gb.Close()
//		n, err := glovebox.Call[int](ctx, gb, task, glovebox.Values{"x": 21})
//	}
//
// # Cells are this program
//
// There is no daemon: to start a cell, the engine executes the running program
// once more. [Init] recognises such a process, plays the part of the cell and
// does not return. So it must be the first statement of main, and of TestMain
// in tests that run cells; [Open] refuses to work without it. Build the program
// with CGO_ENABLED=0: a dynamically linked one cannot run inside a cell.
//
// # Linux only
//
// The engine isolates code with gVisor, which needs Linux. On other systems
// this package compiles, so that one program serves everywhere: Init does
// nothing, Open fails with isolation_unavailable, and [Connect] works with a
// server in GLOVEBOX_URL. A program that never runs the engine itself should
// import package glovebox alone: it then links neither gVisor nor the
// interpreter. One that only evaluates orchestrators imports package
// embed/interpreter, which works on every system.
package embed

import (
	"context"
	"os"

	"github.com/glovebox-dev/glovebox"
)

// Options configure the engine of this process. The zero value is right for
// most programs.
type Options struct {
	// Home is the directory that keeps runs, images, secrets and files. It must
	// belong to this user, and nobody else may write to it. Processes of one home
	// share its images and cached results, and can resume each other's runs.
	// Empty means $GLOVEBOX_HOME, or glovebox in the XDG data directory
	// (~/.local/share/glovebox).
	Home string
	// Isolation names the driver that starts cells. "gvisor", the default, is the
	// only one, and any other name makes Open fail.
	Isolation string
	// MaxCells limits how many sandboxes run at the same time; further runs wait
	// in a queue. Each needs the memory and CPU of its Resources: too high a limit
	// overcommits the host and makes runs fail as out_of_memory, too low a limit
	// leaves CPUs idle while runs wait. 0 means two for each CPU.
	MaxCells int
	// WarmCells limits how many cells are kept started ahead of runs, see
	// Glovebox.KeepWarm. Each holds some tens of megabytes; without a warm cell, a
	// run first waits for one to start. 0 means two for each CPU, at least 2 and at
	// most 8; a negative number keeps none.
	WarmCells int
	// WarmMemory limits the bytes of memory that warm cells hold together. Cells
	// with large preloaded modules reach it before WarmCells. 0 means an eighth of
	// the memory of the host, at most 2 GiB; a negative number keeps no cells warm.
	WarmMemory int64
}

// Connect dials the server that $GLOVEBOX_URL names, with the token in
// $GLOVEBOX_TOKEN. Without that variable it opens the engine in this process,
// so that one program serves for both.
func Connect(ctx context.Context, o Options) (*glovebox.Glovebox, error) {
	if url := os.Getenv("GLOVEBOX_URL"); url != "" {
		return glovebox.Dial(ctx, url, glovebox.DialOptions{Token: os.Getenv("GLOVEBOX_TOKEN")})
	}
	return Open(o)
}
