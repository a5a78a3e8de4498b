package glovebox

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// mcpFake lists the tools of one server.
type mcpFake struct {
	api.Service
	tools []api.Task
}

func (f mcpFake) ListMCPTools(_ context.Context, s MCPServer) ([]api.Task, error) {
	if s.Name != "docs" {
		return nil, api.Errorf(api.MCPUnavailable, "there is no server %s", s.Name)
	}
	return f.tools, nil
}

func TestMCPTools(t *testing.T) {
	search := api.Task{
		Name: "search", Kind: api.KindMCP, MCP: &api.MCPTool{Server: MCPServer{Name: "docs"}, Tool: "search"},
		Signature: api.Signature{Inputs: []value.Param{{Name: "query", Type: value.Type{Kind: value.KindStr}}}, Outputs: []value.Param{{Name: "result", Type: value.Type{Kind: value.KindStr}}}},
	}
	gb := New(mcpFake{tools: []api.Task{search}}, nil)
	tools, err := gb.MCPTools(t.Context(), MCPServer{Name: "docs"})
	if err != nil || len(tools) != 1 {
		t.Fatalf("%v, %v", tools, err)
	}
	task := defined(t, Orchestrator{Name: "asker", Source: `search("x")`, Output: "str", Tools: tools})
	if d := cmp.Diff([]api.Task{search}, task.Orchestrator.Tools); d != "" {
		t.Error(d)
	}
	if _, err := gb.MCPTools(t.Context(), MCPServer{Name: "other"}); api.AsError(err).Code != api.MCPUnavailable {
		t.Error(err)
	}
}
