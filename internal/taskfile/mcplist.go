package taskfile

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// maxListed bounds the servers that are asked at the same time. Each may need a
// cell.
const maxListed = 4

// listing is the answer of a server.
type listing struct {
	tasks []api.Task
	err   error
}

// addMCPTools asks the servers for their tools, and adds those that are wanted to
// the drafts. It returns their names in order.
func (r *reader) addMCPTools(servers []mcpServer, drafts map[string]*draft) []toolName {
	if r.Err != nil || len(servers) == 0 {
		return nil
	}
	if r.options.ListTools == nil {
		r.Fail(servers[0].at, "MCP servers cannot be reached here")
		return nil
	}
	var names []toolName
	for i, l := range r.listAll(servers) {
		for _, d := range r.mcpDrafts(&servers[i], l) {
			r.addDraft(&servers[i], d, drafts)
			names = append(names, toolName{d.Name, d.at})
		}
		if r.Err != nil {
			return nil
		}
	}
	return names
}

func (r *reader) listAll(servers []mcpServer) []listing {
	lists := make([]listing, len(servers))
	slots := make(chan struct{}, maxListed)
	var all sync.WaitGroup
	for i, s := range servers {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			lists[i].tasks, lists[i].err = r.options.ListTools(s.MCPServer)
		})
	}
	all.Wait()
	return lists
}

// mcpDrafts makes drafts of the wanted tools of a server.
func (r *reader) mcpDrafts(s *mcpServer, l listing) []*draft {
	if l.err != nil {
		r.failAs(s.at, "mcp."+s.Name, l.err)
		return nil
	}
	has, wanted := r.listed(s, l.tasks)
	if s.tools != nil {
		wanted = s.tools
	}
	var drafts []*draft
	for _, w := range wanted {
		task, ok := has[w.name]
		if !ok {
			r.noMCPTool(s, w, slices.Sorted(maps.Keys(has)))
			return nil
		}
		task.Name = s.prefix + task.Name
		task.Timeout, task.Retries, task.Cache, task.Idempotent = w.policy.Timeout, w.policy.Retries, w.policy.Cache, w.policy.Idempotent
		drafts = append(drafts, &draft{Task: task, at: w.at})
	}
	return drafts
}

// listed returns what a server has by the names that it uses, and all of it.
func (r *reader) listed(s *mcpServer, tasks []api.Task) (map[string]api.Task, []mcpTool) {
	has, all := map[string]api.Task{}, make([]mcpTool, 0, len(tasks))
	for _, task := range tasks {
		if task.Kind != api.KindMCP || task.MCP == nil {
			r.Fail(s.at, "mcp.%s: the listing has task %s, which is no tool of a server", s.Name, value.Quote(task.Name))
			return nil, nil
		}
		has[task.MCP.Tool] = task
		all = append(all, mcpTool{task.MCP.Tool, s.at, s.policy})
	}
	if len(has) == 0 {
		r.Fail(s.at, "mcp.%s: the server has no tools", s.Name)
	}
	return has, all
}

// maxShownTools bounds the tools that a hint lists.
const maxShownTools = 30

func (r *reader) noMCPTool(s *mcpServer, w mcpTool, has []string) {
	e := r.Fail(w.at, "mcp.%s.tools: the server has no tool %s", s.Name, value.Quote(w.name))
	if near := value.Nearest(w.name, has); near != "" {
		e.Details.Suggestion = near
		_ = e.WithHint("did you mean %s?", near)
		return
	}
	quoted := make([]string, 0, maxShownTools)
	for _, name := range has[:min(len(has), maxShownTools)] {
		quoted = append(quoted, value.Quote(name))
	}
	_ = e.WithHint("it has: %s", strings.Join(quoted, ", "))
}

// addDraft adds a tool under a name that nothing else has.
func (r *reader) addDraft(s *mcpServer, d *draft, drafts map[string]*draft) {
	if err := api.CheckName(d.Name, true); err != nil {
		r.Fail(d.at, "mcp.%s: tool %s: %s", s.Name, value.Quote(d.MCP.Tool), api.AsError(err).Message)
		return
	}
	if _, taken := drafts[d.Name]; taken {
		r.Fail(d.at, "mcp.%s: tool %s would be called %s, as another task of the file is", s.Name, value.Quote(d.MCP.Tool), d.Name).
			WithHint("give the server a prefix of its own, or rename the task")
		return
	}
	if len(drafts) == maxTasks {
		r.Fail(s.at, "mcp.%s: with its tools the file has more than %d tasks", s.Name, maxTasks).WithHint("name those that are wanted under tools")
		return
	}
	drafts[d.Name] = d
}

// failAs keeps the code of an error of somebody else, and says at which place of
// the file it was met.
func (r *reader) failAs(n node, what string, err error) {
	cause := api.AsError(err)
	e := r.Fail(n, "%s: %s", what, cause.Message).WithHint("%s", cause.Hint)
	e.Code, e.Retryable, e.Outcome = cause.Code, cause.Retryable, cause.Outcome
}
