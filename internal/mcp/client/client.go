// Package client runs tasks of kind mcp: tools of servers of the Model Context
// Protocol, at a URL, as a program in a session, or as one on the host where its owner
// allows that.
//
// A server is hostile: what it sends is bounded, a redirect is not followed, its
// program is in a cell unless somebody vouches for it, and its values become plain data, never files of the host.
// All calls of one tree of runs to one server share a connection (connection.go).
package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/secret"
	"github.com/glovebox-dev/glovebox/value"
)

// Config is what a Runner is made of.
type Config struct {
	// Secret returns a stored secret. It is asked with every connection.
	Secret func(name string) ([]byte, error)
	// Sessions hold the programs of servers.
	Sessions Sessions
	// Never reports the hosts that no URL leads to: private and local ones.
	Never func(host string) bool
	// HostPrograms lets programs of servers run on this machine, in no cell.
	HostPrograms bool
}

// Runner calls tools of MCP servers. It is safe for concurrent use.
type Runner struct {
	config    Config
	redactors secret.Redactors
	idle      time.Duration

	mu     sync.Mutex
	live   map[place]*connection
	closed bool
}

// New returns a runner. Close it after use.
func New(c Config) *Runner {
	return &Runner{config: c, idle: maxIdle, live: map[place]*connection{}}
}

// Identity is that of the protocol: what a server changes behind the name of a tool,
// nobody can know.
func (r *Runner) Identity(context.Context, *api.Task, func(api.Progress)) (string, error) {
	return "mcp", nil
}

// Run calls the tool once. The error, if any, is an *api.Error.
func (r *Runner) Run(ctx context.Context, runID string, req *api.Request) (*api.Result, error) {
	result := &api.Result{RunID: runID, Attempts: 1, ExitCode: -1}
	limit := cmp.Or(req.Task.Timeout, api.DefaultTimeout)
	bound, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	began := time.Now()
	output, err := r.call(bound, cmp.Or(req.Root, runID), req)
	result.Timings.Exec = time.Since(began)
	switch {
	case err == nil:
		result.ExitCode = 0
		for _, p := range req.Task.Signature.Outputs {
			result.Outputs = append(result.Outputs, api.Output{Name: p.Name, Type: p.Type, Value: output})
		}
		return result, nil
	case ctx.Err() != nil:
		return result, api.Errorf(api.Canceled, "the run was cancelled: %w", context.Cause(ctx))
	case errors.Is(bound.Err(), context.DeadlineExceeded):
		late := api.Errorf(api.Timeout, "the tool took longer than its limit of %s", limit).WithDetails(api.Details{Duration: limit})
		late.Outcome = api.Unknown
		return result, late
	}
	return result, api.AsError(err)
}

func (r *Runner) call(ctx context.Context, root string, req *api.Request) (any, error) {
	tool := req.Task.MCP
	arguments, err := arguments(req)
	if err != nil {
		return nil, err
	}
	c, err := r.acquire(ctx, root, tool.Server)
	if err != nil {
		return nil, err
	}
	defer r.release(c)
	answer, err := c.call(ctx, tool.Tool, arguments, req.Progress)
	if err != nil {
		return nil, r.failed(c, tool, err)
	}
	return output(c.redactor, req.Task, answer)
}

// failed tells a server that refused a call from one that is no use any more.
func (r *Runner) failed(c *connection, tool *api.MCPTool, err error) error {
	var refused *jsonrpc.Error
	if errors.As(err, &refused) && !errors.Is(err, mcp.ErrConnectionClosed) {
		return api.Errorf(api.FunctionFailed, "%s", words(c.redactor, refused.Message))
	}
	r.drop(c)
	return api.Errorf(api.MCPLost, "tool %s of MCP server %s: %s", tool.Tool, label(tool.Server), words(c.redactor, err.Error()))
}

// arguments are the inputs as the server knows them.
func arguments(req *api.Request) (json.RawMessage, error) {
	signature := req.Task.Signature.Inputs
	inputs, err := req.Inputs.Complete(signature)
	if err != nil {
		return nil, api.AsError(err)
	}
	given := map[string]any{}
	for _, p := range signature {
		v, _ := inputs.Value(p.Name)
		if v == nil && string(p.Default) == "null" {
			continue
		}
		if given[cmp.Or(req.Task.MCP.Arguments[p.Name], p.Name)], err = plain(v, 0); err != nil {
			return nil, api.BadValue(api.InvalidInput, "input", p.Name, err)
		}
	}
	text, err := json.Marshal(given)
	if err != nil {
		return nil, api.Errorf(api.InvalidInput, "the arguments of the tool: %w", err)
	}
	return text, nil
}

// words are those of a server, without secrets and not too many.
func words(r *secret.Redactor, text string) string {
	return value.Shorten(r.String(text), maxWords)
}

// label names a server to people.
func label(s api.MCPServer) string {
	if s.Name == "" && len(s.Command) > 0 {
		return value.Quote(s.Command[0])
	}
	return value.Quote(cmp.Or(s.Name, host(s.URL)))
}
