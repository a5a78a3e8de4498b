package glovebox

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
)

// MCPServer names a server of the Model Context Protocol: a URL, or a program that
// runs in a session of its own.
type MCPServer = api.MCPServer

// MCPTools asks a server for its tools: tasks for the Tools of an Agent or an
// Orchestrator, with names that are identifiers. All calls of one tree of runs
// share a connection.
func (g *Glovebox) MCPTools(ctx context.Context, server MCPServer) ([]Task, error) {
	listed, err := g.service.ListMCPTools(ctx, server)
	if err != nil {
		return nil, err
	}
	tools := make([]Task, len(listed))
	for i := range listed {
		tools[i] = listedTool{&listed[i]}
	}
	return tools, nil
}

// listedTool is a task that a service described.
type listedTool struct{ task *api.Task }

func (t listedTool) define(scope) (*api.Task, []Function, error) {
	task := *t.task
	return &task, nil, nil
}
