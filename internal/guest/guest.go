// Package guest is process 1 of a cell. It speaks the guest protocol (package
// wire) over its standard input and output: it receives files, runs programs
// as other users than itself, hands back what they made, and offers the only
// connection out of the cell. It imports the standard library and x/sys only, so that
// the program in the cell stays small.
package guest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// umask is that of the guest and of the programs it starts.
const umask = 0o022

// Config is what the driver tells the guest on its command line.
type Config struct {
	Proxy     string // the address to listen on for programs that want out; empty for none
	Uncounted uint64 // processes of a program that the kernel of the cell does not count against its limit
	Direct    bool   // descriptors 3 and 4 are for the program that is to have them
	Bare      bool   // the loopback gets no names
}

// Main serves the host until the stream ends.
func Main(cfg Config) error {
	// One thread at a time: handing work to another one costs more in a cell
	// than all that a request does.
	runtime.GOMAXPROCS(1)
	unix.Umask(umask)
	stream, err := takeStdio()
	if err != nil {
		return err
	}
	if err := dropRaisingLimits(); err != nil {
		return err
	}
	direct, err := takeDirect(cfg.Direct)
	if err != nil {
		return err
	}
	jobs, err := openJobs()
	if err != nil {
		return err
	}
	g := &server{jobs: jobs, direct: direct, reaper: newReaper(), accounts: newAccounts(), uncounted: cfg.Uncounted}
	if !cfg.Bare {
		_ = g.hosts.name() // an image that cannot have the file does without
	}
	g.converse(stream)
	if cfg.Proxy != "" {
		if err := g.listen(cfg.Proxy); err != nil {
			return err
		}
	}
	if err := g.serve(stream); !errors.Is(err, wire.ErrClosed) {
		return err
	}
	return nil
}

// serve serves one connection after the other, until the stream ends. Between two
// the cell may have been saved, and this may be another one.
func (g *server) serve(stream io.ReadWriteCloser) error {
	for {
		mux := g.mux.Load()
		if err := mux.SayHello(); err != nil {
			return err
		}
		if err := mux.Run(); !errors.Is(err, wire.ErrQuiet) {
			return err
		}
		greeting, err := wire.AwaitGreeting(stream)
		if err != nil {
			return err
		}
		if greeting.Restored {
			g.renew(greeting)
		}
		g.converse(stream)
	}
}

func (g *server) converse(stream io.ReadWriteCloser) {
	g.mux.Store(wire.NewMux(wire.Guest, stream, g.accept))
}

type server struct {
	mux       atomic.Pointer[wire.Mux]
	reaper    *reaper
	uncounted uint64
	execMu    sync.Mutex // one program at a time: its end clears the cell
	direct    []*os.File // control input and output past the guest, until a program has them
	dirs      dirCache
	launchMu  sync.Mutex // one program is started at a time
	processes processes
	jobs      *jobs
	accounts  *accounts
	watches   atomic.Int64 // directories that are watched
	hosts     hosts

	generation uint64 // how often the cell was restored
}

func (g *server) accept(kind string, request json.RawMessage, ch *wire.Channel) {
	switch kind {
	case wire.KindExec:
		answer(ch, request, g.exec)
	case wire.KindPut:
		answer(ch, request, g.put)
	case wire.KindGet:
		answer(ch, request, g.get)
	case wire.KindStart:
		answer(ch, request, g.startProcess)
	case wire.KindFollow:
		answer(ch, request, g.followProcess)
	case wire.KindList:
		answer(ch, request, g.listProcesses)
	case wire.KindInput:
		answer(ch, request, g.writeInput)
	case wire.KindSignal:
		answer(ch, request, g.signalProcess)
	case wire.KindResize:
		answer(ch, request, g.resizeTerminal)
	case wire.KindStat:
		answer(ch, request, g.statFile)
	case wire.KindListDir:
		answer(ch, request, g.listDir)
	case wire.KindMakeDir:
		answer(ch, request, g.makeDir)
	case wire.KindMove:
		answer(ch, request, g.moveFile)
	case wire.KindRemove:
		answer(ch, request, g.removeFile)
	case wire.KindRead:
		answer(ch, request, g.readFile)
	case wire.KindWrite:
		answer(ch, request, g.writeFile)
	case wire.KindDownload:
		answer(ch, request, g.download)
	case wire.KindUpload:
		answer(ch, request, g.upload)
	case wire.KindMetrics:
		answer(ch, request, g.metrics)
	case wire.KindUser:
		answer(ch, request, g.lookUpUser)
	case wire.KindWatch:
		answer(ch, request, g.watch)
	case wire.KindConnect:
		answer(ch, request, g.connect)
	default:
		ch.Close(wire.Done{Error: fmt.Sprintf("unknown kind of channel %q", kind)})
	}
}

// answer decodes the request, serves it and closes the channel with the status.
func answer[Request, Status any](ch *wire.Channel, raw json.RawMessage, serve func(Request, *wire.Channel) Status) {
	var request Request
	if err := json.Unmarshal(raw, &request); err != nil {
		ch.Close(wire.Done{Error: err.Error()})
		return
	}
	ch.Close(serve(request, ch))
}
