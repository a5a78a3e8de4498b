package cli

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/glovebox-dev/glovebox/api"
)

// attach starts a command in a session with the streams of this process, and
// returns how it ended. Whoever interrupts this process ends the command.
func (c *cli) attach(ctx context.Context, s api.Sessions, id string, spec api.ProcessSpec) (*api.ProcessExit, error) {
	if spec.Terminal != nil {
		restore, err := c.takeTerminal(&spec)
		if err != nil {
			return nil, err
		}
		defer restore()
	}
	ctx, stop := context.WithCancel(ctx)
	to := &attached{ctx: ctx, service: s, session: id}
	defer to.leave(stop)
	out, problems := forTerminal(c.Out, c.Out, spec.Terminal != nil), forTerminal(c.Err, c.Err, false)
	for e, err := range s.StartProcess(ctx, id, spec) {
		if err != nil && ctx.Err() != nil && to.process.PID != 0 {
			to.abandon()
		}
		if err != nil {
			return nil, err
		}
		switch {
		case e.Type == api.ProcessStarted:
			to.process.PID = e.PID
			if spec.Stdin || spec.Terminal != nil {
				go to.feed(c.In)
			}
			if f := terminal(c.Out); f != nil && spec.Terminal != nil {
				go watchSize(ctx, func() { to.resize(int(f.Fd())) })
			}
		case e.Exit != nil:
			return e.Exit, errors.Join(out.flush(), problems.flush())
		case e.Stream == "stderr":
			_, err = problems.Write(e.Data)
		default:
			_, err = out.Write(e.Data)
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, api.Errorf(api.Internal, "the command has no end")
}

// takeTerminal gives a command the size of the terminal of this process, and has
// that pass on every key until restore is called.
func (c *cli) takeTerminal(spec *api.ProcessSpec) (restore func(), err error) {
	if f := terminal(c.Out); f != nil {
		if columns, rows, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 && rows > 0 {
			spec.Terminal = &api.TerminalSize{Columns: columns, Rows: rows}
		}
	}
	in := inputTerminal(c.In)
	if in < 0 {
		return func() {}, nil
	}
	before, err := term.MakeRaw(in)
	if err != nil {
		return nil, usage("the terminal cannot pass on every key: %s", err).hint("leave -t out")
	}
	return func() { _ = term.Restore(in, before) }, nil
}

// inputTerminal returns the descriptor of the terminal that r is, or -1.
func inputTerminal(r io.Reader) int {
	if f, ok := r.(interface{ Fd() uintptr }); ok && term.IsTerminal(int(f.Fd())) {
		return int(f.Fd())
	}
	return -1
}

// attached is what goes to a command in a session while somebody is attached to it.
type attached struct {
	ctx     context.Context
	service api.Sessions
	session string
	process api.ProcessRef
	mu      sync.Mutex // is held while something is on its way
}

// send calls f unless nobody is attached any more: what came to a session later
// would continue one that was paused meanwhile.
func (a *attached) send(f func() error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ctx.Err() != nil {
		return a.ctx.Err()
	}
	return f()
}

// leave ends what is on its way, and lets nothing follow.
func (a *attached) leave(stop context.CancelFunc) {
	stop()
	a.mu.Lock()
	defer a.mu.Unlock()
}

func (a *attached) resize(terminal int) {
	columns, rows, err := term.GetSize(terminal)
	if err != nil || columns < 1 || rows < 1 {
		return
	}
	_ = a.send(func() error { // the command may have ended
		return a.service.ResizeTerminal(a.ctx, a.session, a.process, api.TerminalSize{Columns: columns, Rows: rows})
	})
}

// inputPiece is how much of standard input is passed on at once, in bytes.
const inputPiece = 32 << 10

// feed passes input on until it ends or the command does.
func (a *attached) feed(in io.Reader) {
	buffer := make([]byte, inputPiece)
	for {
		n, err := in.Read(buffer)
		if n > 0 && a.send(func() error { return a.service.WriteInput(a.ctx, a.session, a.process, buffer[:n]) }) != nil {
			return // what the command says of it comes on its other streams
		}
		if err != nil {
			_ = a.send(func() error { return a.service.CloseInput(a.ctx, a.session, a.process) }) // the command may have ended
			return
		}
	}
}

// abandonAfter is how long an interrupted command line waits for the command that
// it ends.
const abandonAfter = 5 * time.Second

func (a *attached) abandon() {
	ctx, stop := context.WithTimeout(context.WithoutCancel(a.ctx), abandonAfter)
	defer stop()
	_ = a.service.SignalProcess(ctx, a.session, a.process, "SIGTERM", true) // the session may be gone
}
