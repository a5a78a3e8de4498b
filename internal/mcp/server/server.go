// Package server is the MCP server of Glovebox: a face of any api.Service for
// coding agents and other clients of the Model Context Protocol.
//
// Its tools are few and flat. Those that run something answer alike: a view,
// whose JSON is the structured content and whose text is for the model. All that
// goes to a model is bounded, says how much was left out, and where the rest is.
// A failed run is no failure of the protocol: its answer is marked as an error,
// with the message and the hint of the run's.
//
// A Server serves one client on standard input and output ([Server.Serve]), or
// any number over HTTP ([Server.Handler]).
package server

import (
	"context"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
)

// Config is what a Server is made of.
type Config struct {
	Service api.Service
	Version string       // of the program
	Logger  *slog.Logger // nil discards
}

// Server answers clients of MCP. It is safe for concurrent use.
type Server struct {
	service api.Service
	logger  *slog.Logger
	mcp     *mcp.Server
	calls   chan struct{} // a place for each call of a tool

	refreshing sync.Mutex
	refreshed  time.Time         // when the deployed tasks were looked at last
	tasks      map[string]string // the versions that are tools, by their names as such
}

// maxCalls is how many calls of tools may be under way, of all clients together.
const maxCalls = 256

const instructions = `Glovebox runs code in disposable, isolated cells: no network, no files of the user's machine, limits on time and memory.

- run_python and run_command run something once, in a fresh cell. Declare packages and the hosts of the network that are needed; nothing else is reachable.
- session_create keeps a cell: session_run executes code with state, as a notebook does, session_exec commands; file_write, file_read and file_list move data in and out; session_fork copies it, session_close ends it.
- Deployed tasks are tools that begin with task_ (a point in the name of a task is two underscores). tool_search and tool_describe find them, task_run runs one, code_mode runs a program that calls many and returns only the result.
- For long work set background, then ask run_get.
- Answers are bounded: "cut" says what was left out and where the rest is. Output files are resources, glovebox://runs/RUN/outputs/NAME.`

// New returns a server with all tools.
func New(c Config) *Server {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{service: c.Service, logger: c.Logger, calls: make(chan struct{}, maxCalls)}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "glovebox", Title: "Glovebox", Version: c.Version}, &mcp.ServerOptions{
		Instructions: instructions,
		Capabilities: &mcp.ServerCapabilities{},
	})
	s.addRuns()
	s.addSessions()
	s.addCode()
	s.addExec()
	s.addFiles()
	s.addTasks()
	s.addSearch()
	s.addCodeMode()
	s.addResources()
	s.mcp.AddReceivingMiddleware(s.guard)
	return s
}

// Serve answers one client until in or ctx ends. What the client waits for then
// is canceled. Nothing but the protocol goes to out.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	s.refresh(ctx)
	err := s.mcp.Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(in), Writer: unclosed{out}})
	if ctx.Err() != nil {
		return nil // as asked
	}
	return err
}

type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// The methods of the protocol that are treated apart.
const (
	methodCall = "tools/call"
	methodList = "tools/list"
)

// guard bounds the calls under way, and keeps a panic from ending the process.
func (s *Server) guard(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.logger.Error("a request of an MCP client panicked", "method", method, "panic", p, "stack", string(debug.Stack()))
				result, err = nil, api.Errorf(api.Internal, "the server failed; its log has more about this request")
			}
		}()
		if method == methodCall || method == methodList {
			s.refresh(ctx)
		}
		if method != methodCall {
			return next(ctx, method, req)
		}
		select {
		case s.calls <- struct{}{}:
			defer func() { <-s.calls }()
			return next(ctx, method, req)
		default:
			return refusal(api.Errorf(api.Overloaded, "%d calls of tools are under way already", maxCalls)), nil
		}
	}
}
