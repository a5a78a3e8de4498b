package client

import (
	"context"
	"io"
	"iter"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
)

// sessionIdle ends the session of a server whose process of Glovebox died.
const sessionIdle = 10 * time.Minute

// Sessions are the part of api.Sessions that programs of servers need.
type Sessions interface {
	NewSession(ctx context.Context, spec api.SessionSpec) (*api.Session, error)
	KillSession(ctx context.Context, id string) error
	StartProcess(ctx context.Context, session string, spec api.ProcessSpec) iter.Seq2[api.ProcessEvent, error]
	WriteInput(ctx context.Context, session string, p api.ProcessRef, data []byte) error
}

// program starts the program of a server in a session of its own.
func (r *Runner) program(ctx context.Context, c *connection, server api.MCPServer) (mcp.Transport, error) {
	session, err := r.config.Sessions.NewSession(ctx, api.SessionSpec{
		Image: server.Image, Network: server.Network, Env: server.Env, Secrets: server.Secrets,
		Labels: map[string]string{"mcp": server.Name}, Idle: sessionIdle, AtEnd: api.AtEndKill,
	})
	if err != nil {
		return nil, err
	}
	living, stop := context.WithCancel(context.Background())
	p := &program{sessions: r.config.Sessions, id: session.ID, ctx: living, started: make(chan struct{})}
	c.end = sync.OnceFunc(func() {
		stop()
		_ = p.sessions.KillSession(context.Background(), p.id) // its idle time ends it otherwise
	})
	output, writer := io.Pipe()
	go p.read(writer, server.Command)
	return &mcp.IOTransport{Reader: output, Writer: p, MaxLineLength: maxMessage}, nil
}

// program is the standard input of a process in a session.
type program struct {
	sessions Sessions
	id       string
	ctx      context.Context
	started  chan struct{} // closed when the process runs, or never will
	process  api.ProcessRef
}

// read passes the output of the process on, until that ends.
func (p *program) read(to *io.PipeWriter, argv []string) {
	begun := sync.OnceFunc(func() { close(p.started) })
	defer begun()
	for e, err := range p.sessions.StartProcess(p.ctx, p.id, api.ProcessSpec{Argv: argv, Stdin: true}) {
		if err != nil {
			to.CloseWithError(err)
			return
		}
		switch {
		case e.Type == api.ProcessStarted:
			p.process.PID = e.PID
			begun()
		case e.Type == api.ProcessOutput && e.Stream == "stdout":
			if _, err := to.Write(e.Data); err != nil {
				return
			}
		}
	}
	to.CloseWithError(io.EOF)
}

// Write implements io.Writer.
func (p *program) Write(data []byte) (int, error) {
	select {
	case <-p.started:
	case <-p.ctx.Done():
		return 0, p.ctx.Err()
	}
	if err := p.sessions.WriteInput(p.ctx, p.id, p.process, data); err != nil {
		return 0, err
	}
	return len(data), nil
}

// Close leaves the process to the end of its session.
func (p *program) Close() error { return nil }
