package server

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/toolsearch"
	"github.com/glovebox-dev/glovebox/internal/typeschema"
)

type toolSearchArgs struct {
	Query string `json:"query,omitempty" jsonschema:"words to look for in names and descriptions; empty lists all"`
	Limit int    `json:"limit,omitempty" jsonschema:"how many to return, at most 50; 0 is 10"`
}

type toolDescribeArgs struct {
	Names []string `json:"names" jsonschema:"names of tools or tasks, as tool_search lists them, at most 20"`
}

func (s *Server) addSearch() {
	add(s, &mcp.Tool{
		Name: toolsearch.Search, Annotations: reads("Search deployed tasks"),
		Description: "Search the deployed tasks, which are tools that code in code_mode can call and task_run runs, by words of their names and descriptions.",
	}, s.toolSearch)
	add(s, &mcp.Tool{
		Name: toolsearch.Describe, Annotations: reads("Describe deployed tasks"),
		Description: "Describe deployed tasks: what each does, how code in code_mode calls it, and the schema of its inputs.",
	}, s.toolDescribe)
}

// foundTool is a tool that was found.
type foundTool struct {
	Tool        string     `json:"tool" jsonschema:"its name, as a tool and in the code of code_mode"`
	Task        string     `json:"task" jsonschema:"its name for task_run"`
	Signature   string     `json:"signature" jsonschema:"how code calls it"`
	Description string     `json:"description,omitempty" jsonschema:"what it does"`
	Inputs      schemaText `json:"inputs,omitzero" jsonschema:"the schema of its inputs"`
}

// foundTools are tools that were found.
type foundTools struct {
	Tools []foundTool `json:"tools" jsonschema:"what was found, the best first"`
	Left  int         `json:"left,omitempty" jsonschema:"how many more there are; use other words, or a higher limit"`
}

func (v foundTools) content() []mcp.Content { return asJSON(v) }
func (v foundTools) failed() bool           { return false }

// The bounds of what is found: how many by default, at most, and of which a whole
// description is given.
const (
	defaultFound = 10
	maxFound     = 50
	maxDescribed = 20
)

func (s *Server) toolSearch(ctx context.Context, _ *mcp.CallToolRequest, a toolSearchArgs) (foundTools, error) {
	tasks, err := s.service.Tasks(ctx)
	if err != nil {
		return foundTools{}, err
	}
	tasks = matching(tasks, a.Query)
	limit := min(cmp.Or(max(a.Limit, 0), defaultFound), maxFound)
	v := foundTools{Tools: []foundTool{}, Left: max(0, len(tasks)-limit)}
	for i := range tasks[:len(tasks)-v.Left] {
		found := found(&tasks[i])
		found.Description, _, _ = strings.Cut(found.Description, "\n")
		v.Tools = append(v.Tools, found)
	}
	return v, nil
}

// matching returns the tasks with any word of a query, those with most first.
func matching(tasks []api.TaskVersion, query string) []api.TaskVersion {
	index := toolsearch.Of(len(tasks), func(i int) (name, doc string) { return tasks[i].Name, tasks[i].Doc })
	var all []api.TaskVersion
	for _, i := range index.Find(query) {
		all = append(all, tasks[i])
	}
	return all
}

func found(t *api.TaskVersion) foundTool {
	doc, _ := cut([]byte(strings.TrimSpace(t.Doc)), maxDoc)
	return foundTool{Tool: toolName(t.Name), Task: t.Name, Signature: signature(t), Description: doc}
}

func (s *Server) toolDescribe(ctx context.Context, _ *mcp.CallToolRequest, a toolDescribeArgs) (foundTools, error) {
	if len(a.Names) == 0 || len(a.Names) > maxDescribed {
		return foundTools{}, api.Errorf(api.RequestInvalid, "%d names are given, expected 1 to %d", len(a.Names), maxDescribed)
	}
	var v foundTools
	for _, name := range a.Names {
		task, err := s.taskOf(ctx, name)
		if err != nil {
			return foundTools{}, err
		}
		tool := found(task)
		if tool.Inputs.RawMessage, err = json.Marshal(typeschema.Object(task.Signature.Inputs)); err != nil {
			return foundTools{}, err
		}
		v.Tools = append(v.Tools, tool)
	}
	return v, nil
}
