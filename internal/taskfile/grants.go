package taskfile

import (
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// maxGranted bounds the tasks that one task holds, itself and the tools of its
// tools included. Each holds whole tasks, so their number could double at every
// level.
const maxGranted = 2000

// grants puts tools into the orchestrators and agents that ask for them.
type grants struct {
	*reader
	drafts map[string]*draft
	done   map[string]granted
	path   []string // the tasks whose tools are being put in
}

// granted is a task with its tools.
type granted struct {
	task  api.Task
	count int // of tasks in it
}

// complete returns the task of that name; at is where it was asked for.
func (g *grants) complete(name string, at node) granted {
	if ready, ok := g.done[name]; ok {
		return ready
	}
	if i := slices.Index(g.path, name); i >= 0 {
		_ = g.Fail(at, "the tools go round in a circle: %s", strings.Join(append(g.path[i:len(g.path):len(g.path)], name), " -> ")).
			WithHint("take one of them out of the tools of another")
		return granted{}
	}
	g.path = append(g.path, name)
	ready := g.fill(g.drafts[name])
	g.path = g.path[:len(g.path)-1]
	g.done[name] = ready
	return ready
}

func (g *grants) fill(d *draft) granted {
	ready := granted{d.Task, 1}
	for _, tool := range d.tools {
		t := g.tool(tool)
		if g.Err != nil {
			return ready
		}
		if err := api.CheckName(t.task.Name, true); err != nil {
			_ = g.Fail(tool.at, "a tool is called by its name, and %s", api.AsError(err).Message).WithHint("give the task a name that is a Python identifier")
			return ready
		}
		if slices.ContainsFunc(ready.task.Orchestrator.Tools, func(other api.Task) bool { return other.Name == t.task.Name }) {
			g.Fail(tool.at, "the %s has two tools %s", ready.task.Kind, value.Quote(t.task.Name))
			return ready
		}
		if g.count(&ready, t, tool.at); g.Err != nil {
			return ready
		}
		ready.task.Orchestrator.Tools = append(ready.task.Orchestrator.Tools, t.task)
	}
	switch d.Kind {
	case api.KindAgent:
		g.fillAgent(&ready, d.asked)
	case api.KindCodegen:
		g.fillCodegen(&ready, d.asked)
	}
	return ready
}

// count adds the tasks that t holds.
func (g *grants) count(ready *granted, t granted, at node) {
	if ready.count += t.count; ready.count > maxGranted {
		_ = g.Fail(at, "the task would hold more than %d tasks, the tools of its tools included", maxGranted).
			WithHint("deploy a part, or flatten the tools")
	}
}

// tool finds a task of this file, or NAME@VERSION in the catalog.
func (g *grants) tool(tool toolName) granted {
	if _, here := g.drafts[tool.name]; here {
		return g.complete(tool.name, tool.at)
	}
	if strings.Contains(tool.name, "@") {
		return g.deployed(tool)
	}
	e := g.Fail(tool.at, "there is no task %s in this file", value.Quote(tool.name))
	names := make([]string, 0, len(g.drafts))
	for name := range g.drafts {
		names = append(names, name)
	}
	if near := value.Nearest(tool.name, names); near != "" {
		_ = e.WithHint("did you mean %s?", near)
	} else {
		_ = e.WithHint("describe it here, or name a deployed task as NAME@VERSION")
	}
	return granted{}
}

func (g *grants) deployed(tool toolName) granted {
	if g.options.Lookup == nil {
		g.Fail(tool.at, "there is no catalog here")
		return granted{}
	}
	found, err := g.options.Lookup(tool.name)
	if err != nil {
		e := api.AsError(err)
		if e.Code != api.NotFound && e.Code != api.InvalidTask && g.Err == nil {
			g.Err = e // nothing that is wrong in the file
			return granted{}
		}
		_ = g.Fail(tool.at, "%s", e.Message).WithHint("%s", e.Hint)
		return granted{}
	}
	if found == nil {
		g.Fail(tool.at, "the catalog has no task behind %s", value.Quote(tool.name))
		return granted{}
	}
	task := *found
	task.Name = ShortName(task.Name)
	return granted{task, size(&task)}
}

// ShortName is the name that a deployed task has as a tool: what follows the
// name of its environment.
func ShortName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// size counts the tasks in t, up to the first that is too many.
func size(t *api.Task) int {
	n := 1
	for _, tool := range t.Callable() {
		if n += size(tool); n > maxGranted {
			break
		}
	}
	return n
}
