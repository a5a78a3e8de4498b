package taskfile

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// tool is a tool of a server as a listing has it.
func tool(server api.MCPServer, name, as string) api.Task {
	return api.Task{
		Name: as, Kind: api.KindMCP, MCP: &api.MCPTool{Server: server, Tool: name},
		Signature: api.Signature{Outputs: []value.Param{{Name: "result", Type: value.Type{Kind: value.KindStr}}}},
	}
}

// listTools is what servers answer, by their names.
func listTools(server api.MCPServer) ([]api.Task, error) {
	switch server.Name {
	case "down":
		return nil, api.Errorf(api.MCPUnavailable, "MCP server %q: connection refused", server.Name)
	case "empty":
		return nil, nil
	case "strange":
		return []api.Task{{Name: "x", Kind: api.KindSandbox, Code: "x"}}, nil
	case "long":
		return []api.Task{tool(server, "a", strings.Repeat("a", 250))}, nil
	}
	return []api.Task{tool(server, "search", "search"), tool(server, "read-page", "read_page"), tool(server, "drop", "drop")}, nil
}

func TestMCPServers(t *testing.T) {
	f, err := Parse([]byte(`
name: shop
environment: {timeout: 30s, retries: 1, cache: auto, env: {A: one}}
mcp:
  docs:
    url: https://docs.example.com/mcp
    token: DOCS_TOKEN
    prefix: docs_
    tools: {read-page: {cache: auto, idempotent: true, timeout: 5, retries: 3}, search: {}}
  files:
    command: [files, --stdio]
    image: {base: debian}
    env: {PORT: 1}
    secrets: [KEY=KEY]
    network: [a.example]
    tools: [drop]
  own: {url: "http://127.0.0.1:1/mcp", host: true, prefix: own_}
tasks:
  ask: {kind: orchestrator, tools: [docs_search, own_drop], code: docs_search()}
`), Options{Path: "f", ListTools: listTools})
	if err != nil {
		t.Fatal(err)
	}
	docs := api.MCPServer{Name: "docs", URL: "https://docs.example.com/mcp", Token: "DOCS_TOKEN"}
	files := api.MCPServer{
		Name: "files", Command: []string{"files", "--stdio"}, Image: api.ImageSpec{Base: "debian"}, Env: map[string]string{"PORT": "1"},
		Secrets: []api.SecretRef{{Name: "KEY", Env: "KEY"}}, Network: api.Network{Allow: []string{"a.example"}},
	}
	own := api.MCPServer{Name: "own", URL: "http://127.0.0.1:1/mcp", Host: true}
	of := func(task api.Task) api.Task {
		task.Timeout, task.Retries = 30*time.Second, 1
		return task
	}
	read := tool(docs, "read-page", "docs_read_page")
	read.Timeout, read.Retries, read.Cache, read.Idempotent = 5*time.Second, 3, api.CacheAuto, true
	search := of(tool(docs, "search", "docs_search"))
	all := []api.Task{of(tool(own, "search", "own_search")), of(tool(own, "read-page", "own_read_page")), of(tool(own, "drop", "own_drop"))}
	ask := api.Task{Name: "ask", Kind: api.KindOrchestrator, Code: "docs_search()", Orchestrator: &api.Orchestrator{Tools: []api.Task{search, all[2]}}}
	want := append([]api.Task{ask, read, search, of(tool(files, "drop", "drop"))}, all...)
	if diff := cmp.Diff(want, f.Tasks); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := f.Deployment().Tasks[1].Name; got != "shop.docs_read_page" {
		t.Errorf("a tool is deployed as %s", got)
	}
}

func TestMCPErrors(t *testing.T) {
	const url = `url: "https://h/mcp"`
	for _, test := range []struct{ yaml, want, hint string }{
		{"mcp: {}", "f:1:6: mcp has 1 to 20 servers, this one has 0", ""},
		{"mcp: [a]", "mcp is written as a mapping", ""},
		{"mcp: {a b: {" + url + "}}", `f:1:7: "a b" is no name`, ""},
		{"mcp: {a: {}}", "f:1:7: MCP server a has no way to it, or two", "its url, or the command"},
		{"mcp: {a: {" + url + ", command: [x]}}", "MCP server a has no way to it, or two", ""},
		{"mcp: {a: {command: []}}", "MCP server a has no way to it, or two", ""},
		{"mcp: {a: {uri: x}}", `f:1:11: MCP server a has no "uri"`, "did you mean url?"},
		{"mcp: {a: {" + url + ", token: 5}}", "expected a string, got", ""},
		{"mcp: {a: {" + url + ", host: maybe}}", "expected true or false", ""},
		{"mcp: {a: {" + url + ", prefix: docs}}", `the prefix "docs" is no beginning of a name`, "docs_"},
		{"mcp: {a: {" + url + ", prefix: '1_'}}", "the prefix", ""},
		{"mcp: {a: {" + url + ", prefix: " + strings.Repeat("x", 30) + "_}}", "is no beginning", ""},
		{"mcp: {a: {" + url + ", tools: []}}", "tools names 1 to 1000 tools, this one names 0", "leave it out"},
		{"mcp: {a: {" + url + ", tools: all}}", "tools is written as a list", ""},
		{"mcp: {a: {" + url + ", tools: [5]}}", "expected a string", ""},
		{"mcp: {a: {" + url + ", tools: {search: {cach: auto}}}}", `tool search has no "cach"`, "did you mean cache?"},
		{"mcp: {a: {" + url + ", tools: {search: {cache: maybe}}}}", "expected auto or override or disable", ""},
		{"mcp: {a: {" + url + ", tools: [serch]}}", `f:1:41: mcp.a.tools: the server has no tool "serch"`, "did you mean search?"},
		{"mcp: {a: {" + url + ", tools: [zzzzzzzz]}}", `the server has no tool "zzzzzzzz"`, `it has: "drop", "read-page", "search"`},
		{"mcp: {a: {" + url + ", tools: [drop, drop]}}", `f:1:47: mcp.a: tool "drop" would be called drop, as another task of the file is`, "a prefix"},
		{"mcp: {a: {" + url + "}, b: {" + url + "}}", `f:1:34: mcp.b: tool "search" would be called search`, "a prefix"},
		{"tasks: {drop: {code: x}}\nmcp: {a: {" + url + "}}", `f:2:7: mcp.a: tool "drop" would be called drop`, "rename the task"},
		{"mcp: {empty: {" + url + "}}", "f:1:7: mcp.empty: the server has no tools", ""},
		{"mcp: {strange: {" + url + "}}", `mcp.strange: the listing has task "x", which is no tool`, ""},
		{"mcp: {long: {" + url + ", prefix: a_long_prefix_}}", `mcp.long: tool "a": name`, ""},
		{"mcp: {a: {" + url + "}}\ntasks: {o: {kind: orchestrator, code: x, tools: [a_drop]}}", `there is no task "a_drop" in this file`, "did you mean drop?"},
	} {
		_, err := Parse([]byte(test.yaml), Options{Path: "f", ListTools: listTools})
		e := api.AsError(err)
		if err == nil || e.Code != api.InvalidTask || !strings.Contains(e.Message, test.want) || !strings.Contains(e.Hint, test.hint) {
			t.Errorf("%s:\n got %v (%s)\nwant %s (%s)", test.yaml, err, api.AsError(err).Hint, test.want, test.hint)
		}
	}
}

// TestMCPServerIsDown: it is nothing that is wrong in the file, and can be mended
// without a change of it.
func TestMCPServerIsDown(t *testing.T) {
	_, err := Parse([]byte("mcp:\n  up: {url: https://h}\n  down: {url: https://h, prefix: d_}\n"), Options{Path: "f", ListTools: listTools})
	e := api.AsError(err)
	if e.Code != api.MCPUnavailable || !e.Retryable || !strings.Contains(e.Message, `f:3:3: mcp.down: MCP server "down": connection refused`) || e.Hint == "" {
		t.Errorf("%v, retryable %v", err, e.Retryable)
	}
	if _, err := Parse([]byte("mcp: {a: {url: https://h}}"), Options{Path: "f"}); err == nil || !strings.Contains(err.Error(), "cannot be reached here") {
		t.Errorf("where there is no network: %v", err)
	}
}

// TestNothingIsAskedForABadFile: a file that is wrong connects to nothing.
func TestNothingIsAskedForABadFile(t *testing.T) {
	var asked atomic.Int32
	list := func(server api.MCPServer) ([]api.Task, error) {
		asked.Add(1)
		return listTools(server)
	}
	for _, yaml := range []string{
		"mcp: {a: {url: https://h}, b: {}}",
		"mcp: {a: {url: https://h}}\ntasks: {x: {kind: robot}}",
		"mcp: {a: {url: https://h}}\nname: a b",
	} {
		if _, err := Parse([]byte(yaml), Options{Path: "f", ListTools: list}); err == nil {
			t.Errorf("%s is taken", yaml)
		}
	}
	if asked.Load() != 0 {
		t.Errorf("%d servers were asked", asked.Load())
	}
}
