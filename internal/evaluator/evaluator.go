// Package evaluator evaluates orchestrators for the process that started it,
// and keeps nothing: no journal, no run, no file. It is the light way to run
// restricted Python from another language, see docs/EVALUATION.md.
//
// A client connects to a Unix socket and has one evaluation under way on a
// connection at a time. It sends a task with its inputs, is asked to call the
// tools of the task, answers, and gets the result. What runs the code is the
// same as for durable runs; only the Caller differs, which here is the
// connection itself.
package evaluator

import (
	"context"
	"errors"
	"net"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/evaluation"
)

// Server evaluates for the processes that connect to it.
type Server struct {
	tasks tasks
}

// New returns a server.
func New(r evaluation.Runner) *Server {
	return &Server{tasks: tasks{prepare: r.Prepare, known: map[string]*task{}}}
}

// Serve evaluates for everybody who connects, until ctx ends. It closes the
// listener, and returns when nothing is under way any more.
func (s *Server) Serve(ctx context.Context, l *net.UnixListener) error {
	var under sync.WaitGroup
	defer under.Wait()
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	for {
		c, err := l.AcceptUnix()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		fd, err := detached(c)
		if err != nil {
			return err
		}
		under.Go(func() { s.serve(ctx, fd) })
	}
}

// detached takes the socket of a connection from the runtime. A thread that
// blocks in a read wakes sooner than one that the runtime's poller has to find.
func detached(c *net.UnixConn) (fd int, err error) {
	defer c.Close()
	raw, err := c.SyscallConn()
	if err != nil {
		return -1, err
	}
	dupErr := raw.Control(func(socket uintptr) {
		if fd, err = unix.FcntlInt(socket, unix.F_DUPFD_CLOEXEC, 0); err == nil {
			err = unix.SetNonblock(fd, false)
		}
	})
	return fd, errors.Join(err, dupErr)
}

// serve evaluates on one connection until its client closes it.
func (s *Server) serve(ctx context.Context, fd int) {
	c := newConn(fd)
	defer c.close()
	stop := context.AfterFunc(ctx, c.shutdown)
	defer stop()
	for {
		f, err := c.read()
		if err != nil {
			return
		}
		if f.kind == returned || f.kind == failed {
			continue // the end of a call that the code ended without
		}
		if f.kind != evaluate || s.evaluate(ctx, c, f.body) != nil {
			return
		}
	}
}
