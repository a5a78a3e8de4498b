package server

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

type codeModeArgs struct {
	Code       string                     `json:"code" jsonschema:"restricted Python: the value of its last expression is the result; print() shows text; call tools by the names that tool_search lists"`
	Tools      []string                   `json:"tools,omitempty" jsonschema:"the tools that the code may call, by name; empty is all deployed tasks, the first 100"`
	Inputs     map[string]json.RawMessage `json:"inputs,omitempty" jsonschema:"variables of the code by name, any JSON"`
	Extended   bool                       `json:"extended,omitempty" jsonschema:"a larger part of Python: classes, generators and more modules"`
	TimeLimit  float64                    `json:"time_limit_s,omitempty" jsonschema:"seconds that the code itself may take, waiting for tools not counted; 0 is 60"`
	Background bool                       `json:"background,omitempty" jsonschema:"return the id of the run at once, and ask run_get later"`
	Labels     map[string]string          `json:"labels,omitempty" jsonschema:"labels of the run, by which people find it"`
}

// maxGranted is how many tasks code may call that names none.
const maxGranted = 100

// codeTimeLimit is that of the code itself, in seconds.
const codeTimeLimit = 60

func (s *Server) addCodeMode() {
	add(s, &mcp.Tool{
		Name: "code_mode", Annotations: granted("Call tools from code"),
		Description: "Call many tools in one go: run a restricted Python program (an orchestrator) that calls deployed tasks as functions, with loops, conditions and error handling, " +
			"and returns only its result, so that what comes in between costs no tokens. The code itself has no files, network or imports beyond a few modules. " +
			"tool_search and tool_describe say what it can call. Only what it is granted runs; every call is recorded.",
	}, s.codeMode)
}

func (s *Server) codeMode(ctx context.Context, req *mcp.CallToolRequest, a codeModeArgs) (*runView, error) {
	tools, err := s.grant(ctx, a.Tools)
	if err != nil {
		return nil, err
	}
	task := &api.Task{Name: "code_mode", Kind: api.KindOrchestrator, Code: a.Code, Orchestrator: &api.Orchestrator{Tools: tools}}
	if a.Extended {
		task.Orchestrator.Dialect = "extended"
	}
	if a.TimeLimit == 0 {
		a.TimeLimit = codeTimeLimit
	}
	task.Orchestrator.Limits.Time = seconds(a.TimeLimit)
	if task.Signature.Inputs, err = params("input", typesOf(a.Inputs, nil)); err != nil {
		return nil, err
	}
	task.Signature.Outputs = []value.Param{{Name: "result", Type: value.Type{Kind: value.KindAny}}}
	text, err := rawInputs(a.Inputs)
	if err != nil {
		return nil, err
	}
	inputs, err := decodeInputs(task.Signature.Inputs, text)
	if err != nil {
		return nil, err
	}
	return s.run(ctx, req, api.Submission{Task: task, Checked: inputs, Labels: a.Labels}, a.Background)
}

// grant returns the tasks that code may call, by the names that it calls them.
func (s *Server) grant(ctx context.Context, names []string) ([]api.Task, error) {
	if len(names) == 0 {
		tasks, err := s.service.Tasks(ctx)
		if err != nil {
			return nil, err
		}
		for i := range tasks[:min(len(tasks), maxGranted)] {
			names = append(names, refOf(&tasks[i]))
		}
	}
	var tools []api.Task
	for _, name := range names {
		version, err := s.taskOf(ctx, name)
		if err != nil {
			return nil, err
		}
		if version.Task == nil {
			return nil, api.Errorf(api.NotFound, "the catalog has no task behind %s", name)
		}
		tool := *version.Task
		tool.Name = toolName(version.Name)
		tools = append(tools, tool)
	}
	return tools, nil
}
