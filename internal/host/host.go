// Package host describes the engine of this machine as the command line sees
// it: how it is opened, served and pruned. Package app implements it on Linux;
// [None] stands for it on other systems, where the command line can only use a
// server.
//
// The command line gets an Engine from its main package instead of importing
// one, so that it builds, and is tested, without gVisor.
package host

import (
	"context"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"runtime"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/home"
	"github.com/glovebox-dev/glovebox/internal/prune"
)

// Engine is the engine of this machine.
type Engine interface {
	// Open opens the home and everything that works on it.
	Open(context.Context, Options) (System, error)
	// Prune removes from the home what was not used lately. Unlike Open followed
	// by System.Prune, it works on a disk that is full.
	Prune(context.Context, Options, api.PruneRequest) (*api.Pruned, error)
	// MoveJournal moves the journal of the home, to the URL of a database or InHome.
	MoveJournal(ctx context.Context, o Options, to string) (*MovedJournal, error)
	// MoveBlobs moves the blobs of the home, to an address in a store or BlobsInHome.
	MoveBlobs(ctx context.Context, o Options, to string) (*MovedBlobs, error)
	// Evaluate evaluates orchestrators on the connections that are handed over by
	// a Unix socket, until that or ctx ends, and keeps nothing. It calls ready
	// when it can be used.
	Evaluate(ctx context.Context, control *os.File, ready func()) error
	// Interpreter returns a service that evaluates, checks and describes
	// orchestrators, and has no home.
	Interpreter() (api.Service, error)
	// Monty answers a client of Monty's worker protocol on a pair of streams,
	// until the first one ends. The home keeps the key of what the client saves.
	Monty(ctx context.Context, home string, in io.Reader, out io.Writer) error
	// ServePage answers browsers at o.Listen with the page of a service, such as a
	// server that no browser reaches, until ctx ends.
	ServePage(ctx context.Context, service api.Service, o ServeOptions) error
	// Isolation returns the version of gVisor, or "" without an engine.
	Isolation() string
}

// System is an open engine. Closing it releases the home.
type System interface {
	api.Service
	// Serve answers HTTP requests until ctx ends, see ServeOptions.
	Serve(context.Context, ServeOptions) error
}

// LabelLimit is how many runs with a label work at the same time, on all nodes together.
type LabelLimit struct {
	Name, Value string
	Most        int
}

// Options say how an engine is put together. The zero value is the default.
type Options struct {
	Home string // directory of all state; empty: $GLOVEBOX_HOME, else in the XDG data directory
	// Journal is the URL of the database of Postgres that has the journal; empty is that
	// of JournalVariable, else a file in the home.
	Journal string
	// Shared is a directory that all nodes on one journal see, with what its rows name;
	// empty keeps that in the home.
	Shared string
	// Blobs is the address of the blobs in a store that speaks S3; empty is that of
	// BlobsVariable, else a directory of the home.
	Blobs     string
	Isolation string // name of the driver; empty: gvisor
	MaxCells  int    // attempts of sandboxes at once; 0: two for each CPU
	// MaxCellMemory limits the memory that a task may ask for, in bytes; 0 does not.
	MaxCellMemory int64
	MaxSessions   int // sessions with a cell at once; 0: 500
	// NodeLabels are what runs select this node by.
	NodeLabels map[string]string
	// LabelLimits are how many runs with a label work at the same time.
	LabelLimits []LabelLimit
	// NodeMemory is how much memory the sandboxes of the runs of this node may ask for
	// together, in bytes; 0 means what there is. Beyond that it leaves runs to others.
	NodeMemory int64
	MaxRuns    int // attempts of orchestrators at once, and as many of functions; 0: 1000
	// WarmCells and WarmMemory, in bytes, limit all warm cells together; 0 takes
	// the defaults, and less keeps none.
	WarmCells  int
	WarmMemory int64
	// BuildNetwork is what commands of images may reach; nil: everything public.
	BuildNetwork *api.Network
	// ValueMemory is how many bytes the values of runs and requests may take
	// together while they are decoded; 0 means half of the memory, at most 8 GiB.
	ValueMemory int64
	// RunLog is how many bytes a run keeps of what it prints; 0 means 256 MiB.
	RunLog int64
	// Reading promises that the caller only reads. A home that cannot be written
	// is then opened all the same, and everything else is refused.
	Reading bool
	// Full is called, from any goroutine, when the end of a run or its outputs
	// begin to wait for space on the disk; nil logs it.
	Full func()
	// Pruning lets it use the disk space that is reserved for making room.
	Pruning bool
	Version string       // of the program
	Logger  *slog.Logger // nil discards
}

// JournalVariable has the URL of the journal, for every command.
const JournalVariable = "GLOVEBOX_JOURNAL"

// InHome names a file in the home as the place of the journal.
const InHome = "sqlite"

// BlobsVariable has the address of the blobs, for every command.
const BlobsVariable = "GLOVEBOX_BLOBS"

// BlobsInHome names a directory of the home as the place of the blobs.
const BlobsInHome = "home"

// MovedBlobs says what was moved.
type MovedBlobs struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Kept  string `json:"kept"` // where the originals are
	Blobs int64  `json:"blobs"`
	Bytes int64  `json:"bytes"`
}

// MovedJournal says what was moved.
type MovedJournal struct {
	From   string       `json:"from"`
	To     string       `json:"to"`
	Kept   string       `json:"kept"` // where the original is
	Rows   int64        `json:"rows"`
	Tables []MovedTable `json:"tables"`
}

// MovedTable is what a table held, and holds now.
type MovedTable struct {
	Table  string `json:"table"`
	Rows   int64  `json:"rows"`
	Digest string `json:"digest"` // SHA-256 of its rows
}

// NoWarmCells, as Options.WarmCells, keeps no cells warm, whoever asks for them.
const NoWarmCells = -1

// ServeOptions say where a server listens and whom it lets in.
type ServeOptions struct {
	Listen          string // unix:PATH or HOST:PORT; empty: a socket in the home
	TLSCert, TLSKey string // files in PEM; both or none
	TokenFile       string // holds the token that clients send
	Token           string // the same, in place of a file
	// Advertise is the address by which other nodes on the journal reach this one:
	// https://HOST:PORT. Empty is that of Listen, and for one on all addresses of the
	// machine the one that the connection to the database has.
	Advertise string
	// Hosts are names and addresses that clients call the server by, beside
	// localhost and the address that they reach. Without TLS it refuses others.
	Hosts   []string
	Version string // of the program
	// NotifyAllow are the addresses that receivers of notifications may be at although
	// they are those of this host or private ones.
	NotifyAllow []netip.Prefix
	// PublicURL is the address that people reach the page at; empty is that of a
	// listener on a network.
	PublicURL string
	// Retention is how long what was used is kept; the zero value keeps it. Attached
	// servers remove nothing.
	Retention api.Retention
	// Attached makes a server for the process that started it, beside others on
	// the same home: it leaves their runs alone, and stops within seconds.
	Attached bool
	// Drain is how long runs under way may take to end when the server stops.
	// The rest is interrupted then. An attached server ignores it and stops
	// without a drain, because its only client is gone.
	Drain time.Duration
	// Hurry ends the drain; nil never does.
	Hurry <-chan struct{}
	// Ready is called with the address when the server answers.
	Ready func(address string)
}

// None stands for the engine on a system that has none.
type None struct{}

// Open fails with an error that says what to do instead.
func (None) Open(context.Context, Options) (System, error) { return nil, Missing() }

// Prune removes old files of runs on servers: the home keeps nothing else.
func (None) Prune(ctx context.Context, o Options, r api.PruneRequest) (*api.Pruned, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	dir, err := home.Find(o.Home, os.Getenv)
	if err != nil {
		return nil, err
	}
	pruned, err := prune.Downloads(ctx, dir, r.OlderThan)
	return &pruned, err
}

// MoveJournal fails like Open.
func (None) MoveJournal(context.Context, Options, string) (*MovedJournal, error) {
	return nil, Missing()
}

// MoveBlobs fails like Open.
func (None) MoveBlobs(context.Context, Options, string) (*MovedBlobs, error) { return nil, Missing() }

// Evaluate fails like Open.
func (None) Evaluate(context.Context, *os.File, func()) error { return Missing() }

// Interpreter fails like Open.
func (None) Interpreter() (api.Service, error) { return nil, Missing() }

// Monty fails like Open.
func (None) Monty(context.Context, string, io.Reader, io.Writer) error { return Missing() }

// ServePage fails like Open.
func (None) ServePage(context.Context, api.Service, ServeOptions) error { return Missing() }

// Isolation returns "".
func (None) Isolation() string { return "" }

// Missing returns the error of a system without an engine.
func Missing() error {
	return api.Errorf(api.IsolationUnavailable, "the engine needs Linux, and this is %s", runtime.GOOS).
		WithHint("run glovebox serve on a Linux machine, or in a virtual machine such as WSL 2, and set GLOVEBOX_URL to its address, such as http://127.0.0.1:8700, and GLOVEBOX_TOKEN")
}
