// Package guest is process 1 of a cell. It speaks the guest protocol (package
// wire) over its standard input and output: it receives files, runs programs
// as other users than itself, hands back what they made, and offers the only
// way out of the cell. It imports the standard library and x/sys only, so that
// the program in the cell stays small.
package guest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// Config is what the driver tells the guest on its command line.
type Config struct {
	Proxy     string // the address to listen on for programs that want out; empty for none
	Uncounted uint64 // processes of a program that the kernel of the cell does not count against its limit
}

// Main serves the host until the stream ends.
func Main(cfg Config) error {
	stream, err := takeStdio()
	if err != nil {
		return err
	}
	if err := dropRaisingLimits(); err != nil {
		return err
	}
	g := &server{reaper: newReaper(), uncounted: cfg.Uncounted}
	g.mux = wire.NewMux(wire.Guest, stream, g.accept)
	if cfg.Proxy != "" {
		if err := g.listen(cfg.Proxy); err != nil {
			return err
		}
	}
	if err := g.mux.SayHello(); err != nil {
		return err
	}
	if err := g.mux.Run(); !errors.Is(err, wire.ErrClosed) {
		return err
	}
	return nil
}

type server struct {
	mux       *wire.Mux
	reaper    *reaper
	uncounted uint64
	execMu    sync.Mutex // one program at a time: its end clears the cell
}

func (g *server) accept(kind string, request json.RawMessage, ch *wire.Channel) {
	switch kind {
	case wire.KindExec:
		answer(ch, request, g.exec)
	case wire.KindPut:
		answer(ch, request, g.put)
	case wire.KindGet:
		answer(ch, request, g.get)
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

// stdio is the stream to the host.
type stdio struct{ in, out *os.File }

func (s stdio) Read(p []byte) (int, error)  { return s.in.Read(p) }
func (s stdio) Write(p []byte) (int, error) { return s.out.Write(p) }
func (s stdio) Close() error                { return errors.Join(s.in.Close(), s.out.Close()) }

// takeStdio moves the stream away from descriptors 0 and 1 and puts the null
// device there, so that no program can inherit it.
func takeStdio() (io.ReadWriteCloser, error) {
	in, err := unix.FcntlInt(0, unix.F_DUPFD_CLOEXEC, 10)
	if err != nil {
		return nil, fmt.Errorf("moving standard input: %w", err)
	}
	out, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 10)
	if err != nil {
		return nil, fmt.Errorf("moving standard output: %w", err)
	}
	null, err := unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("opening /dev/null: %w", err)
	}
	for fd := range 2 {
		if err := unix.Dup2(null, fd); err != nil {
			return nil, fmt.Errorf("covering descriptor %d: %w", fd, err)
		}
	}
	return stdio{os.NewFile(uintptr(in), "host in"), os.NewFile(uintptr(out), "host out")}, nil
}
