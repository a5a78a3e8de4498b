package glovebox

import (
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// A Task can be run, deployed, or granted to an orchestrator as a tool. It is a
// Sandbox, an Orchestrator, a Function, a Model, an Agent, a Deployed task or a tool
// of an MCP server.
type Task interface {
	// define returns the task, which is the caller's to change, and the functions
	// of this process behind it and its tools.
	define(scope) (*api.Task, []Function, error)
}

// scope is where a task is defined. The zero value is for tasks that are looked
// at, or deployed.
type scope struct {
	depth int // the orchestrators that it is below
	names *names
	bound map[string]*function // the functions behind the task, by the ids that names gave them
}

func (s Sandbox) define(scope) (*api.Task, []Function, error) {
	task, err := s.task()
	return task, nil, err
}

// Deployed is a version of a task in the catalog. Run by itself, the run names
// the version. Functions behind it have to be registered.
type Deployed struct {
	api.TaskVersion
}

func (d Deployed) define(scope) (*api.Task, []Function, error) {
	if d.Task == nil {
		return nil, nil, api.Errorf(api.InvalidTask, "the deployed task %q has no content", d.Name).
			WithHint("get it with Glovebox.Task").WithDetails(api.Details{Field: "task"})
	}
	task := *d.Task
	return &task, nil, nil
}

// ref is the name of the version.
func (d Deployed) ref() string { return d.Name + "@" + strconv.Itoa(d.Version) }

// maxNesting bounds orchestrators that are tools of orchestrators: a slice of
// tools can hold itself.
const maxNesting = 32

// define is the method of t, also for a t that is nil.
func define(t Task) (*api.Task, []Function, error) { return defineAt(t, scope{}) }

func defineAt(t Task, s scope) (*api.Task, []Function, error) {
	if s.depth > maxNesting {
		return nil, nil, api.Errorf(api.InvalidTask, "orchestrators are nested more than %d deep, or one is a tool of itself", maxNesting).
			WithDetails(api.Details{Field: "tools", Limit: maxNesting})
	}
	if t == nil {
		return nil, nil, api.Errorf(api.InvalidTask, "the task is nil").
			WithDetails(api.Details{Field: "task", Expected: "a Sandbox, Orchestrator, Function or Deployed task", Got: "nil"})
	}
	return t.define(s)
}

// defineTools returns what define does of the tools of an orchestrator.
func defineTools(tools []Task, s scope) (tasks []api.Task, functions []Function, err error) {
	s.depth++
	seen := make(map[string]bool, len(tools))
	for _, t := range tools {
		task, below, err := defineAt(t, s)
		if err != nil {
			return nil, nil, err
		}
		task.Name = toolName(t, task.Name)
		if seen[task.Name] {
			return nil, nil, api.Errorf(api.InvalidTask, "there are two tools named %q", task.Name).
				WithHint("the code calls a tool by its name: give each another one").
				WithDetails(api.Details{Field: "tools", Expected: "names that are all different", Got: task.Name})
		}
		seen[task.Name] = true
		tasks = append(tasks, *task)
		functions = append(functions, below...)
	}
	return tasks, functions, nil
}

// toolName is what code calls a task. A deployed task is known to it without
// the environment that it was deployed with.
func toolName(t Task, name string) string {
	if _, ok := t.(Deployed); ok {
		return name[strings.LastIndexByte(name, '.')+1:]
	}
	return name
}
