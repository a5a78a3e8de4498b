package taskfile

import (
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/yamlfile"
	"github.com/glovebox-dev/glovebox/value"
)

// Bounds of the MCP servers of a file.
const (
	maxServers = 20
	maxPrefix  = 30 // bytes
)

// mcpServer is a server whose tools become tasks of the file.
type mcpServer struct {
	api.MCPServer
	at     node // its name in the file
	prefix string
	tools  []mcpTool // nil are all that it has
	policy api.Task  // of tools of which nothing is declared
}

// mcpTool is a tool that a file names, with what it declares of it.
type mcpTool struct {
	name   string // as the server spells it
	at     node
	policy api.Task // Timeout, Retries, Cache and Idempotent
}

// mcpServers reads the servers, and asks none of them.
func (r *reader) mcpServers(n node, common api.Task) []mcpServer {
	if n == nil || r.Err != nil {
		return nil
	}
	pairs := r.Pairs(n, "mcp")
	if r.Err == nil && (len(pairs) == 0 || len(pairs) > maxServers) {
		r.Fail(n, "mcp has 1 to %d servers, this one has %d", maxServers, len(pairs))
	}
	// A result is not cached because results of the other tasks are.
	policy := api.Task{Timeout: common.Timeout, Retries: common.Retries}
	var servers []mcpServer
	for _, p := range pairs {
		if r.Err != nil {
			return nil
		}
		servers = append(servers, r.mcpServer(p, policy))
	}
	return servers
}

func (r *reader) mcpServer(p yamlfile.Pair, policy api.Task) mcpServer {
	s := mcpServer{at: p.At, policy: policy}
	s.Name = p.Key
	r.checkName(p.At, p.Key)
	if r.Err != nil {
		return s
	}
	r.Object(p.Value, "MCP server "+p.Key, yamlfile.Fields{
		"url":     func(n node) { s.URL = r.Str(n) },
		"token":   func(n node) { s.Token = r.Str(n) },
		"command": func(n node) { s.Command = r.Words(n, "a command") },
		"env":     func(n node) { s.Env = r.Strings(n, "env") },
		"secrets": func(n node) { s.Secrets = r.secrets(n) },
		"image":   func(n node) { s.Image = r.image(n) },
		"network": func(n node) { s.Network = r.network(n) },
		"host":    func(n node) { s.Host = r.boolean(n) },
		"prefix":  func(n node) { s.prefix = r.mcpPrefix(n) },
		"tools":   func(n node) { s.tools = r.mcpTools(n, policy) },
	})
	s.Network = s.Network.With(s.Secrets)
	if r.Err == nil && (s.URL == "") == (len(s.Command) == 0) {
		r.Fail(p.At, "MCP server %s has no way to it, or two", p.Key).WithHint("give its url, or the command that starts it")
	}
	return s
}

// mcpPrefix reads what stands before the names of tools. With a _ at its end, no
// tool is called as what Python has by itself, whatever its server calls it.
func (r *reader) mcpPrefix(n node) string {
	prefix := r.Str(n)
	if r.Err == nil && (api.CheckName(prefix, true) != nil || !strings.HasSuffix(prefix, "_") || len(prefix) > maxPrefix) {
		r.Fail(n, "the prefix %s is no beginning of a name", value.Quote(prefix)).
			WithHint("use at most %d letters, digits and _, with _ at the end: docs_", maxPrefix)
	}
	return prefix
}

// mcpTools reads a list of tools, or a mapping of tools to what is declared of them.
func (r *reader) mcpTools(n node, policy api.Task) []mcpTool {
	var tools []mcpTool
	if _, mapping := n.(ast.MapNode); mapping {
		for _, p := range r.Pairs(n, "tools") {
			tool := mcpTool{p.Key, p.At, policy}
			r.mcpPolicy(&tool, p.Value)
			tools = append(tools, tool)
		}
	} else {
		for _, item := range r.Items(n, "tools") {
			tools = append(tools, mcpTool{r.Str(item), item, policy})
		}
	}
	if r.Err == nil && (len(tools) == 0 || len(tools) > maxTasks) {
		r.Fail(n, "tools names 1 to %d tools, this one names %d", maxTasks, len(tools)).WithHint("leave it out for all tools of the server")
	}
	return tools
}

func (r *reader) mcpPolicy(tool *mcpTool, n node) {
	r.Object(n, "tool "+tool.name, yamlfile.Fields{
		"timeout":    func(n node) { tool.policy.Timeout = r.duration(n) },
		"retries":    func(n node) { tool.policy.Retries = r.count(n) },
		"cache":      func(n node) { tool.policy.Cache = r.cache(n) },
		"idempotent": func(n node) { tool.policy.Idempotent = r.boolean(n) },
	})
}
