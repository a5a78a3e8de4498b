// Package cell starts disposable isolated environments and speaks to the guest
// inside them. A Driver makes cells of one technology; what a cell can do is
// the same for all of them, because everything after the start goes through
// the guest protocol (package wire).
//
// There is one driver, gvisor, and three things here are as it needs them: the
// image is a file of this host (Spec.RootFS), the pipes past the guest are files
// of this host (Instance.Program, which may be nil), and the changed files come
// as the tar of an overlay (Instance.Upper). A driver whose cells run elsewhere,
// such as pods, brings its image there by itself, has no such pipes, and makes
// that tar in the cell.
package cell

import (
	"context"
	"io"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
)

// A Driver starts cells of one technology.
type Driver interface {
	// Name is the word of the --isolation flag, such as "gvisor".
	Name() string
	// Start brings up one cell. It returns isolation_unavailable if the host
	// cannot enforce a limit of the spec; it never drops one. A cell gets no more
	// of the disk than is free above what the host needs itself; if nothing is,
	// Start returns storage_full.
	Start(ctx context.Context, spec Spec) (Instance, error)
	// Restore brings up a cell that continues where another one was saved: with its
	// processes, their memory and their files, and with limits and a writable layer
	// of its own. It only reads the files. The saved cell must fit the spec.
	Restore(ctx context.Context, spec Spec, saved Saved, files SavedFiles) (Instance, error)
	// Findings lists what the driver needs of this host, and what of it is missing.
	Findings(ctx context.Context) []Finding
	// Sweep removes what killed processes of earlier drivers left behind.
	Sweep(ctx context.Context) error
}

// Instance is one started cell as its driver sees it.
type Instance interface {
	// Stream is the byte stream to the guest, process 1 of the cell.
	Stream() io.ReadWriteCloser
	// Program returns the pipes that lead past the guest to one program of the
	// cell; nil if the driver has none.
	Program() *Streams
	// Wait blocks until every process of the cell is gone and returns how it ended.
	Wait() Death
	// Kill sends every process of the cell its end and does not wait: they may
	// take a moment to be gone. It may be called often.
	Kill()
	// Usage returns what the cell has consumed so far.
	Usage() Usage
	// OutOfMemory reports whether anything in the cell was killed so far because
	// the memory was used up.
	OutOfMemory() bool
	// Upper writes what the cell has changed on its root file system as a tar
	// with overlayfs whiteouts, of one moment. It may be called often, while programs
	// run and while they are frozen.
	Upper(ctx context.Context, w io.Writer) error
	// Freeze stops every process of the cell where it is, and Thaw lets them go
	// on. Either does nothing if it is so already.
	Freeze(ctx context.Context) error
	Thaw(ctx context.Context) error
	// Save writes everything that the cell is into the files, and leaves it frozen.
	// If that fails, the cell runs on as before.
	Save(ctx context.Context, files SavedFiles) (Saved, error)
	// Close kills the cell if it lives, waits for its end and removes every
	// trace of it on the host.
	Close() error
}

// Streams are this side's ends of two pipes to a program of the cell. They exist
// because the way through the guest takes longer than a short program runs. They
// are files, and not streams of any kind, because a reader drains what a program
// left in its pipe without waiting.
type Streams struct {
	Job     *os.File // the program reads the other end as its descriptor 3
	Control *os.File // the program writes the other end as its descriptor 4
}

// Death is how a cell ended, with what it consumed.
type Death struct {
	OutOfMemory bool
	// NoSpace is what its files took of the disk of the host, in bytes, if it was
	// ended because that was nearly full; else 0.
	NoSpace    int64
	CPU        time.Duration
	PeakMemory int64  // bytes; a peak of some milliseconds may be missed where nothing counts it
	Log        string // the end of what the isolation itself wrote to standard error
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
	ID     string // unique, of the form [a-z0-9-]+
	RootFS string // path on this host of the image, an EROFS file that is only read
	// Layer opens what is changed of the root file system from the beginning. Nil is
	// nothing.
	Layer     OpenLayer
	Resources api.Resources
	Wall      time.Duration // the cell is killed after this time; 0 means it has no limit of its own
	// Host is the host name that programs see; empty is that of all cells.
	Host string
	// Machine is what /etc/machine-id of a restored cell is to hold; empty leaves
	// that as it was saved.
	Machine string
	// Serve handles one connection that a program in the cell opened to its
	// proxy (ProxyAddress). Nil: the guest offers no proxy, unless Proxy is set.
	Serve func(ctx context.Context, conn net.Conn)
	// Proxy makes the guest offer its proxy although Serve is nil: Adopt gives
	// the cell a handler. Connections that come before are refused.
	Proxy bool
	// Bare leaves out /etc/hosts with the names of the loopback, which a cell
	// otherwise has unless its image does. In a build it would belong to the image.
	Bare bool
	// Temporary are the directories that have an empty file system of their own,
	// which no layer has anything of. Nil is DefaultTemporary.
	Temporary []string
}

// OpenLayer opens an archive that Cell.Layer has written, or writes now, for a cell
// that has begun to start. It is read to its end, unless the start fails, and closed
// then. The start of the cell waits for OpenLayer to return, and for each reading,
// whatever else happens.
type OpenLayer func() (io.ReadCloser, error)

// A Handover is an archive of a cell that was not written yet. A driver may, instead of
// reading it, have it written to a writer of its own, which it knows again in Upper.
type Handover interface{ WriteLayer(w io.Writer) error }

// HasProxy says whether the guest offers a proxy to the programs of the cell.
func (s Spec) HasProxy() bool { return s.Serve != nil || s.Proxy }

// DefaultTemporary are the directories for what programs leave behind. A build
// from a Dockerfile has none of them: what it writes there belongs to the image.
func DefaultTemporary() []string { return []string{"/tmp", "/run"} }

// ProxyAddress is where programs in a cell find the proxy.
const ProxyAddress = "127.0.0.1:3128"

// Command is one program to run in a cell.
type Command struct {
	Argv []string
	Env  []string // complete; nothing is inherited
	Dir  string   // must exist in the cell; "" means /
	// Stdin is the path of a file in the cell; "" is an empty standard input.
	Stdin string
	// Root runs the program as uid 0 of the cell, for image builds. Otherwise
	// it runs as UserID.
	Root bool
	// As runs the program as a user of the image, for builds that say which.
	As             *Identity
	Stdout, Stderr io.Writer // nil discards
}

// Identity is a user of a cell.
type Identity struct {
	UID, GID int
	Groups   []int // further ones
}

// FieldDir is the field that the error names if there is no directory Dir.
const FieldDir = "dir"

// UserID is the uid and gid of user code in a cell.
const UserID = 1000

// Exit is how a program ended.
type Exit struct {
	Code   int    // 0 to 255; -1 when a signal ended it
	Signal string // such as "SIGKILL", otherwise empty
}

// Status is the end as a shell counts it: 128 and the number for a signal.
func (e Exit) Status() int {
	if e.Signal == "" {
		return e.Code
	}
	return 128 + int(unix.SignalNum(e.Signal))
}

// Finding is a line of glovebox doctor.
type Finding = api.Finding
