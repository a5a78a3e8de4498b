package session

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/session/contexts"
)

// drivers starts the drivers of one context in a session.
type drivers struct {
	live *live

	mu      sync.Mutex
	current *driver // the last one; nil before the first
}

// StartDriver implements contexts.Starter.
func (d *drivers) StartDriver(ctx context.Context, c contexts.Command) (contexts.Process, error) {
	l := d.live
	spec := l.process(api.ProcessSpec{Argv: c.Argv, Env: c.Env, Dir: c.Dir, Stdin: true})
	// The driver lives as long as its session, and not as long as the request.
	a, err := l.kept().StartProcess(l.service.ctx, spec)
	if err != nil {
		return nil, err
	}
	p := &driver{live: l, attachment: a, stands: l.stoodStill(), out: c, over: make(chan struct{})}
	first, err := a.Next()
	if err != nil {
		a.Close()
		return nil, err
	}
	p.ref.PID = first.PID
	p.read.Store(first.Offset)
	d.follow(p)
	return p, nil
}

// attach returns the driver that a saved context has in the memory of the session.
func (d *drivers) attach(saved journal.SavedContext, stdout, stderr io.Writer) (*driver, error) {
	l := d.live
	p := &driver{
		live: l, stands: l.stoodStill(), ref: api.ProcessRef{PID: saved.PID},
		out: contexts.Command{Stdout: stdout, Stderr: stderr}, over: make(chan struct{}),
	}
	p.read.Store(saved.Offset)
	var err error
	if p.attachment, err = l.kept().AttachProcess(l.service.ctx, p.ref, saved.Offset); err != nil {
		return nil, err
	}
	d.follow(p)
	return p, nil
}

func (d *drivers) follow(p *driver) {
	d.mu.Lock()
	d.current = p
	d.mu.Unlock()
	go p.follow()
}

// place is the process of the context, and how much of its output was read.
func (d *drivers) place() (pid int, offset int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.current == nil {
		return 0, 0
	}
	return d.current.ref.PID, d.current.read.Load()
}

// driver is the process of a context. It is followed across the moments in which
// its session stands still.
type driver struct {
	live       *live
	attachment *cell.Attachment
	stands     int
	ref        api.ProcessRef
	read       atomic.Int64 // how much of its output was handed on
	out        contexts.Command
	over       chan struct{}
	how        string // when over is closed
}

// follow hands on what the driver writes, until it has ended.
func (d *driver) follow() {
	defer close(d.over)
	defer func() { d.attachment.Close() }()
	for {
		e, err := d.attachment.Next()
		if err != nil && d.live.stoodSince(d.stands) {
			err = d.attachAgain()
			if err == nil {
				continue
			}
		}
		switch {
		case err != nil:
			d.how = "its session: " + err.Error()
			return
		case e.Type == api.ProcessExited:
			d.how = exitWords(e.Exit)
			return
		}
		var to io.Writer = d.out.Stdout
		if e.Stream == "stderr" {
			to = d.out.Stderr
		}
		if e.Type == api.ProcessOutput {
			_, _ = to.Write(e.Data) // whoever does not listen any more loses it
		}
		d.read.Store(e.Offset)
	}
}

func (d *driver) attachAgain() error {
	d.attachment.Close()
	u, err := d.live.useAgain(d.live.service.ctx)
	if err != nil {
		return err
	}
	if u == nil {
		return fmt.Errorf("it was paused")
	}
	defer u.leave()
	d.stands = u.stands
	d.attachment, err = u.cell().AttachProcess(d.live.service.ctx, d.ref, d.read.Load())
	return err
}

func exitWords(exit *api.ProcessExit) string {
	if exit.Signal != "" {
		return "it was ended by " + exit.Signal
	}
	return fmt.Sprintf("exit status %d", exit.Code)
}

// Write implements io.Writer.
func (d *driver) Write(p []byte) (int, error) {
	k := d.live.kept()
	if k == nil {
		return 0, errOver
	}
	if err := k.WriteInput(d.live.service.ctx, d.ref, p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Interrupt implements contexts.Process.
func (d *driver) Interrupt() error { return d.signal("SIGINT") }

// Kill implements contexts.Process.
func (d *driver) Kill() {
	go func() { _ = d.signal("SIGKILL") }() // one that gets no signal is over
}

func (d *driver) signal(name string) error {
	k := d.live.kept()
	if k == nil {
		return errOver
	}
	return k.SignalProcess(d.live.service.ctx, d.ref, name, true)
}

// Wait implements contexts.Process.
func (d *driver) Wait() string {
	<-d.over
	return strings.TrimSpace(d.how)
}
