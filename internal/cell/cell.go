// Package cell starts disposable isolated environments and speaks to the guest
// inside them. A Driver makes cells of one technology; what a cell can do is
// the same for all of them, because everything after the start goes through
// the guest protocol (package wire).
package cell

import (
	"context"
	"io"
	"net"
	"os"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// A Driver starts cells of one technology.
type Driver interface {
	// Name is the word of the --isolation flag, such as "gvisor".
	Name() string
	// Start brings up one cell. It returns isolation_unavailable if the host
	// cannot enforce a limit of the spec; it never drops one.
	Start(ctx context.Context, spec Spec) (Instance, error)
	// Findings says what the driver rests on here and what is missing.
	Findings(ctx context.Context) []Finding
	// Sweep removes what killed processes of earlier drivers left behind.
	Sweep(ctx context.Context) error
}

// Instance is one started cell as its driver sees it.
type Instance interface {
	// Stream is the byte stream to the guest, process 1 of the cell.
	Stream() io.ReadWriteCloser
	// Program is what leads past the guest to one program of the cell; nil if
	// nothing does.
	Program() *Streams
	// Wait blocks until every process of the cell is gone and says how it ended.
	Wait() Death
	// Kill ends every process of the cell at once. It may be called often. What
	// ends them has been sent when it returns; they may take a moment to be gone.
	Kill()
	// Usage says what the cell has consumed so far.
	Usage() Usage
	// OutOfMemory says whether anything in the cell was killed so far because
	// the memory was used up.
	OutOfMemory() bool
	// Upper writes what the cell has changed on its root file system as a tar
	// with overlayfs whiteouts.
	Upper(ctx context.Context, w io.Writer) error
	// Close kills the cell if it lives, waits for its end and removes every
	// trace of it on the host.
	Close() error
}

// Streams are the ends of pipes of which a program of the cell has the others: the
// way through the guest takes longer than a short program.
type Streams struct {
	Job     *os.File // what is written here is read from its descriptor 3
	Control *os.File // what it writes to its descriptor 4
}

// Death is how a cell ended, with what it consumed.
type Death struct {
	OutOfMemory bool
	CPU         time.Duration
	PeakMemory  int64  // bytes; a peak of some milliseconds may be missed where nothing counts it
	Log         string // the last words of the isolation itself, for diagnosis
}

// Usage is what a cell has consumed while it lives.
type Usage struct {
	CPU        time.Duration
	PeakMemory int64 // bytes that programs held at most; see Death
	// Memory is what the cell holds now, in bytes, with everything that isolates
	// it and without what it shares with other cells.
	Memory int64
}

// Spec describes one cell.
type Spec struct {
	ID        string // unique, of the form [a-z0-9-]+
	RootFS    string // path of a read-only EROFS file
	Resources api.Resources
	Wall      time.Duration // the cell is killed after this time; 0 means it has no limit of its own
	// Serve handles one connection that a program in the cell opened to its
	// proxy (ProxyAddress). Nil: the guest offers no proxy, unless Proxy is set.
	Serve func(ctx context.Context, conn net.Conn)
	// Proxy makes the guest offer its proxy although Serve is nil: Adopt gives
	// the cell a handler. Connections that come before are refused.
	Proxy bool
}

// ProxyAddress is where programs in a cell find the proxy.
const ProxyAddress = "127.0.0.1:3128"

// Command is one program to run in a cell.
type Command struct {
	Argv []string
	Env  []string // complete; nothing is inherited
	Dir  string   // created by nobody; "" means /
	// Root runs the program as uid 0 of the cell, for image builds. Otherwise
	// it runs as UserID.
	Root           bool
	Stdout, Stderr io.Writer // nil discards
}

// UserID is the uid and gid of user code in a cell.
const UserID = 1000

// Exit is how a program ended.
type Exit struct {
	Code   int    // 0 to 255; -1 when a signal ended it
	Signal string // such as "SIGKILL", else empty
}

// Finding is a line of glovebox doctor.
type Finding struct {
	Subject string // what it is about, such as "memory limit"
	OK      bool
	Fatal   bool   // a run would be refused
	Detail  string // what was found, and what it rests on
	Remedy  string // how to get what is missing
}
