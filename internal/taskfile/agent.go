package taskfile

import (
	"slices"

	"github.com/goccy/go-yaml/ast"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/yamlfile"
	"github.com/glovebox-dev/glovebox/value"
)

// The names of what every agent has, and of a model that is described in one.
const (
	messageInput = "message"
	answerOutput = "answer"
	modelName    = "model"
)

// asked are the tasks that an agent or a generation names, apart from tools.
type asked struct {
	model    *toolName // nil if it is described in the agent
	approval *toolName
	approve  []toolName // tools of the agent
}

// agentFields are those of agents, beside what all that calls tools has.
func (r *reader) agentFields(d *draft) yamlfile.Fields {
	a := &api.Agent{}
	d.Agent = a
	known := r.callerFields(d)
	known["model"] = func(n node) { r.askedModel(d, &a.Model, n) }
	known["instructions"] = func(n node) { a.Instructions = r.Str(n) }
	known["mode"] = func(n node) { a.Mode = api.AgentMode(r.oneOf(n, string(api.CodeAgent), string(api.ToolsAgent))) }
	known["streaming"] = func(n node) { a.Streaming = r.boolean(n) }
	known["max_turns"] = func(n node) { a.MaxTurns = r.limit(n) }
	known["budget"] = func(n node) { r.budget(&a.Budget, n) }
	known["approval"] = func(n node) { d.asked.approval = &toolName{r.Str(n), n} }
	known["approve"] = func(n node) { d.asked.approve = r.names(n, "approve") }
	known["output"] = func(n node) { r.outputs(&d.Task, n, []value.Param{{Name: answerOutput, Type: r.typ(n)}}) }
	return known
}

// askedModel reads the name of a task, or what a model has.
func (r *reader) askedModel(d *draft, into *api.Task, n node) {
	if _, mapping := n.(ast.MapNode); !mapping {
		d.asked.model = &toolName{r.Str(n), n}
		return
	}
	t := api.Task{Name: modelName, Kind: api.KindModel}
	known := r.modelFields(&t)
	known["timeout"] = func(n node) { t.Timeout = r.duration(n) }
	r.Object(n, "a model", known)
	if r.Err == nil && !modelIsNamed(&t) {
		r.Fail(n, "the model of %s %s has no protocol or no name", d.Kind, d.Name).WithHint(modelHint)
	}
	*into = t
}

func (r *reader) budget(b *api.Budget, n node) {
	r.Object(n, "a budget", yamlfile.Fields{
		"calls":    func(n node) { b.Calls = r.limit(n) },
		"tokens":   func(n node) { b.Tokens = int64(r.limit(n)) },
		"cost_usd": func(n node) { b.Cost = r.number(n) },
		"time":     func(n node) { b.Time = r.duration(n) },
	})
}

// completeAgent adds the input and the output that every agent has.
func (r *reader) completeAgent(d *draft) {
	text := value.Type{Kind: value.KindStr}
	s := &d.Signature
	if !slices.ContainsFunc(s.Inputs, func(p value.Param) bool { return p.Name == messageInput }) {
		s.Inputs = append([]value.Param{{Name: messageInput, Type: text}}, s.Inputs...)
	}
	if s.Outputs == nil {
		s.Outputs = []value.Param{{Name: answerOutput, Type: text}}
	}
	switch {
	case r.Err != nil:
	case d.asked.model == nil && d.Agent.Model.Model == nil:
		r.Fail(d.at, "task %s is an agent without model", d.Name).WithHint("name a task of kind model, or describe one: model: {protocol: openai, name: NAME}")
	case d.asked.approval == nil && len(d.asked.approve) > 0:
		r.Fail(d.asked.approve[0].at, "task %s names tools to approve, and nothing that approves them", d.Name).
			WithHint("name a task under approval: its inputs are tool and arguments, its output is a bool")
	}
}

// fillAgent puts in what an agent asks.
func (g *grants) fillAgent(ready *granted, asked asked) {
	a := ready.task.Agent
	if asked.model != nil {
		a.Model = g.askedModel(ready, *asked.model)
	}
	if asked.approval != nil && g.Err == nil {
		approval := g.asked(ready, *asked.approval)
		a.Approval = &approval
	}
	for _, tool := range asked.approve {
		g.approve(ready, tool)
	}
}

// askedModel finds a task that can be asked as a model.
func (g *grants) askedModel(ready *granted, name toolName) api.Task {
	model := g.asked(ready, name)
	if kind := model.KindOf(); g.Err == nil && kind != api.KindModel && kind != api.KindFunction {
		g.Fail(name.at, "task %s is of kind %s and no model", value.Quote(name.name), kind).
			WithHint("name a task of kind model, or a function with the same inputs and outputs")
	}
	return model
}

// asked finds a task and counts it.
func (g *grants) asked(ready *granted, name toolName) api.Task {
	t := g.tool(name)
	g.count(ready, t, name.at)
	return t.task
}

func (g *grants) approve(ready *granted, tool toolName) {
	var names []string
	for _, t := range ready.task.Orchestrator.Tools {
		names = append(names, t.Name)
	}
	ready.task.Agent.Approve = append(ready.task.Agent.Approve, tool.name)
	if g.Err != nil || slices.Contains(names, tool.name) {
		return
	}
	e := g.Fail(tool.at, "agent %s has no tool %s", ready.task.Name, value.Quote(tool.name)).WithHint("approve names tools of the agent, as it calls them")
	if near := value.Nearest(tool.name, names); near != "" {
		_ = e.WithHint("did you mean %s?", near)
	}
}
