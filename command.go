package glovebox

import (
	"bytes"
	"context"
	"io"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Types of commands.
type (
	// TerminalSize is the size of a terminal in characters.
	TerminalSize = api.TerminalSize
	// ProcessExit is how a command ended.
	ProcessExit = api.ProcessExit
)

// Command is a command of a session, made by Session.Command. Its fields are set
// before it is started, as those of os/exec.
type Command struct {
	Argv []string          // the program, found in PATH, and its arguments
	Env  map[string]string // in addition to that of the session
	Dir  string            // empty means that of the session
	User string            // a name, a number, or root; empty means that of the session
	Tag  string            // a name by which others find it
	// Timeout ends it and everything that it started; 0 means without bound.
	Timeout time.Duration
	// Stdin is passed on as it comes; nil is empty. A Read that is under way when
	// the command ends stays so until it returns.
	Stdin io.Reader
	// Stdout and Stderr get what the command writes; nil discards it. With a
	// terminal all comes to Stdout.
	Stdout, Stderr io.Writer
	Terminal       *TerminalSize // gives it a terminal

	session *Session
}

// Output is what a command wrote, and how it ended.
type Output struct {
	Stdout, Stderr []byte
	Exit           ProcessExit
}

// maxOutput bounds what Exec and ReadFile keep in memory, in bytes.
const maxOutput = 64 << 20

// Command returns a command that has not been started.
func (s *Session) Command(argv ...string) *Command { return &Command{Argv: argv, session: s} }

// Exec runs a command to its end and returns what it wrote, also beside an error. A
// status that is not 0 is nonzero_exit. More than 64 MiB on one stream are
// output_too_large, which Command takes in pieces.
func (s *Session) Exec(ctx context.Context, argv ...string) (*Output, error) {
	stdout, stderr := &bounded{}, &bounded{}
	c := s.Command(argv...)
	c.Stdout, c.Stderr = stdout, stderr
	p, err := c.Start(ctx)
	if err != nil {
		return &Output{}, err
	}
	exit, err := p.Wait()
	out := &Output{Stdout: stdout.Bytes(), Stderr: stderr.Bytes()}
	if exit != nil {
		out.Exit = *exit
	}
	return out, err
}

// bounded keeps what is written to it, up to maxOutput.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxOutput {
		return 0, api.Errorf(api.OutputTooLarge, "more than %d bytes came", maxOutput).
			WithHint("take it in pieces: a Command with a writer of your own, or Session.Open").WithDetails(api.Details{Limit: maxOutput})
	}
	return b.Buffer.Write(p)
}

// Run starts the command and waits for its end. A status that is not 0 is
// nonzero_exit.
func (c *Command) Run(ctx context.Context) error {
	p, err := c.Start(ctx)
	if err != nil {
		return err
	}
	_, err = p.Wait()
	return err
}

// Process is a command that was started.
type Process struct {
	session *Session
	ref     api.ProcessRef
	timeout time.Duration
	feeding sync.Mutex    // is held while input is on its way
	ended   chan struct{} // closed when exit and err are there
	exit    *ProcessExit
	err     error
}

// Start starts the command and returns once it runs. The end of ctx kills it.
func (c *Command) Start(ctx context.Context) (*Process, error) {
	p := &Process{session: c.session, timeout: c.Timeout, ended: make(chan struct{})}
	begun := make(chan struct{})
	begin := sync.OnceFunc(func() { close(begun) })
	go func() {
		defer close(p.ended)
		defer begin()
		p.exit, p.err = c.follow(ctx, p, begin)
	}()
	<-begun
	if p.ref.PID != 0 {
		return p, nil
	}
	<-p.ended
	return nil, p.err
}

// follow carries the streams of a command until it has ended.
func (c *Command) follow(ctx context.Context, p *Process, begin func()) (*ProcessExit, error) {
	spec := api.ProcessSpec{Argv: c.Argv, Env: c.Env, Dir: c.Dir, User: c.User, Tag: c.Tag, Terminal: c.Terminal, Timeout: c.Timeout, Stdin: c.Stdin != nil && c.Terminal == nil}
	feeding, stop := context.WithCancel(ctx)
	defer p.starve(stop)
	for e, err := range p.session.service.StartProcess(ctx, p.session.id, spec) {
		switch {
		case err != nil && p.ref.PID != 0 && ctx.Err() != nil:
			p.abandon(ctx)
			return nil, api.Errorf(api.Canceled, "the command was ended: %w", context.Cause(ctx))
		case err != nil:
			return nil, err
		case e.Type == api.ProcessStarted:
			p.ref.PID = e.PID
			if c.Stdin != nil {
				go p.feed(feeding, c.Stdin)
			}
			begin()
		case e.Exit != nil:
			return e.Exit, nil
		default:
			if err := c.write(e); err != nil {
				p.abandon(ctx)
				return nil, err
			}
		}
	}
	return nil, api.Errorf(api.Internal, "the command has no end")
}

func (c *Command) write(e api.ProcessEvent) error {
	to := c.Stdout
	if e.Stream == "stderr" {
		to = c.Stderr
	}
	if to == nil || len(e.Data) == 0 {
		return nil
	}
	_, err := to.Write(e.Data)
	return err
}

// abandonTime bounds the killing of a command whose caller gave up.
const abandonTime = 10 * time.Second

// abandon kills a command that its caller has given up.
func (p *Process) abandon(ctx context.Context) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), abandonTime)
	defer stop()
	_ = p.session.service.SignalProcess(ctx, p.session.id, p.ref, "SIGKILL", true) // the session may be gone
}

// inputPiece is how much of standard input is passed on at once, in bytes.
const inputPiece = 64 << 10

// feed passes input on until it ends or the command does.
func (p *Process) feed(ctx context.Context, from io.Reader) {
	buffer := make([]byte, inputPiece)
	for {
		n, err := from.Read(buffer)
		if !p.pass(ctx, buffer[:n], err != nil) {
			return
		}
	}
}

// pass passes a piece of input on, and its end. more says that it wants more.
func (p *Process) pass(ctx context.Context, data []byte, last bool) (more bool) {
	p.feeding.Lock()
	defer p.feeding.Unlock()
	if ctx.Err() != nil { // what came to the session later would continue one that was paused
		return false
	}
	if len(data) > 0 && p.session.service.WriteInput(ctx, p.session.id, p.ref, data) != nil {
		return false // the command has ended, or says on its own streams what is wrong
	}
	if last {
		_ = p.session.service.CloseInput(ctx, p.session.id, p.ref) // the command may have ended
	}
	return !last
}

// starve ends what is on its way to the command, and lets nothing follow.
func (p *Process) starve(stop context.CancelFunc) {
	stop()
	p.feeding.Lock()
	defer p.feeding.Unlock()
}

// PID returns the number of the command in its cell.
func (p *Process) PID() int { return p.ref.PID }

// Signal sends a signal to the command and all that it started, such as SIGTERM.
func (p *Process) Signal(ctx context.Context, signal string) error {
	return p.session.service.SignalProcess(ctx, p.session.id, p.ref, signal, true)
}

// Resize changes the size of its terminal.
func (p *Process) Resize(ctx context.Context, size TerminalSize) error {
	return p.session.service.ResizeTerminal(ctx, p.session.id, p.ref, size)
}

// Wait waits for the end of the command, and returns how it ended, also beside the
// error that this is: nonzero_exit, signaled or timeout.
func (p *Process) Wait() (*ProcessExit, error) {
	<-p.ended
	switch {
	case p.err != nil:
		return p.exit, p.err
	case p.exit.TimedOut:
		return p.exit, api.Errorf(api.Timeout, "the command took longer than %s", p.timeout).WithDetails(api.Details{Duration: p.timeout})
	case p.exit.Signal != "":
		return p.exit, api.Errorf(api.Signaled, "the command was ended by %s", p.exit.Signal).WithDetails(api.Details{Signal: p.exit.Signal})
	case p.exit.Status != 0:
		return p.exit, api.Errorf(api.NonzeroExit, "the command ended with status %d", p.exit.Status).WithDetails(api.Details{ExitCode: p.exit.Status})
	}
	return p.exit, nil
}
