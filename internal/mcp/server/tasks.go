package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/typeschema"
	"github.com/glovebox-dev/glovebox/value"
)

type taskRunArgs struct {
	Task       string                     `json:"task" jsonschema:"the name of the deployed task, NAME or NAME@VERSION, as tool_search lists it"`
	Inputs     map[string]json.RawMessage `json:"inputs,omitempty" jsonschema:"the inputs by name, as JSON of their declared types"`
	Background bool                       `json:"background,omitempty" jsonschema:"return the id of the run at once, and ask run_get later"`
	Labels     map[string]string          `json:"labels,omitempty" jsonschema:"labels of the run, by which people find it"`
}

func (s *Server) addTasks() {
	add(s, &mcp.Tool{
		Name: "task_run", Annotations: granted("Run a deployed task"),
		Description: "Run a deployed task by its name with typed inputs. tool_search finds tasks, tool_describe tells their inputs.",
	}, s.taskRun)
}

// granted are the hints of what somebody deployed: it may do anything.
func granted(title string) *mcp.ToolAnnotations {
	return &mcp.ToolAnnotations{Title: title, DestructiveHint: &yes, OpenWorldHint: &yes}
}

func (s *Server) taskRun(ctx context.Context, req *mcp.CallToolRequest, a taskRunArgs) (*runView, error) {
	version, err := s.service.Task(ctx, a.Task)
	if err != nil {
		return nil, err
	}
	text, err := rawInputs(a.Inputs)
	if err != nil {
		return nil, err
	}
	return s.runTask(ctx, req, version, text, api.Submission{Labels: a.Labels}, a.Background)
}

// runTask runs a version of a task with inputs as JSON.
func (s *Server) runTask(ctx context.Context, req *mcp.CallToolRequest, version *api.TaskVersion, text json.RawMessage, how api.Submission, background bool) (*runView, error) {
	inputs, err := decodeInputs(version.Signature.Inputs, text)
	if err != nil {
		return nil, err
	}
	how.Name, how.Checked = refOf(version), inputs
	return s.run(ctx, req, how, background)
}

func refOf(v *api.TaskVersion) string { return fmt.Sprintf("%s@%d", v.Name, v.Version) }

// maxTaskTools is how many deployed tasks are tools of their own. Beyond, a list of
// tools would be most of what a model reads; all are found by tool_search.
const maxTaskTools = 40

// betweenLooks is the least time between two looks at the deployed tasks.
const betweenLooks = 2 * time.Second

// refresh makes tools of the deployed tasks, and no more of those that were
// removed. Clients hear of changes.
func (s *Server) refresh(ctx context.Context) {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	if time.Since(s.refreshed) < betweenLooks {
		return
	}
	tasks, err := s.service.Tasks(ctx)
	if err != nil {
		s.logger.Warn("the deployed tasks cannot be listed", "error", err)
		return
	}
	s.refreshed = time.Now()
	slices.SortFunc(tasks, func(a, b api.TaskVersion) int { return strings.Compare(a.Name, b.Name) })
	known := map[string]string{} // digests of versions by names of tools
	for i := range tasks[:min(len(tasks), maxTaskTools)] {
		name := toolName(tasks[i].Name)
		known[name] = refOf(&tasks[i])
		if s.tasks[name] != known[name] {
			s.addTask(name, &tasks[i])
		}
	}
	var gone []string
	for name := range s.tasks {
		if known[name] == "" {
			gone = append(gone, name)
		}
	}
	if len(gone) > 0 {
		s.mcp.RemoveTools(gone...)
	}
	s.tasks = known
}

// addTask makes a tool of a deployed task. Its types are checked by the values
// themselves, which knows more of them than a schema can say.
func (s *Server) addTask(name string, version *api.TaskVersion) {
	s.mcp.AddTool(&mcp.Tool{
		Name: name, Annotations: granted(version.Name), Description: describe(version),
		InputSchema: typeschema.Object(version.Signature.Inputs), OutputSchema: outputSchema(version.Signature),
	}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		text := req.Params.Arguments
		if len(text) == 0 {
			text = json.RawMessage("{}")
		}
		v, err := s.runTask(ctx, req, version, text, api.Submission{}, false)
		if err != nil {
			return refusal(err), nil
		}
		return answer(v)
	})
}

// maxDoc bounds what a task says of itself.
const maxDoc = 2 << 10

func describe(v *api.TaskVersion) string {
	doc, _ := cut([]byte(strings.TrimSpace(v.Doc)), maxDoc)
	if doc == "" {
		doc = "A deployed task without a description."
	}
	return fmt.Sprintf("%s\n\nDeployed task %s: %s", doc, refOf(v), signature(v))
}

// signature writes how a task is called in code, as Python does.
func signature(v *api.TaskVersion) string {
	returns := "None"
	switch outputs := v.Signature.Outputs; len(outputs) {
	case 0:
	case 1:
		returns = outputs[0].Type.String()
	default:
		returns = "tuple[" + value.DescribeParams(outputs) + "]"
	}
	def := "def "
	if v.Signature.Async {
		def = "async def "
	}
	return fmt.Sprintf("%s%s(%s) -> %s", def, toolName(v.Name), value.DescribeParams(v.Signature.Inputs), returns)
}

// taskOf finds a deployed task by its name or that of its tool.
func (s *Server) taskOf(ctx context.Context, name string) (*api.TaskVersion, error) {
	version, err := s.service.Task(ctx, name)
	if err == nil || !errors.Is(err, api.NotFound) {
		return version, err
	}
	tasks, listed := s.service.Tasks(ctx)
	if listed != nil {
		return nil, listed
	}
	for i := range tasks {
		if toolName(tasks[i].Name) == name {
			return s.service.Task(ctx, refOf(&tasks[i]))
		}
	}
	return nil, api.Errorf(api.NotFound, "there is no deployed task %s", name).WithHint("tool_search lists them")
}
