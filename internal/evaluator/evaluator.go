// Package evaluator evaluates orchestrators for the process that started it,
// and keeps nothing: no journal, no run, no file. It is the light way to run
// restricted Python from another language, see docs/EVALUATION.md.
//
// A client hands over connections, and has one evaluation under way on each of
// them at a time. It sends a task with its inputs, is asked to call the
// tools of the task, answers, and gets the result. What runs the code is the
// same as for durable runs; only the Caller differs, which here is the
// connection itself.
package evaluator

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
)

// Server evaluates for the processes that connect to it.
type Server struct {
	tasks tasks
}

// Runner runs orchestrators.
type Runner interface {
	// PrepareHere reports what is wrong with a task, and returns what makes an
	// attempt of it in the goroutine of its caller. Where that hangs, hung gets the
	// error, and the goroutine is lost.
	PrepareHere(task *api.Task) (func(ctx context.Context, r *api.Request, hung func(error)) (*api.Result, error), error)
}

// New returns a server.
func New(r Runner) *Server {
	return &Server{tasks: tasks{prepare: r.PrepareHere, known: map[string]*task{}}}
}

// Serve evaluates on the connections that are handed over by control, until its
// other end is closed or ctx ends. It closes control, and returns when nothing
// is under way any more.
func (s *Server) Serve(ctx context.Context, control *net.UnixConn) error {
	var under sync.WaitGroup
	defer under.Wait()
	defer control.Close()
	stop := context.AfterFunc(ctx, func() { control.Close() })
	defer stop()
	attached, end := context.WithCancel(ctx)
	defer end()
	for {
		fds, err := handed(control)
		if ctx.Err() != nil || errors.Is(err, io.EOF) {
			closeAll(fds)
			return nil
		}
		if err != nil {
			return err
		}
		for _, fd := range fds {
			under.Add(1)
			go s.serve(attached, newConn(fd, sync.OnceFunc(under.Done)))
		}
	}
}

// serve evaluates on one connection until its client closes it.
func (s *Server) serve(ctx context.Context, c *conn) {
	defer c.over()
	defer c.close()
	shut := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { defer close(shut); c.shutdown() })
	defer func() {
		if !stop() {
			<-shut // else another connection might have the descriptor by then
		}
	}()
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
